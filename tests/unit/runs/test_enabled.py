"""Tools that say themselves, of the context and the agent, whether they are offered at a step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import nbagents as nba
from nbagents.models.scripted import ScriptedModel
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import double, request, turn


class Gate:
    """Says whether a tool is offered, and keeps who was asked about."""

    def __init__(self, *answers: object) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, object, object]] = []

    def say(self, ctx: nba.Context, agent: nba.Agent) -> object:
        self.asked.append((ctx.agent_name, ctx.context, agent))
        return self.answers.pop(0)

    async def say_later(self, ctx: nba.Context, agent: nba.Agent) -> object:
        return self.say(ctx, agent)

    def __call__(self, ctx: nba.Context, agent: nba.Agent) -> object:
        return self.say(ctx, agent)


def offered(model: ScriptedModel) -> list[list[str]]:
    return [[spec.name for spec in one.tools] for one in model.requests]


def plain(gate: Gate) -> Any:
    def says(ctx: nba.Context, agent: nba.Agent) -> object:
        return gate.say(ctx, agent)

    return says


WAYS: dict[str, Callable[[Gate], Any]] = {
    "plain": plain,
    "method": lambda gate: gate.say,
    "async": lambda gate: gate.say_later,
    "object": lambda gate: gate,
}


@pytest.mark.parametrize("way", WAYS)
def test_it_is_asked_before_each_request_with_the_context_and_the_agent(way: str) -> None:
    gate, mine = Gate(True, False, 1), object()
    tool = Tool(double, ToolOptions(enabled=WAYS[way](gate)))
    steps = [turn(request(name, "double", number=1)) for name in "ab"]
    model = ScriptedModel([*steps, "done"])
    agent = nba.Agent("tester", tools=[tool], model=model)
    run = agent.run("go", context=mine, log="memory")
    assert offered(model) == [["double"], [], ["double"]]
    assert [call.status for call in run.calls] == ["done", "failed"]
    assert len(gate.asked) == 3
    assert all(name == "tester" and ctx is mine for name, ctx, _ in gate.asked)
    assert all(given is agent for *_, given in gate.asked)


def test_a_function_without_arguments_is_asked_once_as_a_run_begins() -> None:
    answers = [True, False]
    tool = Tool(double, ToolOptions(enabled=lambda: answers.pop(0)))
    model = ScriptedModel([turn(request("a", "double", number=1)), "one", "two"])
    agent = nba.Agent("tester", tools=[tool], model=model)
    agent.run("go", log="memory")
    agent.run("go", log="memory")
    assert offered(model) == [["double"], ["double"], []]


def test_it_holds_beside_a_filter_which_is_asked_of_all() -> None:
    gate = Gate(True)
    other = Tool(lambda: "x", ToolOptions(name="other", description="Other."))
    tool = Tool(double, ToolOptions(enabled=gate))
    model = ScriptedModel(["done"])
    nba.Agent(
        "tester", tools=[tool, other], model=model, tool_filter=lambda _, one: one.name == "double"
    ).run("go", log="memory")
    assert offered(model) == [["double"]]


def test_of_an_agent_below_and_of_one_that_takes_over_it_is_asked_with_that_agent() -> None:
    gate, mine = Gate(False, False), object()
    tool = Tool(double, ToolOptions(enabled=gate))
    models = [ScriptedModel(["below"]), ScriptedModel(["The end."])]
    below = nba.Agent("below", tools=[tool], model=models[0])
    over = nba.Agent("next", tools=[tool], model=models[1])
    first = nba.Agent(
        "first",
        tools=[below],
        handoffs=[over],
        model=ScriptedModel(
            [turn(request("a", "below", input="go")), turn(request("b", "transfer_to_next"))]
        ),
    )
    assert first.run("go", context=mine, log="memory").text == "The end."
    assert gate.asked == [("below", mine, below), ("next", mine, over)]
    assert [offered(model) for model in models] == [[[]], [[]]]


@pytest.mark.parametrize("kind", ["as_tool", "handoff"])
def test_agents_as_tools_and_hand_overs_say_it_in_the_same_way(kind: str) -> None:
    gate = Gate(False, True)
    other = nba.Agent("other", model=ScriptedModel([]))
    own = Tool(double, ToolOptions())
    model = ScriptedModel([turn(request("a", "double", number=1)), "done"])
    given: dict[str, Any] = {"tools": [own], "handoffs": [nba.handoff(other, enabled=gate)]}
    if kind == "as_tool":
        given = {"tools": [own, other.as_tool(enabled=gate)]}
    nba.Agent("first", model=model, **given).run("go", log="memory")
    name = "other" if kind == "as_tool" else "transfer_to_other"
    assert offered(model) == [["double"], ["double", name]]


def one(ctx: nba.Context) -> bool:
    return bool(ctx)


def three(ctx: nba.Context, agent: nba.Agent, tool: nba.Tool) -> bool:
    return bool(ctx and agent and tool)


@pytest.mark.parametrize("wrong", [one, three, "yes", 1, None])
def test_what_can_be_asked_in_neither_way_is_an_error_at_once(wrong: Any) -> None:
    with pytest.raises(nba.ToolDefinitionError, match="the context and the agent"):
        Tool(double, ToolOptions(enabled=wrong))
    with pytest.raises(ValueError, match="the context and the agent"):
        nba.handoff(nba.Agent("other"), enabled=wrong)


def test_what_it_raises_ends_the_run_as_its_own_error() -> None:
    def broken(ctx: nba.Context, agent: nba.Agent) -> bool:
        raise LookupError("no such user")

    tool = Tool(double, ToolOptions(enabled=broken))
    agent = nba.Agent("tester", tools=[tool], model=ScriptedModel(["never"]))
    with pytest.raises(LookupError, match="no such user"):
        agent.run("go", log="memory")
