"""A request, made of an operation and the arguments of a call; nothing is sent here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pydantic import JsonValue

from nbagents.errors import ToolArgumentsError
from nbagents.narrowing import dict_of
from nbagents.openapi.request.body import Content, Media, Objects, content_of
from nbagents.openapi.request.operation import (
    BODY,
    CONTENT_TYPE,
    JSON,
    OCTETS,
    TEMPLATE,
    Operation,
    Parts,
)
from nbagents.openapi.request.parameter import (
    cookie_pairs,
    encoded,
    header_text,
    path_text,
    query_pairs,
)
from nbagents.openapi.request.security import Sent
from nbagents.results import FieldIssue
from nbagents.tools.json_schema import fitted

SAFE_IN_PATH: Final = "/:@!$&'()*+,;=-._~%"
"""What of a template stays as it stands."""
CLIMBS: Final = (".", "..", "%2e", "%2e%2e", ".%2e", "%2e.")
"""Parts of a path that name another one. Source: RFC 3986, 5.2.4; WHATWG URL, dot segments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpRequest:
    """What is sent to a server."""

    method: str
    base: str
    path: str
    """Encoded."""
    query: tuple[tuple[str, str], ...] = ()
    """Encoded."""
    headers: tuple[tuple[str, str], ...] = ()
    cookies: tuple[tuple[str, str], ...] = ()
    content: Content | None = None
    sent: Sent = field(default_factory=Sent, repr=False)
    """The credentials, which go to this very server only."""

    @property
    def address(self) -> str:
        """The whole address, without credentials: it may be shown."""
        return self.base + self.path + _question(self.query)

    @property
    def secret_address(self) -> str:
        """The address as it is asked for."""
        keys = tuple((encoded(name), encoded(value)) for name, value in self.sent.query)
        return self.base + self.path + _question((*self.query, *keys))

    @property
    def secret_headers(self) -> list[tuple[str, str]]:
        """The headers as they are sent."""
        cookies = [*self.cookies, *self.sent.cookies]
        known = {name.lower() for name in self.sent.headers}
        made = [one for one in self.headers if one[0].lower() not in known]
        made.extend(self.sent.headers.items())
        if cookies:
            given = [value for name, value in made if name.lower() == "cookie"]
            made = [one for one in made if one[0].lower() != "cookie"]
            made.append(("Cookie", "; ".join([*given, *(f"{k}={v}" for k, v in cookies)])))
        if self.content is not None:
            made.append(("Content-Type", self.content.content_type))
        return made

    def with_sent(self, sent: Sent) -> HttpRequest:
        """The same request with credentials."""
        return replace(self, sent=sent)


def _question(pairs: tuple[tuple[str, str], ...]) -> str:
    return "?" + "&".join(f"{name}={value}" for name, value in pairs) if pairs else ""


@dataclass(frozen=True, slots=True)
class Fitting:
    """The arguments of a call as the operation asks for them."""

    arguments: dict[str, JsonValue]
    media: Media | None


def fitting(operation: Operation, arguments: JsonValue) -> Fitting | tuple[FieldIssue, ...]:
    """The arguments as the schema asks for them, or what does not fit.

    A `null` for a parameter that takes none means "not given"; in a body it is a value.
    """
    if not isinstance(arguments, dict):
        return (FieldIssue(field="", constraint="type", message="This must be an object."),)
    parts, schema = operation.parts, operation.parameters
    given = dict(arguments)
    if given.get(CONTENT_TYPE) is None and parts.chooses_type:
        given.pop(CONTENT_TYPE, None)
    has_body = bool(parts.media) and BODY in given
    if has_body and given[BODY] is None and not parts.body_required:
        has_body = _takes_null(parts)
    outer = _without_body(schema) if has_body else schema
    rest = {name: one for name, one in given.items() if name != BODY or not parts.media}
    fit, issues = fitted(rest, outer)
    made = dict_of(fit)
    if not has_body or issues:
        return issues or Fitting(made, None)
    media, content, found = _fitting_body(parts, given[BODY], made.get(CONTENT_TYPE))
    if found:
        return found
    ordered = {
        name: content if name == BODY else made[name]
        for name in given
        if name == BODY or name in made
    }
    return Fitting(ordered, media)


def _takes_null(parts: Parts) -> bool:
    return any(not _fit(parts, one, None)[1] for one in parts.media)


