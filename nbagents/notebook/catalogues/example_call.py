"""How one would call an API from Python: what it must be given, with values to begin from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from nbagents.code_mode import Apis
from nbagents.narrowing import dict_of, is_list, is_sequence
from nbagents.runs.wording import is_name, literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nbagents.catalogue import Api

Schema: TypeAlias = "Mapping[str, Any]"  # JSON, of a shape that only the schema itself knows

BLANK: Final = "…"
"""Stands where only the person knows a value."""
DEEPEST: Final = 4
LONGEST: Final = 120
"""Characters of one value that is shown as an example."""
TEXTS: Final = {
    "date": "2026-01-31",
    "date-time": "2026-01-31T12:00:00Z",
    "time": "12:00:00",
    "email": "name@example.org",
    "uri": "https://example.org",
    "uuid": "00000000-0000-0000-0000-000000000000",
}
SIMPLE: Final[Mapping[str, object]] = {"boolean": True, "null": None}


def example_call(api: Api) -> str:
    """A call in code mode: `await apis.forecast(city="…")`, all that is required and no more."""
    given = example_arguments(api.parameters)
    is_plain = is_name(api.name) and not hasattr(Apis, api.name)
    called = f"apis.{api.name}" if is_plain else f"apis[{literal(api.name)}]"
    if all(map(is_name, given)):
        written = ", ".join(f"{name}={_written(value)}" for name, value in given.items())
    else:
        written = "**{" + ", ".join(f"{literal(k)}: {_written(v)}" for k, v in given.items()) + "}"
    return f"await {called}({written})"


def example_arguments(parameters: Schema) -> dict[str, object]:
    """A value for each argument that is required, a blank where nobody but the person knows it.

    Args:
        parameters: The JSON Schema of what is taken.
    """
    return _required(parameters, parameters, 0)


def _required(schema: Schema, whole: Schema, depth: int) -> dict[str, object]:
    properties = dict_of(schema.get("properties"))
    required = schema.get("required")
    names = map(str, required if is_sequence(required) else ())
    return {name: _value(dict_of(properties.get(name)), whole, depth + 1) for name in names}


def _value(schema: Schema, whole: Schema, depth: int) -> object:
    """A value that a schema lets through, as far as it says so; else a blank."""
    if depth > DEEPEST:
        return BLANK
    if (said := _said(schema)) is not None:
        return said
    if (other := _other(schema, whole)) is not None:
        return _value(other, whole, depth + 1)
    return _by_type(schema, whole, depth)


def _said(schema: Schema) -> object:
    """What the schema itself names as a value; `None`: nothing."""
    for key in ("examples", "enum"):
        if (listed := schema.get(key)) and is_list(listed):
            return listed[0]
    named = (schema.get(key) for key in ("example", "default", "const"))
    return next((one for one in named if one is not None), None)


def _other(schema: Schema, whole: Schema) -> Schema | None:
    """The schema to which one leaves what it lets through."""
    reference = schema.get("$ref")
    if isinstance(reference, str):
        return dict_of(dict_of(whole.get("$defs")).get(reference.rpartition("/")[2]))
    for key in ("anyOf", "oneOf", "allOf"):
        options = schema.get(key)
        if is_list(options) and options:
            return _first(options)
    return None


def _by_type(schema: Schema, whole: Schema, depth: int) -> object:
    kind = schema.get("type")
    if is_list(kind):
        kind = next((one for one in kind if one != "null"), None)
    if kind in ("integer", "number"):
        least = schema.get("minimum")
        return least if isinstance(least, (int, float)) else 1
    if kind == "array":
        return [_value(dict_of(schema.get("items")), whole, depth + 1)]
    if kind == "object":
        return _required(schema, whole, depth)
    if kind in SIMPLE:
        return SIMPLE[str(kind)]
    return TEXTS.get(str(schema.get("format")), BLANK)


def _first(options: Sequence[object]) -> Schema:
    """The first of several that is more than nothing."""
    found = [dict_of(one) for one in options]
    return next((one for one in found if one.get("type") != "null"), found[0])


def _written(value: object) -> str:
    """A value as Python; one that is too long to be an example is a blank."""
    try:
        written = literal(value)
    except RecursionError:
        return literal(BLANK)
    return written if len(written) <= LONGEST else literal(BLANK)
