"""Any branch at any place equals a run in which the change had been there from the beginning.

The model's words are a digest of all that it was told, so that whatever it is told otherwise shows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbagents.agents import Agent
from nbagents.messages import AssistantMessage, CallRequest, UserMessage
from nbagents.models.model import ModelPart, ModelRequest, ModelTurn
from nbagents.results import Payload, Result, Usage
from nbagents.runs.logs import MemoryLog, read_line
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.thinning import examples

KINDS = ("plain", "bad", "chart", "thing", "use", "inside", "hand_over")


class Thing:
    """A live object, which goes by its name."""

    def __init__(self, uid: int) -> None:
        self.uid = uid

    def __repr__(self) -> str:
        return f"Thing {self.uid}"


@dataclass(frozen=True)
class Planned:
    """A call that a model asks for."""

    uid: int
    kind: str
    value: str
    inside: tuple[tuple[Planned, ...], ...] = ()
    """Of a run inside, the calls of each of its steps."""


Script = tuple[tuple[Planned, ...], ...]


@dataclass
class World:
    """Scripts, what tools give, and what they have really done."""

    script: Script
    results: dict[int, Any] = field(default_factory=dict[int, Any])
    """By the number of a call, what its tool gives instead of its own."""
    done: list[int] = field(default_factory=list[int])
    told: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])

    @property
    def scripts(self) -> dict[str, Script]:
        """Those of all runs, by their prompts."""
        return {"Go": self.script, **dict(_inside(self.script))}

    def agent(self) -> Agent:
        """Whoever goes on is offered the same tools, and hands over to the other."""
        plain = [self.plain, self.bad, self.chart, self.thing, self.use]
        inside = Tool(self.inside, ToolOptions(resumable=True))
        low = Agent("low", "Low.", tools=[*plain, inside], model=self)
        self.low = low
        other = Agent("other", "You are another.", tools=[*plain, inside], model=self)
        return Agent(
            "high",
            "High.",
            tools=[*plain, inside],
            model=self,
            handoffs=[other],
            max_steps=20,
            max_failed_batches=None,
        )

    # Tools

    def _given(self, uid: int, own: Any) -> Any:
        self.done.append(uid)
        given = self.results.get(uid, own)
        if isinstance(given, Exception):
            raise given
        return given

    def plain(self, uid: int, value: str) -> str:
        """Give a text."""
        return self._given(uid, f"{uid} {value}")

    def bad(self, uid: int, value: str) -> str:
        """Fail."""
        return self._given(uid, ValueError(f"no {value}"))

    def chart(self, uid: int, value: str) -> Result:
        """Give something for the person."""
        shown = Payload(kind="json", value={"value": value})
        return self._given(uid, Result(content=f"shown {value}", data=shown))

    def thing(self, uid: int, value: str) -> Any:
        """Give a live object."""
        del value
        return self._given(uid, Thing(uid))

    def use(self, uid: int, value: str, thing: Any = None) -> str:
        """Use what was shared."""
        return self._given(uid, f"used {value} {thing}")

    async def inside(self, ctx: Context, uid: int, value: str) -> str:
        """Run another agent."""
        return f"{value}: {(await ctx.run(self.low, f'inside {uid}')).text}"

    # The model

    name = "digesting"

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        """Say the next step of the script, and what was told so far."""
        words = tuple(map(_words, request.messages))
        self.told.append(words)
        prompts = [one for one in request.messages if isinstance(one, UserMessage)]
        script = self.scripts.get(prompts[0].text, ())
        said = sum(isinstance(one, AssistantMessage) for one in request.messages)
        calls = script[said] if said < len(script) else ()
        text = hashlib.sha256("\n".join(words).encode()).hexdigest()[:8]
        yield ModelTurn(
            text=text,
            calls=tuple(map(_request, calls)),
            usage=Usage(input_tokens=1, output_tokens=1, requests=1),
        )


def _inside(script: Script) -> Iterator[tuple[str, Script]]:
    for planned in (one for calls in script for one in calls if one.kind == "inside"):
        yield f"inside {planned.uid}", planned.inside
        yield from _inside(planned.inside)


def _request(one: Planned) -> CallRequest:
    name = "transfer_to_other" if one.kind == "hand_over" else one.kind
    given: dict[str, Any] = {"uid": one.uid, "value": one.value}
    arguments = {} if one.kind == "hand_over" else given
    return CallRequest(id=f"c{one.uid}", name=name, arguments=json.dumps(arguments))


def _words(message: Any) -> str:
    calls = [(one.id, one.name, one.arguments) for one in getattr(message, "calls", ())]
    text = getattr(message, "content", None)
    return json.dumps([message.role, message.text if text is None else text, calls])


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    """Scripts of few steps, whose calls are numbered in one row, also those of runs inside."""
    numbers = iter(range(1, 1000))

    def planned(depth: int, kinds: Sequence[str]) -> Planned:
        uid, kind = next(numbers), draw(st.sampled_from(kinds))
        below = steps(depth - 1, 1) if kind == "inside" else ()
        return Planned(uid, kind, draw(st.sampled_from("abc")), below)

    def steps(depth: int, least: int) -> Script:
        kinds = [one for one in KINDS[:-1] if depth or one != "inside"]
        made = [
            tuple(planned(depth, kinds) for _ in range(draw(st.integers(1, 3))))
            for _ in range(draw(st.integers(least, 3)))
        ]
        return tuple(made)

    script = steps(2, 1)
    if draw(st.booleans()):
        at = draw(st.integers(0, len(script)))
        hand_over = (Planned(next(numbers), "hand_over", "a"),)
        script = (*script[:at], hand_over, *script[at:])
    return script


def every(script: Script) -> Iterator[Planned]:
    for one in (one for calls in script for one in calls):
        yield one
        yield from every(one.inside)


def changed(script: Script, uid: int, change: Callable[[Planned], Planned]) -> Script:
    """The script in which one call is another."""
    return tuple(
        tuple(
            change(one) if one.uid == uid else replace(one, inside=changed(one.inside, uid, change))
            for one in calls
        )
        for calls in script
    )


def shape(run: Run) -> Any:
    """What came of a run, but for ids of runs, and times."""
    return {
        "text": run.text,
        "status": run.status,
        "agent": run.last_agent,
        "messages": [*map(_words, run.messages)],
        "calls": [
            (one.id, one.name, one.arguments, one.status, one.content, one.handle)
            for one in run.calls
        ],
        "payloads": [
            [payload["payload"] for payload in call["payloads"]]
            for call in run.node["calls"].values()
        ],
        "values": sorted((name, str(value)) for name, value in run.values.items()),
        "children": [shape(child) for child in sorted(run.children, key=_by_call)],
    }


def _by_call(run: Run) -> str:
    """Kept runs inside were there before those that are made in a branch."""
    return run.parent_call_id or ""


def at_call(run: Run, uid: int) -> Any:
    """The call of this number, in whichever run of it."""
    runs = [run]
    for one in runs:
        runs += one.children
    return next(one for made in runs for one in made.calls if one.id == f"c{uid}")


def went(world: World) -> Run:
    return world.agent().run("Go", log=Session(MemoryLog()))


@pytest.mark.medium
@settings(max_examples=examples(25))
@given(data=st.data(), script=scripts())
def test_another_result_is_as_if_it_had_been_the_tool_s(
    data: st.DataObject, script: Script
) -> None:
    chosen = data.draw(st.sampled_from([one for one in every(script) if one.kind != "hand_over"]))
    result: Any = data.draw(st.sampled_from(["other", 7, {"a": [1]}, ValueError("odd")]))
    if chosen.kind == "thing":  # others would have other names
        result = Thing(999)
    elif chosen.kind == "inside":
        result = "as if"
    world = World(script)
    run = went(world)
    world.done.clear()
    branch = run.fork(at=at_call(run, chosen.uid), result=result)
    anew = World(script, {chosen.uid: result})
    if chosen.kind == "inside":
        plain = changed(script, chosen.uid, lambda one: replace(one, inside=()))
        anew = _given_inside(plain, chosen.uid, result)
    assert shape(branch) == shape(went(anew))
    assert chosen.uid not in world.done
    assert branch.forked_from is not None


def _given_inside(script: Script, uid: int, result: Any) -> World:
    """A world in which a call that would run another agent just gives a result."""

    class Giving(World):
        async def inside(self, ctx: Context, uid: int, value: str) -> str:
            """Run another agent."""
            if uid in self.results:
                return self.results[uid]
            return await super().inside(ctx, uid, value)

    return Giving(script, {uid: result})


@pytest.mark.medium
@settings(max_examples=examples(25))
@given(data=st.data(), script=scripts())
def test_other_arguments_are_as_if_the_model_had_asked_so(
    data: st.DataObject, script: Script
) -> None:
    kinds = ("plain", "bad", "chart", "thing", "use")
    these = [one for one in every(script) if one.kind in kinds]
    if not these:
        return
    chosen = data.draw(st.sampled_from(these))
    world = World(script)
    run = went(world)
    world.done.clear()
    given = {"uid": chosen.uid, "value": "other"}
    branch = run.fork(at=at_call(run, chosen.uid), arguments=given)
    other = changed(script, chosen.uid, lambda one: replace(one, value="other"))
    assert shape(branch) == shape(went(World(other)))
    assert world.done.count(chosen.uid) == 1


@pytest.mark.medium
@settings(max_examples=examples(25))
@given(data=st.data(), script=scripts())
def test_a_request_made_anew_gives_the_same_again(data: st.DataObject, script: Script) -> None:
    run = went(World(script))
    step = data.draw(st.integers(1, len(run.node["requests"])))
    branch = run.fork(step=step)
    assert shape(branch) == shape(run)
    assert shape(branch.fork(step=step)) == shape(run)


@settings(max_examples=examples(25))
@given(data=st.data(), script=scripts())
def test_a_run_of_the_log_is_forked_as_one_that_is_here(
    data: st.DataObject, script: Script
) -> None:
    these = [one for one in every(script) if one.kind in ("plain", "bad", "chart")]
    if not these or any(one.kind == "thing" for one in every(script)):
        return  # live objects are gone with their kernel
    chosen = data.draw(st.sampled_from(these))
    world = World(script)
    run = went(world)
    elsewhere = Session.reopen(run.session.log, run.session.session_id)
    call = at_call(run, chosen.uid)
    branch = world.agent().fork(run.id, at=call, result="other", log=elsewhere)
    here = run.fork(at=call, result="other")
    assert shape(branch) == shape(here)


def test_what_a_branch_logs_folds_to_its_tree() -> None:
    below = (Planned(3, "plain", "b"), Planned(4, "thing", "c"))
    script = ((Planned(1, "thing", "a"), Planned(2, "inside", "a", (below,))),)
    branch = went(World(script)).fork(at="c3", result="other")
    again = branch.fork(step=2)
    for run in (branch, again):
        read = read_line(run.session.log, run.id, has_inside=True)
        assert read["runs"] == {one.id: one.node for one in run.family}
