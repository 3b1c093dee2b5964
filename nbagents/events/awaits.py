"""What a person is asked, and what they say to it."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import Field, JsonValue

from nbagents.events.event import CallEvent, Event, RequestedCall
from nbagents.events.pauses import ShownPause
from nbagents.results import Question

AwaitKind: TypeAlias = Literal[
    "confirmation", "clarification", "questions", "external_tools", "step"
]
Resolution: TypeAlias = Literal["answered", "denied", "cancelled"]
"""What came of asking a person."""


class AwaitConfirmation(CallEvent):
    """A call waits for a person's consent; `arguments` is what its tool would get."""

    type: Literal["await_confirmation"] = "await_confirmation"
    await_id: str
    title: str
    prompt: str
    arguments: JsonValue
    defaults: tuple[str, ...] = ()
    """The arguments that were not given."""
    objects: dict[str, str] = Field(default_factory=dict[str, str])
    """As in `ToolStart`."""
    written: JsonValue = None
    """The arguments as they were written, where those are others: a call is made of these."""
    form: JsonValue = None
    """The JSON Schema of the arguments, by which they can be edited."""
    reason: str = ""
    """Why it is asked, e.g. that the tool may destroy something."""


class AwaitClarification(Event):
    """Something is missing that only a person can give."""

    type: Literal["await_clarification"] = "await_clarification"
    await_id: str
    question: str
    missing_fields: tuple[str, ...] = ()
    form: JsonValue = None
    """A JSON Schema of type object: the answer's form. `null`: the answer is text."""
    given: JsonValue = None
    """What is there already, by name."""
    tool_call_id: str | None = None
    """The call that waits for it."""
    tool_name: str | None = None


class AwaitQuestions(Event):
    """The person is asked to choose, or to write something."""

    type: Literal["await_questions"] = "await_questions"
    await_id: str
    title: str
    questions: tuple[Question, ...]
    tool_call_id: str | None = None
    """The call that asks."""
    tool_name: str | None = None


class AwaitExternalTools(Event):
    """Calls wait for results from outside."""

    type: Literal["await_external_tools"] = "await_external_tools"
    await_id: str
    calls: tuple[RequestedCall, ...]


class AwaitStep(Event):
    """In step mode the run waits until somebody has seen what it would do next."""

    type: Literal["await_step"] = "await_step"
    await_id: str
    title: str
    pause: ShownPause


class AwaitResolved(Event):
    """What was waited for came, or will not."""

    type: Literal["await_resolved"] = "await_resolved"
    await_id: str
    outcome: Resolution
    answer: JsonValue = None
    answered_by: str
    note: str | None = None
    """What the person said to it."""


class ToolAuthorization(CallEvent):
    """Who allowed or denied a call."""

    type: Literal["tool_authorization"] = "tool_authorization"
    approved: bool
    approved_by: str
    summary: str
    """Why, in a few words."""
    note: str | None = None
    """What the person said to it; the model is told."""
    edited: bool = False
    """Whether the person has changed the arguments."""
    arguments: JsonValue = None
    """What the tool would get, as `AwaitConfirmation` has it: of what was allowed, or denied."""
    defaults: tuple[str, ...] = ()
    objects: dict[str, str] = Field(default_factory=dict[str, str])
    written: JsonValue = None
    remembered: bool = False
    """Whether calls of this tool are not asked about any more in this session."""
    under_grant: bool = False
    """Whether it ran without being asked about: the person had said so earlier of this tool."""
