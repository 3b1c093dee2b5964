"""A parameter of an operation, and how its value is written: all styles of the specification.

Source: OpenAPI 3.1.1, Parameter Object and appendices C to E; RFC 6570. Arrays in label style go by
RFC 6570 and 3.0.4: the table of 3.0.0 to 3.0.3 had another separator.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias
from urllib.parse import quote

from pydantic import JsonValue

from nbagents.errors import ToolArgumentsError
from nbagents.narrowing import dict_of, is_dict
from nbagents.openapi.document import Document, DocumentError

Pair: TypeAlias = tuple[str, str]

PLACES: Final = ("path", "query", "header", "cookie")
STYLES: Final = {
    "path": ("simple", "label", "matrix"),
    "query": ("form", "spaceDelimited", "pipeDelimited", "deepObject"),
    "header": ("simple",),
    "cookie": ("form", "cookie"),
}
"""By place; the first is the default."""
RESERVED_IN_QUERY: Final = ":/?@!$'()*,;[]"
"""What may stand unescaped in a query where reserved characters are allowed, without ending it."""
RESERVED_IN_PATH: Final = ":/@!$&'()*,;="
DELIMITERS: Final = {"spaceDelimited": "%20", "pipeDelimited": "%7C"}
IN_COOKIES: Final = "!#$&'()*+-./:<=>?@[]^_`{|}~"
"""What a cookie's value may hold as it stands. Source: RFC 6265, 4.1.1, cookie-octet; no `%`."""

OWNED_HEADERS: Final = frozenset(
    {
        *("accept", "authorization", "content-type"),
        *("accept-encoding", "connection", "content-length", "expect", "host", "keep-alive"),
        *("proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding"),
        "upgrade",
    }
)
"""Headers that are no parameters: the first three by the specification, the others are the
connection's own, and what a model says of them could only do harm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a value is written."""

    name: str
    explode: bool
    allow_reserved: bool = False
    media_type: str | None = None
    """Where it is written as a text of that type instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter."""

    name: str
    place: str
    style: Style
    schema: object
    """As it stands in the document."""
    where: str
    required: bool = False
    description: str = ""
    argument: str = field(default="", compare=False)
    """What a model calls it."""


def read_parameter(node: object, where: str, document: Document) -> Parameter | None:
    """A parameter as the document says it; `None` for a header that is none.

    Raises:
        DocumentError: It is none, or a reference leads nowhere.
    """
    found, where = document.resolved(node, where)
    if not is_dict(found):
        raise DocumentError(where, f"a parameter is {found!r}, and no object")
    name, place = found.get("name"), found.get("in")
    if not isinstance(name, str) or not name or place not in PLACES:
        raise DocumentError(where, f"a parameter has no name, or stands in {place!r}")
    if place == "header" and name.lower() in OWNED_HEADERS:
        return None
    content = found.get("content")
    media_type, schema = None, found.get("schema", True)
    if is_dict(content) and content:
        media_type, media = next(iter(content.items()))
        media, where = document.resolved(media, where)
        schema = dict_of(media).get("schema", True)
    said = found.get("description")
    return Parameter(
        name=name,
        place=place,
        style=read_style(found, place, media_type),
        schema=True if schema is None else schema,
        where=f"{where}.schema",
        required=found.get("required") is True or place == "path",
        description=said if isinstance(said, str) else "",
    )


def header_name(name: str, place: str) -> str:
    """A name as those of its place are compared: of headers, capitals are of no account."""
    return name.lower() if place == "header" else name


def read_style(given: Mapping[str, Any], place: str, media_type: str | None = None) -> Style:
    """The style that is said, else the default; a style that the place does not know is none."""
    known = STYLES[place]
    said = given.get("style")
    name = said if isinstance(said, str) and said in known else known[0]
    explode = given.get("explode")
    if not isinstance(explode, bool):
        explode = name in ("form", "deepObject", "cookie")
    return Style(
        name=name,
        explode=explode,
        allow_reserved=given.get("allowReserved") is True,
        media_type=media_type,
    )


def plain_text(value: JsonValue) -> str:
    """A value that is no list and no object, as text: numbers as JSON writes them."""
    if isinstance(value, str):
        return value
    return json_text(value)  # also of what is nested where no style says how


def json_text(value: JsonValue) -> str:
    """A value as JSON of few characters.

    Raises:
        ToolArgumentsError: There is a number in it that JSON does not have.
    """
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except ValueError as error:
        raise ToolArgumentsError("A number is NaN or infinite, which JSON cannot carry.") from error


def encoded(text: str, safe: str = "") -> str:
    """A text percent-encoded as UTF-8.

    Raises:
        ToolArgumentsError: It holds half a character.
    """
    try:
        return quote(text, safe=safe)
    except UnicodeEncodeError as error:
        raise ToolArgumentsError(
            f"{text!r} holds half a character, which cannot be sent"
        ) from error


def query_pairs(parameter: Parameter, value: JsonValue) -> list[Pair]:
    """Names and values for the query, encoded; none where there is nothing to be said."""
    return styled_pairs(parameter.name, value, parameter.style)


