"""Parameters as RapidAPI lists them, in two lists of a record, as a JSON Schema.

Source: the `apiList` of AnyTool and ToolBench, which describe RapidAPI so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from nbagents.narrowing import is_mapping, is_sequence

PARAMETER_LISTS: Final = ("required_parameters", "optional_parameters")
TYPES: Final = {
    **dict.fromkeys(("number", "integer", "int", "float"), "number"),
    **dict.fromkeys(("boolean", "bool"), "boolean"),
    **dict.fromkeys(("array", "list"), "array"),
    **dict.fromkeys(("object", "map"), "object"),
}
"""RapidAPI's types; all others (`STRING`, `ENUM`, `DATE (YYYY-MM-DD)`, `TIME`, …) are text."""


def listed_parameters(record: Mapping[str, Any], *lists: str) -> dict[str, Mapping[str, Any]]:
    """The parameters of some lists by name, or of both; what has no name is left out."""
    found: dict[str, Mapping[str, Any]] = {}
    for word in lists or PARAMETER_LISTS:
        listed = record.get(word)
        for one in listed if is_sequence(listed) else ():
            if is_mapping(one) and "name" in one:
                found.setdefault(str(one["name"]), one)
    return found


def schema_of_lists(record: Mapping[str, Any]) -> dict[str, Any]:
    """The lists of a record as a JSON Schema of type object."""
    properties = {name: _property(one) for name, one in listed_parameters(record).items()}
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    required = list(listed_parameters(record, PARAMETER_LISTS[0]))
    return schema | ({"required": required} if required else {})


def _property(given: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {"type": TYPES.get(str(given.get("type", "")).strip().lower(), "string")}
    if description := given.get("description"):
        made["description"] = str(description)
    if (default := given.get("default")) not in (None, ""):
        made["default"] = default
    return made
