"""What the public API infers; pyright reads this file, nothing runs it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, assert_type

import nbagents as nba
from nbagents.events import AnyEvent, RunStatus
from nbagents.messages import Message
from nbagents.results import Failure, Limits, Usage


@nba.tool
def area(radius: float, *, unit: str = "m") -> float:
    """The area of a circle."""
    return radius * len(unit)


@nba.tool(title="Greet", command=True)
async def greet(name: str) -> str:
    """Greet somebody."""
    return name


def a_tool_is_called_as_its_function() -> None:
    assert_type(area(2.0), float)
    assert_type(area(2.0, unit="cm"), float)
    area("two")  # pyright: ignore[reportArgumentType]  a tool keeps its function's types
    area(2.0, size=3)  # pyright: ignore[reportCallIssue]  and its names


async def an_async_tool_is_awaited() -> None:
    assert_type(await greet("Ann"), str)


def a_tool_says_what_it_is() -> None:
    assert_type(area.name, str)
    assert_type(area.description, str)
    assert_type(area.strict, bool)
    assert_type(nba.toolbox["area"].name, str)


def a_run_has_types_throughout() -> None:
    run = nba.Agent("a", tools=[area, greet, "map*", nba.map_tools()], model="offline").run("hi")
    assert_type(run, nba.Run)
    assert_type(run.text, str)
    assert_type(run.status, RunStatus)
    assert_type(run.calls, tuple[nba.Call, ...])
    assert_type(run.data.by_name, dict[str, dict[str, Any]])
    assert_type(run.values, Mapping[str, object])
    assert_type(run.calls[0].handle, str | None)
    assert_type(run.messages, tuple[Message, ...])
    assert_type(run.usage, Usage)
    assert_type(run.duration, float | None)
    assert_type(run.calls[0].failure, Failure | None)
    assert_type(run.events, Sequence[AnyEvent])


async def a_run_can_be_awaited_and_streamed() -> None:
    agent = nba.Agent(model=nba.ScriptedModel(["hi"]))
    assert_type(await agent.arun("hi"), nba.Run)
    assert_type(agent.stream("hi"), AsyncIterator[AnyEvent])
    assert_type(agent.start("hi", chat="trip").wait(timeout=1), nba.Run)
    assert_type(agent.preview("hi"), nba.Preview)


def what_is_no_tool_is_refused() -> None:
    nba.Agent(tools=[3])  # pyright: ignore[reportArgumentType]  a number is no tool
    nba.Agent(tools=[nba.WebSearch(), nba.CodeInterpreter()], output=list[str], parallel=False)
    nba.Agent(model=3)  # pyright: ignore[reportArgumentType]  and no model


def a_map_moves_by_numbers() -> None:
    view = nba.MapView(10.0, 59.0)
    view.set_center(10.75, 59.91, zoom=9)
    view.set_center("Oslo")  # pyright: ignore[reportArgumentType,reportCallIssue]  a name is no place


async def a_run_takes_the_callers_own_object_and_an_earlier_conversation() -> None:
    agent = nba.Agent("a", model="offline")
    before = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]
    run = agent.run("hi", context=object(), messages=before)
    assert_type(run, nba.Run)
    assert_type(agent.run("hi", messages=run.messages), nba.Run)
    assert_type(agent.run("hi", messages=run), nba.Run)
    assert_type(await agent.arun("hi", context=7), nba.Run)
    assert_type(agent.start("hi", context=7, messages=before), nba.Run)
    assert_type(agent.resume(run, context=7), nba.Run)
    agent.run("hi", messages=7)  # pyright: ignore[reportArgumentType]  a number is no conversation
    assert_type(nba.Context().context, Any)


def a_tool_may_say_of_the_context_and_the_agent_whether_it_is_offered() -> None:
    def for_admins(ctx: nba.Context, agent: nba.Agent) -> bool:
        return ctx.context == "admin" and agent.name == "desk"

    nba.ToolOptions(enabled=for_admins)
    nba.ToolOptions(enabled=lambda: True)
    nba.handoff(nba.Agent("other"), enabled=for_admins)
    nba.ToolOptions(enabled="yes")  # pyright: ignore[reportArgumentType]  no word says it


def a_check_may_be_made_beside_the_model() -> None:
    def check(ctx: nba.Context, text: str) -> nba.Refuse | None:
        return nba.Refuse("no") if ctx.context is None and text else None

    nba.Agent(input_guardrails=[check, nba.Parallel(check)])
    nba.Agent(output_guardrails=[nba.Parallel(check)])  # pyright: ignore[reportArgumentType]  only of a prompt


def a_context_says_what_is_left() -> None:
    ctx = nba.Context()
    assert_type(ctx.limits, Limits)
    assert_type(ctx.remaining.calls, int | None)
    assert_type(ctx.remaining.cost, float | None)


def what_finds_apis_gives_runs(catalogue: nba.Catalogue, model: nba.Model) -> None:
    run = nba.AnyTool(catalogue, model=model, pool_size=16, seed=8).run("hi")
    assert_type(run.pool, tuple[str, ...])
    assert_type(run.is_solved, bool)
    assert_type(run.usage, Usage)
    flow = nba.ApiFlow(catalogue, model="offline")
    assert_type(flow.run("hi"), nba.Run)
    flow.nodes["select_api"] = area


def an_expectation_goes_on_and_a_check_gives_points(run: nba.Run) -> None:
    held = nba.expect(run).called("area", radius=2.0, times=range(1, 3)).then("greet")
    assert_type(held, nba.Expectation)
    assert_type(nba.check(held, must=False), float | None)
    assert_type(next(iter(nba.lint(area))).tool, str)
    nba.expect(run).within(max_call=3)  # pyright: ignore[reportCallIssue]  no such bound
