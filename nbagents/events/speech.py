"""What a run and its model say."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import JsonValue

from nbagents.events.event import Approval, Event, Phase, RequestedCall
from nbagents.events.forks import ForkedFrom
from nbagents.results import Citation, Earlier, Failure, Limits, ShownMessage, ShownTool

GuardrailStage: TypeAlias = Literal["input", "output", "tool_input", "tool_output"]
GuardrailOutcome: TypeAlias = Literal["allow", "replace", "refuse"]
EditedPart: TypeAlias = Literal["message", "arguments", "result", "answer", "skip"]


class RunStart(Event):
    """A run begins."""

    type: Literal["run_start"] = "run_start"
    agent_name: str
    model: str
    """Which model answers, as it is shown to people."""
    tools: tuple[str, ...]
    forked_from: ForkedFrom | None = None
    """The run that this one is a branch of, and where it leaves it."""
    resumed_from: str | None = None
    """The suspended run that this one goes on with."""
    approval: Approval = "risky"
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
    unmet: tuple[str, ...] = ()
    """What of the prompt the model has not served, in the prompt's own words."""
    said_by: str = ""
    """Who said it in the model's place, in step mode; empty: the model."""


class Thought(Event):
    """Why the model does what it does, where it says so."""

    type: Literal["thought"] = "thought"
    step: int
    text: str


class Handoff(Event):
    """Another agent takes over the run."""

    type: Literal["handoff"] = "handoff"
    from_agent: str
    to_agent: str
    step: int = 0
    """The step whose answer asked for it."""
    model: str = ""
    """Which model answers from now on."""
    tool_call_id: str | None = None


class Guardrail(Event):
    """A guardrail looked at what goes in or comes out."""

    type: Literal["guardrail"] = "guardrail"
    name: str
    stage: GuardrailStage
    outcome: GuardrailOutcome
    message: str = ""
    tool_call_id: str | None = None
    tool_name: str | None = None


class Tokens(Event):
    """Tokens of one model request."""

    step: int
    model: str
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost: float | None = None
    """Money, where the person has set a price for the model."""


class UsageReported(Tokens):
    """What one model request has used."""

    type: Literal["usage"] = "usage"
    recorded: str | None = None
    """When its answer was recorded, as a date, where a recording gave it: nothing was spent."""


class KeptUsage(Tokens):
    """What a request had used of the run that this one is a branch of; it is not used again."""

    type: Literal["kept_usage"] = "kept_usage"


class PromptRendered(Event):
    """What one model request is made of."""

    type: Literal["prompt_rendered"] = "prompt_rendered"
    step: int
    message_count: int
    tools: tuple[str, ...]
    messages: tuple[ShownMessage, ...] = ()
    """What the model is told now that no other event says: the instructions, the prompt, a
    correction. Answers and results have their own events."""
    earlier: Earlier | None = None
    """What it is told of the conversation before, where the log has that already."""
    schemas: tuple[ShownTool, ...] | None = None
    """The tools that are offered; `null`: those of the step before."""


class StepEdited(Event):
    """In step mode somebody made something other than it was: what was, and what is."""

    type: Literal["step_edit"] = "step_edit"
    step: int
    what: EditedPart
    """`answer`: said in the model's place, whose answer it is then; `skip`: not called, or, without
    a call, not asked."""
    by: str
    place: int | None = None
    """Of a message, where it stands among those that the model is told, from 0."""
    role: str | None = None
    before: JsonValue = None
    """`null`: there was none: it is added, or was still to come."""
    after: JsonValue = None
    """`null`: there is none: it is dropped. Of arguments, what the tool would get."""
    written: JsonValue = None
    """Of arguments, those of which the call is made, where those are others."""
    tool_call_id: str | None = None
    tool_name: str | None = None


class RunStreamEnd(Event):
    """The run's last event."""

    type: Literal["run_stream_end"] = "run_stream_end"
