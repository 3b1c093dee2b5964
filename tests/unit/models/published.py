"""Requests held against the schemas that OpenAI publishes, as the openai package types them."""

from __future__ import annotations

import functools
from typing import Any, cast

from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming
from openai.types.responses.response_create_params import ResponseCreateParamsStreaming
from pydantic import TypeAdapter, ValidationError

__all__ = ["faults"]

SCHEMAS: dict[str, Any] = {
    "/chat/completions": CompletionCreateParamsStreaming,
    "/responses": ResponseCreateParamsStreaming,
}


def faults(path: str, body: object) -> list[str]:
    """What the schema of the path says against a body; nothing, if there is none for the path."""
    published = next((one for end, one in SCHEMAS.items() if path.endswith(end)), None)
    if published is None:
        return []
    try:
        known = _consumed(_adapter(published).validate_python(body))
    except ValidationError as error:
        return [f"{one['loc']}: {one['msg']}" for one in error.errors()]
    return [f"unknown: {one}" for one in _missing(body, known)]


@functools.cache
def _adapter(published: Any) -> TypeAdapter[Any]:
    return TypeAdapter(published)


def _consumed(value: object) -> object:
    """The value with its lazily checked iterables read to their ends."""
    if isinstance(value, dict):
        pairs = cast("dict[str, object]", value).items()
        return {key: _consumed(item) for key, item in pairs}
    if isinstance(value, (str, int, float)) or value is None:
        return value
    return [_consumed(item) for item in cast("list[object]", value)]


def _missing(given: object, known: object, at: str = "") -> list[str]:
    """Where a body holds what its schema passed over: a typed dict drops unknown keys."""
    if isinstance(given, dict) and isinstance(known, dict):
        pairs = cast("dict[str, object]", given).items()
        kept = cast("dict[str, object]", known)
        return [
            one
            for key, item in pairs
            for one in (
                _missing(item, kept[key], f"{at}.{key}") if key in kept else [f"{at}.{key}"]
            )
        ]
    if isinstance(given, list) and isinstance(known, list):
        pairs_ = zip(cast("list[object]", given), cast("list[object]", known), strict=True)
        return [one for n, (a, b) in enumerate(pairs_) for one in _missing(a, b, f"{at}[{n}]")]
    return [] if given == known else [f"{at}: {given!r} is read as {known!r}"]
