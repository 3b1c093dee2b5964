"""How large a schema may be in OpenAI's strict mode.

Source: OpenAI, guide "Structured outputs", section "Supported schemas", limits as of 2026.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias, cast

from pydantic import JsonValue
from pydantic_core import to_json

from nbagents.tools.references import is_schema, resolved_ref

__all__ = ["limits_broken"]

Schema: TypeAlias = Mapping[str, JsonValue]

MAX_PROPERTIES = 5_000
MAX_DEPTH = 10
MAX_ENUM_VALUES = 1_000
MANY_CHOICES, MAX_CHOICE_TEXT = 250, 15_000
"""A property with more values than the first may have no more characters in all of them."""
MAX_TEXT = 120_000
"""Characters of all names of properties and definitions, and of enum and const values."""


def limits_broken(schema: Schema) -> list[str]:
    """Each limit that a strict schema breaks, in words."""
    return [] if _is_small(schema) else _broken(schema)


def _is_small(schema: Schema) -> bool:
    """Whether its text alone says that it keeps every limit: most schemas do."""
    text = to_json(schema)
    return len(text) < MAX_ENUM_VALUES and text.count(b'"properties"') <= MAX_DEPTH


def _broken(schema: Schema) -> list[str]:
    nodes = list(_nodes(schema))
    properties = [name for node in nodes for name in _mapping(node, "properties")]
    labels = [name for node in nodes for name in _mapping(node, "$defs")]
    choices = [one for node in nodes for one in cast("list[JsonValue]", node.get("enum", []))]
    constants = [node["const"] for node in nodes if "const" in node]
    text = sum(len(str(one)) for one in (*properties, *labels, *choices, *constants))
    broken = {
        f"it has more than {MAX_PROPERTIES} properties": len(properties) > MAX_PROPERTIES,
        f"it has more than {MAX_ENUM_VALUES} enum values": len(choices) > MAX_ENUM_VALUES,
        f"its names and values have more than {MAX_TEXT} characters": text > MAX_TEXT,
        f"one choice has more than {MAX_CHOICE_TEXT} characters": any(map(_is_long, nodes)),
        f"it nests more than {MAX_DEPTH} objects": _depth(schema, schema, {}) > MAX_DEPTH,
    }
    return [reason for reason, is_broken in broken.items() if is_broken]


def _is_long(node: Schema) -> bool:
    texts = [one for one in cast("list[JsonValue]", node.get("enum", [])) if isinstance(one, str)]
    return len(texts) > MANY_CHOICES and sum(map(len, texts)) > MAX_CHOICE_TEXT


def _nodes(schema: Schema) -> Iterator[Schema]:
    waiting: list[Schema] = [schema]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(_inner(node))
        waiting.extend(_schemas(_mapping(node, "$defs").values()))
        waiting.extend(_schemas(_mapping(node, "definitions").values()))


def _inner(node: Schema) -> list[Schema]:
    branches = cast("list[object]", node.get("anyOf", []))
    return _schemas([*_mapping(node, "properties").values(), *branches, node.get("items")])


def _schemas(values: Iterable[object]) -> list[Schema]:
    return [one for one in values if is_schema(one)]


def _mapping(node: Schema, word: str) -> dict[str, JsonValue]:
    found = node.get(word)
    return found if isinstance(found, dict) else {}


def _depth(schema: Schema, root: Schema, known: dict[int, int]) -> int:
    """Objects inside of objects; what refers to itself counts once, and is looked at once."""
    node = resolved_ref(schema, root)
    if id(node) not in known:
        known[id(node)] = 0
        inner = max((_depth(one, root, known) for one in _inner(node)), default=0)
        known[id(node)] = inner + (1 if "properties" in node else 0)
    return known[id(node)]
