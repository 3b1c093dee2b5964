"""What every body of a request is written with: JSON that no server refuses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pydantic_core import from_json, to_json

from nbagents.narrowing import is_mapping, is_sequence

if TYPE_CHECKING:
    pass

FUNCTION_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""Source: OpenAI API reference, chat completions, `tools[].function.name`."""

NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]")


def body_json(value: object) -> bytes:
    """Any value of plain types as JSON, in UTF-8."""
    try:
        return to_json(value, fallback=dict)  # a read-only view of a schema is no dict
    except ValueError:
        # Half of a surrogate pair, as file names and broken tools make them, is no UTF-8.
        return to_json(_mended(value))


def call_name(name: str) -> str:
    """A name that the API takes: a model may ask for a tool that no name can have."""
    if FUNCTION_NAME.fullmatch(name):
        return name
    return NOT_IN_NAMES.sub("_", name)[:64] or "unknown"


def call_arguments(text: str) -> str:
    """The arguments, made JSON where the model wrote none: some servers parse the history."""
    if not text.strip():
        return "{}"
    return text if is_json(text) else body_json({"invalid_json": text}).decode()


def is_json(text: str) -> bool:
    """Whether a text is JSON, and whole."""
    try:
        from_json(text)
    except ValueError:
        return False
    return True


def mend(text: str) -> str:
    """The text with the halves of a surrogate pair joined, and lone ones replaced by U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _mended(value: object) -> object:
    if isinstance(value, str):
        return mend(value)
    if is_mapping(value):
        return {mend(key): _mended(item) for key, item in value.items()}
    if is_sequence(value):
        return [_mended(item) for item in value]
    return value
