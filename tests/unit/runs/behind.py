"""What the tests of runs in the background have at hand."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable

from nbagents.runs.state.run.run import Run


def on_loop(start: Callable[[], Run]) -> Run:
    """Start a run from a loop of the main thread, and let that loop run until the run has ended."""

    async def main() -> Run:
        run = start()
        while not run.is_closed:  # noqa: ASYNC110  another thread ends it
            await asyncio.sleep(0.005)
        return run

    loop = asyncio.new_event_loop()  # not asyncio.run, which has a handler of its own for SIGINT
    try:
        return loop.run_until_complete(main())
    finally:
        loop.close()


def until(is_so: Callable[[], bool]) -> None:
    """Wait for something that another thread does."""
    end = time.monotonic() + 5
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.005)


def soon_after(ready: threading.Event, act: Callable[[], object]) -> None:
    """Do something on a thread when a tool has begun, and has had time to fall asleep."""

    def wait() -> None:
        ready.wait(5)
        time.sleep(0.05)
        act()

    threading.Thread(target=wait, daemon=True).start()


def press_stop_when(ready: threading.Event) -> None:
    """Send SIGINT to this process, as Jupyter does."""
    soon_after(ready, lambda: os.kill(os.getpid(), signal.SIGINT))


def types(run: Run) -> list[str]:
    return [event.type for event in run.events]
