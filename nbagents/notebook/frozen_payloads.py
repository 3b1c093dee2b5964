"""Payloads that people look at, in a saved notebook: pictures, tables, files, captured displays.

What a tool gave is read here and drawn as HTML, or said in one line. A value that does not fit its
kind raises, and is shown as JSON.
"""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, cast

from nbagents.notebook.frozen_markdown import markdown
from nbagents.notebook.frozen_markup import LINE, Html, fold, join, muted, pre, tag
from nbagents.notebook.frozen_words import clipped, counted, size

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pydantic import JsonValue

__all__ = ["KINDS", "has_contents", "payload_in_words", "payload_picture", "picture_type"]

PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml")
"""What a browser draws without running anything; SVG only as the source of an `<img>`."""
SVG = "image/svg+xml"
CODED = re.compile(r"[A-Za-z0-9+/]+={0,2}")
EMPTY_WORDS = re.compile(r"<[\w.]+ object(?: at 0x[0-9a-f]+)?>", re.IGNORECASE)
"""What an object says of itself that has nothing to say."""
MOST_COLUMNS = 20
CELL_WIDTH = 200
ALT_WIDTH = 200

IMAGE = (
    "display:block;max-width:100%;max-height:640px;height:auto;background:#ffffff;border-radius:4px"
)
"""On white, like paper: most pictures are drawn in black, some on nothing."""
PROSE = "max-height:24em;overflow:auto"
TABLE = "margin:0;border-collapse:collapse;font-size:0.92em"
TABLE_BOX = (
    f"display:inline-block;max-width:100%;max-height:22em;overflow:auto;border:{LINE};"
    "border-radius:4px"
)
LEFT = "text-align:left"
INDEX = f"{LEFT};font-weight:400;opacity:0.75"


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


def picture_type(kind: str, value: JsonValue) -> str:
    """What kind of picture a payload holds, e.g. `image/png`; nothing where it holds none."""
    if not isinstance(value, dict):
        return ""
    if kind == "image":
        return str(value.get("media_type"))
    data = value.get("data") if kind == "mime" else None
    found = [one for one in PICTURES if data.get(one)] if isinstance(data, dict) else []
    return found[0] if found else ""


def has_contents(value: JsonValue) -> bool:
    """Whether a payload of a file holds more than its name."""
    return isinstance(value, dict) and bool(value.get("data"))


# --- images


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


# --- tables


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: str
    dtype: str
    is_number: bool

    def head(self) -> Html:
        """Its name, and its type for those who point at it."""
        title = {"title": self.dtype} if self.dtype else {}
        return self._cell("th", self.name, LEFT, scope="col", **title)

    def entry(self, value: object) -> Html:
        """A cell of its body; those of an index name their row."""
        if self.is_index:
            return self._cell("th", _cell(value), INDEX, scope="row")
        return self._cell("td", _cell(value), LEFT)

    def _cell(self, name: str, said: str, style: str, **attributes: str) -> Html:
        """Numbers stand below one another. Few characters: a table has a thousand cells."""
        if self.is_number and not self.is_index:
            return tag(name, said, align="right", **attributes)
        return tag(name, said, style=style, **attributes)

    @property
    def is_index(self) -> bool:
        """Whether its values name the rows."""
        return self.dtype == "index"


def _table(value: Mapping[str, Any]) -> Html:
    columns, rows = _columns(value), value["rows"]
    body = [
        tag("tr", *(column.entry(one) for column, one in zip(columns, row, strict=False)))
        for row in rows
    ]
    drawn = tag(
        "table",
        tag("thead", tag("tr", *(one.head() for one in columns))),
        tag("tbody", *body),
        style=TABLE,
    )
    return join(tag("div", drawn, style=TABLE_BOX), tag("div", muted(_table_size(value))))


def _columns(value: Mapping[str, Any]) -> list[Column]:
    names: list[object] = value["columns"][:MOST_COLUMNS]
    dtypes: list[object] = value.get("dtypes") or []
    return [
        Column(_cell(name), _cell(dtype), _is_number(value["rows"], place))
        for place, (name, dtype) in enumerate(
            zip_longest(names, dtypes[: len(names)], fillvalue="")
        )
    ]


