"""Ids and times, real by default and fixed under `NBAGENTS_DETERMINISTIC=1`.

Notebooks in git keep outputs made under that switch, so that a second run gives the same text.
"""

from __future__ import annotations

import itertools
import os
import time
import uuid
from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

__all__ = [
    "FreshIds",
    "clock",
    "is_deterministic",
    "new_id",
    "restart_ids",
    "stopwatch",
    "tick_s",
]

FIXED_TIME_S = 1_767_225_600.0
"""2026-01-01T00:00:00Z: every `at` under the switch."""

_counters: defaultdict[str, Iterator[int]] = defaultdict(lambda: itertools.count(1))


def is_deterministic() -> bool:
    """Whether ids and times are fixed."""
    return os.environ.get("NBAGENTS_DETERMINISTIC") == "1"


def new_id(prefix: str) -> str:
    """A new id, `prefix-` and twelve hex digits; under the switch `prefix-1`, then `prefix-2`."""
    if is_deterministic():
        return f"{prefix}-{next(_counters[prefix])}"
    return f"{prefix}-{uuid.uuid4().hex[:12]}"


def restart_ids() -> None:
    """Count from 1 again under the switch, as a new kernel would."""
    _counters.clear()


def clock() -> Callable[[], float]:
    """What tells the time for as long as a run lasts: seconds since 1970 (UTC)."""
    return (lambda: FIXED_TIME_S) if is_deterministic() else time.time


def tick_s() -> float:
    """A monotonic time in seconds, for a `stopwatch`."""
    return time.perf_counter()


def stopwatch() -> Callable[[float], float]:
    """What measures in a run: milliseconds since a `tick_s`; 0 under the switch."""
    if is_deterministic():
        return lambda _: 0.0
    return lambda since_s: round((time.perf_counter() - since_s) * 1000, 3)


class FreshIds:
    """Gives each id once: one that was given already is made another, by looking once.

    Args:
        taken: Ids of others, which are not given either.
    """

    def __init__(self, taken: Collection[str] = ()) -> None:
        self._taken = taken
        self._given: set[str] = set()
        self._next: dict[str, int] = {}

    def take(self, ids: Iterable[str]) -> None:
        """Know ids that were given elsewhere."""
        self._given.update(ids)

    def give(self, wanted: str) -> str:
        """The id, or, if it was given already, one like it."""
        again = self._next.get(wanted, 1)
        made = wanted if again == 1 else f"{wanted}-{again}"
        while made in self._given or made in self._taken:
            again += 1
            made = f"{wanted}-{again}"
        self._next[wanted] = again + 1
        self._given.add(made)
        return made
