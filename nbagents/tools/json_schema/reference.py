"""What a `$ref` inside of a schema points at, by pointer or by anchor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias, TypeGuard, cast
from urllib.parse import unquote

from pydantic import JsonValue

Schema: TypeAlias = Mapping[str, JsonValue]


def is_schema(value: object) -> TypeGuard[Mapping[str, JsonValue]]:
    """Whether it is a JSON object, and so may be a schema."""
    return isinstance(value, Mapping)


def target_of(ref: str, root: Schema) -> object:
    """What a reference leads to; `None` if that is nothing, or outside of the schema.

    Source: RFC 6901, section 6: parts of a pointer in a fragment are percent-encoded, and write `/`
    as `~1` and `~` as `~0`. A name that holds such characters itself is found as it stands.
    """
    if not ref.startswith("#"):
        return None
    first, *parts = ref[1:].split("/")
    if first:
        return next((node for node in _nodes(root) if node.get("$anchor") == first), None)
    found: object = root
    for part in parts:
        found = _step(found, part)
    return found


def resolved_ref(schema: Schema, root: Schema) -> Schema:
    """What a local `$ref` points at; the schema itself where there is none, or it leads nowhere.

    What stands beside the reference is not looked at.
    """
    seen: set[str] = set()
    while isinstance(ref := schema.get("$ref"), str) and ref not in seen:
        seen.add(ref)
        target = target_of(ref, root)
        if not is_schema(target):
            break
        schema = target
    return schema


def _step(node: object, part: str) -> object:
    if is_schema(node):
        written = (part, _unescaped(part), _unescaped(unquote(part)))
        return next((node[name] for name in written if name in node), None)
    if isinstance(node, list) and part.isdecimal():
        listed = cast("Sequence[object]", node)
        return listed[int(part)] if int(part) < len(listed) else None
    return None


def _unescaped(part: str) -> str:
    return part.replace("~1", "/").replace("~0", "~")


def _nodes(value: object) -> Iterator[Schema]:
    if is_schema(value):
        yield value
        for one in value.values():
            yield from _nodes(one)
    elif isinstance(value, list):
        for one in cast("Sequence[object]", value):
            yield from _nodes(one)
