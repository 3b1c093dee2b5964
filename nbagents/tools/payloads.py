"""What is shown to the person, as JSON of a bounded size."""

from __future__ import annotations

from typing import cast

from pydantic import JsonValue
from pydantic_core import from_json

from nbagents.results import Payload
from nbagents.tools.plain import is_mapping, json_bytes
from nbagents.tools.summaries import size_words

__all__ = ["MAX_PAYLOAD", "bounded", "cut_payload", "payload_of"]

MAX_PAYLOAD = 256_000
"""Bytes of one payload's JSON: it is kept in the log and sent to every page that shows the run."""

MAX_PICTURE = 1_500_000
"""The same for what holds an image or a file, of at most 1 MB before it is written as base64."""

PICTURES = frozenset({"image", "file", "mime"})

MAX_HEAD = 2_000


def payload_of(value: object, kind: str) -> Payload:
    """Any value as one payload; what is too large becomes a payload of kind `cut`.

    Args:
        value: A payload as it stands; a mapping with a `kind` is a payload of that kind.
        kind: The kind of everything else.
    """
    if isinstance(value, Payload):
        return bounded(value)
    if is_mapping(value) and isinstance(value.get("kind"), str):
        rest = dict(value)
        return _written(rest, str(rest.pop("kind")))
    return _written(value, kind)


def bounded(payload: Payload) -> Payload:
    """The payload, or where it is too large one of kind `cut` in its place."""
    written = json_bytes(payload.value)
    if len(written) <= _limit(payload.kind):
        return payload
    cut = cut_payload(payload.kind, written)
    return cut.model_copy(update={"version": payload.version, "audience": payload.audience})


def cut_payload(kind: str, written: bytes) -> Payload:
    """What stands in the place of a payload that is too large: its beginning, and its size."""
    head = written[:MAX_HEAD].decode(errors="ignore")
    size = size_words(len(written))
    note = f"{size_words(len(written) - len(head.encode()))} of {size} left out"
    value: JsonValue = {"of": kind, "head": head, "note": note, "size_bytes": len(written)}
    return Payload(kind="cut", value=value)


def _written(value: object, kind: str) -> Payload:
    written = json_bytes(value)
    if len(written) > _limit(kind):
        return cut_payload(kind, written)
    return Payload(kind=kind, value=cast("JsonValue", from_json(written)))


def _limit(kind: str) -> int:
    return MAX_PICTURE if kind in PICTURES else MAX_PAYLOAD
