"""What an agent is asked by a tool of it: the input in words, where nothing else says it."""

from __future__ import annotations

from typing import Any

import pytest

import nbagents as nba
from nbagents.agents import Agent
from nbagents.models.scripted import ScriptedModel
from tests.unit.runs.desk import request, turn


def asked(tools: list[Any], name: str, **arguments: Any) -> tuple[str, str]:
    """What the agent was asked, and how the call ended."""
    model = ScriptedModel([turn(request("c1", name, **arguments)), turn(text="Done.")])
    run = Agent("boss", tools=tools, model=model).run("Go", log="memory")
    (call,) = run.calls
    return run.children[0].prompt if run.children else "", call.status


def planner(*declared: Any) -> list[Any]:
    made = Agent("planner", model=ScriptedModel(["Good."]), exports={"plans": declared})
    return [made.exports["plans"]]


async def make(goal: str) -> str:
    """Make a plan."""
    ...  # noqa: PIE790  the body of a declaration


def look(goal: str, ctx: nba.Context) -> str:
    """Look at a plan."""
    ...  # noqa: PIE790  the body of a declaration


async def later(goal: str, days: int = 2) -> str:
    """Make a plan later."""
    return f"Plan {goal} for {days} days"


async def state(ctx: nba.Context) -> str:
    """Say how the plan stands."""
    ...  # noqa: PIE790  the body of a declaration


@pytest.mark.parametrize(
    ("declared", "arguments", "prompt"),
    [
        (make, {"goal": "tea"}, "goal: tea"),
        (look, {"goal": "tea"}, "goal: tea"),
        (later, {"goal": "tea"}, "Plan tea for 2 days"),
        (state, {}, "Say how the plan stands."),
    ],
)
def test_a_declaration_makes_the_prompt(
    declared: Any, arguments: dict[str, Any], prompt: str
) -> None:
    name = f"plans--{declared.__name__}"
    assert asked(planner(declared), name, **arguments) == (prompt, "done")


def test_what_the_agent_s_tools_are_given_holds_no_context() -> None:
    seen: list[Any] = []

    def peek(ctx: nba.Context) -> str:
        """Peek."""
        seen.append(ctx.tool_input)
        return "seen"

    model = ScriptedModel([turn(request("x", "peek")), turn(text="Good.")])
    made = Agent("planner", tools=[peek], model=model, exports={"plans": look})
    asked([made.exports["plans"]], "plans--look", goal="tea")
    assert seen == [{"goal": "tea"}]


async def _none(_: object) -> None: ...


def _nothing(_: object) -> None: ...


@pytest.mark.parametrize("prompt", [_nothing, _none])
def test_a_prompt_that_is_none_is_the_input(prompt: Any) -> None:
    agent = Agent("helper", model=ScriptedModel(["Good."]))
    assert asked([agent.as_tool(prompt=prompt)], "helper", input="tea") == ("tea", "done")


def test_an_empty_prompt_is_told_to_the_model_that_asked() -> None:
    agent = Agent("helper", model=ScriptedModel(["Good."]))
    assert asked([agent], "helper", input=" ") == ("", "failed")
