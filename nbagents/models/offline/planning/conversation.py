"""The conversation as the planner sees it: the wish, and the calls made for it so far."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from pydantic import JsonValue

from nbagents.messages import AssistantMessage, ToolMessage, UserMessage
from nbagents.tools.call import for_people

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.messages import CallRequest, Message
    from nbagents.results import HandleInfo

Arguments: TypeAlias = dict[str, JsonValue]

_FAILED = re.compile(
    r"\s*(?:\w*(?:error|exception|failure)\b|(?:the )?(?:tool|call|request)\b.{0,80}?\b(?:failed|"
    r"raised|timed out|took longer|did not|could not|was not|were not|do not fit|denied|rejected)|"
    r"failed|invalid|cannot|can't|could not|couldn't|unable to|there is no tool|unknown tool|"
    r"timed? ?out|denied|not allowed|not permitted|cancelled|(?:the )?arguments\b|no such|"
    r".{0,60}\b(?:do not fit|took longer than)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A call that was made, with what came back."""

    id: str
    name: str
    arguments: Arguments
    content: str
    flagged: bool = False
    """Whether the message says that the call failed."""

    @property
    def failed(self) -> bool:
        """Whether the message says that it failed, or its content reads so."""
        if self.flagged:
            return True
        value = parsed(self.content)
        if isinstance(value, Mapping):
            return bool(value.get("error") or value.get("errors")) or any(
                value.get(key) is False for key in ("ok", "success")
            )
        return isinstance(value, str) and _FAILED.match(value) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """The newest wish and what happened for it and before it."""

    prompt: str
    made: tuple[Made, ...]
    """Calls of this turn, in order."""
    before: tuple[Made, ...]
    """Calls of the turns before it, in order."""
    previous: str
    """What the person wrote before, or nothing."""
    replied: str
    """What was answered to that."""
    handles: tuple[HandleInfo, ...] = ()
    """The objects that a call can be given by name, the newest last."""

    @classmethod
    def of(cls, messages: Sequence[Message], handles: tuple[HandleInfo, ...] = ()) -> Conversation:
        """Read the messages of a run."""
        starts = [at for at, one in enumerate(messages) if _is_wish(one)]
        start = starts[-1] if starts else len(messages)
        earlier = messages[:start]
        replies = [
            one.text for one in earlier if isinstance(one, AssistantMessage) and not one.calls
        ]
        said = [one.text for one in earlier if isinstance(one, UserMessage) and _is_wish(one)]
        prompt = messages[start] if starts else None
        return cls(
            prompt=prompt.text if isinstance(prompt, UserMessage) else "",
            made=tuple(_made(messages[start:])),
            before=tuple(_made(earlier)),
            previous=said[-1] if said else "",
            replied=replies[-1] if replies else "",
            handles=handles,
        )


def _is_wish(message: Message) -> bool:
    """Whether the person asks for something in it; a notice only says what happened."""
    return isinstance(message, UserMessage) and not message.is_notice


def parsed(content: str) -> JsonValue:
    """Content as JSON where it is, else as text."""
    try:
        return json.loads(content)
    except ValueError:
        return content


def _made(messages: Sequence[Message]) -> list[Made]:
    results = {one.call_id: one for one in messages if isinstance(one, ToolMessage)}
    return [
        Made(
            id=call.id,
            name=call.name,
            arguments=_arguments(call),
            content=for_people(results[call.id].content),
            flagged=results[call.id].failed,
        )
        for one in messages
        if isinstance(one, AssistantMessage)
        for call in one.calls
        if call.id in results
    ]


def _arguments(call: CallRequest) -> Arguments:
    value = parsed(call.arguments)
    return dict(value) if isinstance(value, dict) else {}
