"""A value that a model wrote in another form, as the form that the schema asks for.

Taken are `"7"` and `7.0` for 7, `"9.8"` for 9.8, `"true"` for true, and a list or an object as JSON
inside of a string. Nothing becomes a string, no fraction a whole number, no single value a list.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

from pydantic import JsonValue

from nbagents.tools.json_schema.arguments_text import read_json

NUMBER = re.compile(r"\s*[+-]?[0-9]{1,300}(?:\.[0-9]{0,300})?(?:[eE][+-]?[0-9]{1,3})?\s*")
BOOLEANS = {"true": True, "false": False}


def has_kind(value: JsonValue, kinds: Sequence[object]) -> bool:
    """Whether a value is of one of the JSON types; 7.0 is a whole number, as JSON Schema says."""
    return any(_is(value, kind) for kind in kinds)


def coerced(value: JsonValue, kinds: Sequence[object]) -> JsonValue:
    """The value in the form of one of the JSON types, or as it stands where that cannot be.

    Args:
        value: What the model wrote.
        kinds: The types that fit; with none, everything does.
    """
    if isinstance(value, float) and "integer" in kinds and "number" not in kinds:
        return int(value) if value.is_integer() else value
    if not isinstance(value, str) or "string" in kinds:
        return value
    for kind in kinds:
        read = READERS.get(str(kind))
        if read is not None and (found := read(value)) is not None:
            return found
    return value


def _is(value: JsonValue, kind: object) -> bool:
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
    return kind in types and isinstance(value, types[kind])


def _number(text: str) -> JsonValue:
    if not NUMBER.fullmatch(text):
        return None
    if text.strip().lstrip("+-").isdigit():
        return int(text)
    number = float(text)
    return number if math.isfinite(number) else None


def _integer(text: str) -> JsonValue:
    number = _number(text)
    if isinstance(number, float):
        return int(number) if number.is_integer() else None
    return number


def _boolean(text: str) -> JsonValue:
    return BOOLEANS.get(text.strip().lower())


def _container(kind: type) -> Callable[[str], JsonValue]:
    def read(text: str) -> JsonValue:
        try:
            value = read_json(text)
        except ValueError:
            return None
        return value if isinstance(value, kind) else None

    return read


READERS: dict[str, Callable[[str], JsonValue]] = {
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "array": _container(list),
    "object": _container(dict),
}
