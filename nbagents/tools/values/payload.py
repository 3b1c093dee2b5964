"""What is shown to the person, as JSON of a bounded size."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from pydantic import JsonValue
from pydantic_core import from_json

from nbagents.narrowing import is_mapping
from nbagents.results import Payload
from nbagents.tools.values.amounts import size
from nbagents.tools.values.column_format import with_formats
from nbagents.tools.values.plain_value import json_bytes

BuiltInKind: TypeAlias = Literal[
    "apiPool",
    "chart",
    "code",
    "cut",
    "diff",
    "file",
    "image",
    "json",
    "log",
    "map",
    "markdown",
    "mime",
    "progress",
    "table",
]
BUILT_IN_KINDS = frozenset(get_args(BuiltInKind))
"""The kinds that nbagents itself draws."""

PAYLOAD_MIME = "application/vnd.nbagents.payload.v1+json"
"""A payload of one of these kinds in a bundle: its `kind` and its `value`."""

MAX_PAYLOAD = 256_000
"""Bytes of one payload's JSON: it is kept in the log and sent to every page that shows the run."""

MAX_PICTURE = 1_500_000
"""The same for charts, and for images and files: of at most 1 MB before they become base64."""

PICTURES = frozenset({"chart", "image", "file", "mime"})

MAX_HEAD = 2_000

TEXTS = frozenset({"code", "log", "markdown"})


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
        return payload.model_copy(update={"value": _complete(payload.value, payload.kind)})
    cut = cut_payload(payload.kind, written)
    return cut.model_copy(update={"version": payload.version, "audience": payload.audience})


def cut_payload(kind: str, written: bytes) -> Payload:
    """What stands in the place of a payload that is too large: its beginning, and its size."""
    head = written[:MAX_HEAD].decode(errors="ignore")
    left_out = size(len(written) - len(head.encode()))
    note = f"{left_out} of {size(len(written))} left out"
    value: JsonValue = {"of": kind, "head": head, "note": note, "size_bytes": len(written)}
    return Payload(kind="cut", value=value)


def payload_text(payload: Payload) -> str:
    """What a model is told of a payload that a tool returned: its text, if it is one."""
    value = payload.value if isinstance(payload.value, dict) else {}
    text = value.get("text")
    if payload.kind in TEXTS and isinstance(text, str):
        return text
    if payload.kind == "json" and "value" in value:
        return json_bytes(value["value"]).decode()
    if payload.kind == "log" and isinstance(lines := value.get("lines"), list):
        return "\n".join(_line(one) for one in lines)
    return f"Shown to the user: {'an' if payload.kind == 'image' else 'a'} {payload.kind}."


def _line(line: JsonValue) -> str:
    if not isinstance(line, dict):
        return str(line)
    return f"{line.get('level', '')} {line.get('text', '')}".strip()


def _written(value: object, kind: str) -> Payload:
    written = json_bytes(value)
    if len(written) > _limit(kind):
        return cut_payload(kind, written)
    return Payload(kind=kind, value=_complete(from_json(written), kind))


def _complete(value: JsonValue, kind: str) -> JsonValue:
    """What a page is told of a table: also how its numbers are written."""
    return with_formats(value) if kind == "table" and isinstance(value, dict) else value


def _limit(kind: str) -> int:
    return MAX_PICTURE if kind in PICTURES else MAX_PAYLOAD
