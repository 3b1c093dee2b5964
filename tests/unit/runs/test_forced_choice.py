"""A choice is forced once in a run, and only of what is offered."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import nbagents as nba
from nbagents.agents import Agent
from nbagents.models.model import ModelRequest, ModelTurn
from nbagents.models.scripted import ScriptedModel
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import double, request, treble, turn


class Obedient:
    """Calls the first tool where it is forced to, and else answers."""

    name = "obedient"

    def __init__(self) -> None:
        self.requests: list[ModelRequest] = []

    async def stream(self, asked: ModelRequest) -> AsyncIterator[ModelTurn]:
        self.requests.append(asked)
        forced = asked.tool_choice == "required"
        yield turn(request("c", asked.tools[0].name)) if forced else turn(text="Here.")


def test_two_that_must_use_a_tool_do_not_hand_over_for_ever() -> None:
    model: Any = Obedient()
    other = Agent(
        "B", model=model, tool_choice="required", handoffs=[nba.handoff(lambda: beginner)]
    )
    beginner = Agent("A", model=model, tool_choice="required", handoffs=[other])
    run = beginner.run("Go", log="memory")
    assert (run.status, run.text) == ("completed", "Here.")
    assert [one.tool_choice for one in model.requests] == ["required", "required", "auto"]
    assert run.last_agent == "A"


def choices(model: ScriptedModel) -> list[Any]:
    return [one.tool_choice for one in model.requests]


def test_a_tool_that_a_filter_hides_is_forced_when_it_is_offered() -> None:
    model = ScriptedModel([turn(request("c1", "treble", number=1)), turn(text="Done.")])
    Agent(
        "tester",
        tools=[double, treble],
        model=model,
        tool_choice="double",
        tool_filter=lambda at, tool: tool.name != "double",
    ).run("Go", log="memory")
    assert choices(model) == ["auto", "auto"]


def test_where_nothing_is_offered_nothing_is_said_of_a_choice() -> None:
    for choice in ("double", "required", "none"):
        model = ScriptedModel(["Done."])
        Agent(
            "tester",
            tools=[double],
            model=model,
            tool_choice=choice,
            tool_filter=lambda at, tool: False,
        ).run("Go", log="memory")
        assert choices(model) == [None]


def test_a_last_word_is_not_forced_to_be_a_call() -> None:
    model = ScriptedModel([turn(request("c1", "double", number=1)), turn(text="Done.")])
    Agent("tester", tools=[double], model=model, max_steps=1, tool_choice="none").run(
        "Go", log="memory"
    )
    assert choices(model) == ["none", "none"]


def test_a_run_that_is_gone_on_with_is_not_forced_again() -> None:
    model = ScriptedModel([turn(request("c1", "double", number=1)), turn(text="Done.")])
    asking = Agent(
        "tester",
        tools=[Tool(double, ToolOptions(ask=True))],
        model=model,
        tool_choice="required",
        on_await="suspend",
    )
    waiting = asking.run("Go", log="memory")
    assert waiting.status == "suspended"
    assert asking.resume(waiting, answer=True).text == "Done."
    assert choices(model) == ["required", "auto"]
