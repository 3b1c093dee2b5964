"""What a call gave, as a recording holds it: of live objects what the model was told of them."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, Final

from pydantic import JsonValue, TypeAdapter
from pydantic_core import to_jsonable_python

from nbagents.narrowing import dict_of
from nbagents.recordings.exchange.secrets import scrubbed_json
from nbagents.results import CALL_ENDS, Bounds, CallResult, Failure, FilePart, ImagePart, Payload

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from nbagents.recordings.exchange.question import Json
    from nbagents.results import ContentPart

LONGEST_VALUE: Final = 200_000
"""Characters of JSON: what is longer is not kept as an object; its text is."""


def written_result(result: CallResult, sign: Callable[[str], str]) -> Json:
    """A result as it is recorded.

    Args:
        result: What the call gave.
        sign: Writes what is volatile in a text.
    """
    is_text = isinstance(result.value, str) and result.value == result.content
    made: dict[str, Any] = {  # Any: JSON in the making
        "status": None if result.status == "done" else result.status,
        "content": sign(result.content),
        "preview": result.preview and sign(result.preview),
        "payloads": [one.model_dump(mode="json") for one in result.payloads],
        "value": None if is_text else _as_json(result.value),
        "is_text": is_text or None,
        "data": _as_json(result.data),
        "extra": _as_json(dict(result.extra)),
        "handle": result.handle and sign(result.handle),
        "failure": result.failure and result.failure.model_dump(mode="json"),
        "bounds": result.bounds and result.bounds.model_dump(mode="json"),
        "parts": [_written_part(one) for one in result.parts],
    }
    kept = {name: one for name, one in made.items() if one not in (None, [], {}, "")}
    if result.has_next is not None:
        kept["has_next"] = result.has_next
    return dict_of(scrubbed_json({"content": "", **kept}))


def read_result(given: Mapping[str, JsonValue], read: Callable[[str], str]) -> CallResult:
    """A result that was recorded.

    Args:
        given: What the recording holds.
        read: Puts what is volatile now into a text.

    Raises:
        ValueError: It is none.
    """
    said: Mapping[str, Any] = given  # Any: of a file; checked below
    status = said.get("status", "done")
    if status not in CALL_ENDS or not isinstance(said.get("content"), str):
        raise ValueError(f"a result has a text as content, and a status of {', '.join(CALL_ENDS)}")
    content = read(said["content"])
    preview, handle = said.get("preview"), said.get("handle")
    return CallResult(
        content=content,
        preview=preview and read(preview),
        payloads=TypeAdapter(tuple[Payload, ...]).validate_python(said.get("payloads", ())),
        value=content if said.get("is_text") else said.get("value"),
        data=said.get("data"),
        extra=said.get("extra", {}),
        handle=handle and read(handle),
        failure=Failure.model_validate(said["failure"]) if said.get("failure") else None,
        bounds=Bounds.model_validate(said["bounds"]) if said.get("bounds") else None,
        parts=tuple(map(_read_part, said.get("parts", ()))),
        has_next=said.get("has_next"),
        status=status,
    )


def _as_json(value: object) -> JsonValue:
    """A value that is JSON, or can be; else nothing."""
    try:
        made: JsonValue = to_jsonable_python(value, exclude_none=False)
    except (ValueError, TypeError, RecursionError):
        return None
    return made if len(str(made)) <= LONGEST_VALUE else None


def _written_part(part: ContentPart) -> JsonValue:
    data = None if part.data is None else base64.b64encode(part.data).decode()
    if isinstance(part, ImagePart):
        made = {"image": part.media_type, "data": data, "url": part.url, "name": part.name}
        return {**made, "detail": part.detail}
    return {"file": part.name, "type": part.media_type, "data": data, "file_id": part.file_id}


def _read_part(given: dict[str, Any]) -> ContentPart:
    data = None if given.get("data") is None else base64.b64decode(given["data"])
    if "image" in given:
        return ImagePart(
            media_type=given["image"],
            data=data,
            url=given.get("url"),
            name=given.get("name", ""),
            detail=given.get("detail", "auto"),
        )
    return FilePart(
        name=given["file"], media_type=given["type"], data=data, file_id=given.get("file_id")
    )
