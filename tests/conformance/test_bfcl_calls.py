"""Gold calls run as they are written; the faults of the data are refused; no call ends a turn."""

from __future__ import annotations

import json
from typing import Any

import pytest
from bfcl import CALL_ROWS, Row, definitions_of, faults, needs_data, rows
from playing import Played, Written, play_calls

pytestmark = [pytest.mark.slow, needs_data]

CATEGORIES = sorted({row["category"] for row in CALL_ROWS})
NO_CALL = ("irrelevance", "live_irrelevance")


def played(row: Row) -> Played:
    return play_calls(definitions_of(row), [Written.of(call) for call in row["calls"]])


def wrong_calls(row: Row) -> list[str]:
    """The calls of a row that did not end as they must."""
    done = played(row)
    ran = {json.dumps(one, sort_keys=True) for one in done.ran}
    wrong: list[str] = []
    for at, (call, gold) in enumerate(zip(done.calls, row["calls"], strict=True)):
        found = faults(row, at)
        written = json.dumps([gold["name"], gold["arguments"]], sort_keys=True)
        if found:
            ok = written not in ran and all(".".join(path) in str(call.content) for path in found)
        else:
            ok = written in ran and call.status == "done"
        if not ok or call.id != f"call-{at}":
            wrong.append(f"{row['id']}: {call.content}")
    if done.run.text != "done":
        wrong.append(f"{row['id']}: {done.run.text}")
    return wrong


@pytest.mark.parametrize("category", CATEGORIES)
def test_gold_calls_run_unchanged_and_faulty_ones_are_refused_by_their_path(category: str) -> None:
    found = [row for row in CALL_ROWS if row["category"] == category]
    assert [text for row in found for text in wrong_calls(row)] == []


@pytest.mark.parametrize("category", NO_CALL)
def test_an_answer_without_a_call_ends_the_turn(category: str) -> None:
    found = [row for row in rows("single_turn") if row["category"] == category]
    ended = [play_calls(definitions_of(row), ()) for row in found]
    assert {(one.run.text, one.run.status, one.asked) for one in ended} == {
        ("done", "completed", 1)
    }
    assert not any(one.calls for one in ended)


def test_the_rows_of_other_languages_can_be_offered_too() -> None:
    found: list[Any] = [row for row in rows("single_turn") if row not in CALL_ROWS]
    for row in found:
        assert play_calls(definitions_of(row), ()).run.text == "done"
