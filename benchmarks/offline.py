"""`python -m benchmarks.offline`: the right tools and exact arguments of everyday prompts and BFCL.

`python -m benchmarks.offline FILE.jsonl` plays the prompts of a file over the same domains; `-v`
tells of each prompt that went wrong, `-e` leaves BFCL out.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from benchmarks.bfcl_rows import folder, rows_in, same_calls, same_tools
from benchmarks.everyday.rows import HALVES, half, play, prompts_of
from benchmarks.measure import table
from benchmarks.offline_baseline import baseline_calls
from nbagents import identity
from nbagents.messages import AssistantMessage, ToolMessage
from nbagents.models.model import ModelRequest, ModelTurn
from nbagents.models.offline import OfflineModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from benchmarks.bfcl_rows import Call, Row
    from benchmarks.everyday.rows import Played

_ABSENT = 2
_STEPS_MAX = 6
_ASKED_AT_S = 1_672_531_200.0
"""2023-01-01T00:00:00Z"""
_EVERYDAY_HEAD = ["prompts", "right tools", "exact", "effects not asked for", "ms a prompt"]
_HEAD = ["rows", "tool: BM25", "tool: offline", "exact: BM25", "exact: offline", "ms a row"]


@dataclass
class Tally:
    """What one way of planning got right."""

    tool: list[bool] = field(default_factory=list[bool])
    exact: list[bool] = field(default_factory=list[bool])
    seconds: float = 0.0

    def count(self, row: Row, plan: Callable[[Row], list[Call]]) -> None:
        """Plan a row and look at what came."""
        since = time.perf_counter()
        calls = plan(row)
        self.seconds += time.perf_counter() - since
        self.tool.append(same_tools(row, calls))
        if row.exact:
            self.exact.append(same_calls(row, calls))

    def add(self, other: Tally) -> None:
        """Count another's rows too."""
        self.tool += other.tool
        self.exact += other.exact
        self.seconds += other.seconds


@dataclass
class Pair:
    """Both ways on the same rows."""

    baseline: Tally = field(default_factory=Tally)
    offline: Tally = field(default_factory=Tally)

    @classmethod
    def of(cls, pairs: Iterable[Pair]) -> Pair:
        """Several pairs as one."""
        whole = cls()
        for pair in pairs:
            whole.baseline.add(pair.baseline)
            whole.offline.add(pair.offline)
        return whole

    def cells(self) -> list[str]:
        """One line of the table."""
        return [
            str(len(self.offline.tool)),
            _share(self.baseline.tool),
            _share(self.offline.tool),
            _share(self.baseline.exact),
            _share(self.offline.exact),
            f"{self.offline.seconds / len(self.offline.tool) * 1000:.1f}",
        ]


def offline_calls(row: Row) -> list[Call]:
    """The calls of a whole run, in which every tool answers `done`."""
    messages, memo = list(row.messages), dict[str, object]()
    calls: list[Call] = []
    for _ in range(_STEPS_MAX):
        request = ModelRequest(messages=messages, tools=row.tools, memo=memo)
        turn = asyncio.run(_turn(request))
        if not turn.calls:
            break
        calls += [(one.name, json.loads(one.arguments)) for one in turn.calls]
        messages.append(AssistantMessage(text=turn.text, calls=turn.calls))
        messages += [
            ToolMessage(call_id=one.id, name=one.name, content="done") for one in turn.calls
        ]
    return calls


async def _turn(request: ModelRequest) -> ModelTurn:
    parts = [part async for part in OfflineModel().stream(request)]
    assert isinstance(parts[-1], ModelTurn)
    return parts[-1]


def _baseline(row: Row) -> list[Call]:
    return baseline_calls(row.prompt, row.tools)


def measured(rows: Sequence[Row]) -> dict[str, Pair]:
    """Both ways by category."""
    pairs: dict[str, Pair] = {}
    for row in rows:
        pair = pairs.setdefault(row.category, Pair())
        pair.baseline.count(row, _baseline)
        pair.offline.count(row, offline_calls)
    return dict(sorted(pairs.items()))


def _share(right: Sequence[bool]) -> str:
    return f"{sum(right) / len(right):.3f}" if right else "–"


def everyday(names: Sequence[str], *, told: bool) -> str:
    """How the everyday prompts of some halves or files went, as a table."""
    lines: list[list[str]] = []
    for name in names:
        since = time.perf_counter()
        played = [play(one) for one in prompts_of(half(name))]
        seconds = time.perf_counter() - since
        lines.append(
            [
                name,
                str(len(played)),
                _share([one.tool for one in played]),
                _share([one.exact for one in played]),
                str(sum(bool(one.uncalled_for) for one in played)),
                f"{seconds / len(played) * 1000:.1f}",
            ]
        )
        for one in played:
            if one.uncalled_for:
                print(f"{one.prompt.id} called {', '.join(one.uncalled_for)} unasked")
            if told and not one.exact:
                print(_told(one))
    return table("The offline model on everyday prompts", ["", *_EVERYDAY_HEAD], lines)


def _told(one: Played) -> str:
    return (
        f"{one.prompt.id} ({'arguments' if one.tool else 'tools'}): {one.prompt.text}\n"
        f"  called   {one.calls}\n  gold     {one.prompt.gold}\n"
        f"  thought  {one.thoughts.strip()}\n  answered {one.answer}\n"
    )


def main(words: Sequence[str]) -> int:
    files = [one for one in words if not one.startswith("-")]
    print(f"{platform.system()} {platform.machine()}, Python {platform.python_version()}\n")
    os.environ["NBAGENTS_DETERMINISTIC"] = "1"
    print(everyday(files or HALVES, told="-v" in words))
    return 0 if files or "-e" in words else bfcl()


def bfcl() -> int:
    """Print how BFCL's rows went."""
    where = folder()
    try:
        rows = rows_in(where)
    except FileNotFoundError as error:
        print(f"The data is absent: {error.filename}. Set NBAGENTS_BFCL to its folder.")
        return _ABSENT
    # The prompts are of 2023: a date that says no year, and `tomorrow`, count from there.
    identity.FIXED_TIME_S = _ASKED_AT_S
    pairs = measured(rows)
    pairs["all"] = Pair.of(pairs.values())
    lines = [[name, *pair.cells()] for name, pair in pairs.items()]
    print(table("The offline model on BFCL's single turns", ["", *_HEAD], lines))
    print("Exact: rows with gold calls, those in Java and JavaScript and the data's faults aside.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
