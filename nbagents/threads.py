"""The one door through which threads are started, so that a host can have its own.

A host that has no threads, such as Python in a browser, hands `start_threads_by` what stands for
them there, before anything runs.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol, TypeAlias

__all__ = ["Started", "Starter", "Timer", "start_thread", "start_threads_by"]


class Started(Protocol):
    """What is known of a thread that was started."""

    @property
    def ident(self) -> int | None:
        """Its id, as `threading.get_ident()` says in it."""
        ...

    def is_alive(self) -> bool:
        """Whether it goes on."""
        ...

    def join(self, timeout: float | None = None) -> None:
        """Wait for its end, at most `timeout` seconds."""
        ...


Starter: TypeAlias = Callable[[Callable[[], object], str, bool], Started]
"""Starts work under a name; with the third argument the process does not wait for its end."""


def _plain(work: Callable[[], object], name: str, is_daemon: bool) -> Started:  # noqa: FBT001  as in `Starter`
    thread = threading.Thread(target=work, name=name, daemon=is_daemon)
    thread.start()
    return thread


_starter: Starter = _plain


def start_thread(work: Callable[[], object], name: str, *, is_daemon: bool = True) -> Started:
    """Start work on a thread of its own.

    Args:
        work: What it does.
        name: What it is for, in a debugger: `nbagents-` is put before it.
        is_daemon: Whether the process may end while it goes on.

    Raises:
        RuntimeError: The host can start no thread.
    """
    return _starter(work, f"nbagents-{name}", is_daemon)


def start_threads_by(starter: Starter | None) -> None:
    """Have all threads started from now on by something else; `None`: by Python again."""
    global _starter  # noqa: PLW0603  one door, for the whole process
    _starter = starter or _plain


class Timer:
    """Does something in a while, on a thread of its own, unless it is cancelled before.

    Args:
        after_s: How long it waits, in seconds, from when it is started.
        work: What it does then.
    """

    def __init__(self, after_s: float, work: Callable[[], object]) -> None:
        self._after_s = after_s
        self._work = work
        self._left = threading.Event()

    def start(self) -> None:
        """Begin to wait."""
        start_thread(self._wait, "timer")

    def cancel(self) -> None:
        """Have it do nothing, unless it has begun."""
        self._left.set()

    def _wait(self) -> None:
        if not self._left.wait(self._after_s):
            self._work()
