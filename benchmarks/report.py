"""Tables of what was measured, and which bars hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.measure import Spread, table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.measure import Timing

__all__ = ["Bar", "Report"]


@dataclass(frozen=True)
class Bar:
    """How many times something else a piece of work may take, by the clock on the wall."""

    times: float
    of: str
    """Which other work of the same rounds."""


class Report:
    """Prints as it goes and keeps the bars that were missed."""

    def __init__(self) -> None:
        self.missed: list[str] = []

    def verdict(self, what: str, value: float, bar: float | None, *, at_least: bool = False) -> str:
        """Whether a bar holds, as a cell of a table."""
        if bar is None:
            return ""
        sign = "≥" if at_least else "≤"
        if value >= bar if at_least else value <= bar:
            return f"{sign} {bar:g} holds"
        self.missed.append(f"{what}: {value:.2f}, the bar is {bar:g}")
        return f"{sign} {bar:g} MISSED"

    def show(self, title: str, head: list[str], rows: list[list[str]]) -> None:
        """Print a table."""
        print(table(title, head, rows), flush=True)

    def compare(
        self,
        title: str,
        timings: Mapping[str, Timing],
        floors: Mapping[str, str],
        bars: Mapping[str, Bar],
        pieces: tuple[str, int] | None = None,
    ) -> None:
        """Print timings beside floors.

        Args:
            title: What was measured.
            timings: What it took, by name.
            floors: The names of the floors, and how their columns are headed.
            bars: What must hold, by name.
            pieces: What the work consists of, and of how many, for a column of microseconds each.
        """
        each = [f"µs a {pieces[0]}"] if pieces else []
        head = ["", "wall ms", "CPU ms", *each, *floors.values(), "by CPU", "bar"]
        first = timings[next(iter(floors))]
        rows: list[list[str]] = []
        for name, timing in timings.items():
            wall = Spread(tuple(timing.wall_ms))
            rows.append(
                [
                    name,
                    wall.text(),
                    Spread(tuple(timing.cpu_ms)).text(),
                    *([f"{wall.median * 1000 / pieces[1]:.1f}"] if pieces else []),
                    *(timing.ratio_to(timings[floor]).text(2) for floor in floors),
                    timing.cpu_ratio_to(first).text(2),
                    self._held(f"{title}: {name}", timing, timings, bars.get(name), floors),
                ]
            )
        self.show(title, head, rows)

    def _held(
        self,
        what: str,
        timing: Timing,
        timings: Mapping[str, Timing],
        bar: Bar | None,
        floors: Mapping[str, str],
    ) -> str:
        if bar is None:
            return ""
        ratio = timing.ratio_to(timings[bar.of])
        verdict = self.verdict(what, ratio.median, bar.times)
        return verdict if bar.of in floors else f"{ratio.text(2)} × “{bar.of}”: {verdict}"
