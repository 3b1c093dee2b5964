"""The caller's own object: every function of a run tree finds it, no model and no log does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

import nbagents as nba
from nbagents.events import EVENTS
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.run.run import Run
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import request, turn

SECRET = "tulip-bulb-7291"


class User:
    """An object that no JSON carries, and whose words are secret."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, object]] = []

    def __repr__(self) -> str:
        return SECRET

    __str__ = __repr__

    def saw(self, where: str, what: object) -> None:
        self.seen.append((where, what))


def look(where: str, user: User) -> Callable[[Any, Any], None]:
    """A function of the context and something else that notes whose context it is."""

    def looks(ctx: Any, _: object) -> None:
        user.saw(where, ctx.context)

    return looks


def whole_team(user: User) -> tuple[nba.Agent, list[ScriptedModel]]:
    """An agent with a tool, one below it both ways, and one that takes over; each looks."""

    def peek(ctx: nba.Context) -> str:
        """Look."""
        user.saw(f"tool of {ctx.agent_name}", ctx.context)
        return "seen"

    def allow(asked: nba.Await) -> bool:
        user.saw("on_await", asked.context)
        return True

    def needs(ctx: nba.Context, _: object) -> bool:
        user.saw("ask", ctx.context)
        return True

    def keeps(at: nba.StepContext, _: nba.Tool) -> bool:
        user.saw("tool_filter", at.context)
        return True

    models = [
        ScriptedModel([turn(request("p", "peek")), "below"]),
        ScriptedModel([turn(request("q", "peek")), "inner"]),
        ScriptedModel([turn(request("s", "peek")), "The end."]),
        ScriptedModel(
            [
                turn(request("a", "below", input="go")),
                turn(request("b", "inside")),
                turn(request("c", "peek")),
                turn(request("d", "transfer_to_next")),
            ]
        ),
    ]
    below = nba.Agent("below", tools=[peek], model=models[0])
    inner = nba.Agent("inner", tools=[peek], model=models[1])
    following = nba.Agent("next", tools=[peek], model=models[2])

    async def inside(ctx: nba.Context) -> str:
        """Ask another one."""
        run: Run = await ctx.run(inner, "go")
        return run.text

    guarded = Tool(
        peek,
        ToolOptions(
            ask=needs,
            input_guardrails=(look("tool_input", user),),
            output_guardrails=(look("tool_output", user),),
        ),
    )

    def prompt_of(given: str, ctx: nba.Context) -> str:
        user.saw("prompt", ctx.context)
        return given

    def over(ctx: nba.Context) -> None:
        user.saw("on_handoff", ctx.context)

    made = nba.Agent(
        "first",
        tools=[below.as_tool(prompt=prompt_of), inside, guarded],
        model=models[3],
        on_await=allow,
        tool_filter=keeps,
        tool_use=look("tool_use", user),
        input_guardrails=[look("input", user)],
        output_guardrails=[look("output", user)],
        handoffs=[nba.handoff(following, on_handoff=over)],
    )
    return made, models


PLACES = {
    "tool of below",
    "tool of inner",
    "tool of first",
    "tool of next",
    "on_await",
    "ask",
    "tool_filter",
    "tool_input",
    "tool_output",
    "tool_use",
    "input",
    "on_handoff",
    "prompt",
}


def by_run(agent: nba.Agent, user: User) -> Run:
    return agent.run("go", context=user, log="memory")


def by_arun(agent: nba.Agent, user: User) -> Run:
    return asyncio.run(agent.arun("go", context=user, log="memory"))


def by_start(agent: nba.Agent, user: User) -> Run:
    return agent.start("go", context=user, log="memory").wait(30)


def by_stream(agent: nba.Agent, user: User) -> Run:
    session = nba.Session(MemoryLog())

    async def hear() -> None:
        async for _ in agent.stream("go", context=user, log=session):
            pass

    asyncio.run(hear())
    (run,) = session.runs
    return run


def by_text(agent: nba.Agent, user: User) -> Run:
    session = nba.Session(MemoryLog())

    async def hear() -> None:
        async for _ in agent.stream_text("go", context=user, log=session):
            pass

    asyncio.run(hear())
    (run,) = session.runs
    return run


WAYS = pytest.mark.parametrize("way", [by_run, by_arun, by_start, by_stream, by_text])


@WAYS
def test_each_function_of_the_tree_finds_the_very_object_and_nobody_else_does(
    way: Callable[[nba.Agent, User], Run],
) -> None:
    user = User()
    agent, models = whole_team(user)
    run = way(agent, user)
    assert run.status == "completed", run.error
    assert {where for where, _ in user.seen} >= PLACES
    assert all(what is user for _, what in user.seen)
    for model in models:
        assert model.requests
        assert SECRET not in repr(model.requests)
    assert SECRET not in b"\n".join(map(EVENTS.dump_json, run.events)).decode()
    assert SECRET not in repr(run.tree())


@pytest.mark.parametrize("given", [0, "", False, (), [], {}])
def test_an_empty_object_is_the_callers_too(given: object) -> None:
    seen: list[object] = []

    def peek(ctx: nba.Context) -> str:
        """Look."""
        seen.append(ctx.context)
        return "ok"

    below = nba.Agent("below", tools=[peek], model=ScriptedModel([turn(request("p", "peek")), "."]))
    model = ScriptedModel([turn(request("a", "below", input="go")), "done"])
    nba.Agent("first", tools=[below], model=model).run("go", context=given, log="memory")
    assert len(seen) == 1
    assert seen[0] is given


def test_without_one_there_is_none() -> None:
    assert nba.Context().context is None


@pytest.mark.parametrize("anew", [False, True])
def test_a_run_that_is_gone_on_with_has_the_object_that_it_had_or_another(*, anew: bool) -> None:
    seen: list[object] = []

    def peek(ctx: nba.Context) -> str:
        """Look."""
        seen.append(ctx.context)
        return "ok"

    tool = Tool(peek, ToolOptions(ask=True))
    model = ScriptedModel([turn(request("p", "peek")), "done"])
    agent = nba.Agent("first", tools=[tool], model=model, on_await="suspend")
    first, other = object(), object()
    suspended = agent.run("go", context=first, log="memory")
    assert suspended.status == "suspended"
    if anew:
        agent.resume(suspended, answer=True, context=other)
    else:
        agent.resume(suspended, answer=True)
    assert seen == [other if anew else first]
