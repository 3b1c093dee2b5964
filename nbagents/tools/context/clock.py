"""The time that a run spends: it stands still while the run waits for a person."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Generator

T = TypeVar("T")

GLANCE_S = 0.05
"""How often a limit is looked at again that a wait for a person has put off."""


class ActiveClock:
    """Measures a run's active time, and knows when it is over.

    Args:
        limit_s: How many active seconds the run has; `None`: as many as it likes.
        parent: The clock of the run above: its end is the end of all runs below it.
    """

    def __init__(self, limit_s: float | None = None, parent: ActiveClock | None = None) -> None:
        self._parent = parent
        self._waits = 0
        self._waiting_since_s = 0.0
        self._waited_s = 0.0
        self._lock = threading.Lock()
        self._end_s = None if limit_s is None else self.now_s() + limit_s

    def now_s(self) -> float:
        """Active seconds, from any beginning."""
        with self._lock:
            still_s = time.monotonic() - self._waiting_since_s if self._waits else 0.0
            return time.monotonic() - self._waited_s - still_s

    def left_s(self) -> float | None:
        """How much is left of the run's time, or of that of a run above; `None`: no end."""
        above_s = self._parent.left_s() if self._parent is not None else None
        if self._end_s is None:
            return above_s
        own_s = self._end_s - self.now_s()
        return own_s if above_s is None else min(own_s, above_s)

    @contextmanager
    def standing_still(self) -> Generator[None]:
        """Stop the time of the run, and of all above it, for as long as somebody is waited for."""
        self.pause()
        try:
            yield
        finally:
            self.go_on()

    def pause(self) -> None:
        """Count no time, also above, until as many times `go_on` is said."""
        with self._lock:
            if not self._waits:
                self._waiting_since_s = time.monotonic()
            self._waits += 1
        if self._parent is not None:
            self._parent.pause()

    def go_on(self) -> None:
        """Count again, where nothing else waits."""
        with self._lock:
            self._waits -= 1
            if not self._waits:
                self._waited_s += time.monotonic() - self._waiting_since_s
        if self._parent is not None:
            self._parent.go_on()


run_clock: contextvars.ContextVar[ActiveClock | None] = contextvars.ContextVar(
    "nbagents_run_clock", default=None
)
"""The clock of the run whose calls these are."""


def active_s() -> float:
    """Now, by the clock of the run whose call this is; outside of runs by that of the machine."""
    clock = run_clock.get()
    return time.monotonic() if clock is None else clock.now_s()


async def ends_in_time(ending: asyncio.Future[T], limit_s: float) -> bool:
    """Wait for as much active time as there is; whether it has ended by then.

    It is not cancelled where it has not.
    """
    end_s = active_s() + limit_s
    left_s = limit_s
    while not ending.done():
        await asyncio.wait([ending], timeout=left_s)
        if ending.done():
            break
        left_s = end_s - active_s()
        if left_s <= 0:
            return False
        left_s = max(left_s, GLANCE_S)
    return True
