"""What a model is told and what it says: the messages of a run, of no provider's shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from pydantic import JsonValue

from nbagents.redaction import in_clean_words
from nbagents.results import CallResult, ContentPart

__all__ = [
    "AssistantMessage",
    "CallRequest",
    "Message",
    "SystemMessage",
    "ToolMessage",
    "UserMessage",
    "told",
]


@in_clean_words
@dataclass(frozen=True, slots=True, kw_only=True)
class CallRequest:
    """A call that a model asks for."""

    id: str
    name: str
    arguments: str
    """The arguments as the model wrote them: JSON, if all is well."""
    is_cut: bool = False
    """Whether the provider's limit of tokens cut the answer off in their middle."""


@in_clean_words
@dataclass(frozen=True, slots=True, kw_only=True)
class SystemMessage:
    """The agent's instructions."""

    text: str
    role: Literal["system"] = "system"


@in_clean_words
@dataclass(frozen=True, slots=True, kw_only=True)
class UserMessage:
    """What the person asked."""

    text: str
    parts: tuple[ContentPart, ...] = ()
    shared: str = ""
    """What is said below the text of the objects that are shared with it."""
    is_notice: bool = False
    """Whether it only says what the person did meanwhile, e.g. that they moved a map."""
    role: Literal["user"] = "user"

    @property
    def told(self) -> str:
        """All the words of it."""
        return f"{self.text}\n\n{self.shared}" if self.shared else self.text


@in_clean_words
@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantMessage:
    """What the model answered: text, calls, or both."""

    text: str
    calls: tuple[CallRequest, ...] = ()
    native: tuple[JsonValue, ...] = ()
    """The same as its provider wrote it, for the model that can read that again."""
    native_of: str = ""
    """Which kind of model that is, e.g. `openai_responses`."""
    role: Literal["assistant"] = "assistant"


@in_clean_words
@dataclass(frozen=True, slots=True, kw_only=True)
class ToolMessage:
    """What the model is told of one call's result."""

    call_id: str
    name: str
    content: str
    parts: tuple[ContentPart, ...] = ()
    failed: bool = False
    """Whether `content` says what went wrong; providers are told by the text alone."""
    role: Literal["tool"] = "tool"


Message: TypeAlias = SystemMessage | UserMessage | AssistantMessage | ToolMessage


def told(call: CallRequest, result: CallResult) -> ToolMessage:
    """What the model is told of a call."""
    return ToolMessage(
        call_id=call.id,
        name=call.name,
        content=result.content,
        parts=result.parts,
        failed=result.status != "done",
    )
