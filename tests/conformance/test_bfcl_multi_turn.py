"""Conversations of several turns: what was said, when tools appear, and when a person is asked."""

from __future__ import annotations

from typing import Any

import pytest
from bfcl import Row, needs_data, rows
from multi_turn import ASKED, REFUSED, Player, expected, is_faulty, transcript

from nbagents.agents import Agent
from nbagents.messages import CallRequest, ToolMessage
from nbagents.models.scripted import ScriptedModel

pytestmark = [pytest.mark.slow, needs_data]

CATEGORIES = ("multi_turn_base", "multi_turn_miss_func", "multi_turn_miss_param")


def of(category: str) -> list[Row]:
    """The rows of a category."""
    found = [row for row in rows("multi_turn") if row["category"] == category]
    assert found
    return found


def problem(row: Row, *, reopens: bool) -> str | None:
    """Where what was said is not what must have been."""
    said, wanted = transcript(Player(row, reopens=reopens).play()), expected(row)
    if len(said) != len(wanted):
        return f"{len(said)} things were said for {len(wanted)}"
    pairs = [(one, other) for one, other in zip(said, wanted, strict=True) if other[1] != REFUSED]
    return next((f"{one} for {other}" for one, other in pairs if one != other), None)


@pytest.mark.parametrize("reopens", [False, True])
@pytest.mark.parametrize("category", CATEGORIES)
def test_what_was_said_is_what_the_data_says_also_from_the_log_alone(
    category: str,
    reopens: bool,  # noqa: FBT001
) -> None:
    problems = {row["id"]: problem(row, reopens=reopens) for row in of(category)}
    assert {name: text for name, text in problems.items() if text} == {}


def test_each_turn_tells_the_model_all_that_was_said_before() -> None:
    for row in of("multi_turn_base"):
        player = Player(row, reopens=True)
        player.play()
        before: tuple[Any, ...] = ()
        for run in player.runs:
            assert run.messages[: len(before)] == before
            assert len(run.messages) > len(before)
            before = run.messages


def test_functions_that_come_later_cannot_be_called_before() -> None:
    for row in of("multi_turn_miss_func"):
        ((turn, names),) = row["withheld"].items()
        player = Player(row)
        assert set(names) <= {tool.name for tool in player.offered(int(turn))}
        for at in range(int(turn)):
            calls = [CallRequest(id=name, name=name, arguments="{}") for name in names]
            model = ScriptedModel([calls, "done"])
            run = Agent(tools=player.offered(at), model=model).run("Go.", log="memory")
            told = [one for one in run.messages if isinstance(one, ToolMessage)]
            assert [one.call_id for one in told] == names
            assert {call.status for call in run.calls} == {"failed"}
            assert all(name in one.content for name, one in zip(names, told, strict=True))
            assert run.status == "completed"
        assert player.played == 0


def test_what_a_person_left_out_is_asked_and_the_run_waits_for_it() -> None:
    paused = 0
    for row in of("multi_turn_miss_param"):
        player = Player(row, reopens=True)
        player.play()
        for run, then in zip(player.runs, player.runs[1:], strict=False):
            if run.status != "suspended":
                continue
            paused += 1
            (asked,) = run.tree()["runs"][run.id]["awaits"]
            assert (asked["text"], asked["outcome"]) == (ASKED, None)
            assert then.tree()["runs"][then.id]["resumed_from"] == run.id
        assert player.runs[-1].status == "completed"
    assert paused >= len(of("multi_turn_miss_param"))


def test_a_call_that_is_a_fault_of_the_data_is_refused_and_its_row_goes_on() -> None:
    refused: dict[str, str] = {}
    for row in rows("multi_turn"):
        calls = [(at, one) for at, turn in enumerate(row["turns"]) for one in turn["calls"]]
        faulty = [is_faulty(row, at, call) for at, call in calls]
        if not any(faulty):
            continue
        player = Player(row)
        player.play()
        made = [call for run in player.runs for call in run.calls if call.name != "ask_person"]
        assert [one.status == "failed" for one in made] == faulty
        (content,) = [one.content for one in made if one.status == "failed"]
        refused[row["id"]] = content or ""
    assert "no tool 'tail'" in refused.pop("multi_turn_miss_func_49")
    assert len(refused) == 3
    assert all("ticket_id" in content for content in refused.values())
