"""Measuring in turns, so that what disturbs the machine disturbs everything alike."""

from __future__ import annotations

import gc
import statistics
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Spread", "Timing", "interleaved", "table"]


@dataclass(frozen=True)
class Spread:
    """A median and how far the measurements lie apart."""

    values: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle one."""
        return statistics.median(self.values)

    def text(self, digits: int = 0) -> str:
        """`median (smallest-largest)`."""
        low, high = min(self.values), max(self.values)
        return f"{self.median:.{digits}f} ({low:.{digits}f}–{high:.{digits}f})"


@dataclass
class Timing:
    """What one piece of work took, round by round."""

    wall_ms: list[float] = field(default_factory=list[float])
    cpu_ms: list[float] = field(default_factory=list[float])

    def ratio_to(self, floor: Timing) -> Spread:
        """How many times the floor, each round against the floor of the same round."""
        return _ratios(self.wall_ms, floor.wall_ms)

    def cpu_ratio_to(self, floor: Timing) -> Spread:
        """The same by CPU time, which other work on the machine disturbs less."""
        return _ratios(self.cpu_ms, floor.cpu_ms)


def _ratios(ours: list[float], theirs: list[float]) -> Spread:
    # Work that is measured seldom is compared with the rounds that it was in.
    return Spread(tuple(mine / other for mine, other in zip(ours, theirs, strict=False)))


def interleaved(
    work: Mapping[str, Callable[[], object]],
    *,
    rounds: int,
    seldom: Mapping[str, int] | None = None,
) -> dict[str, Timing]:
    """Do each piece of work once a round, after one round that does not count.

    Args:
        work: What to measure, by name.
        rounds: How many rounds count.
        seldom: Work that takes long, and how many rounds of it are enough.
    """
    timings = {name: Timing() for name in work}
    for number in range(-1, rounds):
        for name, do in work.items():
            if number >= (seldom or {}).get(name, rounds):
                continue
            gc.collect()
            wall_s, cpu_s = time.perf_counter(), time.process_time()
            do()
            wall_s, cpu_s = time.perf_counter() - wall_s, time.process_time() - cpu_s
            if number >= 0:
                timings[name].wall_ms.append(wall_s * 1000)
                timings[name].cpu_ms.append(cpu_s * 1000)
    return timings


def table(title: str, head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown, its columns aligned for the terminal."""
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in [head, ["-" * width for width in widths], *rows]
    ]
    return "\n".join([f"### {title}", "", *lines, ""])
