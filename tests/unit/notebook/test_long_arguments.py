"""Very long arguments: a page is sent their beginning, while the log and Python keep all."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import comm
import pytest
from pydantic import TypeAdapter

from nbagents.agents import Agent
from nbagents.events import AnyEvent
from nbagents.models.scripted import ScriptedModel, call
from nbagents.notebook.kinds.renderers import answer_ask
from nbagents.notebook.markup.long_arguments import (
    FOR_PAGE,
    LIMIT_BYTES,
    WHOLE_ARGUMENTS,
    shortened,
)
from nbagents.runs.state.desk import Await, Desk, Posed
from nbagents.runs.state.run.run import Run
from nbagents.runs.tree.nodes import RunNode
from nbagents.runs.tree.patches import ABSENT
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.told import patches_of, told_tree
from tests.unit.notebook.test_display import RUN_MIME, FakeShell, Wire, host

LONG = "x" * 3_000_000
EVENTS: TypeAdapter[AnyEvent] = TypeAdapter(AnyEvent)


def write(path: str, text: str) -> str:
    """Write a file."""
    return f"{len(text)} to {path}"


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> FakeShell:
    Wire.opened = []
    monkeypatch.setattr(comm, "create_comm", Wire)
    return FakeShell()


def live(shell: FakeShell, agent: Agent) -> Run:
    return agent.run("Go", log="memory", host=host(shell, "live"))


def told() -> RunNode:
    """The run that went over the comm, as it was when nothing more was told."""
    (run,) = told_tree(one.get("content", {}) for wire in Wire.opened for one in wire.sent)[
        "runs"
    ].values()
    return run


def wire_bytes() -> int:
    return sum(len(json.dumps(one)) for wire in Wire.opened for one in wire.sent)


@pytest.mark.medium
@pytest.mark.parametrize("name", ["write", "nothing_of_that_name"])
def test_a_page_is_sent_the_beginning_and_python_has_all(shell: FakeShell, name: str) -> None:
    steps = [call(name, path="a.txt", text=LONG), "done"]
    run = live(shell, Agent(tools=[write], model=ScriptedModel(steps)))
    assert wire_bytes() < 4 * LIMIT_BYTES
    assert len(json.dumps(run.calls[0].arguments)) > len(LONG)
    assert sum(len(event.model_dump_json()) for event in run.events) > len(LONG)


def test_what_is_short_stays_whole_and_what_is_cut_says_so(shell: FakeShell) -> None:
    steps = [call("write", path="a.txt", text=LONG), "done"]
    live(shell, Agent(tools=[write], model=ScriptedModel(steps)))
    (called,) = told()["calls"].values()
    arguments: Any = called["arguments"]
    assert arguments["path"] == "a.txt"
    assert arguments["text"].startswith("xxx")
    assert arguments["text"].endswith("… [2.9 MB of 3.0 MB left out]")
    assert called.get("left_out_bytes", 0) > 2_900_000


@pytest.mark.medium
def test_the_saved_form_has_the_beginning_too(shell: FakeShell) -> None:
    steps = [call("write", path="a.txt", text=LONG), "done"]
    live(shell, Agent(tools=[write], model=ScriptedModel(steps)))
    saved: dict[str, Any] = shell.display_pub.published[-1]["data"]
    assert sum(len(json.dumps(one)) for one in saved.values()) < 150_000
    ((run,),) = [saved[RUN_MIME]["tree"]["runs"].values()]
    ((one,),) = [run["calls"].values()]
    assert one["arguments"]["path"] == "a.txt"
    assert one["left_out_bytes"] > 2_900_000
    assert "of 3.0 MB left out" in saved["text/html"]


@pytest.mark.medium
def test_a_call_that_waits_for_consent_is_asked_about_by_its_beginning(shell: FakeShell) -> None:
    seen: list[int] = []

    def approve(question: Any) -> Any:
        seen.append(len(question.arguments["text"]))
        return question.approve()

    tool = Tool(write, ToolOptions(ask=True))
    steps = [call("write", path="a.txt", text=LONG), "done"]
    run = live(shell, Agent(tools=[tool], model=ScriptedModel(steps), on_await=approve))
    (asked,) = told()["awaits"]
    assert len(json.dumps(asked["arguments"])) <= LIMIT_BYTES
    assert asked.get("left_out_bytes", 0) > 2_900_000
    assert seen == [len(LONG)]
    assert run.calls[0].content == "3000000 to a.txt", "it was called with all of it"


def waiting(arguments: Any) -> Any:
    """A run that waits for consent to a call with these arguments."""
    question = Await(
        id="await-1", kind="confirmation", run_id="run-1", agent_name="agent", arguments=arguments
    )
    desk, loop = Desk(), asyncio.new_event_loop()
    loop.close()
    desk.put(Posed(question, print, loop))
    return SimpleNamespace(common=SimpleNamespace(desk=desk))


def test_a_page_that_asks_gets_all_of_what_is_to_be_allowed() -> None:
    arguments = {"text": "x" * 100_000, "to": "EVIL"}
    assert answer_ask(waiting(arguments), WHOLE_ARGUMENTS, "await-1") == arguments


def test_a_page_that_cannot_show_all_is_told_where_all_of_it_is() -> None:
    with pytest.raises(LookupError, match=r"takes 3.0 MB, more than a page can show.*run.awaiting"):
        answer_ask(waiting({"text": LONG}), WHOLE_ARGUMENTS, "await-1")


def test_a_page_is_told_that_nobody_waits_any_more() -> None:
    with pytest.raises(LookupError, match="Nobody waits for this answer any more"):
        answer_ask(waiting({}), WHOLE_ARGUMENTS, "await-2")


@pytest.mark.medium
def test_a_run_inside_repeats_no_long_input_to_the_page(shell: FakeShell) -> None:
    inner = Agent("inner", tools=[], model=ScriptedModel(["read"]))
    steps = [call("ask", input=LONG), "done"]
    agent = Agent(tools=[inner.as_tool("ask", "Ask.")], model=ScriptedModel(steps))
    run = live(shell, agent)
    assert wire_bytes() < 8 * LIMIT_BYTES
    assert run.children[0].prompt == LONG


FRAME: dict[str, Any] = {
    "seq": 1,
    "at": 1.0,
    "event_key": "k",
    "session_id": "s",
    "turn_id": "t",
    "run_id": "r",
    "parent_run_id": None,
    "parent_tool_call_id": None,
    "labels": {},
}
OF_A_CALL: dict[str, Any] = {**FRAME, "tool_call_id": "c", "tool_name": "write"}
LONG_JSON = json.dumps({"text": LONG})
BEFORE: list[dict[str, Any]] = [
    {**FRAME, "seq": -1, "type": "run_start", "agent_name": "a", "model": "m", "tools": []},
    {**FRAME, "seq": 0, "type": "await_questions", "await_id": "a", "title": "?", "questions": []},
]
REQUESTED = {"id": "c", "name": "write", "arguments": LONG_JSON}
EDITED = {"approved": True, "approved_by": "me", "summary": "", "edited": True}


@pytest.mark.parametrize(
    "said",
    [
        {**OF_A_CALL, "type": "tool_args_delta", "text": LONG},
        {**OF_A_CALL, "type": "tool_authorization", **EDITED, "arguments": {"text": LONG}},
        {**FRAME, "type": "await_external_tools", "await_id": "a", "calls": [REQUESTED]},
        {
            **FRAME,
            "type": "await_clarification",
            "await_id": "a",
            "question": "?",
            "given": {"text": LONG},
        },
        {
            **FRAME,
            "type": "await_resolved",
            "await_id": "a",
            "outcome": "answered",
            "answer": {"text": LONG},
            "answered_by": "me",
        },
        {
            **FRAME,
            "type": "prompt_rendered",
            "step": 1,
            "message_count": 1,
            "tools": [],
            "messages": [{"role": "assistant", "text": "", "calls": [REQUESTED]}],
        },
    ],
    ids=lambda said: said["type"],
)
def test_wherever_arguments_are_told_they_are_short(said: dict[str, Any]) -> None:
    event = EVENTS.validate_python(said)
    assert len(json.dumps(patches_of([*BEFORE, said]))) < LIMIT_BYTES + 4000
    assert len(event.model_dump_json()) > len(LONG), "the event itself stays as it is"


def test_arguments_of_usual_size_are_told_as_they_are() -> None:
    given = {"text": "x" * 50_000}
    told = FOR_PAGE["arguments"]({}, given)
    assert told == {"arguments": given, "left_out_bytes": ABSENT}


@pytest.mark.parametrize(
    "value",
    [
        {"text": LONG},
        {"text": "ü€😀" * 300_000, '"': "\n" * 500_000},
        {"rows": list(range(300_000))},
        {f"field{number}": "x" * 100 for number in range(5000)},
        {"k" * 100_000: 1, "other": 2},
        list(range(100_000)),
        LONG,
    ],
    ids=["text", "unicode", "rows", "fields", "name", "list", "raw"],
)
def test_whatever_the_arguments_are_they_are_cut_to_about_the_limit(value: Any) -> None:
    kept, left_out = shortened(value)
    assert len(json.dumps(kept, ensure_ascii=False).encode()) <= LIMIT_BYTES * 1.01
    assert left_out > 0
    assert "left out]" in json.dumps(kept)
