"""Which arguments of an API's fit it, and which it lacks: by its own schema, before any call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nbagents.narrowing import dict_of, list_of
from nbagents.tools.json_schema import fitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import JsonValue

Arguments = dict[str, Any]  # Any: JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """Arguments held against a schema."""

    arguments: Arguments
    """Those that fit, as the API would get them."""
    missing: tuple[str, ...]
    """Required ones that are not there, or do not fit."""
    left_out: Mapping[str, str]
    """Those that do not fit, and why."""


def fit(given: Mapping[str, Any], schema: Mapping[str, Any]) -> Fit:
    """Hold arguments against the schema of an API: each counts for itself."""
    known = dict_of(schema.get("properties"))
    required: list[str] = list_of(schema.get("required"))
    arguments: Arguments = {}
    left_out: dict[str, str] = {}
    for name, value in given.items():
        if value is None and name in required:
            continue  # that is how a model says that it does not know
        if name not in known and not _takes_more(schema):
            left_out[name] = "There is no such parameter."
            continue
        fitting, issues = fitted({name: value}, alone(schema, (name,)))
        if issues:
            left_out[name] = "; ".join(one.message for one in issues)
        else:
            arguments |= dict_of(fitting)
    missing = tuple(dict.fromkeys(name for name in required if name not in arguments))
    return Fit(arguments=arguments, missing=missing, left_out=left_out)


def alone(schema: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, JsonValue]:
    """The part of a schema that speaks of some parameters, none of which is required."""
    known = dict_of(schema.get("properties"))
    part: dict[str, Any] = {
        "type": "object",
        "properties": {name: known.get(name, {}) for name in names},
    }
    for key in ("$defs", "definitions"):
        if key in schema:
            part[key] = schema[key]
    return part


def unforced(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with nothing required: then a model need not invent what nobody said."""
    return {key: value for key, value in schema.items() if key != "required"}


def _takes_more(schema: Mapping[str, Any]) -> bool:
    more: object = schema.get("additionalProperties", False)
    return more is True or isinstance(more, dict)
