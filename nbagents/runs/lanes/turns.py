"""The main thread, shared: calls of runs in the background take turns on it, one after the other.

A turn is taken between two cells, on the loop of the main thread, or by whoever waits on the main
thread for a run. Where there is no such loop, turns wait until somebody waits.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from typing import TYPE_CHECKING

from nbagents.runs.lanes.workers import tell

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

AGAIN_S = 0.02
"""When a loop that runs inside of a turn looks again whether that has ended."""


class Turns:
    """What waits for the main thread, first come first served."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()
        self._wakers: list[Callable[[], None]] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_taken = False

    def use_loop(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Say which loop the main thread runs when it has nothing else to do."""
        if loop is None or loop is self._loop:
            return
        self._loop = loop
        for _ in range(len(self._waiting)):
            tell(loop, self._serve)

    @property
    def has_loop(self) -> bool:
        """Whether turns are taken also where nobody waits for them."""
        return self._loop is not None and not self._loop.is_closed()

    def ask(self, act: Callable[[], None]) -> None:
        """Wait for the main thread, from any thread; then `act`, which raises nothing."""
        self._waiting.append(act)
        for wake in self._wakers[-1:]:
            wake()
        if self._loop is not None:
            tell(self._loop, self._serve)

    def give(self) -> bool:
        """Give one turn, on the main thread; whether somebody waited for one."""
        try:
            act = self._waiting.popleft()
        except IndexError:
            return False
        before, self._is_taken = self._is_taken, True
        try:
            act()
        finally:
            self._is_taken = before
        return True

    def __bool__(self) -> bool:
        """Whether somebody waits for a turn."""
        return bool(self._waiting)

    @contextlib.contextmanager
    def given(self, wake: Callable[[], None]) -> Generator[Turns]:
        """Wait on this thread, and be woken for turns; off the main thread there are none."""
        if threading.current_thread() is not threading.main_thread():
            yield Turns()
            return
        self._wakers.append(wake)
        try:
            yield self
        finally:
            self._wakers.remove(wake)

    def _serve(self) -> None:
        """One turn for each that was asked for, so that cells which were queued come between.

        A loop that runs inside of a turn, as some patches of asyncio let it, takes none.
        """
        if not self._is_taken:
            self.give()
        elif self._loop is not None and self._waiting:
            self._loop.call_later(AGAIN_S, self._serve)


main_turns = Turns()
"""This process's."""
