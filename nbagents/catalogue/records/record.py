"""One API as a catalogue knows it, and the forms in which such records are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from nbagents.narrowing import is_mapping, is_sequence
from nbagents.tools.json_schema import (
    PARAMETER_LISTS,
    fault_of,
    json_schema_of,
    listed_parameters,
    schema_of_lists,
)

Record: TypeAlias = Mapping[str, Any]  # Any: JSON as it was written

NAMES: Final = {
    "category": ("category", "category_name"),
    "tool": ("tool", "tool_name"),
    "api": ("api", "api_name"),
    "description": ("description", "api_description"),
}
"""What a record may call its parts: ours first, then RapidAPI's as ToolBench and AnyTool write."""

RAPID_API: Final = ("api_url", *PARAMETER_LISTS)
"""What a record has that is executed as a request of RapidAPI's kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What is read of a record when it is asked for."""

    description: str
    parameters: dict[str, Any]
    method: str | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Api:
    """One operation that can be found, described and called.

    Its description and parameters are read when they are first asked for: to go through thousands
    costs little.
    """

    category: str
    tool: str
    """What offers it: a service, a toolset, a document."""
    api: str
    """Its own name there."""
    name: str
    """The name that models call it by: unique in its catalogue."""
    source: str
    """Where the record comes from."""
    read: Callable[[], Content] = field(repr=False)
    """How the rest of it is read."""
    _read: list[Content] = field(default_factory=list["Content"], init=False, repr=False)

    @property
    def key(self) -> tuple[str, str, str]:
        """Category, tool and API."""
        return self.category, self.tool, self.api

    @property
    def description(self) -> str:
        """What it does."""
        return self._content.description

    @property
    def parameters(self) -> dict[str, Any]:
        """What it takes, as a JSON Schema."""
        return self._content.parameters

    @property
    def method(self) -> str | None:
        """The HTTP method, where it is a request."""
        return self._content.method

    def definition(self) -> dict[str, Any]:
        """What a model is told of it: name, description and parameters."""
        return {"name": self.name, "description": self.description, "parameters": self.parameters}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Api):
            return NotImplemented
        mine, yours = (self.key, self.name, self.source), (other.key, other.name, other.source)
        return mine == yours and self._content == other._content

    def __hash__(self) -> int:
        return hash((self.key, self.name))

    @property
    def _content(self) -> Content:
        if not self._read:
            self._read.append(self.read())
        return self._read[0]


def is_record(given: object) -> bool:
    """Whether a mapping describes one API."""
    if not is_mapping(given):
        return False
    return bool(given.keys() & {"api", "api_name"}) or (
        "name" in given and bool(given.keys() & {"parameters", "tool", "tool_name", *RAPID_API})
    )


def records_of(given: Record) -> list[Record]:
    """The records of a mapping: itself, or the APIs that it lists, as ToolBench writes a tool."""
    listed = given.get("api_list", given.get("apiList"))
    if not is_sequence(listed):
        return [given]
    shared = {
        "category": part_of(given, "category"),
        "tool": part_of(given, "tool") or str(given.get("title") or given.get("name") or ""),
    }
    return [_of_list(shared, one) for one in listed if is_mapping(one)]


def _of_list(shared: Mapping[str, str], one: Record) -> Record:
    own = {**{key: value for key, value in shared.items() if value}, **one}
    if "name" in own:  # its own name there, which many tools may have
        own.setdefault("api_name", own["name"])
        del own["name"]
    if "url" in one and "api_url" not in one:
        own["api_url"] = one["url"]
    return own


def lists_parameters(record: Record) -> bool:
    """Whether a record says what it takes in RapidAPI's lists: these go before a schema."""
    if any(map(record.get, PARAMETER_LISTS)):
        return True
    return record.get("parameters") is None and any(one in record for one in RAPID_API)


def part_of(record: Record, part: str) -> str:
    """Category, tool, API or description of a record; nothing where it has none."""
    for name in NAMES[part]:
        value = record.get(name)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return str(value)
    if part == "api":
        value = record.get("name")
        return value if isinstance(value, str) else ""
    return ""


def written_properties(record: Record) -> Mapping[str, object]:
    """What the API takes, by name, as it was written; nothing where that cannot be read."""
    if lists_parameters(record):
        return listed_parameters(record)
    schema = record.get("parameters")
    properties = schema.get("properties") if is_mapping(schema) else None
    return properties if is_mapping(properties) else {}


def parameters_of(record: Record) -> dict[str, Any]:
    """What the API takes, as a JSON Schema of an object, of draft 2020-12.

    One that cannot be read becomes one that takes anything, and says so.
    """
    given = schema_of_lists(record) if lists_parameters(record) else record.get("parameters")
    try:
        schema = json_schema_of({} if given is None else given)
    except TypeError as error:
        return _anything(error)
    if fault := fault_of(schema):
        return _anything(fault)
    if schema.setdefault("type", "object") != "object":
        return _anything(f"it is of type {schema['type']!r}, not 'object'")
    schema.setdefault("properties", {})
    return schema


def _anything(why: object) -> dict[str, Any]:
    told = f"What this takes is not known: its schema cannot be read ({why})."
    return {
        "type": "object",
        "properties": {},
        "additionalProperties": True,
        "description": told,
    }