def styled_pairs(name: str, value: JsonValue, style: Style) -> list[Pair]:
    """A value as the pairs of a query or a form, encoded."""
    if value is None:
        return []
    safe = RESERVED_IN_QUERY if style.allow_reserved else ""
    key = encoded(name)
    if style.media_type is not None:
        return [(key, encoded(content_text(value, style.media_type), safe))]
    if isinstance(value, dict) and style.name == "deepObject":
        return list(_deep(name, value, safe))
    if isinstance(value, (list, dict)):
        return _several(key, value, style, safe)
    return [(key, encoded(plain_text(value), safe))]


def _several(
    key: str, value: list[JsonValue] | dict[str, JsonValue], style: Style, safe: str
) -> list[Pair]:
    if style.explode or style.name == "deepObject":  # of a list, deepObject says nothing
        if isinstance(value, dict):
            return [(encoded(name), encoded(one, safe)) for name, one in _members(value)]
        return [(key, encoded(one, safe)) for one in _items(value)]
    words = [encoded(one, safe.replace(",", "")) for one in _flat(value)]
    return [(key, DELIMITERS.get(style.name, ",").join(words))] if words else []


def _deep(name: str, value: JsonValue, safe: str) -> Iterator[Pair]:
    """Each leaf of an object by its path: `a[b][c]=1`; of a list each item by the same name."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _deep(f"{name}[{key}]", one, safe)
    elif isinstance(value, list):
        for one in value:
            yield from _deep(name, one, safe)
    elif value is not None:
        yield encoded(name), encoded(plain_text(value), safe)


def path_text(parameter: Parameter, value: JsonValue, *, is_reserved: bool = False) -> str:
    """What stands in a path for a parameter, encoded.

    Args:
        parameter: Which.
        value: Its value.
        is_reserved: Whether the template says that reserved characters stay: `{+name}`.

    Raises:
        ToolArgumentsError: It would be nothing.
    """
    style = parameter.style
    if style.media_type is not None:
        return encoded(content_text(value, style.media_type))
    safe = RESERVED_IN_PATH if is_reserved else ""
    text = _path_text(parameter.name, value, style, safe)
    if not text:
        raise ToolArgumentsError(f"{parameter.argument!r} is empty, and stands in the path.")
    return text


def _path_text(name: str, value: JsonValue, style: Style, safe: str) -> str:
    is_several = isinstance(value, (list, dict))
    if isinstance(value, dict) and style.explode:
        words = [f"{encoded(key)}={encoded(one, safe)}" for key, one in _members(value)]
    elif isinstance(value, (list, dict)):
        words = [encoded(one, safe) for one in _flat(value)]
    else:
        words = [encoded(plain_text(value), safe)]
    if style.name == "label":
        separator = "." if style.explode else ","
        return "." + separator.join(words) if any(words) or not is_several else ""
    if style.name != "matrix":
        return ",".join(words)
    key = encoded(name)
    if isinstance(value, dict) and style.explode:
        return "".join(f";{one}" for one in words)
    if is_several and style.explode:
        return "".join(f";{key}={one}" if one else f";{key}" for one in words)
    return f";{key}={','.join(words)}" if any(words) else f";{key}"


def header_text(parameter: Parameter, value: JsonValue) -> str:
    """The value of a header.

    Raises:
        ToolArgumentsError: It would end the line.
    """
    style = parameter.style
    if style.media_type is not None:
        text = content_text(value, style.media_type)
    elif isinstance(value, dict) and style.explode:
        text = ",".join(f"{key}={one}" for key, one in _members(value))
    elif isinstance(value, (list, dict)):
        text = ",".join(_flat(value))
    else:
        text = plain_text(value)
    if any(ord(one) < 32 and one != "\t" for one in text) or "\x7f" in text:
        raise ToolArgumentsError(
            f"{parameter.argument!r} becomes a header, which cannot hold line ends."
        )
    return text.strip()


def cookie_pairs(parameter: Parameter, value: JsonValue) -> list[Pair]:
    """Names and values of cookies."""
    style, name = parameter.style, parameter.name
    if value is None:
        return []
    if style.media_type is not None:
        return [(name, encoded(content_text(value, style.media_type), IN_COOKIES))]
    if isinstance(value, dict) and style.explode:
        return [(key, encoded(one, IN_COOKIES)) for key, one in _members(value)]
    if isinstance(value, list) and style.explode:
        return [(name, encoded(one, IN_COOKIES)) for one in _items(value)]
    if isinstance(value, (list, dict)):
        return [(name, "%2C".join(encoded(one, IN_COOKIES) for one in _flat(value)))]
    return [(name, encoded(plain_text(value), IN_COOKIES))]


def content_text(value: JsonValue, media_type: str) -> str:
    """A value as a text of a media type: JSON, or the text that it is."""
    if isinstance(value, str) and not is_json(media_type):
        return value
    return json_text(value)


def is_json(media_type: str) -> bool:
    """Whether a media type is JSON, or of its kind. Source: RFC 6839, 3.1."""
    bare = media_type.partition(";")[0].strip().lower()
    return bare in ("application/json", "text/json") or bare.endswith("+json")


def _members(value: Mapping[str, JsonValue]) -> Iterator[Pair]:
    for key, one in value.items():
        if one is not None:
            yield key, plain_text(one)


def _items(value: Sequence[JsonValue]) -> Iterator[str]:
    return (plain_text(one) for one in value if one is not None)


def _flat(value: Sequence[JsonValue] | Mapping[str, JsonValue]) -> list[str]:
    """The items, or names and values in turn."""
    if isinstance(value, Mapping):
        return [one for pair in _members(value) for one in pair]
    return list(_items(value))
