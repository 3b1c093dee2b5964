"""The names on a picture, its title and its legend, as SVG in few words."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Final

from nbagents_widgets.map_picture.boxes import MiddleBox, box_of
from nbagents_widgets.map_picture.placement import LINE_PX, Placed
from nbagents_widgets.map_picture.width import width_px
from nbagents_widgets.map_state import Layer, css_color

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from nbagents_widgets.map_picture.grid import View
    from nbagents_widgets.map_state import MapState

HALO: Final = "stroke='#f4f6f6' stroke-opacity='.8' stroke-width='3' paint-order='stroke'"
PLATE: Final = "class='nbam-h' rx='4' fill='#fff' stroke='#a9bac6'"
NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

BESIDE_PX: Final = 5
BASE_PX: Final = 4
"""From the middle of a line of text down to where its letters stand."""

FONT_PX: Final = 12
PLATE_PX: Final = 24
MARGIN_PX: Final = 8
TITLE_MOST: Final = 60
ROW_PX: Final = 20
ROW_MOST: Final = 24
SIGN_PX: Final = 34
ROOMY_PX: Final = (480, 240)
"""On a smaller picture a legend would cover what it explains."""

PIN_SIGN: Final = "M9,13C8,10,4.8,8,4.8,4.2a4.2,4.2,0,0,1,8.4,0C13.2,8,10,10,9,13z"


def drawn_names(placed: Iterable[Placed]) -> str:
    """The names of countries, seas and towns, each sort in a group of its own."""
    groups = {
        "sea": " class='nbam-w' fill='#2a587c' font-style='italic' text-anchor='middle'",
        "country": " font-weight='600' text-anchor='middle'",
        "town": "",
    }
    parts: dict[str, list[str]] = {kind: [] for kind in groups}
    for one in placed:
        kind = "town" if one.name.kind == "capital" else one.name.kind
        if kind in parts:
            parts[kind].extend(_town(one) if kind == "town" else _lines(one))
    drawn = (f"<g{groups[kind]}>{''.join(found)}</g>" for kind, found in parts.items() if found)
    return f"<g class='nbam-y' font-size='11' fill='#2b3a45' {HALO}>{''.join(drawn)}</g>"


def _lines(one: Placed) -> Iterator[str]:
    top = one.box.y - (len(one.name.lines) - 1) * LINE_PX / 2 + BASE_PX
    for number, text in enumerate(one.name.lines):
        yield f"<text x='{one.box.x:.0f}' y='{top + number * LINE_PX:.0f}'>{escape(text)}</text>"


def _town(one: Placed) -> Iterator[str]:
    is_capital = one.name.kind == "capital"
    look = "class='nbam-d' r='2' stroke='none'"
    if is_capital:
        look = "class='nbam-r' r='3' fill='#f4f6f6' stroke='#2b3a45' stroke-opacity='1'"
        look += " stroke-width='1.5'"
    yield f"<circle {look} cx='{one.x:.1f}' cy='{one.y:.1f}'/>"
    x, anchor = {
        "right": (one.x + BESIDE_PX, ""),
        "left": (one.x - BESIDE_PX, " text-anchor='end'"),
    }.get(one.side, (one.box.x, " text-anchor='middle'"))
    text = escape(one.name.lines[0])
    yield f"<text x='{x:.0f}' y='{one.box.y + BASE_PX:.0f}'{anchor}>{text}</text>"


def drawn_title(title: str, view: View) -> tuple[str, list[MiddleBox]]:
    """What the map is called, and where that stands."""
    said = cut(title, TITLE_MOST)
    if not said:
        return "", []
    wide = min(width_px(said, FONT_PX, is_bold=True) + 2 * MARGIN_PX, view.width - 2 * MARGIN_PX)
    plate = f"<rect {PLATE} x='8.5' y='8.5' width='{wide:.0f}' height='{PLATE_PX}'/>"
    words = _text(said, 16, 8 + 16, " font-weight='600'")
    return plate + words, [box_of(MARGIN_PX, MARGIN_PX, wide, PLATE_PX)]


def drawn_legend(state: MapState, view: View) -> tuple[str, list[MiddleBox]]:
    """What the signs on the map mean, and where that stands; nothing where one pin says itself."""
    is_roomy = view.width >= ROOMY_PX[0] and view.height >= ROOMY_PX[1]
    if not is_roomy or (not state.layers and len(state.pins) <= 1):
        return "", []
    rows = _rows(state, int((view.height - 60) // ROW_PX))
    wide = max(width_px(words, FONT_PX) for words, _ in rows) + SIGN_PX + MARGIN_PX
    left, high = view.width - MARGIN_PX - wide, ROW_PX * len(rows) + 8
    plate = f"<rect {PLATE} x='{left:.0f}.5' y='8.5' width='{wide:.0f}' height='{high}'/>"
    drawn = "".join(
        f"<g transform='translate({left + 8:.0f},{16 + ROW_PX * number})'>{sign}"
        f"{_text(words, SIGN_PX - 8, 10)}</g>"
        for number, (words, sign) in enumerate(rows)
    )
    group = f"<g class='nbam-legend'>{plate}{drawn}</g>"
    return group, [box_of(left, MARGIN_PX, wide + 1, high)]


def _rows(state: MapState, most: int) -> list[tuple[str, str]]:
    """Words and sign of each row."""
    rows = [(cut(layer.name, ROW_MOST), _sign(layer)) for layer in state.layers]
    if len(rows) > most - 1:
        rest = len(rows) - most + 2
        rows = [*rows[: most - 2], (f"and {rest} more layers", "")]
    if state.pins:
        many = f"{len(state.pins)} pin{'s' * (len(state.pins) != 1)}"
        rows.append((many, f"<path class='nbam-p' fill='#c2255c' d='{PIN_SIGN}'/>"))
    return rows


def _sign(layer: Layer) -> str:
    color = escape(css_color(layer.color))
    counts = layer.counts()
    if "area" in counts:
        look = f"fill='{color}' fill-opacity='.25' stroke='{color}' stroke-width='1.5'"
        return f"<rect x='1.5' y='1.5' width='15' height='9' {look}/>"
    if "line" in counts:
        return f"<path d='M1,9L17,3' stroke='{color}' stroke-width='2.5'/>"
    return f"<circle cx='9' cy='6' r='4' fill='{color}'/>"


def _text(words: str, x: float, y: float, more: str = "") -> str:
    place = f"x='{x:.0f}' y='{y:.0f}' font-size='{FONT_PX}'{more}"
    return f"<text class='nbam-j' {place} fill='#1c2a33'>{escape(words)}</text>"


def cut(text: str, most: int) -> str:
    """On one line, and no longer than that."""
    line = " ".join(printable(text).split())
    return line if len(line) <= most else line[: most - 1] + "…"


def printable(text: str) -> str:
    """Without what XML forbids: one such character, and no viewer shows the picture."""
    return NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
