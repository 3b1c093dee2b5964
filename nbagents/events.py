"""Everything that can happen in a session: one closed union for Python and TypeScript.

`js/src/events.ts` is generated from this file by `make events`. Start and end events are canonical,
deltas are best effort. `run_stream_end` is always a run's last event. The names are Goa-AI's
(source: goadesign/goa-ai, runtime stream events), with `tool_data` added: a payload that may be
updated before its call ends.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import ConfigDict, Field, JsonValue, TypeAdapter

from nbagents.results import (
    Bounds,
    Citation,
    Failure,
    Limits,
    Payload,
    ShownMessage,
    ShownTool,
    Value,
)

__all__ = [
    "EVENTS",
    "AnyEvent",
    "AssistantDelta",
    "AssistantTurn",
    "AwaitClarification",
    "AwaitConfirmation",
    "AwaitExternalTools",
    "AwaitQuestions",
    "AwaitResolved",
    "CallStatus",
    "ChildRunLinked",
    "Event",
    "Guardrail",
    "Handoff",
    "PromptRendered",
    "RequestedCall",
    "RunStart",
    "RunStatus",
    "RunStreamEnd",
    "Thought",
    "ToolArgsDelta",
    "ToolAuthorization",
    "ToolData",
    "ToolEnd",
    "ToolOutputDelta",
    "ToolStart",
    "ToolUpdate",
    "UsageReported",
    "UserMessageReceived",
    "Workflow",
]

RunStatus = Literal[
    "running", "completed", "failed", "limit", "denied", "cancelled", "suspended", "unknown"
]
"""`unknown`: the log ends in mid-run, because the kernel died."""

CallStatus = Literal[
    "preparing",
    "waiting",
    "running",
    "done",
    "failed",
    "denied",
    "cancelled",
    "timed_out",
    "skipped",
    "unknown",
]
"""`unknown`: the call was started and no result was ever logged."""

Phase = Literal[
    "prompted",
    "planning",
    "executing_tools",
    "synthesizing",
    "completed",
    "failed",
    "limit",
    "denied",
    "cancelled",
    "suspended",
]


class Event(Value):
    """What every event carries."""

    seq: int
    """Position in the session's stream, from 0."""
    at: float
    """Seconds since 1970 (UTC)."""
    event_key: str
    """Stable within the run: the same key is the same event."""
    session_id: str
    turn_id: str
    run_id: str
    parent_run_id: str | None
    """The run whose call started this run; `null` for a root."""
    parent_tool_call_id: str | None
    """The call that started this run; `null` for a root."""
    labels: dict[str, str]


class CallEvent(Event):
    """What every event of one call carries."""

    tool_call_id: str
    tool_name: str


class RequestedCall(Value):
    """A call as the model asked for it."""

    id: str
    name: str
    arguments: str
    """As the model wrote them: JSON, if all is well."""


class RunStart(Event):
    """A run begins."""

    type: Literal["run_start"] = "run_start"
    agent_name: str
    model: str
    """Which model answers, as it is shown to people."""
    tools: tuple[str, ...]
    forked_from: str | None = None
    """The run that this one is a branch of."""
    limits: Limits = Limits()
    chat: str | None = None
    """The conversation that it goes on with, by name."""


class UserMessageReceived(Event):
    """A person, or a parent agent, says something."""

    type: Literal["user_message"] = "user_message"
    text: str
    shared: tuple[str, ...] = ()
    """What was handed over with it, a line each: objects by name, images, files."""


class Workflow(Event):
    """A run enters a phase; the last one says how it ended."""

    type: Literal["workflow"] = "workflow"
    phase: Phase
    step: int = 0
    """The model request this belongs to, from 1; 0 before the first."""
    failure: Failure | None = None


class AssistantDelta(Event):
    """A piece of the answer, as it comes."""

    type: Literal["assistant_delta"] = "assistant_delta"
    step: int
    text: str


class AssistantTurn(Event):
    """What the model said in one step, whole."""

    type: Literal["assistant_turn"] = "assistant_turn"
    step: int
    text: str
    calls: tuple[RequestedCall, ...] = ()
    citations: tuple[Citation, ...] = ()
    refused: bool = False
    """Whether the text says that the model will not answer."""


class Thought(Event):
    """Why the model does what it does, where it says so."""

    type: Literal["thought"] = "thought"
    step: int
    text: str


class ToolStart(CallEvent):
    """A call is about to run; in the log before the tool is."""

    type: Literal["tool_start"] = "tool_start"
    arguments: JsonValue
    """The parsed arguments; the raw text where it is no JSON."""
    display_hint: str | None = None
    """One line for people."""
    source_hash: str | None = None
    """Which version of the tool served it."""
    cell_id: str | None = None
    """The notebook's cell that defines the tool."""


