"""What a schema is made of, and what a `$ref` in it points at, by pointer or by anchor."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias, TypeGuard
from urllib.parse import unquote

from pydantic import JsonValue

from nbagents.narrowing import is_dict, is_list, list_of

Schema: TypeAlias = Mapping[str, JsonValue]
Written: TypeAlias = dict[str, JsonValue]
"""A schema that is being made."""

INNER_BY_NAME = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
INNER_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
INNER = (
    *("items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"),
    *("unevaluatedItems", "unevaluatedProperties"),
)


DEFINITIONS: Final = ("$defs", "definitions")
NOTES: Final = frozenset(
    {
        *("$anchor", "$comment", "$id", "$schema", "default", "deprecated", "description"),
        *("discriminator", "example", "examples", "readOnly", "title", "writeOnly"),
        *("contentEncoding", "contentMediaType", "nullable"),
    }
)
"""What only describes, so that it may stand where something else decides what fits."""
REFERENCE: Final = frozenset({"$ref", *NOTES, *DEFINITIONS})
"""What says nothing of its own about what fits."""


def is_schema(value: object) -> TypeGuard[Schema]:
    """Whether it is a JSON object, and so may be a schema."""
    return isinstance(value, Mapping)


def schemas_in(value: object) -> list[Schema]:
    """Those that a list holds; none where it is no list."""
    return [one for one in list_of(value) if is_schema(one)]


def kinds_of(schema: Schema) -> list[JsonValue]:
    """The JSON types that a schema names."""
    kinds = schema.get("type", [])
    return kinds if isinstance(kinds, list) else [kinds]


def path_of(above: str, part: object) -> str:
    """The path of something inside of something, joined by dots."""
    return f"{above}.{part}" if above else str(part)


def inner_schemas(node: Schema) -> Iterator[tuple[str, object]]:
    """What stands in a schema where a schema stands, each with its path in it."""
    for word, given in node.items():
        if word in INNER:
            yield word, given
        elif word in INNER_BY_NAME and is_dict(given):
            yield from ((f"{word}.{name}", one) for name, one in given.items())
        elif word in INNER_LISTS:
            yield from ((f"{word}.{at}", one) for at, one in enumerate(list_of(given)))


def all_schemas(root: Schema) -> Iterator[tuple[str, Schema]]:
    """Each schema in a schema once, with its path; what is referred to may stand anywhere in it."""
    waiting: deque[tuple[str, object]] = deque([("", root)])
    seen: set[int] = set()
    while waiting:
        where, node = waiting.popleft()
        if not is_schema(node) or id(node) in seen:
            continue
        seen.add(id(node))
        yield where, node
        waiting += [(path_of(where, at), one) for at, one in inner_schemas(node)]
        if isinstance(ref := node.get("$ref"), str):
            waiting.append((path_of(where, "$ref"), target_of(ref, root)))


def target_of(ref: str, root: Schema) -> object:
    """What a reference leads to; `None` if that is nothing, or outside of the schema.

    Source: RFC 6901, section 6: parts of a pointer in a fragment are percent-encoded, and write `/`
    as `~1` and `~` as `~0`. A name that holds such characters itself is found as it stands.
    """
    if not ref.startswith("#"):
        return None
    first, *parts = ref[1:].split("/")
    if first:
        return next((node for node in _objects(root) if node.get("$anchor") == first), None)
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
        written = (_unescaped(unquote(part)), _unescaped(part), part)
        return next((node[name] for name in written if name in node), None)
    listed = list_of(node)
    return listed[int(part)] if part.isdecimal() and int(part) < len(listed) else None


def _unescaped(part: str) -> str:
    return part.replace("~1", "/").replace("~0", "~")


def _objects(value: object) -> Iterator[Schema]:
    """Each JSON object in a value once; the same object may stand at many places."""
    waiting, seen = [value], set[int]()
    while waiting:
        one = waiting.pop()
        if id(one) not in seen and (is_schema(one) or is_list(one)):
            seen.add(id(one))
            if is_schema(one):
                yield one
            waiting.extend(one.values() if is_schema(one) else one)
