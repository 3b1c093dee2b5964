"""What a tool takes, parameter by parameter, in words."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from nbagents.notebook.cards.schema_words import type_in_words, without_null
from nbagents.runs.wording import clipped, literal, plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import JsonValue

HANDLE = re.compile(r"(^|\s*\()a handle: [^)]*\)?$")
"""What a schema tells the model of a parameter that takes an object."""
NO_HANDLES: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter, in words."""

    name: str
    type: str
    need: str
    """`required`, `optional`, or the default."""
    short: str
    """As it stands in the signature: `city`, `days=1`."""
    description: str


def parameters_in_words(
    schema: Mapping[str, Any], handles: Mapping[str, str] = NO_HANDLES
) -> list[Parameter]:
    """The parameters as the function takes them; a strict schema has no room for defaults.

    Args:
        schema: A JSON Schema of an object (Any: JSON).
        handles: Those that take live objects, with the types of these.
    """
    definitions: Mapping[str, Any] = schema.get("$defs") or {}
    required: Sequence[str] = schema.get("required") or ()
    properties: Mapping[str, JsonValue] = schema.get("properties") or {}
    found = {
        name: _parameter(name, one, definitions, is_required=name in required)
        for name, one in properties.items()
    }
    for name, kind in handles.items():
        if found[name].type == "text":  # else a list of handles, or a handle or something else
            said = HANDLE.sub("", found[name].description)
            found[name] = replace(found[name], type=f"{kind}, by handle", description=said)
    return list(found.values())


def _parameter(
    name: str, schema: JsonValue, definitions: Mapping[str, Any], *, is_required: bool
) -> Parameter:
    about = schema if isinstance(schema, dict) else {}
    need, short = ("required", name) if is_required else ("optional", f"{name}=…")
    if "default" in about:
        written = plain(literal(about["default"]))
        need, short = f"default {clipped(written, 40)}", f"{name}={clipped(written, 20)}"
        if about["default"] is None:
            need, schema = "optional", without_null(about)
    return Parameter(
        name=name,
        type=type_in_words(schema, definitions),
        need=need,
        short=short,
        description=str(about.get("description") or ""),
    )
