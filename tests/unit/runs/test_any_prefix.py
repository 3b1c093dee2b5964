"""Whatever a run does and wherever its log is cut off: the rest folds on, and nothing is repeated.

The logs are real ones: of runs with runs inside, questions, consent, hand-overs, limits and stops.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbagents.agents import Agent
from nbagents.errors import RunError
from nbagents.events import AnyEvent
from nbagents.messages import AssistantMessage, CallRequest, Message
from nbagents.models.model import ModelRequest, ModelTurn, TextDelta, ThoughtDelta
from nbagents.results import Payload, Usage
from nbagents.runs.logs.history import read_line
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.desk import Answer, Await
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from nbagents.runs.tree.folding import TreeFold, fold
from nbagents.runs.tree.line import Line
from nbagents.runs.tree.shown_messages import shown_message
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.thinning import examples
from tests.unit.runs import desk

Step: TypeAlias = "Sequence[tuple[str, Any]]"
"""Calls that are asked for together: what each does, and of a run inside its own steps."""

LEAVES = ("work", "thread", "fails", "unknown", "bad_json", "approved", "denied", "asks", "hand")
ANEW = ("child", "asks", "approved", "denied")
"""Whose calls may begin again, where they had not ended: they wait, or say that they may."""
LEAF = st.tuples(st.sampled_from(LEAVES), st.none())


def steps_of(calls: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(st.lists(calls, min_size=1, max_size=3), min_size=1, max_size=3)


CALLS = st.recursive(LEAF, lambda inner: st.tuples(st.just("child"), steps_of(inner)), max_leaves=6)
PLAN = steps_of(CALLS)


class Script:
    """A model that goes on from what it is told, so that any process may ask it.

    Args:
        turns: What it says, one answer after the other.
    """

    name = "script"

    def __init__(self, turns: Sequence[Sequence[CallRequest]]) -> None:
        self._turns = turns

    async def stream(self, request: ModelRequest) -> AsyncIterator[Any]:
        at = sum(isinstance(one, AssistantMessage) for one in request.messages)
        used = Usage(input_tokens=3, output_tokens=2)
        if at < len(self._turns) and request.tool_choice != "none":
            yield ThoughtDelta(text="I call.")
            yield ModelTurn(calls=tuple(self._turns[at]), usage=used)
            return
        yield TextDelta(text="That ")
        yield ModelTurn(text="That is all.", usage=used)


class Plot:
    """Agents that do what a plan says, and what they did and asked.

    Args:
        plan: The steps of the outermost one.
        options: What holds of its run.
    """

    def __init__(self, plan: Sequence[Step], **options: Any) -> None:
        self.did: list[str] = []
        self.asked: list[str] = []
        self.kinds: dict[str, str] = {}
        self.agent = self._agent(plan, **options)

    def _agent(self, steps: Sequence[Step], **options: Any) -> Agent:
        children: dict[str, Agent] = {}
        turns = [[self._call(what, inner, children) for what, inner in step] for step in steps]
        tools, model = self._tools(children), Script(turns)
        other = Agent("other", "You go on.", tools=tools, model=model)
        given: dict[str, Any] = {"handoffs": [other], "on_await": self._answer, **options}
        return Agent("tester", "You begin.", tools=tools, model=model, **given)

    def _call(self, what: str, inner: Any, children: dict[str, Agent]) -> CallRequest:
        call_id = f"call-{len(self.kinds)}"
        self.kinds[call_id] = what
        if what == "child":
            children[call_id] = self._agent(inner)
        if what == "bad_json":
            return CallRequest(id=call_id, name="work", arguments="{")
        names = {"unknown": "no_such_tool", "hand": "transfer_to_other"}
        arguments = {"n": call_id} if what in ("approved", "denied") else {}
        return desk.request(call_id, names.get(what, what), **arguments)

    def _tools(self, children: dict[str, Agent]) -> list[Tool]:
        async def work(ctx: Context) -> str:
            ctx.progress("half", 0.5)
            ctx.show(Payload(kind="note", value=ctx.call_id))
            await asyncio.sleep(0)
            return self._done(ctx)

        def thread(ctx: Context) -> str:
            return self._done(ctx)

        def fails(ctx: Context) -> str:
            self._done(ctx)
            raise ValueError("no")

        async def consented(n: str, ctx: Context) -> str:
            return self._done(ctx) + n

        async def asks(ctx: Context) -> str:
            return f"{await ctx.ask('Which?', options=['a', 'b'])}{self._done(ctx)}"

        async def child(ctx: Context) -> str:
            run: Run = await ctx.run(children[ctx.call_id], "Go")
            return run.text + self._done(ctx)

        return [
            Tool(work),
            Tool(thread, ToolOptions(thread=True)),
            Tool(fails),
            Tool(consented, ToolOptions(name="approved", ask=True)),
            Tool(consented, ToolOptions(name="denied", ask=True)),
            Tool(asks),
            Tool(child, ToolOptions(resumable=True)),
        ]

    def _done(self, ctx: Context) -> str:
        self.did.append(ctx.call_id)
        return f"did {ctx.call_id}"

    def _answer(self, question: Await) -> Answer:
        self.asked.append(question.call_id or "")
        if question.kind == "questions":
            return Answer(action="answer", value={"answer": "a"})
        return Answer(action="approve" if question.tool_name == "approved" else "deny")


async def played(run: Run, todo: Any, stop_at: int | None = None) -> None:
    """Drive a run, and stop it after so many events."""
    count = 0

    def listen(_event: AnyEvent) -> None:
        nonlocal count
        count += 1
        if count == stop_at:
            run.stop()

    end = run.listen(listen)
    from nbagents.runs.drive.entrance import run_async  # loaded by the first run

    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.ensure_future(run_async(run, todo))
    end()


def log_of(plan: Any, stop_at: int | None = None, **options: Any) -> Run:
    run, todo = Plot(plan, **options).agent.begin("Go", log=Session(MemoryLog()))
    asyncio.run(played(run, todo, stop_at))
    return run


CHEAP = settings(
    max_examples=examples(15),
    derandomize=True,
    database=None,
)
STOP = st.none() | st.integers(1, 60)
CUT = st.floats(0, 1, exclude_max=True)
STEPS = st.sampled_from([1, 2, 10])


@pytest.mark.medium
@CHEAP
@given(plan=PLAN, stop_at=STOP, max_steps=STEPS, cut=CUT)
def test_a_tree_that_was_saved_goes_on_as_if_it_had_not_been(
    plan: Any, stop_at: int | None, max_steps: int, cut: float
) -> None:
    run = log_of(plan, stop_at, max_steps=max_steps)
    events = list(run.events)
    whole = fold(events)
    assert whole == run.state
    before = int(cut * len(events))
    going_on = TreeFold(json.loads(json.dumps(fold(events[:before]))))
    for event in (*events[:before], *events[before:], *events):  # what is known changes nothing
        going_on.apply(event)
    assert json.loads(json.dumps(whole)) == going_on.tree


@pytest.mark.medium
@CHEAP
@given(plan=PLAN, data=st.data())
def test_events_of_several_runs_fold_the_same_in_any_order_that_keeps_each_run_s(
    plan: Any, data: st.DataObject
) -> None:
    events = log_of(plan).events
    order = data.draw(st.permutations([event.run_id for event in events]))
    waiting = {run_id: iter([one for one in events if one.run_id == run_id]) for run_id in order}
    assert fold(next(waiting[run_id]) for run_id in order)["runs"] == fold(events)["runs"]


def known(messages: Iterable[Message]) -> list[Any]:
    return [shown_message(one) for one in messages]


@pytest.mark.medium
@CHEAP
@given(plan=PLAN, stop_at=STOP, max_steps=STEPS)
def test_the_tree_has_the_conversation_that_the_model_was_told(
    plan: Any, stop_at: int | None, max_steps: int
) -> None:
    run = log_of(plan, stop_at, max_steps=max_steps)
    line = Line(run.state, run.id)
    if line.run["requests"]:  # else no model was told anything
        assert known(line.messages) == known(run.messages)


@pytest.mark.medium
@CHEAP
@given(plan=PLAN, stop_at=STOP, cut=CUT)
def test_a_run_that_is_gone_on_with_from_any_event_repeats_nothing(
    plan: Any, stop_at: int | None, cut: float
) -> None:
    first = log_of(plan, stop_at)
    events = first.events[: 2 + int(cut * len(first.events))]
    log = MemoryLog()
    for event in events:
        log.append(event)
    plot = Plot(plan)
    try:
        run, todo = plot.agent.begin_resumed(first.id, log=Session(log))
    except RunError as error:
        assert "has ended" in str(error)  # noqa: PT017  what is left has no end, or it
        return
    asyncio.run(played(run, todo))
    assert run.status == "completed"

    ends = Counter(one.tool_call_id for one in (*events, *run.events) if one.type == "tool_end")
    assert set(ends.values()) <= {1}
    left = fold(events)["runs"].values()
    calls = {one["id"]: one for node in left for one in node["calls"].values()}
    ended = {one for one, node in calls.items() if node["content"] is not None}
    begun = {one for one, node in calls.items() if node["started_at"] is not None}
    assert not ended & {*plot.did, *plot.asked}
    assert not {one for one in begun if plot.kinds[one] not in ANEW} & set(plot.did)
    answered = {one["call_id"] for node in left for one in node["awaits"] if one["outcome"]}
    assert not answered & set(plot.asked)

    line = Line(read_line(log, run.id), run.id)
    assert known(line.messages) == known(run.messages)
    told = {one.call_id: one.content for one in run.messages if one.role == "tool"}
    assert all(told[one] == calls[one]["content"] for one in told.keys() & ended)
