"""A JSON Schema in words: what a parameter takes, as one would say it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from nbagents.narrowing import is_list, is_mapping
from nbagents.runs.wording import as_json, clipped

if TYPE_CHECKING:
    from pydantic import JsonValue

Schema: TypeAlias = Mapping[str, Any]  # JSON, of a shape that only the schema itself knows

FORMATS = {
    "date": "date (YYYY-MM-DD)",
    "date-time": "date and time (ISO 8601)",
    "time": "time (hh:mm:ss)",
    "duration": "duration (ISO 8601)",
    "email": "e-mail address",
    "uri": "web address",
    "uuid": "UUID",
    "binary": "bytes as text",
    "base64": "bytes in base64",
    "path": "path",
}
SIMPLE = {
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "null": "nothing",
}
CHOICES_SHOWN = 8
DEEPEST = 4


def type_in_words(schema: object, definitions: Schema, depth: int = 0) -> str:
    """What a schema lets through: `whole number, 1 to 7`, `list of text`, `"C" or "F"`.

    Args:
        schema: The schema of one parameter.
        definitions: The `$defs` of the whole.
        depth: How far inside another schema this one stands.
    """
    if not is_mapping(schema) or depth > DEEPEST:
        return "anything"
    if (reference := schema.get("$ref")) is not None:
        return _referred(str(reference), definitions, depth)
    for draw in (_choices, _alternatives, _by_type):
        if words := draw(schema, definitions, depth):
            return words
    return "anything"


def without_null(schema: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """A schema of what may be left out, without the `null` that says so."""
    options = schema.get("anyOf")
    if not isinstance(options, list):
        return schema
    return {**schema, "anyOf": [option for option in options if option != {"type": "null"}]}


def _referred(reference: str, definitions: Schema, depth: int) -> str:
    label = reference.rpartition("/")[2]
    target = definitions.get(label)
    if not is_mapping(target):
        return label
    if "properties" in target:
        return f"{label} ({_fields(target)})" if depth == 0 else label
    return type_in_words(target, definitions, depth + 1)


def _choices(schema: Schema, definitions: Schema, depth: int) -> str:
    del definitions, depth
    if "const" in schema:
        return as_json(schema["const"])
    values: Sequence[object] = schema.get("enum") or ()
    said = [as_json(value) for value in values[:CHOICES_SHOWN]]
    more = len(values) - len(said)
    return _either([*said, f"{more} more"] if more else said)


def _alternatives(schema: Schema, definitions: Schema, depth: int) -> str:
    for key in ("anyOf", "oneOf", "allOf"):
        if options := schema.get(key):
            return _either([type_in_words(one, definitions, depth + 1) for one in options])
    if is_list(types := schema.get("type")):
        each = [{**schema, "type": one} for one in types]
        return _either([type_in_words(one, definitions, depth + 1) for one in each])
    return ""


def _by_type(schema: Schema, definitions: Schema, depth: int) -> str:
    kind = schema.get("type")
    if kind == "string":
        said = FORMATS.get(str(schema.get("format")), "text")
        return said + _limits(schema, "Length", "characters") + _pattern(schema)
    if kind == "array":
        return _list(schema, definitions, depth)
    if kind == "object" or "properties" in schema:
        return _object(schema, definitions, depth)
    return f"{SIMPLE[str(kind)]}{_range(schema)}" if kind in SIMPLE else str(kind or "")


def _list(schema: Schema, definitions: Schema, depth: int) -> str:
    if places := schema.get("prefixItems"):
        return f"list of {' and '.join(type_in_words(x, definitions, depth + 1) for x in places)}"
    noun = "set" if schema.get("uniqueItems") else "list"
    items = schema.get("items")
    of = f" of {type_in_words(items, definitions, depth + 1)}" if items else ""
    return f"{noun}{of}{_limits(schema, 'Items', 'items')}"


def _object(schema: Schema, definitions: Schema, depth: int) -> str:
    if schema.get("properties"):
        return f"object ({_fields(schema)})"
    values = schema.get("additionalProperties")
    if is_mapping(values) and values:
        of = type_in_words(values, definitions, depth + 1)
        return f"mapping of names to {of}"
    return "object"


def _fields(schema: Schema) -> str:
    return clipped(", ".join(schema["properties"]), 60)


def _range(schema: Schema) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if low is not None and high is not None:
        said = [f"{low:g} to {high:g}"]
    else:
        said = [f"at least {low:g}"] if low is not None else []
        said += [f"at most {high:g}"] if high is not None else []
    said += [f"more than {above:g}"] if above is not None else []
    said += [f"less than {below:g}"] if below is not None else []
    if (step := schema.get("multipleOf")) is not None:
        said.append(f"a multiple of {step:g}")
    return "".join(f", {one}" for one in said)


def _limits(schema: Schema, what: str, noun: str) -> str:
    low, high = schema.get(f"min{what}"), schema.get(f"max{what}")
    if low is not None and low == high:
        return f", {low} {noun}"
    if low and high is not None:
        return f", {low} to {high} {noun}"
    if high is not None:
        return f", at most {high} {noun}"
    return f", at least {low} {noun}" if low else ""


def _pattern(schema: Schema) -> str:
    return f", like {clipped(str(schema['pattern']), 40)}" if "pattern" in schema else ""


def _either(options: Sequence[str]) -> str:
    different = list(dict.fromkeys(options))
    if len(different) < 2:  # nothing to choose
        return "".join(different)
    return f"{', '.join(different[:-1])} or {different[-1]}"
