"""Several notebooks tested beside each other, and all of it stopped by Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from nbagents.execution.check import check_notebook
from nbagents.execution.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path

    from nbagents.execution.check import Rules
    from nbagents.execution.execution import Watch


class Desk(Protocol):
    """Is told how far the tests are."""

    def watch(self, path: Path) -> Watch:
        """A notebook begins; gives what is told of its cells."""
        ...

    def judged(self, verdict: Verdict) -> None:
        """A notebook has ended."""
        ...


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


async def check_all(paths: Sequence[Path], rules: Rules, desk: Desk, *, jobs: int) -> list[Verdict]:
    """Test notebooks, so many beside each other; the verdicts in the order of the paths.

    The first Ctrl-C stops those that run, and the others are not begun.
    """
    turns = asyncio.Semaphore(jobs)
    with stopping() as stop:

        async def one(path: Path) -> Verdict:
            async with turns:
                if stop.is_set():
                    return Verdict(path=path, was_interrupted=True)
                verdict = await check_notebook(path, rules, desk.watch(path), stop)
            desk.judged(verdict)
            return verdict

        return list(await asyncio.gather(*map(one, paths)))


@contextmanager
def stopping() -> Generator[asyncio.Event]:
    """An event of the running loop that the first Ctrl-C sets; a second one ends all at once."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before: dict[int, Any] = {}  # Any: as the signal module has handlers

    def heard(number: int, _frame: object) -> None:
        signal.signal(number, signal.default_int_handler)
        loop.call_soon_threadsafe(stop.set)

    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            before[number] = signal.signal(number, heard)
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
