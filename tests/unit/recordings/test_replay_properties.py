"""Any run, recorded and replayed, gives equal events but for times, ids and redacted text."""

from __future__ import annotations

import asyncio
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

import nbagents as nba
from nbagents.errors import ModelError
from nbagents.messages import AssistantMessage, CallRequest
from nbagents.models.model import CallDelta, HostedCall, ModelTurn, TextDelta, ThoughtDelta
from nbagents.results import CallResult, Citation, Payload, Usage
from tests.thinning import examples

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from nbagents.models.model import ModelPart, ModelRequest
    from nbagents.runs.state import Run

Step: TypeAlias = "Sequence[tuple[str, Any]]"
"""Calls that are made together: what each does, and of a child its own steps."""
TOKEN = "ghp_" + "aB3d" * 9
VOLATILE = {"at", "seq", "duration_ms", "event_key", "session_id", "turn_id", "cost", "recorded"}

LEAF = st.tuples(
    st.sampled_from(["add", "later", "threaded", "fails", "unknown", "bad_json", "makes", "takes"]),
    st.integers(0, 2),
)


def steps_of(calls: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(st.lists(calls, min_size=1, max_size=3), max_size=2)


CALLS = st.recursive(LEAF, lambda inner: st.tuples(st.just("child"), steps_of(inner)), max_leaves=6)
WORDS = st.sampled_from(["Done.", "Über “alles”.", f"The key is {TOKEN}.", "a\u2028b\n\x00c", ""])


class Sum(BaseModel):
    """What a form asks for."""

    value: int


class Robot:
    """Something that no JSON can carry."""

    def __repr__(self) -> str:
        return "<a robot>"


@nba.tool(replace=True)
def add(n: int) -> int:
    """Add one."""
    return n + 1


@nba.tool(replace=True)
async def later(n: int) -> nba.Result:
    """Wait a little."""
    await asyncio.sleep(0.001 * n)
    return nba.Result(f"later {n}", data={"kind": "text", "n": n})


@nba.tool(thread=True, replace=True)
def threaded(n: int) -> str:
    """Work on a thread."""
    print(f"working on {n}")
    return f"{TOKEN} {n}"


@nba.tool(replace=True)
def fails(n: int) -> str:
    """Fail."""
    raise ValueError(f"no {n}")


@nba.tool(replace=True)
def makes(n: int) -> Robot:
    """Make a robot."""
    del n
    return Robot()


@nba.tool(replace=True)
def takes(robot: Robot) -> str:
    """Take a robot."""
    return f"took {robot!r}"


TOOLS = [add, later, threaded, fails, makes, takes]


def call_of(kind: str, what: Any, number: int) -> CallRequest:
    if kind == "bad_json":
        arguments = '{"n": '
    elif kind == "takes":
        arguments = json.dumps({"robot": f"r{what}"})
    elif kind == "child":
        arguments = json.dumps({"input": json.dumps(what)})
    else:
        arguments = json.dumps({"n": what}, separators=(",", ":"))
    name = "add" if kind == "bad_json" else kind
    return CallRequest(id=f"call_{number}", name=name, arguments=arguments)


class Planned:
    """Answers by a plan, whichever run asks: that of a child stands in its prompt."""

    name = "planned"

    def __init__(
        self, steps: Sequence[Step], last: str, extras: frozenset[str] = frozenset()
    ) -> None:
        self.steps, self.last, self.asked, self.extras = steps, last, 0, extras

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        self.asked += 1
        prompt = next(one.text for one in request.messages if one.role == "user")
        at = sum(isinstance(one, AssistantMessage) for one in request.messages)
        steps = json.loads(prompt) if prompt.startswith("[") else self.steps
        await asyncio.sleep(0)
        calls = (
            tuple(call_of(*one, number) for number, one in enumerate(steps[at]))
            if at < len(steps) and request.tool_choice != "none"
            else ()
        )
        text = f"Step {at}: " if calls else self.last
        yield ThoughtDelta(f"I think of {at}. ")
        for piece in (text[:3], text[3:]):
            if piece:
                yield TextDelta(piece)
        for one in calls:
            yield CallDelta(one.id, one.name, one.arguments)
        if "hosted" in self.extras:
            yield HostedCall(id=f"ws_{at}", name="web_search", arguments={"query": TOKEN})
            yield HostedCall(id=f"ws_{at}", name="web_search", result=FOUND)
        if "fails" in self.extras and at == len(steps) - 1:
            raise ModelError(f"limits the rate of requests (429): {TOKEN}")
        usage = Usage(input_tokens=10 + at, output_tokens=5, requests=1)
        turn = ModelTurn(text=text, calls=calls, usage=usage, unmet=("this",) if at == 1 else ())
        yield as_provider(turn) if "native" in self.extras else turn


FOUND = CallResult(
    content=f"found {TOKEN}", payloads=(Payload(kind="text", value={"text": TOKEN}),)
)


def as_provider(turn: ModelTurn) -> ModelTurn:
    """The same with citations, and with what only its provider can read."""
    asked = [{"type": "function_call", "call_id": one.id} for one in turn.calls]
    thought = {"type": "reasoning", "encrypted_content": "gAAAAB", "id": "rs_1"}
    said = {"type": "message", "content": [{"text": turn.text}]}
    cited = Citation(url=f"https://example.org/?token={TOKEN}", title="A page", start=0, end=2)
    native = (thought, said, *asked)
    return replace(turn, native=native, native_of="planned", citations=(cited,))


def natives(run: Run) -> list[Any]:
    """What a provider gets back of its own; a call that it names is one of the message's."""
    made: list[Any] = []
    for one in run.messages:
        if isinstance(one, AssistantMessage):
            items = cast("list[dict[str, Any]]", list(one.native))
            made.append(json.loads(_clean(json.dumps([{**it, "call_id": ""} for it in items]))))
    return made


def shout(_: Any, answer: Any) -> Any:
    return nba.Replace("SHOUTED") if isinstance(answer, str) and "Über" in answer else None


def agent(model: nba.Model | None, extras: frozenset[str]) -> nba.Agent:
    child = nba.Agent("child", model=model, tools=TOOLS, max_steps=3)
    tools = [*TOOLS, child.as_tool()]
    other = nba.Agent("other", model=model, instructions="Take over.")
    more: dict[str, Any] = {}
    if "handoff" in extras:
        more["handoffs"] = [other]
    if "guardrail" in extras:
        more["output_guardrails"] = [shout]
    if "form" in extras:
        more["output"] = Sum
    if "limit" in extras:
        more["max_calls"] = 2
    if "one by one" in extras:
        more["parallel"] = False

    more |= {"max_steps": 4, "instructions": f"Use {TOKEN}"}
    return nba.Agent("root", model=model, tools=tools, **more)


def told(run: Run) -> dict[str, Any]:
    """What happened, by run and call: what runs beside each other has no order."""
    names: dict[str, str] = {run.id: "run"}
    for event in run.events:  # in order of their asking: who is above comes first
        if event.type == "assistant_turn":
            for at, one in enumerate(event.calls):
                names[one.id + event.run_id] = f"{names[event.run_id]}/{event.step}.{at}"
        elif event.type == "run_start" and event.parent_run_id is not None:
            above = f"{event.parent_tool_call_id}{event.parent_run_id}"
            names[event.run_id] = f"{names[above]}:child"
    parts: dict[str, list[Any]] = {}
    for event in run.events:
        said = json.loads(event.model_dump_json(exclude=VOLATILE))
        call_id = said.get("tool_call_id") or ""
        place = names.get(call_id + event.run_id, names[event.run_id])
        text = _clean(json.dumps(_plain(said), sort_keys=True))
        row = json.loads(text)
        rows = parts.setdefault(f"{place} {call_id and 'call'}", [])
        if rows and row["type"] in ("assistant_delta", "thought") and _same(rows[-1], row):
            rows[-1]["text"] += row["text"]
        else:
            rows.append(row)
    return parts


def _clean(text: str | None) -> str:
    return (text or "").replace(TOKEN, "[redacted]")


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return (one["type"], one.get("step")) == (other["type"], other["step"])


def _plain(said: dict[str, Any]) -> dict[str, Any]:
    """Without ids of runs, which `told` knows by their places."""
    gone = {"run_id", "call_run_id", "child_run_id", "run_links", "payload_id"}
    gone |= {"parent_run_id", "parent_tool_call_id", "tool_call_id"}
    return {
        name: [{**one, "id": ""} for one in value] if name == "calls" else value
        for name, value in said.items()
        if name not in gone
    }


def ran(model: nba.Model | None, extras: frozenset[str]) -> tuple[Run, str]:
    begun = agent(model, extras).start("Go", log="memory")
    try:
        begun.wait()
    except nba.NbagentsError as error:
        return begun, f"{type(error).__name__}: {error}"
    return begun, ""


KINDS = ["handoff", "guardrail", "form", "limit", "one by one", "refresh", "frozen"]
OF_PROVIDERS = ["fails", "hosted", "native"]
EXTRAS = st.frozensets(st.sampled_from([*KINDS, *OF_PROVIDERS]))


@pytest.mark.medium
@settings(max_examples=examples(40), derandomize=True)
@given(steps_of(CALLS), WORDS, EXTRAS)
def test_any_run_recorded_and_replayed_gives_equal_events(
    steps: Any, last: str, extras: frozenset[str]
) -> None:
    if "handoff" in extras and steps:
        steps = [*steps[:1], [("transfer_to_other", 0)]]
    last = '{"value": 3}' if "form" in extras else last
    model, frozen = Planned(steps, last, extras), "frozen" in extras
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.recording.jsonl")
        with nba.recording(path, "refresh" if "refresh" in extras else "extend"):
            first, said = ran(model, extras)
        asked = model.asked
        with nba.recording(path, frozen_tools=frozen):
            again, said_again = ran(model, extras)
        text = path.read_text() if path.exists() else ""
    assert model.asked == asked
    assert TOKEN not in text
    assert (again.status, _clean(said_again)) == (first.status, _clean(said))
    assert again.text == _clean(first.text)
    assert natives(again) == natives(first)
    if not frozen:  # what a tool printed is not recorded
        assert told(again) == told(first)
    said_by_calls = [_clean(one.content) for one in first.calls]
    assert [_clean(one.content) for one in again.calls] == said_by_calls