def _is_number(rows: Sequence[Sequence[object]], place: int) -> bool:
    values = [row[place] for row in rows if place < len(row)]
    return bool(values) and all(
        value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))
        for value in values
    )


def _cell(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, (str, bool)):
        return clipped(str(value), CELL_WIDTH)
    return clipped(json.dumps(value, ensure_ascii=False), CELL_WIDTH)


def _table_size(value: Mapping[str, Any]) -> str:
    columns = [one for one in _columns(value) if not one.is_index]
    hidden = max(len(value["columns"]) - MOST_COLUMNS, 0)
    rows = _part_of(len(value["rows"]), value.get("total"), "row")
    whole = value.get("total_columns") or len(columns) + hidden
    return f"{rows} × {_part_of(len(columns), whole, 'column')}"


def _part_of(some: int, of_all: int | None, noun: str) -> str:
    """`50 of 1,000 rows`, `1 row`."""
    whole = max(some, of_all or 0)
    return counted(whole, noun) if some == whole else f"{some:,} of {counted(whole, noun)}"


def _table_in_words(value: Mapping[str, Any]) -> str:
    names = ", ".join(one.name for one in _columns(value) if not one.is_index)
    return f"table, {_table_size(value)}: {names}"


# --- files, displays, and what was cut


def _file(value: Mapping[str, Any]) -> Html:
    name, about = _file_parts(value)
    return join("File ", tag("code", name, style="background:transparent"), " ", muted(about))


def _file_in_words(value: Mapping[str, Any]) -> str:
    return "file " + ", ".join(one for one in _file_parts(value) if one)


def _file_parts(value: Mapping[str, Any]) -> tuple[str, str]:
    weight = value.get("size")
    about = [str(value.get("media_type") or ""), size(weight) if isinstance(weight, int) else ""]
    return clipped(_text(value["name"]), CELL_WIDTH), ", ".join(one for one in about if one)


def _mime(value: Mapping[str, Any]) -> Html:
    words = _left_out(value)
    said = tag("div", muted(f"{words[0].upper()}{words[1:]}")) if words else ""
    return join(_display(_fields(value["data"])), said)


def _left_out(value: Mapping[str, Any]) -> str:
    """`left out as too large: text/html (5.0 MB)`; nothing where all was kept."""
    sizes = value.get("left_out")
    if not isinstance(sizes, dict):
        return ""
    words = [
        f"{clipped(media, CELL_WIDTH)} ({size(weight)})"
        for media, weight in cast("dict[str, object]", sizes).items()
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
    noun = "picture" if picture_type("mime", cast("JsonValue", value)) else "display"
    words = _left_out(value)
    return f"{noun}{', ' if words else ''}{words}: {said}"


def _cut(value: Mapping[str, Any]) -> Html:
    words = muted(f"Data: {_cut_in_words(value)}")
    head = "" if value["of"] in DRAWN else _text(value.get("head") or "")
    return fold(words, pre(head)) if head else words


def _cut_in_words(value: Mapping[str, Any]) -> str:
    return f"{_text(value['of'])} · {_text(value['note'])}"


def _fields(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(value)
    return cast("dict[str, Any]", value)


def _text(value: object) -> str:
    """A text as displays have it: one, or its lines."""
    if isinstance(value, list):
        return "".join(_text(line) for line in cast("list[object]", value))
    if not isinstance(value, str):
        raise TypeError(value)
    return value


DRAWN: Mapping[str, Callable[[Mapping[str, Any]], Html]] = {
    "cut": _cut,
    "file": _file,
    "image": _image,
    "mime": _mime,
    "table": _table,
}
SAID: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "cut": _cut_in_words,
    "file": _file_in_words,
    "image": _image_in_words,
    "mime": _mime_in_words,
    "table": _table_in_words,
}
KINDS = frozenset(DRAWN)
"""The kinds that are drawn here."""
