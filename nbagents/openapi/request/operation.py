"""One operation: what a model is told of it, and what its arguments mean.

It is read from its document when it is first used; what is wrong in it is then said by place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import EllipsisType
from typing import Any, Final

from pydantic import JsonValue

from nbagents.narrowing import dict_of, is_dict, is_list, list_of
from nbagents.openapi.document import Document, DocumentError, SchemaForm
from nbagents.openapi.request.body import ORDER, Media, encoding_of, is_xml, kind_of
from nbagents.openapi.request.naming import with_arguments
from nbagents.openapi.request.parameter import (
    Parameter,
    header_name,
    read_parameter,
    read_style,
)

TEMPLATE: Final = re.compile(r"\{(\+?)([^{}]+)\}")
"""A parameter in a path; with a plus reserved characters stay in it. Source: RFC 6570, 2.2."""
BODY, CONTENT_TYPE = "body", "content_type"
MAX_DESCRIPTION: Final = 1_500
MAX_PARAMETER_WORDS: Final = 400
OCTETS, JSON = "application/octet-stream", "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What an operation takes."""

    parameters: tuple[Parameter, ...]
    media: tuple[Media, ...]
    """The media types of its body, the preferred one first."""
    body_required: bool
    body_words: str
    schemas: Mapping[str, dict[str, Any]]
    """Of each argument that is a parameter."""
    definitions: Mapping[str, dict[str, Any]]
    notes: tuple[str, ...] = ()
    """What was wrong, and could be done without."""

    @property
    def chooses_type(self) -> bool:
        """Whether a model may say the body's media type."""
        return len(self.media) > 1 or any(one.is_range for one in self.media)

    def named(self, name: str, place: str) -> Parameter | None:
        """A parameter by its own name and its place."""
        return next(
            (one for one in self.parameters if one.name == name and one.place == place), None
        )


@dataclass(kw_only=True)
class Operation:
    """An operation of a document.

    What may be wrong in it is found when one of its properties is asked for that needs to know:
    they raise `DocumentError`.
    """

    document: Document = field(repr=False)
    method: str
    """In capitals."""
    path: str
    name: str
    """What it is called among the operations of its document, as models take it."""
    item: Mapping[str, Any] = field(repr=False)
    """The path item that it stands in."""
    raw: Mapping[str, Any] = field(repr=False)
    owned: frozenset[tuple[str, str]] = field(default=frozenset(), repr=False)
    """Name and place of what its credentials are sent as: these are no parameters."""

    @property
    def operation_id(self) -> str | None:
        """What the document calls it."""
        given = self.raw.get("operationId")
        return given if isinstance(given, str) and given else None

    @property
    def where(self) -> str:
        """How errors call it."""
        known = f" ({self.operation_id})" if self.operation_id else ""
        return f"{self.method} {self.path}{known}"

    @property
    def tag(self) -> str:
        """The first of its tags, by which documents are grouped; the document's title else."""
        return next(iter(self.tags), self.document.title)

    @property
    def tags(self) -> tuple[str, ...]:
        """The words by which the document groups it."""
        listed = list_of(self.raw.get("tags"))
        return tuple(one for one in listed if isinstance(one, str) and one)

    @property
    def title(self) -> str:
        """One line for people."""
        said = self.raw.get("summary") or self.item.get("summary")
        return " ".join(said.split()) if isinstance(said, str) else ""

    @property
    def description(self) -> str:
        """What a model is told."""
        said = self.raw.get("description") or self.item.get("description")
        longer = said.strip() if isinstance(said, str) else ""
        title = self.title
        words = longer if longer.startswith(title) else f"{title}\n{longer}".strip()
        if self.raw.get("deprecated") is True:
            words = f"Deprecated. {words}"
        if len(words) > MAX_DESCRIPTION:
            words = words[: MAX_DESCRIPTION - 1] + "…"
        return words or f"{self.method} {self.path}"

    @cached_property
    def parts(self) -> Parts:
        """What it takes.

        Raises:
            DocumentError: Something in it cannot be used.
        """
        try:
            return _Reading(self).parts()
        except RecursionError as error:
            raise DocumentError(self.where, "it is nested too deeply") from error

    @cached_property
    def parameters(self) -> dict[str, JsonValue]:
        """The JSON Schema of its arguments.

        Raises:
            DocumentError: Something in it cannot be used.
        """
        parts = self.parts
        properties: dict[str, Any] = dict(parts.schemas)
        required = [one.argument for one in parts.parameters if one.required]
        if parts.media:
            properties[BODY] = _body_schema(parts)
            if parts.chooses_type:
                properties[CONTENT_TYPE] = _type_schema(parts.media)
            if parts.body_required:
                required.append(BODY)
        made: dict[str, Any] = {"type": "object", "properties": properties}
        if required:
            made["required"] = required
        made["additionalProperties"] = False
        if parts.definitions:
            made["$defs"] = dict(parts.definitions)
        return made

    def arguments(
        self,
        *,
        path: Mapping[str, JsonValue] | None = None,
        query: Mapping[str, JsonValue] | None = None,
        header: Mapping[str, JsonValue] | None = None,
        cookie: Mapping[str, JsonValue] | None = None,
        body: JsonValue | EllipsisType = ...,  # `None` is a body: null
        content_type: str | None = None,
    ) -> dict[str, JsonValue]:
        """The arguments of a call, of values by the names and places that the document has.

        Raises:
            DocumentError: The operation has no such parameter.
        """
        made: dict[str, Any] = {}
        places = {"path": path, "query": query, "header": header, "cookie": cookie}
        for place, values in places.items():
            for name, value in (values or {}).items():
                found = self.parts.named(name, place)
                if found is None:
                    raise DocumentError(self.where, f"it has no {place} parameter {name!r}")
                made[found.argument] = value
        if not isinstance(body, EllipsisType):
            made[BODY] = body
        if content_type is not None and self.parts.chooses_type:
            made[CONTENT_TYPE] = content_type
        return made


