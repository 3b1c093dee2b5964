"""Any object as a payload for the person: a picture, a table, a chart, or as it shows itself."""

from __future__ import annotations

import base64
import contextlib
from mimetypes import guess_type
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from pydantic_core import from_json

from nbagents.narrowing import is_mapping
from nbagents.results import FilePart, ImagePart, Payload
from nbagents.tools.values.amounts import size
from nbagents.tools.values.chart import chart_in, chart_of
from nbagents.tools.values.foreign_object import is_file, kind_of
from nbagents.tools.values.payload import MAX_PAYLOAD, PAYLOAD_MIME, bounded
from nbagents.tools.values.picture import MAX_BYTES, Picture, picture_of
from nbagents.tools.values.plain_value import (
    clean_text,
    is_sequence,
    json_bytes,
    json_of,
    without_addresses,
)
from nbagents.tools.values.summaries import summary
from nbagents.tools.values.tables import is_arrow, table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic import JsonValue

BITMAPS = ("image/png", "image/jpeg", "image/webp", "image/gif")

MAX_READ = 20_000_000
"""Bytes of a file that is read; it may be an image that becomes smaller."""

MAX_TEXT = 50_000
"""Characters of a text that an object is shown as."""


def rich_payload(value: object) -> Payload:
    """Any object as the person should see it; never raises because of what the object is.

    Args:
        value: A payload as it stands, an image or a figure (kind `image`), a table (kind `table`),
            a chart of Altair (kind `chart`), a file (kind `file`), or anything, as a notebook would
            display it (kind `mime`).
    """
    if isinstance(value, Payload):
        return bounded(value)
    with contextlib.suppress(Exception):  # a user's object may raise wherever it is touched
        return _of_kind(value) or _displayed(value)
    return payload_of_bundle({"text/plain": summary(value)}, {})


def payload_of_bundle(data: Mapping[str, Any], metadata: Mapping[str, Any]) -> Payload:
    """What was displayed, as a payload: an image where it holds one, else the whole bundle.

    Args:
        data: Types to values, as IPython displays them; kept are texts, images and JSON.
        metadata: Types to what is said of them, e.g. the width at which an image is shown.
    """
    if (own := _own(data.get(PAYLOAD_MIME))) is not None:
        return own
    if (chart := chart_in(data)) is not None:
        return bounded(Payload(kind="chart", value=chart))
    for media_type in BITMAPS:
        picture = _picture_in(data.get(media_type))
        if picture is not None:
            return image_payload(picture, alt=data.get("text/plain"), said=metadata.get(media_type))
    kept = {one: json_of(value) for one, value in data.items() if _is_kept(one, value)}
    said = {one: json_of(metadata[one]) for one in kept if metadata.get(one)}
    shown: JsonValue = {**kept} or {"text/plain": _left_out(data)}
    value: dict[str, JsonValue] = {"data": shown, "metadata": {**said}}
    if kept and (large := _too_large(data)):
        value["left_out"] = {**large}
    return bounded(Payload(kind="mime", value=value))


def image_payload(picture: Picture, *, alt: object = None, said: object = None) -> Payload:
    """An image for the person.

    Args:
        picture: The image.
        alt: What it shows, in words, where that is better known.
        said: The width and height at which it is to be shown, if they are not its own.
    """
    shown = dict(said) if is_mapping(said) else {}
    value: dict[str, JsonValue] = {
        "media_type": picture.media_type,
        "data": base64.b64encode(picture.data).decode(),
        "alt": clean_text(without_addresses(alt)) if isinstance(alt, str) else picture.alt,
    }
    for name, own in (("width", picture.width), ("height", picture.height)):
        pixels = shown.get(name) if shown else own
        if isinstance(pixels, int):
            value[name] = pixels
    return Payload(kind="image", value=value)


def part_of(payload: Payload) -> ImagePart | None:
    """The image of a payload, as a model is shown it."""
    value = payload.value
    if payload.kind != "image" or not isinstance(value, dict):
        return None
    data = base64.b64decode(str(value["data"]))
    return ImagePart(media_type=str(value["media_type"]), data=data, name=str(value["alt"]))


def _of_kind(value: Any) -> Payload | None:
    kind = kind_of(value)
    if kind in {"frame", "series"} or is_arrow(value):
        return bounded(Payload(kind="table", value=table_of(value)))
    if kind == "chart":
        return bounded(Payload(kind="chart", value=chart_of(value)))
    if isinstance(value, FilePart):
        return _file(value.name, value.media_type, len(value.data or b""), value.data)
    if is_file(value):
        return _of_file(value)
    picture = picture_of(value) if kind == "picture" else None
    return image_payload(picture) if picture else None


def _of_file(path: Path) -> Payload:
    """An image is shown, any other file only named; who gives its bytes returns a `FilePart`."""
    size_bytes = path.stat().st_size
    data = path.read_bytes() if size_bytes <= MAX_READ else b""
    picture = picture_of(data) if kind_of(data) == "picture" else None
    media_type = guess_type(path.name)[0] or "application/octet-stream"
    return image_payload(picture) if picture else _file(path.name, media_type, size_bytes, None)


