"""What a turn costs late in a long run, beside one early in it."""

from __future__ import annotations

import gc
import itertools
import statistics
import time
from typing import TYPE_CHECKING

from benchmarks.measure import Spread
from benchmarks.script import LONG_TURNS, PROMPT
from benchmarks.workloads import ARUN, FLOOR, named

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.workloads import Place

__all__ = ["EARLY", "LATE", "RESULT_LENGTH", "Growth", "growths"]

EARLY, LATE = 20, 200
NEIGHBOURS = 4
"""So many turns before and after are looked at too: one alone may be disturbed."""

RESULT_LENGTH = 10_000
PAGE = " ".join(f"line{number}" for number in range(RESULT_LENGTH))[: RESULT_LENGTH - 50]


class Growth:
    """The CPU time of each turn of a run, from call to call, of each round."""

    def __init__(self) -> None:
        self._marks_s: list[float] = []
        self._early_ms: list[float] = []
        self._late_ms: list[float] = []

    async def page(self, total: int, number: int) -> str:
        """Read a page.

        Args:
            total: What was read so far.
            number: Which page.
        """
        self._marks_s.append(time.process_time())
        return f"Page {number} of {total}: {PAGE}"

    def measure(self, run: Callable[[], object], *, counts: bool) -> None:
        """Run once."""
        self._marks_s.clear()
        gc.collect()
        run()
        assert len(self._marks_s) == LONG_TURNS, len(self._marks_s)
        if counts:
            self._early_ms.append(self._cpu_ms(EARLY))
            self._late_ms.append(self._cpu_ms(LATE))

    @property
    def early_ms(self) -> Spread:
        """A turn near the beginning."""
        return Spread(tuple(self._early_ms))

    @property
    def late_ms(self) -> Spread:
        """A turn near the end."""
        return Spread(tuple(self._late_ms))

    @property
    def ratio(self) -> Spread:
        """Late over early."""
        pairs = zip(self._late_ms, self._early_ms, strict=True)
        return Spread(tuple(late / early for late, early in pairs))

    def _cpu_ms(self, turn: int) -> float:
        near = self._marks_s[turn - NEIGHBOURS - 1 : turn + NEIGHBOURS + 1]
        spent = (after - before for before, after in itertools.pairwise(near))
        return 1000 * statistics.median(spent)


def growths(place: Place, rounds: int) -> dict[str, Growth]:
    """Run the floor and nbagents in turns; the first round does not count."""
    ours, theirs = Growth(), Growth()
    floor = place.floor("long", theirs.page)
    agent = place.agent("long", "arun", named(ours.page))
    run = place.loop.run
    for number in range(-1, rounds):
        theirs.measure(lambda: run(floor.run()), counts=number >= 0)
        ours.measure(lambda: run(agent.arun(PROMPT, log="memory")), counts=number >= 0)
    place.close(floor)
    return {FLOOR: theirs, ARUN: ours}
