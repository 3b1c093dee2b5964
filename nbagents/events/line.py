"""An event as a line of JSON, as logs and files keep it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pydantic_core import PydanticSerializationError

if TYPE_CHECKING:
    from nbagents.events.event import Event


def line_of(event: Event) -> str:
    """An event as JSON; half a character pair, which no file can hold, becomes a question mark."""
    try:
        return event.__pydantic_serializer__.to_json(event).decode()
    except PydanticSerializationError:
        text = json.dumps(event.model_dump(), ensure_ascii=False)
        return text.encode("utf-8", "replace").decode()
