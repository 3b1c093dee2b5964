"""The `Model` protocol: a request in, parts streamed out, the whole turn last."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeAlias

from pydantic import JsonValue

from nbagents.messages import CallRequest, Message
from nbagents.redaction import in_clean_words
from nbagents.results import CallResult, Citation, HandleInfo, Usage

__all__ = [
    "TOOL_CHOICES",
    "CallDelta",
    "HostedCall",
    "Model",
    "ModelPart",
    "ModelRequest",
    "ModelTurn",
    "Origin",
    "OutputSpec",
    "TextDelta",
    "ThoughtDelta",
    "ToolSpec",
]


TOOL_CHOICES: Final = ("auto", "required", "none")
"""Choices that name no tool."""


@in_clean_words
@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """What a model is told of a tool."""

    name: str
    description: str
    parameters: Mapping[str, JsonValue]
    """A JSON Schema of type object."""
    strict: bool = False
    """Whether `parameters` keeps OpenAI's rules of strict mode."""
    written: Mapping[str, JsonValue] | None = None
    """What the arguments must fit, with what strict mode has no word for; for models of tests."""
    strict_note: str | None = None
    """Why it does not, where it was to; for people."""
    hosted: Mapping[str, JsonValue] | None = None
    """What a provider is sent instead of a function, for a tool that runs there."""
    handles: Mapping[str, str] = field(default_factory=dict[str, str])
    """The parameters that take a handle, with the type of object that each wants."""
    defer: bool = False
    """Whether a provider that can search its tools may leave this one out until it is found."""
    toolset: str | None = None
    read_only: bool | None = None
    """Whether it changes nothing; `None`: it does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputSpec:
    """The form that the answer must have."""

    name: str
    schema: Mapping[str, JsonValue]
    """A JSON Schema of type object."""
    strict: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Who asks a model."""

    run_id: str
    root_id: str
    """The outermost run."""
    place: str = ""
    """Where the run stands in that: by the numbers of the calls that started it, and those above;
    empty: it is the outermost one."""


@in_clean_words
@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One question to a model."""

    messages: Sequence[Message]
    """The whole conversation. It only ever grows within a run."""
    tools: tuple[ToolSpec, ...] = ()
    settings: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """Sent as they stand, e.g. `temperature`."""
    output: OutputSpec | None = None
    """The form of the answer; `None`: text."""
    handles: tuple[HandleInfo, ...] = ()
    """The objects that a call can be given by name now."""
    parallel: bool = True
    """Whether the model may ask for several calls at once."""
    tool_choice: str | Mapping[str, JsonValue] | None = None
    """Whether the model must use a tool: `required`, `none`, a tool's name, or what the provider
    takes, as it stands. `auto`: as it likes, also where the settings say more; `None`: as they say.
    Of no account without tools."""
    memo: MutableMapping[str, object] = field(default_factory=dict[str, object])
    """One mapping a run, in which a model may keep what makes its next request cheaper."""
    origin: Origin | None = field(default=None, compare=False, repr=False)
    """Which run asks; `None`: none does."""


@in_clean_words
@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer."""

    text: str


@in_clean_words
@dataclass(frozen=True, slots=True)
class ThoughtDelta:
    """A piece of the model's reasons."""

    text: str


@in_clean_words
@dataclass(frozen=True, slots=True)
class CallDelta:
    """A piece of a call's arguments."""

    id: str
    name: str
    text: str


@in_clean_words
@dataclass(frozen=True, slots=True, kw_only=True)
class HostedCall:
    """A call that the provider makes itself: once when it begins, and once with its result."""

    id: str
    name: str
    arguments: JsonValue = None
    result: CallResult | None = None


@in_clean_words
@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTurn:
    """All that the model said in one step; always a stream's last part."""

    text: str = ""
    calls: tuple[CallRequest, ...] = ()
    usage: Usage = field(default_factory=Usage)
    refused: bool = False
    """Whether the text says that the model will not answer."""
    is_cut: bool = False
    """Whether the provider's limit of tokens cut it off."""
    unmet: tuple[str, ...] = ()
    """What of the prompt the model has not served so far, in the prompt's own words; that of the
    last turn stands in the run's summary."""
    citations: tuple[Citation, ...] = ()
    native: tuple[JsonValue, ...] = ()
    """The turn as the provider wrote it; see `AssistantMessage.native`."""
    native_of: str = ""
    recorded: str | None = None
    """When it was recorded, as a date, where a recording gave it and no model was asked."""


ModelPart: TypeAlias = TextDelta | ThoughtDelta | CallDelta | HostedCall | ModelTurn


class Model(Protocol):
    """What decides. One instance may serve many runs, also at once."""

    @property
    def name(self) -> str:
        """Which model answers, as it is shown to people."""
        ...

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        """Answer a request: deltas as they come, then one `ModelTurn`.

        Raises:
            ModelError: The provider failed, or what it sent makes no sense.
        """
        ...
