"""An agent whose model is asked between calls: one is made, and its result told before the next."""

from __future__ import annotations

from typing import Any

import pytest

import nbagents as nba
from nbagents.messages import ToolMessage
from nbagents.models.scripted import ScriptedModel
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import double, request, turn


def three(*names: str) -> Any:
    return turn(*(request(name, "double", number=at) for at, name in enumerate(names)))


def sequential(*steps: Any, **options: Any) -> tuple[nba.Agent, ScriptedModel]:
    model = ScriptedModel(list(steps))
    given: dict[str, Any] = {"tools": [double], **options}
    return nba.Agent("tester", model=model, sequential=True, **given), model


def test_of_an_answer_the_first_call_is_made_and_each_of_the_others_is_told_why_not() -> None:
    agent, model = sequential(three("a", "b", "c"), three("d", "e"), "done")
    run = agent.run("go", log="memory")
    assert [(call.id, call.status) for call in run.calls] == [
        ("a", "done"),
        ("b", "skipped"),
        ("c", "skipped"),
        ("d", "done"),
        ("e", "skipped"),
    ]
    told = [one for one in run.messages if isinstance(one, ToolMessage)]
    assert [one.call_id for one in told] == ["a", "b", "c", "d", "e"]
    assert all("one call at a time" in one.content for one in told if one.call_id in "bce")
    assert [one.parallel for one in model.requests] == [False, False, False]
    assert run.status == "completed"


def test_without_it_all_are_made() -> None:
    model = ScriptedModel([three("a", "b"), "done"])
    run = nba.Agent("tester", tools=[double], model=model, parallel=False).run("go", log="memory")
    assert [call.status for call in run.calls] == ["done", "done"]


def test_what_is_not_made_costs_no_call_and_the_limit_says_its_own_word() -> None:
    agent, _ = sequential(three("a", "b"), three("c", "d"), three("e", "f"), "end", max_calls=3)
    run = agent.run("go", log="memory")
    made = [call.id for call in run.calls if call.status == "done"]
    assert made == ["a", "c", "e"]


def test_it_is_the_agents_own_below_and_after_a_hand_over() -> None:
    below, _ = sequential(three("a", "b"), "below")
    other, _ = sequential(three("c", "d"), "end")
    over = nba.Agent("other", tools=[double], model=other.model, sequential=True)
    model = ScriptedModel(
        [
            turn(request("x", "tester", input="go"), request("y", "double", number=1)),
            turn(request("z", "transfer_to_other")),
        ]
    )
    first = nba.Agent("first", tools=[below, double], handoffs=[over], model=model)
    run = first.run("go", log="memory")
    assert [(one.id, one.status) for one in run.calls] == [
        ("x", "done"),
        ("y", "done"),
        ("z", "done"),
        ("c", "done"),
        ("d", "skipped"),
    ]
    (child,) = run.children
    assert [(one.id, one.status) for one in child.calls] == [("a", "done"), ("b", "skipped")]


def test_a_suspended_call_is_gone_on_with_and_the_others_stay_unmade() -> None:
    tool = Tool(double, ToolOptions(ask=True))
    agent, _ = sequential(three("a", "b"), "done", tools=[tool], on_await="suspend")
    run = agent.run("go", log="memory")
    assert run.status == "suspended"
    again = agent.resume(run, answer=True)
    told = {one.call_id: one.content for one in again.messages if isinstance(one, ToolMessage)}
    assert told["a"] == "0"
    assert "one call at a time" in told["b"]


@pytest.mark.parametrize("wrong", ["yes", 1, None])
def test_it_is_true_or_false(wrong: Any) -> None:
    with pytest.raises(ValueError, match="sequential"):
        nba.Agent(sequential=wrong)
