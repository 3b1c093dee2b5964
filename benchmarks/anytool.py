"""`python -m benchmarks.anytool`: how AnyTool fills its pool, where its model knows what is right.

An oracle plays all agents: it picks the gold APIs of a query wherever it sees them, so what is
measured is what the agents are shown, how often a model is asked, and how much it is told. Tokens
are characters / 4 of each whole request. `--all` plays every public query.
"""

from __future__ import annotations

import asyncio
import functools
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from benchmarks.measure import table
from benchmarks.oracle import Oracle
from nbagents.anytool.finding import AnyTool
from nbagents.catalogue import Catalogue

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks.report import Report

__all__ = ["BARS", "FOLDER", "MODES", "Figures", "Played", "catalogue", "play", "queries"]

DATA: Final = Path(
    os.environ.get("NBAGENTS_DATA") or Path(__file__).parents[1].parent / "shared" / "data"
)
FOLDER: Final = DATA / "tool-catalog"
NOT_COUNTED: Final = "anytoolbench-u"
"""Queries of which gold APIs are known by name only: they stand in no average."""
SAMPLE: Final = 120
COMPLETE: Final = 0.98
CALLS: Final = 12
TOKENS: Final = 30_000
BARS: Final = {"incomplete": 1 - COMPLETE, "calls": CALLS, "tokens": TOKENS}
HEAD: Final = ["pools complete", "by the search alone", "calls", "prompt tokens", "most tokens"]
PUBLISHED: Final = "as published (seed=0)"
SEEDED: Final = "seeded by the search (seed=32)"
CAREFUL: Final = "the same, with a careful oracle"
MODES: Final[dict[str, dict[str, Any]]] = {SEEDED: {}, CAREFUL: {}, PUBLISHED: {"seed": 0}}

Row = dict[str, Any]  # Any: JSON as it lies there


@functools.cache
def catalogue(path: Path = FOLDER / "catalog.jsonl") -> Catalogue:
    """The whole catalogue."""
    return Catalogue(path, cache=False)


@functools.cache
def queries(path: Path = FOLDER / "queries.public.jsonl") -> tuple[Row, ...]:
    """The queries that count; none where the data is not there."""
    if not path.is_file():
        return ()
    rows: list[Row] = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
    return tuple(row for row in rows if row.get("set") != NOT_COUNTED)


def sample(rows: Sequence[Row], count: int) -> Sequence[Row]:
    """So many of them, from all over."""
    return rows[:: max(1, len(rows) // count)][:count]


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One query."""

    query_id: str
    is_complete: bool
    is_solved: bool
    by_search: bool
    """Whether the search alone had put all into the pool."""
    calls: int
    """Model requests."""
    tokens: int


@dataclass(frozen=True, slots=True)
class Figures:
    """Several queries."""

    played: Sequence[Played]

    @property
    def complete(self) -> float:
        """The share of pools that hold all gold APIs in the end."""
        return sum(one.is_complete for one in self.played) / len(self.played)

    @property
    def by_search(self) -> float:
        """The share of those that held all before any agent."""
        return sum(one.by_search for one in self.played) / len(self.played)

    @property
    def calls(self) -> float:
        """Model requests of a query, the median."""
        return median(one.calls for one in self.played)

    @property
    def tokens(self) -> float:
        """Prompt tokens of a query, the median."""
        return median(one.tokens for one in self.played)

    @property
    def most_tokens(self) -> int:
        """Those of the query that took most."""
        return max(one.tokens for one in self.played)


async def play(
    rows: Sequence[Row], over: Catalogue, *, careful: bool = False, pages: bool = True, **said: Any
) -> Figures:
    """Play queries over a catalogue; see `Oracle` and `AnyTool`."""
    oracles = [Oracle([over[name] for name in row["gold"]], careful, pages) for row in rows]
    played = [await _played(row, over, one, said) for row, one in zip(rows, oracles, strict=True)]
    return Figures(played)


async def _played(row: Row, over: Catalogue, oracle: Oracle, said: Mapping[str, Any]) -> Played:
    anytool = AnyTool(over, oracle, **said)
    run = await anytool.arun(row["query"], log="memory")
    found = over.search(row["query"], anytool.seed, nearest=True).names if anytool.seed else ()
    wanted = set(row["gold"])
    return Played(
        query_id=row["id"],
        is_complete=wanted <= set(run.pool),
        is_solved=run.is_solved,
        by_search=wanted <= set(found),
        calls=oracle.requests,
        tokens=oracle.tokens,
    )


def measured(rows: Sequence[Row]) -> dict[str, Figures]:
    """All ways of playing them."""
    return {
        mode: asyncio.run(play(rows, catalogue(), careful=mode == CAREFUL, **said))
        for mode, said in MODES.items()
    }


def lines_of(figures: dict[str, Figures]) -> list[list[str]]:
    """A line for each way."""
    return [
        [
            mode,
            f"{one.complete:.3f}",
            f"{one.by_search:.3f}" if MODES[mode].get("seed", 1) else "–",
            f"{one.calls:g}",
            f"{one.tokens:,.0f}",
            f"{one.most_tokens:,}",
        ]
        for mode, one in figures.items()
    ]


def report_on(report: Report) -> None:
    """A sample, and whether the bars hold."""
    rows = sample(queries(), SAMPLE)
    if not rows:
        print(f"No queries in {FOLDER}: set NBAGENTS_DATA to the folder of the data.\n")
        return
    figures = measured(rows)
    held = figures[SEEDED]
    for what, value in (
        ("incomplete", 1 - held.complete),
        ("calls", held.calls),
        ("tokens", held.tokens),
    ):
        report.verdict(f"AnyTool, {what}", value, BARS[what])
    report.show(f"AnyTool with an oracle, {len(rows)} queries", ["", *HEAD], lines_of(figures))


def main() -> int:
    """Print the table."""
    rows = queries()
    if not rows:
        print(f"No queries in {FOLDER}: set NBAGENTS_DATA to the folder of the data.")
        return 2
    if "--all" not in sys.argv:
        rows = sample(rows, SAMPLE)
    figures = measured(rows)
    print(table(f"AnyTool with an oracle, {len(rows)} queries", ["", *HEAD], lines_of(figures)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
