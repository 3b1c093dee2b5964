"""Everything that can happen in a session: one closed union for Python and TypeScript.

`js/src/events.ts` is generated from this package by `make events`. Start and end events are
canonical, deltas are best effort. `run_stream_end` is always a run's last event. The names are
Goa-AI's (source: goadesign/goa-ai, runtime stream events), with `tool_data` added: a payload that
may be updated before its call ends.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import ConfigDict, Field, TypeAdapter

from nbagents.events.awaits import (
    AwaitClarification,
    AwaitConfirmation,
    AwaitExternalTools,
    AwaitQuestions,
    AwaitResolved,
    ToolAuthorization,
)
from nbagents.events.calls import (
    ChildRunLinked,
    ToolArgsDelta,
    ToolData,
    ToolEnd,
    ToolOutputDelta,
    ToolStart,
    ToolUpdate,
)
from nbagents.events.event import Approval, CallEvent, CallStatus, Event, RequestedCall, RunStatus
from nbagents.events.said import (
    AssistantDelta,
    AssistantTurn,
    Guardrail,
    Handoff,
    PromptRendered,
    RunStart,
    RunStreamEnd,
    Thought,
    UsageReported,
    UserMessageReceived,
    Workflow,
)

__all__ = [
    "EVENTS",
    "AnyEvent",
    "Approval",
    "AssistantDelta",
    "AssistantTurn",
    "AwaitClarification",
    "AwaitConfirmation",
    "AwaitExternalTools",
    "AwaitQuestions",
    "AwaitResolved",
    "CallEvent",
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