def _without_body(schema: dict[str, Any]) -> dict[str, Any]:
    properties = {name: one for name, one in schema["properties"].items() if name != BODY}
    required = [one for one in schema.get("required", ()) if one != BODY]
    return {**schema, "properties": properties, "required": required}


def _fitting_body(
    parts: Parts, body: JsonValue, content_type: JsonValue
) -> tuple[Media, JsonValue, tuple[FieldIssue, ...]]:
    """The media type that is asked for, else the first that takes the body, else the preferred."""
    asked = [one for one in parts.media if _is_asked(one, content_type)]
    tried = [(one, *_fit(parts, one, body)) for one in asked or parts.media]
    return next((one for one in tried if not one[2]), tried[0])


def _is_asked(media: Media, content_type: JsonValue) -> bool:
    if not isinstance(content_type, str):
        return False
    if media.content_type.lower() == content_type.lower():
        return True
    start = media.content_type.partition("*")[0]
    return media.is_range and content_type.lower().startswith(start.lower())


def _fit(parts: Parts, media: Media, body: JsonValue) -> tuple[JsonValue, tuple[FieldIssue, ...]]:
    schema: dict[str, Any] = {**media.schema.schema, "$defs": dict(parts.definitions)}
    made, issues = fitted(body, schema, drop_nulls=False)
    return made, tuple(
        one.model_copy(update={"field": f"{BODY}.{one.field}" if one.field else BODY})
        for one in issues
    )


def request_of(operation: Operation, base: str, given: Fitting, objects: Objects) -> HttpRequest:
    """The request that arguments ask for.

    Args:
        operation: Which.
        base: The server's URL.
        given: What `fitting` made of the arguments.
        objects: The live objects that bytes may be named by.

    Raises:
        ToolArgumentsError: A value cannot be sent where it belongs.
    """
    values = given.arguments
    path, fixed = _path(operation, values)
    query, headers, cookies = list(fixed), list[tuple[str, str]](), list[tuple[str, str]]()
    for one in operation.parts.parameters:
        value = values.get(one.argument)
        if value is None or one.place == "path":
            continue
        if one.place == "query":
            query += query_pairs(one, value)
        elif one.place == "header":
            headers.append((one.name, header_text(one, value)))
        else:
            cookies += cookie_pairs(one, value)
    return HttpRequest(
        method=operation.method,
        base=base,
        path=path,
        query=tuple(query),
        headers=tuple(headers),
        cookies=tuple(cookies),
        content=_content(given, objects),
    )


def _content(given: Fitting, objects: Objects) -> Content | None:
    media = given.media
    if media is None:
        return None
    asked = given.arguments.get(CONTENT_TYPE)
    value = given.arguments[BODY]
    if not isinstance(asked, str):
        asked = "text/plain" if media.content_type.lower().startswith("text/") else JSON
        if media.schema.is_binary:
            said = value.get("media_type") if isinstance(value, dict) else None
            asked = said if isinstance(said, str) else OCTETS
    return content_of(media, value, asked, objects)


def _path(
    operation: Operation, values: Mapping[str, JsonValue]
) -> tuple[str, list[tuple[str, str]]]:
    """The path with its values, and what the document wrote behind a question mark in it."""
    named = {one.name: one for one in operation.parts.parameters if one.place == "path"}
    template, _, fixed = operation.path.partition("#")[0].partition("?")

    def filled(text: str, safe: str) -> str:
        made, end = "", 0
        for found in TEMPLATE.finditer(text):
            parameter = named[found[2]]
            if parameter.argument not in values:
                raise ToolArgumentsError(f"{parameter.argument!r} is missing.")
            value = values[parameter.argument]
            made += encoded(text[end : found.start()], safe)
            made += path_text(parameter, value, is_reserved=bool(found[1]))
            end = found.end()
        return made + encoded(text[end:], safe)

    path = filled(template, SAFE_IN_PATH)
    for given in path.split("/"):
        if given.lower() in CLIMBS and given not in template.split("/"):
            raise ToolArgumentsError(
                f"A value would make {given!r} a part of the path, which names another path."
            )
    pairs = [one.partition("=") for one in filled(fixed, SAFE_IN_PATH).split("&") if one]
    return path, [(name, value) for name, _, value in pairs]