class ToolArgsDelta(CallEvent):
    """A piece of a call's arguments, as the model writes them."""

    type: Literal["tool_args_delta"] = "tool_args_delta"
    text: str


class ToolUpdate(CallEvent):
    """Progress from inside a call."""

    type: Literal["tool_update"] = "tool_update"
    message: str
    fraction: float | None = None
    """Between 0 and 1."""


class ToolOutputDelta(CallEvent):
    """Something a call printed or logged."""

    type: Literal["tool_output_delta"] = "tool_output_delta"
    stream: Literal["stdout", "stderr", "log"]
    text: str


class ToolData(CallEvent):
    """A payload for the person; the same `payload_id` again replaces it."""

    type: Literal["tool_data"] = "tool_data"
    payload_id: str
    payload: Payload


class ToolEnd(CallEvent):
    """A call ended; there is exactly one for each call id."""

    type: Literal["tool_end"] = "tool_end"
    call_run_id: str
    """The run that opened the call."""
    status: CallStatus
    content: str
    """What the model is told."""
    preview: str | None = None
    """One line for people."""
    handle: str | None = None
    """The name under which later calls may take what it returned."""
    has_next: bool | None = None
    failure: Failure | None = None
    bounds: Bounds | None = None
    duration_ms: float


class ChildRunLinked(CallEvent):
    """A call started a run of its own."""

    type: Literal["child_run_linked"] = "child_run_linked"
    child_run_id: str
    child_agent_name: str


class AwaitConfirmation(CallEvent):
    """A call waits for a person's consent."""

    type: Literal["await_confirmation"] = "await_confirmation"
    await_id: str
    title: str
    prompt: str
    arguments: JsonValue


class AwaitClarification(Event):
    """The model needs something from the person."""

    type: Literal["await_clarification"] = "await_clarification"
    await_id: str
    question: str
    missing_fields: tuple[str, ...] = ()


class AwaitQuestions(Event):
    """The person is asked to choose."""

    type: Literal["await_questions"] = "await_questions"
    await_id: str
    title: str
    questions: tuple[JsonValue, ...]


class AwaitExternalTools(Event):
    """Calls wait for results from outside."""

    type: Literal["await_external_tools"] = "await_external_tools"
    await_id: str
    tool_call_ids: tuple[str, ...]


class AwaitResolved(Event):
    """What was waited for came, or will not."""

    type: Literal["await_resolved"] = "await_resolved"
    await_id: str
    outcome: Literal["answered", "denied", "expired", "cancelled"]
    answer: JsonValue = None
    answered_by: str


class ToolAuthorization(CallEvent):
    """Who allowed or denied a call."""

    type: Literal["tool_authorization"] = "tool_authorization"
    approved: bool
    approved_by: str
    summary: str


class Handoff(Event):
    """Another agent takes over the run."""

    type: Literal["handoff"] = "handoff"
    from_agent: str
    to_agent: str


class Guardrail(Event):
    """A guardrail looked at what goes in or comes out."""

    type: Literal["guardrail"] = "guardrail"
    name: str
    stage: Literal["input", "output", "tool_input", "tool_output"]
    passed: bool
    message: str


class UsageReported(Event):
    """Tokens of one model request."""

    type: Literal["usage"] = "usage"
    step: int
    model: str
    input_tokens: int
    output_tokens: int
    cached_tokens: int


class PromptRendered(Event):
    """What one model request is made of."""

    type: Literal["prompt_rendered"] = "prompt_rendered"
    step: int
    message_count: int
    tools: tuple[str, ...]
    messages: tuple[ShownMessage, ...] = ()
    """What the model is told now that no other event of this run says: the instructions, the
    prompt, the conversation before it, a correction. Answers and results have their own events."""
    schemas: tuple[ShownTool, ...] | None = None
    """The tools that are offered; `null`: those of the step before."""


class RunStreamEnd(Event):
    """The run's last event."""

    type: Literal["run_stream_end"] = "run_stream_end"


AnyEvent: TypeAlias = Annotated[
    RunStart
    | UserMessageReceived
    | Workflow
    | AssistantDelta
    | AssistantTurn
    | Thought
    | ToolStart
    | ToolArgsDelta
    | ToolUpdate
    | ToolOutputDelta
    | ToolData
    | ToolEnd
    | ChildRunLinked
    | AwaitConfirmation
    | AwaitClarification
    | AwaitQuestions
    | AwaitExternalTools
    | AwaitResolved
    | ToolAuthorization
    | Handoff
    | Guardrail
    | UsageReported
    | PromptRendered
    | RunStreamEnd,
    Field(discriminator="type"),
]

EVENTS: TypeAdapter[AnyEvent] = TypeAdapter(AnyEvent, config=ConfigDict(defer_build=True))
"""Reads and writes any event as JSON."""
