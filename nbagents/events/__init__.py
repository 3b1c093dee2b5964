"""Everything that can happen in a session: one closed union for Python and TypeScript.

Start and end events are
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
    AwaitStep,
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
from nbagents.events.event import (
    ENDED,
    Approval,
    CallEvent,
    CallStatus,
    Event,
    Phase,
    RequestedCall,
    RunStatus,
)
from nbagents.events.forks import EditedField, ForkedFrom, KeptEnd
from nbagents.events.line import line_of
from nbagents.events.pauses import ShownNextCall, ShownPause
from nbagents.events.speech import (
    AssistantDelta,
    AssistantTurn,
    Guardrail,
    Handoff,
    KeptUsage,
    PromptRendered,
    RunStart,
    RunStreamEnd,
    StepEdited,
    Thought,
    UsageReported,
    UserMessageReceived,
    Workflow,
)

__all__ = [
    "ENDED",
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
    "AwaitStep",
    "CallEvent",
    "CallStatus",
    "ChildRunLinked",
    "EditedField",
    "Event",
    "ForkedFrom",
    "Guardrail",
    "Handoff",
    "KeptEnd",
    "KeptUsage",
    "Phase",
    "PromptRendered",
    "RequestedCall",
    "RunStart",
    "RunStatus",
    "RunStreamEnd",
    "ShownNextCall",
    "ShownPause",
    "StepEdited",
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
    "line_of",
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
    | AwaitStep
    | AwaitResolved
    | ToolAuthorization
    | Handoff
    | Guardrail
    | UsageReported
    | PromptRendered
    | StepEdited
    | KeptUsage
    | KeptEnd
    | RunStreamEnd,
    Field(discriminator="type"),
]

EVENTS: TypeAdapter[AnyEvent] = TypeAdapter(AnyEvent, config=ConfigDict(defer_build=True))
"""Reads and writes any event as JSON."""
