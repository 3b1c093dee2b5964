"""The `Model` protocol: a request in, parts streamed out, the whole turn last."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from pydantic import JsonValue

from nbagents.messages import CallRequest, Message
from nbagents.results import Usage

__all__ = [
    "CallDelta",
    "Model",
    "ModelPart",
    "ModelRequest",
    "ModelTurn",
    "TextDelta",
    "ThoughtDelta",
    "ToolSpec",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """What a model is told of a tool."""

    name: str
    description: str
    parameters: Mapping[str, JsonValue]
    """A JSON Schema of type object."""
    strict: bool = False
    """Whether `parameters` keeps OpenAI's rules of strict mode."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One question to a model."""

    messages: Sequence[Message]
    """The whole conversation. It only ever grows within a run."""
    tools: tuple[ToolSpec, ...] = ()
    settings: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """Sent as they stand, e.g. `temperature`."""
    memo: MutableMapping[str, object] = field(default_factory=dict[str, object])
    """One mapping a run, in which a model may keep what makes its next request cheaper."""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ThoughtDelta:
    """A piece of the model's reasons."""

    text: str


@dataclass(frozen=True, slots=True)
class CallDelta:
    """A piece of a call's arguments."""

    id: str
    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTurn:
    """All that the model said in one step; always a stream's last part."""

    text: str = ""
    calls: tuple[CallRequest, ...] = ()
    usage: Usage = field(default_factory=Usage)


ModelPart: TypeAlias = TextDelta | ThoughtDelta | CallDelta | ModelTurn


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
