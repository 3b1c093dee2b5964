"""Checks arguments against a raw JSON Schema, as far as the schemas of tools go.

The checker is ours because a tool that comes with its own schema (`Tool.from_schema`) has no Python
types to validate with, and a full validator is a heavy dependency. Keywords it does not know are
not checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias, cast

from pydantic import JsonValue

from nbagents.errors import did_you_mean
from nbagents.results import FieldIssue
from nbagents.tools.nulls import is_schema, resolved_ref

__all__ = ["check_json"]

Schema: TypeAlias = Mapping[str, JsonValue]
Found: TypeAlias = Iterator[FieldIssue]

NAMES = {
    "string": "a string",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def check_json(value: JsonValue, schema: Schema, root: Schema, path: str = "") -> Found:
    """Each place where a value does not fit.

    Args:
        value: The value.
        schema: What it should fit.
        root: The whole schema, in which references are looked up.
        path: Where the value stands in the arguments.
    """
    node = resolved_ref(schema, root)
    if not _has_type(value, node.get("type")):
        kinds = node["type"] if isinstance(node["type"], list) else [node["type"]]
        wanted = " or ".join(NAMES.get(str(kind), str(kind)) for kind in kinds)
        yield _issue(path, "type", f"This must be {wanted}")
        return
    yield from _check_choice(value, node, root, path)
    if isinstance(value, dict):
        yield from _check_object(value, node, root, path)
    elif isinstance(value, list):
        yield from _check_list(value, node, root, path)
    elif isinstance(value, str):
        yield from _check_text(value, node, path)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from _check_number(value, node, path)


def _issue(path: str, constraint: str, message: str) -> FieldIssue:
    stop = "" if message.endswith((".", "?")) else "."
    return FieldIssue(field=path, constraint=constraint, message=f"{message}{stop}")


def _at(path: str, part: object) -> str:
    return f"{path}.{part}" if path else str(part)


def _has_type(value: JsonValue, kind: object) -> bool:
    if kind is None:
        return True
    if isinstance(kind, list):
        return any(_has_type(value, one) for one in cast("list[object]", kind))
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    types: dict[object, type | tuple[type, ...]] = {
        "string": str,
        "number": (int, float),
        "array": list,
        "object": dict,
        "null": type(None),
    }
    return isinstance(value, types.get(kind, object)) if kind != "boolean" else False


def _check_choice(value: JsonValue, node: Schema, root: Schema, path: str) -> Found:
    if "const" in node and not _same(value, node["const"]):
        yield _issue(path, "const", f"This must be {node['const']!r}")
    choices = node.get("enum")
    if isinstance(choices, list) and not any(_same(value, one) for one in choices):
        yield _issue(path, "enum", f"This must be one of {', '.join(map(repr, choices))}")
    for word in ("anyOf", "oneOf"):
        branches = _schemas(node.get(word))
        if branches and all(any(check_json(value, one, root, path)) for one in branches):
            yield _closest(value, branches, root, path)
    for one in _schemas(node.get("allOf")):
        yield from check_json(value, one, root, path)


def _closest(value: JsonValue, branches: list[Schema], root: Schema, path: str) -> FieldIssue:
    """The issue to tell of a union: of the branch that comes closest to what was meant."""
    found = [list(check_json(value, one, root, path)) for one in branches]

    def distance(issues: list[FieldIssue]) -> tuple[bool, int]:
        return issues[0].field == path and issues[0].constraint == "type", len(issues)

    return min(found, key=distance)[0]


def _schemas(value: object) -> list[Schema]:
    listed = cast("list[object]", value) if isinstance(value, list) else []
    return [one for one in listed if is_schema(one)]


def _same(left: JsonValue, right: JsonValue) -> bool:
    return isinstance(left, bool) == isinstance(right, bool) and left == right


def _check_object(value: dict[str, JsonValue], node: Schema, root: Schema, path: str) -> Found:
    known = cast("dict[str, Schema]", node.get("properties", {}))
    for name in cast("list[str]", node.get("required", [])):
        if name not in value:
            yield _issue(_at(path, name), "missing", "This is required")
    others = node.get("additionalProperties", True)
    for name, one in value.items():
        if name in known:
            yield from check_json(one, known[name], root, _at(path, name))
        elif others is False:
            hint = did_you_mean(name, list(known))
            yield _issue(_at(path, name), "extra_forbidden", f"There is no such parameter.{hint}")
        elif isinstance(others, dict):
            yield from check_json(one, others, root, _at(path, name))


def _check_list(value: list[JsonValue], node: Schema, root: Schema, path: str) -> Found:
    yield from _bounded(len(value), node, path, ("minItems", "maxItems"), "items")
    if node.get("uniqueItems") is True and any(one in value[:at] for at, one in enumerate(value)):
        yield _issue(path, "uniqueItems", "No item may come twice")
    first = _schemas(node.get("prefixItems"))
    for at, (one, schema) in enumerate(zip(value, first, strict=False)):
        yield from check_json(one, schema, root, _at(path, at))
    items = node.get("items")
    if isinstance(items, dict):
        for at, one in enumerate(value[len(first) :], start=len(first)):
            yield from check_json(one, items, root, _at(path, at))


def _check_text(value: str, node: Schema, path: str) -> Found:
    yield from _bounded(len(value), node, path, ("minLength", "maxLength"), "characters")
    pattern = node.get("pattern")
    if isinstance(pattern, str) and not re.search(pattern, value):
        yield _issue(path, "pattern", f"This must match {pattern!r}")


def _bounded(size: int, node: Schema, path: str, words: tuple[str, str], noun: str) -> Found:
    least, most = (node.get(word) for word in words)
    if isinstance(least, int) and size < least:
        yield _issue(path, words[0], f"This must have at least {least} {noun}; it has {size}")
    if isinstance(most, int) and size > most:
        yield _issue(path, words[1], f"This must have at most {most} {noun}; it has {size}")


ROUNDING = 1e-9
"""0.3 is a multiple of 0.1, whatever binary fractions say."""


def _is_multiple(value: float, step: float) -> bool:
    steps = value / step if step else 0.5
    return abs(steps - round(steps)) < ROUNDING


LIMITS: dict[str, tuple[Callable[[float, float], bool], str]] = {
    "minimum": (lambda value, limit: value >= limit, "at least"),
    "maximum": (lambda value, limit: value <= limit, "at most"),
    "exclusiveMinimum": (lambda value, limit: value > limit, "more than"),
    "exclusiveMaximum": (lambda value, limit: value < limit, "less than"),
    "multipleOf": (_is_multiple, "a multiple of"),
}


def _check_number(value: float, node: Schema, path: str) -> Found:
    for word, (fits, words) in LIMITS.items():
        limit = node.get(word)
        if isinstance(limit, (int, float)) and not fits(value, limit):
            yield _issue(path, word, f"This must be {words} {limit}; given: {value}")
