"""Payloads that people look at, in a saved notebook: pictures, files, captured displays, and more.

What a tool gave is read here and drawn as HTML, or said in one line. A value that does not fit its
kind raises, and is shown as JSON.
"""

from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING, Any

from nbagents.narrowing import is_dict, is_mapping
from nbagents.notebook.kinds import text_forms as frozen_kinds
from nbagents.notebook.kinds.chart_form import chart_html, chart_words
from nbagents.notebook.kinds.pool_form import pool_html, pool_words
from nbagents.notebook.kinds.table_form import table_html, table_words
from nbagents.notebook.kinds.text_forms import text_in as _text
from nbagents.notebook.markup import Html, fold, join, markdown, muted, pre, tag
from nbagents.runs.wording import clipped, size

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic import JsonValue

PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml")
"""What a browser draws without running anything; SVG only as the source of an `<img>`."""
SVG = "image/svg+xml"
CODED = re.compile(r"[A-Za-z0-9+/]+={0,2}")
EMPTY_WORDS = re.compile(r"<[\w.]+ object(?: at 0x[0-9a-f]+)?>", re.IGNORECASE)
"""What an object says of itself that has nothing to say."""
NAME_WIDTH = 200
ALT_WIDTH = 200

IMAGE = (
    "display:block;max-width:100%;max-height:640px;height:auto;background:#ffffff;border-radius:4px"
)
"""On white, like paper: most pictures are drawn in black, some on nothing."""
PROSE = "max-height:24em;overflow:auto"


def payload_picture(kind: str, value: JsonValue) -> Html:
    """A payload of one of these kinds as it stands by its call.

    Raises:
        ValueError: The value does not fit its kind.
        KeyError: The kind is unknown, or the value lacks something.
        TypeError: The value holds something of another type.
    """
    return DRAWN[kind](_fields(value))


def payload_in_words(kind: str, value: JsonValue) -> str:
    """A payload in one line: `picture, image/png: warm days`.

    Raises:
        ValueError: The value does not fit its kind.
        KeyError: The kind is unknown, or the value lacks something.
        TypeError: The value holds something of another type.
    """
    return SAID[kind](_fields(value))


def picture_type(kind: str, value: object) -> str:
    """What kind of picture a payload holds, e.g. `image/png`; nothing where it holds none."""
    if not is_mapping(value):
        return ""
    if kind == "image":
        return str(value.get("media_type"))
    data = value.get("data") if kind == "mime" else None
    found = [one for one in PICTURES if data.get(one)] if is_dict(data) else []
    return found[0] if found else ""


def has_contents(value: JsonValue) -> bool:
    """Whether a payload of a file holds more than its name."""
    return isinstance(value, dict) and bool(value.get("data"))


def _image(value: Mapping[str, Any]) -> Html:
    return _picture(_media(value["media_type"]), value["data"], value.get("alt"))


def _image_in_words(value: Mapping[str, Any]) -> str:
    media = _media(value["media_type"])
    width, height = value.get("width"), value.get("height")
    sized = f", {width} × {height}" if isinstance(width, int) and isinstance(height, int) else ""
    said = clipped(str(value.get("alt") or ""), ALT_WIDTH)
    return f"picture, {media}{sized}{': ' if said else ''}{said}"


def _media(media: str) -> str:
    if media not in PICTURES:
        raise ValueError(media)
    return media


def _picture(media: str, data: str, alt: object) -> Html:
    coded = re.sub(r"\s", "", data)
    if not CODED.fullmatch(coded):
        raise ValueError(media)
    said = clipped(str(alt or ""), ALT_WIDTH) or "Picture"
    return tag("img", alt=said, src=f"data:{media};base64,{coded}", style=IMAGE)


def _file(value: Mapping[str, Any]) -> Html:
    name, about = _file_parts(value)
    return join("File ", tag("code", name, style="background:transparent"), " ", muted(about))


def _file_in_words(value: Mapping[str, Any]) -> str:
    return "file " + ", ".join(one for one in _file_parts(value) if one)


def _file_parts(value: Mapping[str, Any]) -> tuple[str, str]:
    weight = value.get("size")
    about = [str(value.get("media_type") or ""), size(weight) if isinstance(weight, int) else ""]
    return clipped(_text(value["name"]), NAME_WIDTH), ", ".join(one for one in about if one)


def _mime(value: Mapping[str, Any]) -> Html:
    words = _left_out(value)
    said = tag("div", muted(f"{words[0].upper()}{words[1:]}")) if words else ""
    return join(_display(_fields(value["data"])), said)


def _left_out(value: Mapping[str, Any]) -> str:
    """`left out as too large: text/html (5.0 MB)`; nothing where all was kept."""
    sizes = value.get("left_out")
    if not is_dict(sizes):
        return ""
    words = [
        f"{clipped(media, NAME_WIDTH)} ({size(weight)})"
        for media, weight in sizes.items()
        if isinstance(weight, int)
    ]
    return f"left out as too large: {', '.join(words)}" if words else ""


def _display(data: Mapping[str, Any]) -> Html:
    plain = _plain(data)
    for media in PICTURES:
        if written := data.get(media):
            text = _text(written)
            coded = base64.b64encode(text.encode()).decode() if media == SVG else text
            return _picture(media, coded, plain)
    if written := data.get("text/markdown"):
        return tag("div", markdown(_text(written)), style=PROSE)
    if "application/json" in data:
        return pre(json.dumps(data["application/json"], indent=2, ensure_ascii=False))
    if written := data.get("text/html"):
        return join(pre(plain) if plain else "", _html_source(_text(written)))
    return pre(_text(data["text/plain"]))


def _html_source(written: str) -> Html:
    """HTML of a tool's is never markup here: it is there to be read."""
    weight = size(len(written.encode(errors="replace")))
    return fold(f"HTML that is not shown as a page · {weight}", pre(written))


def _plain(data: Mapping[str, Any]) -> str:
    plain = _text(data.get("text/plain", ""))
    return "" if EMPTY_WORDS.fullmatch(plain) else plain


def _mime_in_words(value: Mapping[str, Any]) -> str:
    data = _fields(value["data"])
    said = _plain(data) or _text(data.get("text/markdown", "")) or ", ".join(data)
    noun = "picture" if picture_type("mime", value) else "display"
    words = _left_out(value)
    return f"{noun}{', ' if words else ''}{words}: {said}"


def _cut(value: Mapping[str, Any]) -> Html:
    words = muted(f"Data: {_cut_in_words(value)}")
    head = "" if value["of"] in DRAWN else _text(value.get("head") or "")
    return fold(words, pre(head)) if head else words


def _cut_in_words(value: Mapping[str, Any]) -> str:
    return f"{_text(value['of'])} · {_text(value['note'])}"


def _fields(value: object) -> dict[str, Any]:
    if not is_dict(value):
        raise TypeError(value)
    return value


# Any: an object of JSON, of which each takes its own fields
DRAWN: Mapping[str, Callable[[Any], Html]] = {
    **frozen_kinds.DRAWN,
    "apiPool": pool_html,
    "chart": chart_html,
    "cut": _cut,
    "file": _file,
    "image": _image,
    "mime": _mime,
    "table": table_html,
}
SAID: Mapping[str, Callable[[Any], str]] = {
    **frozen_kinds.SAID,
    "apiPool": pool_words,
    "chart": chart_words,
    "cut": _cut_in_words,
    "file": _file_in_words,
    "image": _image_in_words,
    "mime": _mime_in_words,
    "table": table_words,
}
KINDS = frozenset(DRAWN)
"""The kinds that are drawn here."""
