"""Several calls of one turn: together, in the order of the calls, each for itself."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from bfcl import CALL_ROWS, Row, definitions_of, faults, needs_data
from playing import Played, Written, play

pytestmark = [pytest.mark.slow, needs_data]

ROWS = [row for row in CALL_ROWS if "parallel" in row["category"]]
CATEGORIES = sorted({row["category"] for row in ROWS})
GUARD_S = 60
"""Ends a test whose calls wait for each other in vain; no time is measured."""


def played(row: Row, failing: int | None = None) -> Played:
    """All calls wait until each of them runs, and then end in reverse order."""
    good = [at for at, _ in enumerate(row["calls"]) if not faults(row, at)]
    started: list[int] = []
    everyone = asyncio.Event()
    ended = {at: asyncio.Event() for at in good}

    async def handler(name: str, given: Any) -> str:
        at = good[len(started)]
        started.append(at)
        if len(started) == len(good):
            everyone.set()
        async with asyncio.timeout(GUARD_S):
            await everyone.wait()
            if at != good[-1]:
                await ended[good[good.index(at) + 1]].wait()
        ended[at].set()
        if at == failing:
            raise RuntimeError("this one fails")
        return json.dumps([name, given], sort_keys=True)

    return play(definitions_of(row), [Written.of(call) for call in row["calls"]], handler)


def results_by_call(row: Row, done: Played) -> list[str]:
    """What must come back for each call that is no fault, and what did."""
    wrong: list[str] = []
    for at, (gold, told) in enumerate(zip(row["calls"], done.told, strict=True)):
        expected = json.dumps([gold["name"], gold["arguments"]], sort_keys=True)
        if told.call_id != f"call-{at}" or told.name != done.names[gold["name"]]:
            wrong.append(f"{row['id']}: {told}")
        elif not faults(row, at) and told.content != expected:
            wrong.append(f"{row['id']}: {told.content}")
    return wrong


@pytest.mark.parametrize("category", CATEGORIES)
def test_calls_overlap_and_their_results_come_back_in_call_order(category: str) -> None:
    found = [row for row in ROWS if row["category"] == category]
    assert [text for row in found for text in results_by_call(row, played(row))] == []


@pytest.mark.parametrize("category", CATEGORIES)
def test_one_that_fails_does_not_cancel_the_others(category: str) -> None:
    wrong: list[str] = []
    for row in (one for one in ROWS if one["category"] == category):
        failing = next(at for at, _ in enumerate(row["calls"]) if not faults(row, at))
        done = played(row, failing)
        others = [call for at, call in enumerate(done.calls) if at != failing]
        if "this one fails" not in (done.calls[failing].content or ""):
            wrong.append(f"{row['id']}: {done.calls[failing].content}")
        wrong += [
            f"{row['id']}: {call.content}"
            for call in others
            if call.status != "done" and not faults(row, int(call.id.removeprefix("call-")))
        ]
        assert done.run.text == "done"
    assert wrong == []


def test_there_are_rows_of_several_calls() -> None:
    assert {len(row["calls"]) > 1 for row in ROWS} == {True}
