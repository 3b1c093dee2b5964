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
    AwaitKind,
    AwaitQuestions,
    AwaitResolved,
    AwaitStep,
    Resolution,
    ToolAuthorization,
)
from nbagents.events.calls import (
    ChildRunLinked,
    Stream,
    ToolArgsDelta,
    ToolData,
    ToolEnd,
    ToolOutputDelta,
    ToolStart,
    ToolUpdate,
)
from nbagents.events.event import (
    ENDED,
    UNDER_WAY,
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
    EditedPart,
    Guardrail,
    GuardrailOutcome,
    GuardrailStage,
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
    "UNDER_WAY",
    "AnyEvent",
    "Approval",
    "AssistantDelta",
    "AssistantTurn",
    "AwaitClarification",
    "AwaitConfirmation",
    "AwaitExternalTools",
    "AwaitKind",
    "AwaitQuestions",
    "AwaitResolved",
    "AwaitStep",
    "CallEvent",
    "CallStatus",
    "ChildRunLinked",
    "EditedField",
    "EditedPart",
    "Event",
    "ForkedFrom",
    "Guardrail",
    "GuardrailOutcome",
    "GuardrailStage",
    "Handoff",
    "KeptEnd",
    "KeptUsage",
    "Phase",
    "PromptRendered",
    "RequestedCall",
    "Resolution",
    "RunStart",
    "RunStatus",
    "RunStreamEnd",
    "ShownNextCall",
    "ShownPause",
    "StepEdited",
    "Stream",
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