def _file(name: str, media_type: str, size_bytes: int, data: bytes | None) -> Payload:
    """A file for the person; its bytes only where they are not too many."""
    value: dict[str, JsonValue] = {"name": name, "media_type": media_type, "size": size_bytes}
    if data is not None and len(data) <= MAX_BYTES:
        value["data"] = base64.b64encode(data).decode()
    return Payload(kind="file", value=value)


def _displayed(value: object) -> Payload:
    data, metadata = bundle_of(value)
    if not data:
        data = _plain(value)
    if "text/plain" not in data:
        data["text/plain"] = _printed(value)
    return payload_of_bundle(data, metadata)


def _own(given: object) -> Payload | None:
    """The payload that was displayed, where it was one of ours."""
    if not is_mapping(given) or not isinstance(given.get("kind"), str):
        return None
    return bounded(Payload(kind=str(given["kind"]), value=json_of(given.get("value"))))


def _plain(value: object) -> dict[str, Any]:
    """Of what says nothing of how it is shown: text, or JSON."""
    if isinstance(value, ImagePart):
        return {"text/plain": value.url or summary(value)}
    if isinstance(value, str):
        return {"text/plain": _short(value)}
    if isinstance(value, (bytes, bytearray, memoryview)):
        return {"text/plain": summary(cast("object", value))}
    if not is_mapping(value) and not is_sequence(value):
        return {"text/plain": _printed(value)}
    written = json_bytes(value)
    as_json = {"application/json": from_json(written)} if len(written) <= MAX_PAYLOAD else {}
    return {**as_json, "text/plain": _short(written.decode())}


def _printed(value: object) -> str:
    return without_addresses(_short(repr(value)))


def _short(text: str) -> str:
    if len(text) <= MAX_TEXT:
        return clean_text(text)
    return clean_text(text[:MAX_TEXT]) + f"… [{len(text) - MAX_TEXT:,} more characters]"


def _picture_in(given: object) -> Picture | None:
    """The image that a bundle holds: bytes, or base64 as it goes over the wire."""
    with contextlib.suppress(Exception):  # it may be broken
        if isinstance(given, str):
            given = base64.b64decode(given)
        if isinstance(given, bytes) and kind_of(given) == "picture":
            return picture_of(given)
    return None


def _is_kept(media_type: str, value: object) -> bool:
    """Whether this part of a bundle is kept: one that pages show, and not too large."""
    return _is_known(media_type) and not isinstance(value, bytes) and _size(value) <= MAX_PAYLOAD


def _is_known(media_type: str) -> bool:
    """Whether pages show it: text, an image or JSON, but no code."""
    family, _, rest = media_type.partition("/")
    known = family in {"text", "image"} or rest == "json" or rest.endswith("+json")
    return known and rest not in {"javascript", "ecmascript"}


def _too_large(data: Mapping[str, Any]) -> dict[str, int]:
    """What would be shown if it were smaller, with its size in bytes."""
    sizes = {one: _size(value) for one, value in data.items() if _is_known(one)}
    return {one: taken for one, taken in sizes.items() if taken > MAX_PAYLOAD}


def _left_out(data: Mapping[str, Any]) -> str:
    lines = [f"({one}, {size(_size(value))}: left out)" for one, value in data.items()]
    return "\n".join(lines) or "(nothing)"


def _size(value: object) -> int:
    if isinstance(value, str):
        value = value.encode(errors="replace")
    return len(value) if isinstance(value, bytes) else len(json_bytes(value))


Bundle: TypeAlias = tuple[dict[str, Any], dict[str, Any]]
"""Types to values, and types to what is said of them."""

WHOLE = "_repr_mimebundle_"

METHODS = {
    "_repr_png_": "image/png",
    "_repr_jpeg_": "image/jpeg",
    "_repr_svg_": "image/svg+xml",
    "_repr_html_": "text/html",
    "_repr_markdown_": "text/markdown",
    "_repr_latex_": "text/latex",
    "_repr_json_": "application/json",
}

PAIR = 2


def is_displayable(value: object) -> bool:
    """Whether the object itself says how a notebook shows it."""
    return any(_method(value, name) for name in (WHOLE, *METHODS))


def bundle_of(value: object) -> Bundle:
    """What all of its methods give; what raises, or gives nothing, is left out."""
    data: dict[str, Any] = {}
    metadata: dict[str, Any] = {}
    whole = _method(value, WHOLE)
    if whole:
        with contextlib.suppress(Exception):
            found, said = _pair(whole(include=None, exclude=None))
            data.update(found or {})
            metadata.update(said)
    for name, media_type in METHODS.items():
        method = _method(value, name)
        if method and media_type not in data:
            with contextlib.suppress(Exception):
                found, said = _pair(method())
                if found is not None:
                    data[media_type], metadata[media_type] = found, said
    return data, metadata


def _method(value: object, name: str) -> Callable[..., object] | None:
    """Asked of the class: an object that answers to every name would have them all."""
    if not callable(getattr(type(value), name, None)):
        return None
    return getattr(value, name)


def _pair(given: object) -> tuple[Any, dict[str, Any]]:
    """A method gives a value, or a pair of it and what is said of it."""
    if not isinstance(given, tuple):
        return given, {}
    pair = cast("tuple[object, ...]", given)
    if len(pair) != PAIR:
        return pair, {}
    return pair[0], dict(pair[1]) if is_mapping(pair[1]) else {}
