"""A record in a catalogue: its key, what it wants to be called, and how the rest is read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from nbagents.catalogue.records.provider_name import wanted_name
from nbagents.catalogue.records.record import (
    Api,
    Content,
    Record,
    parameters_of,
    part_of,
    written_properties,
)
from nbagents.errors import ToolDefinitionError
from nbagents.narrowing import dict_of
from nbagents.tools.tool import Tool, is_tool, split_name

if TYPE_CHECKING:
    from nbagents.openapi import OpenAPI, Operation

Body: TypeAlias = "bytes | Record | Tool"
"""What an entry is made of: a line of JSON, a record, or a tool that can be called."""


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One API, as little of it as is needed until somebody asks."""

    category: str
    tool: str
    api: str
    given: str
    """The name that it came with."""
    source: str
    body: Body
    method: str | None = None
    """The HTTP method of a tool's request."""
    home: str = ""
    """Of an operation, where the requests of its document go."""

    @property
    def key(self) -> tuple[str, str, str]:
        """Category, tool and API."""
        return self.category, self.tool, self.api

    @property
    def identity(self) -> tuple[str, ...]:
        """What tells it from all others: the same again takes its place."""
        return self.category, self.tool, self.api, self.given

    @property
    def wanted(self) -> str:
        """The name that it has where no other wants it."""
        return wanted_name(self.given, self.key)

    @property
    def record(self) -> Record:
        """What was written of it; nothing where it is a tool."""
        if isinstance(self.body, bytes):
            return json.loads(self.body)
        return {} if isinstance(self.body, Tool) else self.body

    @property
    def description(self) -> str:
        """What it does."""
        if is_tool(self.body):
            return self.body.description
        return part_of(self.record, "description")

    def api_called(self, name: str) -> Api:
        """All of it, by the name that it has in a catalogue."""
        return Api(
            category=self.category,
            tool=self.tool,
            api=self.api,
            name=name,
            source=self.source,
            read=self.content,
        )

    def content(self) -> Content:
        """What is read only when it is asked for."""
        record = self.record
        tool = self.body if is_tool(self.body) else None
        return Content(
            description=tool.description if tool else part_of(record, "description"),
            parameters=dict(tool.schema.parameters) if tool else parameters_of(record),
            method=self.method or _method(record),
        )

    def texts(self) -> list[str]:
        """What is searched, in the order of the index's fields."""
        if is_tool(self.body):
            properties = dict_of(self.body.schema.parameters.get("properties"))
            return self._texts(self.body.description, properties)
        return self.texts_of(self.record)

    def texts_of(self, record: Record) -> list[str]:
        """What is searched, where the record has been read already."""
        return self._texts(part_of(record, "description"), written_properties(record))

    def _texts(self, description: str, properties: Mapping[str, object]) -> list[str]:
        told = [one for schema in properties.values() if (one := _description(schema))]
        return [
            self.api,
            self.tool,
            self.category,
            description,
            " ".join(properties),
            " ".join(told),
        ]


def entry_of_record(
    record: Record, *, source: str, place: Mapping[str, str], line: bytes | None = None
) -> Entry:
    """An entry of what was written; what it does not say of its place is taken from `place`.

    Raises:
        ToolDefinitionError: It names no API.
    """
    api = part_of(record, "api")
    if not api:
        raise ToolDefinitionError("it has no name: give it an 'api' or a 'name'")
    name = record.get("name")
    origin = record.get("source")
    return Entry(
        part_of(record, "category") or place["category"],
        part_of(record, "tool") or place["tool"],
        api,
        name if isinstance(name, str) else "",
        origin if isinstance(origin, str) and origin else source,
        record if line is None else line,
    )


def entry_of_tool(tool: Tool, *, category: str, group: str) -> Entry:
    """An entry of a tool that can be called."""
    _, api = split_name(tool.name)
    return Entry(category, group, api, tool.name, "python", tool)


def entry_of_operation(
    tool: Tool, operation: Operation | None, document: OpenAPI, place: Mapping[str, str]
) -> Entry:
    """An entry of an operation of a document: by the document's title, and its first tag."""
    title = document.document.title
    tag = next(iter(tool.options.tags), "")
    group = f"{title}: {tag}" if tag and tag != title else title
    return Entry(
        place.get("category", title),
        place.get("tool", group),
        tool.original_name,
        tool.name,
        "openapi",
        tool,
        operation.method if operation else None,
        document.home,
    )


def _description(schema: object) -> str:
    told = dict_of(schema).get("description")
    return told if isinstance(told, str) else ""


def _method(record: Record) -> str | None:
    method = record.get("method")
    return method.upper() if isinstance(method, str) and method else None
