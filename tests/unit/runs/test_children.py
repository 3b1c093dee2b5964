"""Runs inside of calls: real runs, linked, drawing on the run above, stopped with it or alone."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence
from typing import Any

import pytest

from nbagents.agents import Agent
from nbagents.models.model import ModelRequest, ModelTurn
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.state.run.run import Run
from nbagents.runs.tree.folding import fold
from nbagents.runs.tree.projection import shown_tree
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import agent, double, request, turn


def planner(*steps: Any, **said: Any) -> Agent:
    return Agent("planner", tools=[double], model=ScriptedModel(list(steps)), **said)


def asks(child: Agent, *, kind: str) -> Tool:
    """A tool that runs another agent: async, plain on the main thread, or on a worker."""

    async def ask_async(goal: str, ctx: Context) -> str:
        run: Run = await ctx.run(child, goal, labels={"goal": goal})
        return run.text

    def ask_plain(goal: str, ctx: Context) -> str:
        run: Run = ctx.run(child, goal, labels={"goal": goal})
        return run.text

    function = ask_async if kind == "async" else ask_plain
    return Tool(function, ToolOptions(name="ask", thread=kind == "thread"))


KINDS = pytest.mark.parametrize("kind", ["async", "plain", "thread"])


@KINDS
def test_a_call_runs_another_agent_which_is_a_real_run(kind: str) -> None:
    child = planner(turn(request("c", "double", number=4)), "It is 8.")
    made = agent([turn(request("a", "ask", goal="Double 4")), "done"], [asks(child, kind=kind)])
    run = made.run("Go", log="memory", labels={"team": "red"})
    (inside,) = run.children
    assert (inside.status, inside.text, inside.prompt) == ("completed", "It is 8.", "Double 4")
    assert run.calls[0].content == "It is 8."
    (link,) = run.calls[0].run_links
    assert (link.run_id, link.parent_run_id, link.parent_tool_call_id) == (inside.id, run.id, "a")
    node = run.tree()["runs"][inside.id]
    assert (node["parent_run_id"], node["parent_tool_call_id"]) == (run.id, "a")
    assert run.tree()["runs"][run.id]["calls"]["a"]["child_run_ids"] == [inside.id]
    assert {event.turn_id for event in run.events} == {run.turn_id}
    own = [event for event in run.events if event.run_id == inside.id]
    assert {tuple(sorted(event.labels.items())) for event in own} == {
        (("goal", "Double 4"), ("team", "red"))
    }
    assert own[-1].type == "run_stream_end"
    assert run.events[-1].run_id == run.id
    assert shown_tree(fold(run.events)) == run.tree()


@KINDS
def test_an_awaited_run_may_have_runs_inside(kind: str) -> None:
    child = planner(turn(request("c", "double", number=4)), "It is 8.")
    made = agent([turn(request("a", "ask", goal="Double 4")), "done"], [asks(child, kind=kind)])
    run = asyncio.run(made.arun("Go", log="memory"))
    assert (run.calls[0].content, run.children[0].calls[0].content) == ("It is 8.", "8")


def test_plain_tools_of_a_run_inside_run_on_the_main_thread() -> None:
    seen: list[threading.Thread] = []

    def where() -> str:
        seen.append(threading.current_thread())
        return "here"

    for kind in ("async", "plain", "thread"):
        child = Agent(
            "child", tools=[where], model=ScriptedModel([turn(request("c", "where")), "ok"])
        )
        agent([turn(request("a", "ask", goal="x")), "done"], [asks(child, kind=kind)]).run(
            "Go", log="memory"
        )
    assert seen == [threading.main_thread()] * 3


def test_children_of_one_step_run_together() -> None:
    inside = asyncio.Barrier(3)

    async def meet() -> str:
        async with asyncio.timeout(5):
            await inside.wait()
        return "met"

    def member(name: str) -> Agent:
        return Agent(name, tools=[meet], model=ScriptedModel([turn(request("m", "meet")), name]))

    members = {name: member(name) for name in ("a", "b", "c")}

    async def ask(who: str, ctx: Context) -> str:
        return (await ctx.run(members[who], "Meet")).text

    calls = turn(*(request(name, "ask", who=name) for name in members))
    run = agent([calls, "done"], [ask]).run("Go", log="memory")
    assert [call.content for call in run.calls] == ["a", "b", "c"]
    assert {child.agent_name for child in run.children} == set(members)


def test_an_async_tool_runs_several_at_once_and_says_how_many() -> None:
    def member(name: str) -> Agent:
        return Agent(name, model=ScriptedModel([f"{name} says hello"]))

    async def all_of_them(ctx: Context) -> list[str]:
        ctx.expect_children(2)
        runs = await asyncio.gather(*(ctx.run(member(name), "Hello") for name in ("x", "y")))
        return [run.text for run in runs]

    run = agent([turn(request("a", "all_of_them")), "done"], [all_of_them]).run("Go", log="memory")
    assert run.calls[0].value == ["x says hello", "y says hello"]
    call = run.tree()["runs"][run.id]["calls"]["a"]
    assert (call["expected_children"], len(call["child_run_ids"])) == (2, 2)
    assert len(run.calls[0].run_links) == 2


def test_a_child_without_a_model_of_its_own_uses_the_model_above() -> None:
    child = Agent("child")

    async def ask(ctx: Context) -> str:
        return (await ctx.run(child, "Who?")).text

    run = agent([turn(request("a", "ask")), "I am.", "done"], [ask]).run("Go", log="memory")
    assert run.children[0].text == "I am."


def test_the_calls_of_children_count_for_the_run_above() -> None:
    child = planner(
        turn(request("c", "double", number=1), request("d", "double", number=2)), "child"
    )
    made = agent(
        [turn(request("a", "ask", goal="x")), "done"], [asks(child, kind="async")], max_calls=2
    )
    run = made.run("Go", log="memory")
    assert run.status == "limit"
    assert [call.status for call in run.children[0].calls] == ["done", "skipped"]


def test_runs_do_not_stand_one_inside_the_other_without_end() -> None:
    async def again(ctx: Context) -> str:
        return (await ctx.run(made, "Again")).text

    def say(request_: ModelRequest) -> ModelTurn | str:
        is_first = len(request_.messages) == 1
        return turn(request("a", "again")) if is_first else str(request_.messages[-1])

    made = Agent("deep", tools=[again], model=ScriptedModel([say] * 40))
    run = made.run("Go", log="memory")
    depth, at = 0, run
    while at.children:
        depth, at = depth + 1, at.children[0]
    assert (depth, run.status) == (5, "completed")
    assert "max_depth" in (at.calls[0].content or "")


@KINDS
def test_what_ends_a_child_is_what_its_call_raises(kind: str) -> None:
    child = Agent("child", model=ScriptedModel([ValueError("no model today")]))
    made = agent([turn(request("a", "ask", goal="x")), "done"], [asks(child, kind=kind)])
    run = made.run("Go", log="memory")
    assert run.children[0].status == "failed"
    assert (run.calls[0].status, run.status) == ("failed", "completed")
    assert "no model today" in (run.calls[0].content or "")


def is_running(runs: Sequence[Run]) -> bool:
    """Whether the first call of the first run has begun."""
    return any(run.calls and run.calls[0].status == "running" for run in runs)


async def nap() -> str:
    "Sleep for long."
    await asyncio.sleep(30)
    return "awake"


def nap_plain() -> str:
    "Sleep for long."
    time.sleep(30)
    return "awake"


@KINDS
@pytest.mark.parametrize("tool", [nap, nap_plain])
def test_a_child_is_stopped_alone_and_the_run_goes_on(kind: str, tool: Any) -> None:
    child = Agent("child", tools=[tool], model=ScriptedModel([turn(request("c", tool.__name__))]))
    made = agent([turn(request("a", "ask", goal="x")), "went on"], [asks(child, kind=kind)])
    run = made.start("Go", log="memory")

    def stop_child() -> None:
        while not is_running(run.children[:1]):
            time.sleep(0.01)
        run.stop_part(run.children[0].id)

    threading.Thread(target=stop_child, daemon=True).start()
    began = time.monotonic()
    run.wait(10)
    assert time.monotonic() - began < 5
    assert (run.status, run.text) == ("completed", "went on")
    assert run.children[0].status == "cancelled"
    assert [call.status for call in run.children[0].calls] == ["cancelled"]
    assert run.calls[0].status == "cancelled"
    assert "stopped" in (run.calls[0].content or "")


@pytest.mark.parametrize("tool", [nap, nap_plain])
def test_a_call_is_stopped_alone_and_its_siblings_end_well(tool: Any) -> None:
    async def quick() -> str:
        await asyncio.sleep(0.2)
        return "quick"

    calls = turn(
        request("a", tool.__name__), request("b", "quick"), request("c", "double", number=2)
    )
    run = agent([calls, "went on"], [tool, quick, double]).start("Go", log="memory")

    def stop_call() -> None:
        while not is_running([run]):
            time.sleep(0.01)
        run.stop_call("a")

    threading.Thread(target=stop_call, daemon=True).start()
    run.wait(10)
    assert [call.status for call in run.calls] == ["cancelled", "done", "done"]
    assert (run.status, run.text) == ("completed", "went on")
    ends = [event.tool_call_id for event in run.events if event.type == "tool_end"]
    assert sorted(ends) == ["a", "b", "c"]


def test_a_stop_ends_all_that_stands_below() -> None:
    grandchild = Agent("grandchild", tools=[nap], model=ScriptedModel([turn(request("n", "nap"))]))
    child = Agent(
        "child",
        tools=[asks(grandchild, kind="async"), nap],
        model=ScriptedModel([turn(request("g", "ask", goal="y"), request("h", "nap"))]),
    )
    run = agent([turn(request("a", "ask", goal="x"))], [asks(child, kind="async")]).start(
        "Go", log="memory"
    )
    while not (run.children and run.children[0].children and run.children[0].children[0].calls):
        time.sleep(0.01)
    began = time.monotonic()
    run.stop()
    run.wait(5)
    assert time.monotonic() - began < 1
    family = [run, run.children[0], run.children[0].children[0]]
    assert [one.status for one in family] == ["cancelled"] * 3
    assert {call.status for one in family for call in one.calls} == {"cancelled"}
    ends = [event.tool_call_id for event in run.events if event.type == "tool_end"]
    assert sorted(ends) == ["a", "g", "h", "n"]
    last = {event.run_id: event.type for event in run.events}
    assert set(last.values()) == {"run_stream_end"}


def test_a_context_of_no_call_says_so() -> None:
    with pytest.raises(Exception, match="belongs to no call"):
        Context().run(planner("x"), "Go")


def test_a_tree_prints_as_text() -> None:
    child = planner("It is 8.")
    made = agent([turn(request("a", "ask", goal="Double 4")), "done"], [asks(child, kind="async")])
    said = str(made.run("Go", log="memory").tree())
    assert "planner" in said
    assert "ask" in said
