"""Bodies: which media types an operation takes, and how a value becomes bytes of one."""

from __future__ import annotations

import base64
import binascii
import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, cast

from pydantic import JsonValue

from nbagents.errors import ToolArgumentsError
from nbagents.narrowing import dict_of, is_dict
from nbagents.openapi.document import Document, DocumentError, WrittenSchema
from nbagents.openapi.request.parameter import (
    Style,
    is_json,
    json_text,
    plain_text,
    read_style,
    styled_pairs,
)
from nbagents.results import FilePart, ImagePart

Kind: TypeAlias = Literal["json", "form", "multipart", "text", "bytes"]
Objects: TypeAlias = Mapping[str, object]
"""The live objects of a run by name."""

ORDER: Final = ("json", "form", "multipart", "text", "bytes")
"""Which media type is taken where none is asked for: the first of these."""
TEXTS: Final = ("application/xml", "application/graphql", "application/yaml", "application/x-yaml")
FORM: Final = "application/x-www-form-urlencoded"
OCTETS: Final = "application/octet-stream"
BINARY_KEYS: Final = frozenset(("base64", "text", "handle", "filename", "media_type"))
MEDIA_TYPE: Final = re.compile(
    r"[\w!#$&^.+-]+/[\w!#$&^.+-]+(?:\s*;\s*[\w.+-]+=(?:[\w.+-]+|\"[^\"\r\n]*\"))*"
)
UNSAFE_IN_NAME: Final = {'"': "%22", "\r": "%0D", "\n": "%0A"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Media:
    """One media type of a body."""

    content_type: str
    """As the document names it, perhaps a range such as `image/*`."""
    kind: Kind
    schema: WrittenSchema
    encoding: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """How single fields are written."""

    @property
    def is_range(self) -> bool:
        """Whether it stands for several."""
        return "*" in self.content_type

    def takes_bytes(self, name: str, value: JsonValue) -> bool:
        """Whether the value of a field names bytes."""
        is_other = self.schema.binary_others and name not in self.schema.fields
        return (is_other or name in self.schema.binary_fields) and _names_bytes(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """A body as it is sent."""

    content_type: str
    data: bytes


def form_content(written: str) -> Content:
    """A form that is written already."""
    return Content(content_type=FORM, data=written.encode())


@dataclass(frozen=True, slots=True)
class Blob:
    """Bytes that a model has named."""

    data: bytes
    filename: str | None = None
    media_type: str | None = None


def kind_of(content_type: str) -> Kind:
    """How a body of a media type is written."""
    bare = content_type.partition(";")[0].strip().lower()
    if is_json(bare):
        return "json"
    if bare == FORM:
        return "form"
    if bare.startswith("multipart/"):
        return "multipart"
    if bare.startswith("text/") or bare in TEXTS or bare.endswith(("+xml", "+yaml")):
        return "text"
    return "bytes"


def is_xml(content_type: str) -> bool:
    """Whether a media type is XML. Source: RFC 7303, 4.2."""
    bare = content_type.partition(";")[0].strip().lower()
    return bare in ("application/xml", "text/xml") or bare.endswith("+xml")


def encoding_of(media: Mapping[str, Any], where: str, document: Document) -> dict[str, Any]:
    """What is said of single fields.

    Raises:
        DocumentError: A reference leads nowhere.
    """
    given = media.get("encoding")
    if not is_dict(given):
        return {}
    found: dict[str, Any] = {}
    for name, one in given.items():
        said, _ = document.resolved(one, f"{where}.encoding.{name}")
        if not isinstance(said, dict):
            raise DocumentError(f"{where}.encoding.{name}", "this is no object")
        found[name] = said
    return found


def content_of(media: Media, value: JsonValue, content_type: str, objects: Objects) -> Content:
    """A body of a value.

    Args:
        media: Which of the operation's media types.
        value: What a model gave, held against the schema.
        content_type: The type that was asked for, where `media` is a range.
        objects: The live objects that bytes may be named by.

    Raises:
        ToolArgumentsError: It cannot be written so.
    """
    sent = content_type if media.is_range else media.content_type
    if not MEDIA_TYPE.fullmatch(sent):
        raise ToolArgumentsError(f"{sent!r} is no media type: write e.g. 'image/png'.")
    kind = kind_of(sent) if media.is_range else media.kind
    if media.schema.is_binary or (kind == "bytes" and _names_bytes(value)):
        return Content(content_type=sent, data=blob_of(value, objects).data)
    if kind == "json":
        return Content(content_type=sent, data=_utf8(json_text(value)))
    if kind == "form":
        return Content(content_type=sent, data=_form(media, value, objects).encode())
    if kind == "multipart":
        return _multipart(media, value, sent, objects)
    return Content(content_type=sent, data=_utf8(plain_text(value)))


def _names_bytes(value: object) -> bool:
    """Whether a value names bytes, where that may be."""
    keys = set(dict_of(value))
    return bool(keys & {"base64", "text", "handle"}) and keys <= BINARY_KEYS


def blob_of(value: JsonValue, objects: Objects) -> Blob:
    """The bytes that a model has named.

    Raises:
        ToolArgumentsError: There are none, or not just one kind of them.
    """
    if isinstance(value, str):
        return Blob(_utf8(value))
    given: dict[str, Any] = dict_of(value)
    named = [word for word in ("base64", "text", "handle") if given.get(word) is not None]
    if len(named) != 1:
        raise ToolArgumentsError("Give bytes by just one of base64, text and handle.")
    filename, media_type = given.get("filename"), given.get("media_type")
    if named == ["text"]:
        return Blob(_utf8(str(given["text"])), filename, media_type)
    if named == ["base64"]:
        try:
            data = base64.b64decode("".join(str(given["base64"]).split()), validate=True)
        except (binascii.Error, ValueError) as error:
            raise ToolArgumentsError(f"This is no base64: {error}.") from error
        return Blob(data, filename, media_type)
    found = _blob_of_object(str(given["handle"]), objects)
    return Blob(found.data, filename or found.filename, media_type or found.media_type)


def _blob_of_object(name: str, objects: Objects) -> Blob:
    if name not in objects:
        known = ", ".join(repr(one) for one in list(objects)[:12])
        rest = f"there are {known}" if known else "there are none"
        raise ToolArgumentsError(f"There is no live object {name!r}: {rest}.")
    value = objects[name]
    if isinstance(value, (bytes, bytearray, memoryview)):
        return Blob(bytes(cast("bytes", value)), name)
    if isinstance(value, (FilePart, ImagePart)) and value.data is not None:
        return Blob(value.data, value.name or name, value.media_type)
    if isinstance(value, Path):
        return Blob(value.read_bytes(), value.name)
    if isinstance(value, str):
        return Blob(_utf8(value), name, "text/plain")
    raise ToolArgumentsError(
        f"The object {name!r} is a {type(value).__name__}, and holds no bytes to send."
    )


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise ToolArgumentsError("A text holds half a character, which cannot be sent.") from error


def _fields(value: JsonValue, noun: str) -> dict[str, JsonValue]:
    if not isinstance(value, dict):
        raise ToolArgumentsError(f"The body becomes {noun}, so it must be an object.")
    return value


def _form(media: Media, value: JsonValue, objects: Objects) -> str:
    """A form. Objects are written as JSON, unless an encoding says a style.

    Source: OpenAPI 3.0.4, Encoding Object, and 3.1.1, 4.8.15.1.
    """
    pairs = [
        pair
        for name, one in _fields(value, "a form").items()
        for pair in _field_pairs(media, name, one, objects)
    ]
    return "&".join(f"{name}={one}" for name, one in pairs)


def _field_pairs(
    media: Media, name: str, value: JsonValue, objects: Objects
) -> list[tuple[str, str]]:
    if media.takes_bytes(name, value):  # in a form bytes are text, as nothing else fits there
        try:
            value = blob_of(value, objects).data.decode()
        except UnicodeDecodeError as error:
            raise ToolArgumentsError(
                f"{name!r} stands in a form, which takes text only."
            ) from error
    return styled_pairs(name, value, _field_style(media, name, value))


def _field_style(media: Media, name: str, value: JsonValue) -> Style:
    said = media.encoding.get(name, {})
    if any(word in said for word in ("style", "explode", "allowReserved")):
        return read_style(said, "query")
    declared = str(said.get("contentType", ""))
    is_complex = isinstance(value, dict) or (
        isinstance(value, list) and any(isinstance(one, (dict, list)) for one in value)
    )
    is_written = isinstance(value, str)  # what is a string by its schema is that JSON already
    if is_complex or (is_json(declared) and not is_written):
        return Style(name="form", explode=True, media_type=declared or "application/json")
    return read_style({}, "query")


def _multipart(media: Media, value: JsonValue, sent: str, objects: Objects) -> Content:
    boundary = f"nbagents-{secrets.token_hex(16)}"
    start = f"--{boundary}\r\n".encode()
    written = [
        start + part + b"\r\n"
        for name, one in _fields(value, "a form of several parts").items()
        for part in _parts(media, name, one, objects)
    ]
    written.append(f"--{boundary}--\r\n".encode())
    bare = sent.partition(";")[0].strip()
    return Content(content_type=f"{bare}; boundary={boundary}", data=b"".join(written))


def _parts(media: Media, name: str, value: JsonValue, objects: Objects) -> Iterator[bytes]:
    """The parts of one field: of a list one for each item. Source: RFC 7578, 4.3."""
    declared = media.encoding.get(name, {}).get("contentType")
    types = [one.strip() for one in declared.split(",")] if isinstance(declared, str) else []
    if value is None:
        return
    if isinstance(value, list) and not (types and is_json(types[0])):
        for one in value:
            yield from _parts(media, name, one, objects)
    elif media.takes_bytes(name, value):
        blob = blob_of(value, objects)
        plain = next((one for one in types if "*" not in one), OCTETS)
        yield _part(name, blob.data, blob.media_type or plain, blob.filename or name)
    elif isinstance(value, (dict, list)):
        yield _part(name, _utf8(json_text(value)), types[0] if types else "application/json")
    else:
        # Of a string that goes as JSON the text is that JSON already.
        yield _part(name, _utf8(plain_text(value)), types[0] if len(types) == 1 else None)


def _part(name: str, data: bytes, content_type: str | None, filename: str | None = None) -> bytes:
    head = f'Content-Disposition: form-data; name="{_quoted(name)}"'
    if filename is not None:
        head += f'; filename="{_quoted(_last_part(filename))}"'
    if content_type is not None:
        if not MEDIA_TYPE.fullmatch(content_type):
            raise ToolArgumentsError(f"{content_type!r} is no media type: write e.g. 'image/png'.")
        head += f"\r\nContent-Type: {content_type}"
    return _utf8(head) + b"\r\n\r\n" + data


def _last_part(filename: str) -> str:
    return filename.replace("\\", "/").rstrip("/").rpartition("/")[2] or "file"


def _quoted(name: str) -> str:
    """A name in a head. Source: HTML, multipart/form-data encoding algorithm."""
    for one, other in UNSAFE_IN_NAME.items():
        name = name.replace(one, other)
    return name
