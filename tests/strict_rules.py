"""OpenAI's strict rules, written down once more and without our writer: what a schema breaks.

Source: OpenAI, guide "Structured outputs", section "Supported schemas" (as of 2026), and what its
API says when it refuses one ("'allOf' is not permitted", "schema must have a 'type' key", …).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

__all__ = ["faults", "faults_of_body"]

Node = dict[str, Any]

TYPES = {"string", "number", "integer", "boolean", "object", "array", "null"}
FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
WORDS = {
    *("$defs", "$ref", "additionalProperties", "anyOf", "const", "description", "enum"),
    *("exclusiveMaximum", "exclusiveMinimum", "format", "items", "maxItems", "maximum"),
    *("minItems", "minimum", "multipleOf", "pattern", "properties", "required", "title", "type"),
}
MAX_PROPERTIES, MAX_DEPTH, MAX_CHOICES, MAX_TEXT = 5_000, 10, 1_000, 120_000
MANY_CHOICES, MAX_CHOICE_TEXT = 250, 15_000


def faults(schema: Node) -> list[str]:
    """Each rule that a schema breaks, with its place."""
    found = [*_of_root(schema), *_of_size(schema)]
    for where, node in _nodes(schema, "#"):
        found += [f"{where}: {one}" for one in _of_node(node, schema)]
    return found


def faults_of_body(body: Any) -> list[str]:
    """What is wrong with each schema that a request, of either API, calls strict."""
    return [
        f"{name}: {fault}" for name, schema in _strict_schemas(body) for fault in faults(schema)
    ]


def _strict_schemas(body: Any) -> Iterator[tuple[str, Node]]:
    form = body.get("response_format", {}).get("json_schema", {})
    text = body.get("text", {}).get("format", {})
    tools = [inner for one in body.get("tools", ()) for inner in one.get("tools", [one])]
    for one in (form, text, *(tool.get("function", tool) for tool in tools)):
        if one.get("strict") is True:
            yield one["name"], one.get("schema", one.get("parameters"))


def _of_root(root: Node) -> Iterator[str]:
    if root.get("type") != "object":
        yield "the root is no object"
    yield from (f"the root has {word!r}" for word in ("anyOf", "$ref", "enum") if word in root)


def _of_node(node: Node, root: Node) -> Iterator[str]:
    yield from (f"{word!r} is not permitted" for word in node if word not in WORDS)
    if "$defs" in node and node is not root:
        yield "definitions stand at the root only"
    if "$ref" in node:
        if set(node) != {"$ref"}:
            yield "something stands beside a reference"
        if _target(node["$ref"], root) is None:
            yield f"{node['$ref']!r} leads nowhere"
        return
    yield from _of_types(node, root)
    if "format" in node and node["format"] not in FORMATS:
        yield f"{node['format']!r} is not a valid format"
    if re.search(r"\(\?(=|!|<=|<!)", node.get("pattern", "")):
        yield "its pattern looks around"


def _of_types(node: Node, root: Node) -> Iterator[str]:
    kinds = _kinds(node)
    if not kinds and "anyOf" not in node:
        yield "it has no type"
    if not set(kinds) <= TYPES:
        yield f"{kinds} are no types"
    if kinds and "anyOf" in node and node is not root:
        yield "a type stands beside a choice"
    if "array" in kinds and not isinstance(node.get("items"), dict):
        yield "its items are not said"
    yield from _of_object(node, kinds)
    yield from _of_values(node, kinds)


def _of_object(node: Node, kinds: list[str]) -> Iterator[str]:
    if "object" not in kinds:
        if "properties" in node or "required" in node:
            yield "properties of what is no object"
        return
    if node.get("additionalProperties") is not False:
        yield "'additionalProperties' is required to be false"
    properties: Node = node.get("properties", {})
    if sorted(node.get("required", [])) != sorted(properties):
        yield "'required' must name every property"


def _of_values(node: Node, kinds: list[str]) -> Iterator[str]:
    values = [*node.get("enum", []), *([node["const"]] if "const" in node else [])]
    if "enum" in node and not node["enum"]:
        yield "a choice of nothing"
    for one in values:
        if not any(_is(one, kind) for kind in kinds):
            yield f"{one!r} is of no type that is said"
    texts = [one for one in values if isinstance(one, str)]
    if len(texts) > MANY_CHOICES and sum(map(len, texts)) > MAX_CHOICE_TEXT:
        yield "its choices are too long"


def _of_size(root: Node) -> Iterator[str]:
    nodes = [node for _, node in _nodes(root, "#")]
    names = [name for node in nodes for name in node.get("properties", {})]
    choices = [one for node in nodes for one in node.get("enum", [])]
    constants = [node["const"] for node in nodes if "const" in node]
    if len(names) > MAX_PROPERTIES:
        yield "it has too many properties"
    if len(choices) > MAX_CHOICES:
        yield "it has too many choices"
    text = (*names, *root.get("$defs", {}), *choices, *constants)
    if sum(len(str(one)) for one in text) > MAX_TEXT:
        yield "its names and values are too long"
    if _depth(root, root, ()) > MAX_DEPTH:
        yield "it is nested too deeply"


def _depth(node: Node, root: Node, above: tuple[int, ...]) -> int:
    target = _target(node["$ref"], root) if "$ref" in node else node
    if target is None or id(target) in above:
        return 0
    deeper = max((_depth(one, root, (*above, id(target))) for one in _inner(target)), default=0)
    return deeper + ("properties" in target)


def _nodes(node: Node, where: str) -> Iterator[tuple[str, Node]]:
    yield where, node
    for name, one in node.get("properties", {}).items():
        yield from _nodes(one, f"{where}.{name}")
    for name, one in node.get("$defs", {}).items():
        yield from _nodes(one, f"{where}/{name}")
    for at, one in enumerate(node.get("anyOf", [])):
        yield from _nodes(one, f"{where}|{at}")
    if isinstance(node.get("items"), dict):
        yield from _nodes(node["items"], f"{where}[]")


def _inner(node: Node) -> list[Node]:
    items = [node["items"]] if isinstance(node.get("items"), dict) else []
    return [*node.get("properties", {}).values(), *node.get("anyOf", []), *items]


def _target(ref: str, root: Node) -> Node | None:
    if ref == "#":
        return root
    place, _, name = ref.rpartition("/")
    return root.get("$defs", {}).get(name) if place == "#/$defs" else None


def _kinds(node: Node) -> list[str]:
    said: object = node.get("type", [])
    return cast("list[str]", said) if isinstance(said, list) else [str(said)]


def _is(value: object, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    of: dict[str, Any] = {
        "string": str,
        "integer": int,
        "number": (int, float),
        "null": type(None),
    }
    return kind in of and isinstance(value, of[kind])
