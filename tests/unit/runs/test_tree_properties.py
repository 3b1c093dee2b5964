"""Whatever calls do, however they overlap and wherever they are stopped: the log stays whole."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbagents.agents import Agent
from nbagents.events import AnyEvent
from nbagents.messages import AssistantMessage, CallRequest, ToolMessage
from nbagents.models.model import ModelTurn
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.state.desk import Answer, Await
from nbagents.runs.state.run.run import Run
from nbagents.runs.tree.folding import fold
from nbagents.runs.tree.projection import shown_tree
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.thinning import examples
from tests.unit.runs.desk import request

Step: TypeAlias = "Sequence[tuple[str, Any]]"
"""Calls that are made together: what each does, and of a child its own steps."""

LEAVES = st.sampled_from(
    ["add", "later", "raise", "fail_later", "unknown", "bad_json", "approved", "denied", "asks"]
)
LEAF = st.tuples(LEAVES, st.none())


def steps_of(calls: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(st.lists(calls, min_size=1, max_size=4), max_size=3)


CALLS = st.recursive(LEAF, lambda inner: st.tuples(st.just("child"), steps_of(inner)), max_leaves=8)
PLAN = steps_of(CALLS)


def add() -> int:
    return 2


async def later() -> str:
    await asyncio.sleep(0.001)
    return "later"


def fails() -> None:
    raise ValueError("no")


async def fail_later() -> None:
    await asyncio.sleep(0.001)
    raise TimeoutError


async def asks(ctx: Context) -> str:
    return str(await ctx.ask("Which?", options=["a", "b"]))


def answer(question: Await) -> Answer | None:
    if question.kind == "questions":
        return Answer(action="answer", value={"answer": "a"})
    return Answer(action="approve" if question.tool_name == "approved" else "deny")


class Plot:
    """A tree of agents that do what a plan says; ids of calls are told once in a tree."""

    def __init__(self) -> None:
        self.ids = (f"call-{n}" for n in itertools.count(1))
        self.asked: list[str] = []

    def agent(self, steps: Sequence[Step]) -> Agent:
        turns: list[Any] = []
        children: dict[str, Agent] = {}
        for step in steps:
            calls = [self._call(what, inner, children) for what, inner in step]
            turns.append(ModelTurn(calls=tuple(calls)))

        async def child(key: str, ctx: Context) -> str:
            run: Run = await ctx.run(children[key], "Go")
            return run.text

        tools = [
            Tool(add),
            Tool(later),
            Tool(fails, ToolOptions(name="raise_it")),
            Tool(fail_later),
            Tool(add, ToolOptions(name="approved", ask=True)),
            Tool(add, ToolOptions(name="denied", ask=True)),
            Tool(asks),
            Tool(child),
        ]
        model = ScriptedModel([*turns, "done", "done"])
        return Agent("agent", tools=tools, model=model, max_failed_batches=None, on_await=answer)

    def _call(self, what: str, inner: Any, children: dict[str, Agent]) -> CallRequest:
        call_id = next(self.ids)
        self.asked.append(call_id)
        if what == "child":
            children[call_id] = self.agent(inner)
            return request(call_id, "child", key=call_id)
        if what == "bad_json":
            return CallRequest(id=call_id, name="add", arguments="{")
        names = {"raise": "raise_it", "unknown": "no_such_tool"}
        return request(call_id, names.get(what, what))


async def played(plot: Plot, plan: Sequence[Step], stop_at: int | None) -> Run:
    """The run of a plan, stopped after so many events."""
    run, todo = plot.agent(plan).begin("Go", "memory")
    count = 0

    def listen(_event: AnyEvent) -> None:
        nonlocal count
        count += 1
        if count == stop_at:
            run.stop()

    run.listen(listen)
    from nbagents.runs.drive.entrance import run_async  # loaded by the first run

    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.ensure_future(run_async(run, todo))
    return run


def check(run: Run) -> None:
    """What holds of every log."""
    events = list(run.events)
    ends = Counter(one.tool_call_id for one in events if one.type == "tool_end")
    starts = Counter(one.tool_call_id for one in events if one.type == "tool_start")
    assert set(ends.values()) <= {1}
    assert set(starts.values()) <= {1}
    assert set(starts) <= set(ends)
    last = {one.run_id: one.type for one in events}
    assert set(last.values()) == {"run_stream_end"}
    linked = {one.child_run_id for one in events if one.type == "child_run_linked"}
    begun = {one.run_id for one in events if one.type == "run_start" and one.parent_run_id}
    assert begun <= linked
    tree = fold(events)
    assert tree == fold(events + events)
    assert shown_tree(tree) == run.tree()
    for node in tree["runs"].values():
        assert node["status"] in ("completed", "cancelled", "limit")
        for call in node["calls"].values():
            assert call["status"] not in ("running", "waiting", "unknown")
        assert all(one["outcome"] is not None for one in node["awaits"])
    check_messages(run)


def check_messages(run: Run) -> None:
    """Each call of the conversation has exactly one message that answers it, in call order."""
    for at, message in enumerate(run.messages):
        if isinstance(message, AssistantMessage) and message.calls:
            after = run.messages[at + 1 : at + 1 + len(message.calls)]
            told = [one.call_id for one in after if isinstance(one, ToolMessage)]
            assert told == [one.id for one in message.calls]
    for child in run.children:
        check_messages(child)


QUIET = settings(
    max_examples=examples(60),
    derandomize=True,
    database=None,
)


@pytest.mark.medium
@QUIET
@given(plan=PLAN)
def test_whatever_calls_do_each_has_one_result_and_each_child_its_link(plan: Any) -> None:
    plot = Plot()
    run = asyncio.run(played(plot, plan, None))
    check(run)
    assert run.status == "completed"
    asked = {
        one.id for event in run.events if event.type == "assistant_turn" for one in event.calls
    }
    ended = {event.tool_call_id for event in run.events if event.type == "tool_end"}
    assert asked == ended


@pytest.mark.medium
@QUIET
@given(plan=PLAN, stop_at=st.integers(1, 80))
def test_wherever_it_is_stopped_the_log_is_whole(plan: Any, stop_at: int) -> None:
    check(asyncio.run(played(Plot(), plan, stop_at)))