def path_names(path: str) -> list[str]:
    """The parameters that a path has."""
    return [name for _, name in TEMPLATE.findall(path)]


class _Reading:
    """Reads one operation."""

    def __init__(self, operation: Operation) -> None:
        self._operation = operation
        self._document = operation.document
        self._form = SchemaForm(operation.document)
        self._notes: list[str] = []

    def parts(self) -> Parts:
        operation = self._operation
        listed = [
            one
            for one in self._parameters()
            if (header_name(one.name, one.place), one.place) not in operation.owned
        ]
        media, body_required, body_words = self._body()
        reserved = [BODY, CONTENT_TYPE] if media else []
        parameters = with_arguments(listed, reserved)
        schemas = {one.argument: self._schema(one) for one in parameters}
        return Parts(
            parameters=tuple(parameters),
            media=media,
            body_required=body_required,
            body_words=body_words,
            schemas=schemas,
            definitions=self._form.definitions,
            notes=tuple(self._notes),
        )

    def _parameters(self) -> list[Parameter]:
        """Those of the path item and of the operation, of which the latter hold."""
        operation, found = self._operation, dict[tuple[str, str], Parameter]()
        for words, node in ((operation.path, operation.item), (operation.where, operation.raw)):
            for where, one in self._listed(node.get("parameters"), words):
                parameter = read_parameter(one, where, self._document)
                if parameter is not None:
                    found[header_name(parameter.name, parameter.place), parameter.place] = parameter
        return self._in_path(found)

    def _in_path(self, found: dict[tuple[str, str], Parameter]) -> list[Parameter]:
        """The parameters, with those of the path as its template has them.

        What a template names and nobody declares is a text; what is declared and not in the
        template has no place. Both are told of: real documents have many.
        """
        where = self._operation.where
        named = path_names(self._operation.path)
        declared = {name: one for (name, place), one in found.items() if place == "path"}
        spelled = {name.lower(): one for name, one in declared.items() if name not in named}
        made = [one for (_, place), one in found.items() if place != "path"]
        for name in dict.fromkeys(named):
            other = spelled.pop(name.lower(), None)
            if name in declared:
                made.append(declared[name])
            elif other is not None:
                made.append(replace(other, name=name))
            else:
                self._notes.append(
                    f"{where}: its path has {{{name}}}, which it does not declare: taken as a text."
                )
                made.append(_text_parameter(name, where))
        for one in spelled.values():
            self._notes.append(
                f"{where}: its path has no {{{one.name}}}, so that parameter is left out."
            )
        order = {id(one): at for at, one in enumerate(found.values())}
        return sorted(made, key=lambda one: order.get(id(one), -1))

    def _listed(self, given: object, where: str) -> Iterator[tuple[str, object]]:
        if given is None:
            return
        if not is_list(given):
            raise DocumentError(f"{where}, parameters", "this is no list")
        for at, one in enumerate(given):
            yield f"{where}, parameters.{at}", one

    def _schema(self, parameter: Parameter) -> dict[str, Any]:
        made = self._form.written(parameter.schema, parameter.where)
        schema = dict(made.schema) if not made.is_binary else {"type": "string"}
        words = " ".join(parameter.description.split())
        if parameter.argument != parameter.name:
            words = f"({parameter.place} parameter {parameter.name}) {words}".rstrip()
        if words:
            known = str(schema.get("description", ""))
            joined = words if known in words else f"{words} {known}"
            schema["description"] = joined[:MAX_PARAMETER_WORDS]
        return schema

    def _body(self) -> tuple[tuple[Media, ...], bool, str]:
        where = f"{self._operation.where}, requestBody"
        given = self._operation.raw.get("requestBody")
        if given is None:
            return (), False, ""
        body, where = self._document.resolved(given, where)
        content = body.get("content") if is_dict(body) else None
        if not is_dict(content):
            raise DocumentError(f"{where}, content", "this is no object of media types")
        media = [self._media(name, one, f"{where}.{name}") for name, one in content.items()]
        media.sort(key=lambda one: (ORDER.index(one.kind), one.is_range))
        said = body.get("description")
        words = said if isinstance(said, str) else ""
        is_required = body.get("required") is True
        return tuple(media), is_required and bool(media), words

    def _media(self, name: str, given: object, where: str) -> Media:
        found, where = self._document.resolved(given, where)
        node = dict_of(found)
        kind = kind_of(name)
        schema = node.get("schema", True)
        if kind == "bytes" and not name.endswith("*/*") and self._is_open(schema, where):
            schema = {"type": "string", "format": "binary"}
        if kind == "text" and is_xml(name) and not self._is_open(schema, where):
            schema = {"type": "string", "description": "XML, as text."}  # nobody here writes it
        takes = "json" if kind == "json" else "fields"
        return Media(
            content_type=name,
            kind=kind,
            schema=self._form.written(schema, f"{where}.schema", takes),
            encoding=encoding_of(node, where, self._document),
        )

    def _is_open(self, schema: object, where: str) -> bool:
        """Whether nothing is said of what bytes are, or no more than that they are a string."""
        found, _ = self._document.resolved(schema, where)
        if isinstance(found, bool):
            return found
        node = dict_of(found)
        return not node.keys() & {"properties", "items", "allOf", "anyOf", "oneOf"} and node.get(
            "type", "string"
        ) in ("string", ["string"])


def _text_parameter(name: str, where: str) -> Parameter:
    return Parameter(
        name=name,
        place="path",
        style=read_style({}, "path"),
        schema={"type": "string"},
        where=where,
        required=True,
    )


def _body_schema(parts: Parts) -> dict[str, Any]:
    schemas: list[dict[str, Any]] = []
    for one in parts.media:
        if one.schema.schema not in schemas:
            schemas.append(one.schema.schema)
    made = dict(schemas[0]) if len(schemas) == 1 else {"anyOf": schemas}
    words = " ".join(parts.body_words.split())[:MAX_PARAMETER_WORDS]
    return {**made, "description": words} if words and "description" not in made else made


def _type_schema(media: tuple[Media, ...]) -> dict[str, Any]:
    names = [one.content_type for one in media]
    if any(one.is_range for one in media):
        return {"type": "string", "description": f"The media type of the body: {', '.join(names)}."}
    return {"type": "string", "enum": names, "description": "The media type of the body."}
