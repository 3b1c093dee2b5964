"""What a request to a model is made of, as people may read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic_core import to_jsonable_python

from nbagents.messages import AssistantMessage, SystemMessage, ToolMessage
from nbagents.results import ImagePart, ShownCall, ShownMessage, ShownTool

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pydantic import JsonValue

    from nbagents.events import PromptRendered
    from nbagents.messages import Message
    from nbagents.models.model import ToolSpec
    from nbagents.results import ContentPart, Earlier

FULL_SCHEMAS = 64
"""Of more tools than this the schemas are left out: they would fill the log."""


def shown_message(message: Message) -> ShownMessage:
    """A message without the bytes of its images and files."""
    if isinstance(message, AssistantMessage):
        calls = tuple(
            ShownCall(id=one.id, name=one.name, arguments=one.arguments) for one in message.calls
        )
        return ShownMessage(role="assistant", text=message.text, calls=calls)
    if isinstance(message, SystemMessage):
        return ShownMessage(role="system", text=message.text)
    parts = tuple(map(part_line, message.parts))
    if isinstance(message, ToolMessage):
        return ShownMessage(
            role="tool",
            text=message.content,
            parts=parts,
            call_id=message.call_id,
            failed=message.failed,
        )
    return ShownMessage(
        role="user",
        text=message.told,
        parts=parts,
        shared=message.shared,
        is_notice=message.is_notice,
    )


def parted(
    messages: Sequence[Message], earlier: Earlier | None
) -> tuple[Sequence[Message], Sequence[Message]]:
    """What of a conversation other runs have logged, and the rest of it."""
    if earlier is None:
        return (), messages
    end = earlier.place + earlier.count
    return messages[earlier.place : end], [*messages[: earlier.place], *messages[end:]]


class ShownOnce:
    """Messages as they are shown, each made once: every run of a chat is told them again."""

    def __init__(self) -> None:
        # By the very object, which is kept, so that no other one has its id.
        self._made: dict[int, tuple[Message, dict[str, Any]]] = {}

    def of(self, messages: Iterable[Message]) -> list[dict[str, Any]]:
        """What is shown of messages."""
        return [self._of(one) for one in messages]

    def _of(self, message: Message) -> dict[str, Any]:
        if id(message) not in self._made:
            self._made[id(message)] = message, shown_message(message).model_dump(mode="json")
        return self._made[id(message)][1]


class ChatHistory:
    """What the runs of a tree are told of their chats, which other runs have logged."""

    def __init__(self) -> None:
        self._told: dict[str, Sequence[dict[str, Any]]] = {}

    def keep(self, run_id: str, told: Sequence[dict[str, Any]]) -> None:
        """Keep what a run is told, as it is shown."""
        self._told[run_id] = told

    def told(self, event: PromptRendered) -> Sequence[dict[str, Any]]:
        """What a request tells of it, as it is shown."""
        return self._told.get(event.run_id, ())


def shown_tools(specs: tuple[ToolSpec, ...]) -> tuple[ShownTool, ...]:
    """Tools as a model is told of them."""
    is_full = len(specs) <= FULL_SCHEMAS
    return tuple(
        ShownTool(
            name=one.name,
            description=one.description,
            parameters=_parameters(one) if is_full else None,
        )
        for one in specs
    )


def part_line(part: ContentPart) -> str:
    """What an image or a file is, in one line."""
    size = f", {len(part.data):,} bytes" if part.data is not None else ""
    where = f" at {part.url}" if isinstance(part, ImagePart) and part.url else ""
    return f"{part.name or 'image'}: {part.media_type}{size}{where}"


def _parameters(spec: ToolSpec) -> JsonValue:
    given = spec.parameters if spec.hosted is None else spec.hosted
    return to_jsonable_python(given, fallback=str)
