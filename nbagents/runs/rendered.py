"""What a request to a model is made of, as people may read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from pydantic_core import to_jsonable_python

from nbagents.messages import AssistantMessage, SystemMessage, ToolMessage
from nbagents.results import ImagePart, ShownCall, ShownMessage, ShownTool

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.messages import Message
    from nbagents.models.model import ToolSpec
    from nbagents.results import ContentPart

__all__ = ["part_line", "shown_message", "shown_tools"]

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
        return ShownMessage(role="tool", text=message.content, parts=parts, call_id=message.call_id)
    return ShownMessage(role="user", text=message.told, parts=parts)


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
    return cast("JsonValue", to_jsonable_python(given, fallback=str))
