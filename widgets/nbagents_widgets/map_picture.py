"""The map as a still picture: an SVG for saved notebooks, drawn as the page draws it."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from nbagents_widgets.basemap import basemap
from nbagents_widgets.map_grid import (
    Inset,
    View,
    inset_of,
    meridians,
    parallels,
    scale_bar,
    view_of,
)
from nbagents_widgets.map_mercator import near_lon, unit_x, unit_y
from nbagents_widgets.map_shapes import drawn_layers
from nbagents_widgets.map_state import MapState, Pin, describe, map_state_of

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["map_picture", "picture_uri"]

SCALE_FROM_ZOOM: Final = 4
PINS_MOST: Final = 300
LABEL_MOST: Final = 40
CHARACTER_PX: Final = 6.8
HEAD: Final = "M0,0C-2.5-5-7-8.6-7-14A7,7,0,0,1,7-14C7-8.6,2.5-5,0,0Z"

STYLE: Final = (
    "<style>@media(prefers-color-scheme:dark){"
    ".nbam-b{fill:#101920}.nbam-s{fill:#17232d}.nbam-l{fill:#323d44}.nbam-c{stroke:#7d95a6}"
    ".nbam-n{stroke:#5d6c76}.nbam-g{stroke:#bed7eb;stroke-opacity:.13}"
    ".nbam-t{fill:#b3c3ce;stroke:#17232d}.nbam-k{stroke:#b3c3ce}.nbam-m{stroke:#ff6f96}"
    ".nbam-p{fill:#ff6f96;stroke:#17232d}.nbam-e{fill:#17232d}"
    ".nbam-i{fill:#f1f5f8;stroke:#17232d}.nbam-f{stroke:#4a5b67}.nbam-o{stroke:#17232d}}</style>"
)

NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def map_picture(value: object, width_px: int = 640, height_px: int = 320) -> str:
    """The SVG of a map, in Web Mercator at Leaflet's zoom levels.

    Args:
        value: A `MapState`, or the value of a payload of kind `map`: a mapping with any of
            `center`, `zoom`, `bounds`, `pins`, `layers`, `title`, `left_at`.
        width_px: How wide the picture is.
        height_px: How high.

    Raises:
        ValueError: A coordinate of the value is out of range.
    """
    state = value if isinstance(value, MapState) else map_state_of(value)
    view = view_of(state, width_px, height_px)
    inset = inset_of(view, state)
    layers = drawn_layers(state.layers, view, state.lon)
    parts = (
        _head(describe(state), width_px, height_px),
        basemap(view),
        *_grid(view, view.height - 22 if inset is None else inset.y),
        layers.svg,
        *(_scale(view, state) if view.zoom >= SCALE_FROM_ZOOM else ()),
        *(_inset(inset) if inset else ()),
        *_pins(state, view),
        *_source(view, len(state.pins), layers.note),
        f"<rect class='nbam-f' x='.5' y='.5' width='{width_px - 1}' height='{height_px - 1}'",
        " rx='4' fill='none' stroke='#a9bac6'/></svg>",
    )
    return "".join(parts)


def picture_uri(svg: str) -> str:
    """The picture as a `data:` address, for an attribute in double quotes; shorter than base64."""
    return "data:image/svg+xml," + quote(svg, safe="!$'()*+,-./:;=@_~ ")


def _head(words: str, width_px: int, height_px: int) -> str:
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' class='nbam' role='img'"
        f" aria-label='{escape(_printable(words))}' width='{width_px}' height='{height_px}'"
        f" viewBox='0 0 {width_px} {height_px}' font-family='system-ui,sans-serif'"
        f" font-size='10'>{STYLE}"
    )


def _grid(view: View, floor: float) -> Iterator[str]:
    upright, level = meridians(view), parallels(view)
    commands = "".join(f"M{round(one.px)}.5,0V{view.height:g}" for one in upright)
    commands += "".join(f"M0,{round(one.px)}.5H{view.width:g}" for one in level)
    yield f"<path class='nbam-g' fill='none' stroke='#305472' stroke-opacity='.15' d='{commands}'/>"
    for one in upright:
        if 46 < one.px < view.width - 44:  # noqa: PLR2004  as on the page, where buttons are
            yield _words(one.words, one.px + 3, 11)
    for one in level:
        if 24 < one.px < floor:  # noqa: PLR2004
            yield _words(one.words, view.width - 4, one.px - 3, " text-anchor='end'")


def _scale(view: View, state: MapState) -> Iterator[str]:
    metres, px = scale_bar(state)
    floor = view.height - 9.5
    yield (
        f"<path class='nbam-k' fill='none' stroke='#40525f' d='M10.5,{floor - 5:g}v5h{px:.1f}v-5'/>"
    )
    length = f"{metres / 1000:g} km" if metres >= 1000 else f"{metres:g} m"  # noqa: PLR2004
    yield _words(length, 14.5, floor - 4)


def _inset(inset: Inset) -> Iterator[str]:
    view, mark = inset.view, inset.mark
    yield f"<svg x='{inset.x:g}' y='{inset.y:g}' width='{view.width:g}' height='{view.height:g}'>"
    yield basemap(view)
    yield (
        f"<rect class='nbam-m' x='{mark.left:.1f}' y='{mark.top:.1f}'"
        f" width='{mark.right - mark.left:.1f}' height='{mark.bottom - mark.top:.1f}'"
        " fill='none' stroke='#c2255c' stroke-width='1.5'/></svg>"
    )
    yield (
        f"<rect class='nbam-c' x='{inset.x - 0.5:g}' y='{inset.y - 0.5:g}'"
        f" width='{view.width + 1:g}' height='{view.height + 1:g}' fill='none' stroke='#8398a8'/>"
    )


def _pins(state: MapState, view: View) -> Iterator[str]:
    for pin in state.pins[:PINS_MOST]:
        near = near_lon(pin.lon, state.lon)
        x = unit_x(near) * view.world - view.left
        y = unit_y(pin.lat) * view.world - view.top
        if -view.width / 2 <= x <= view.width * 1.5 and -4 <= y <= view.height + 24:  # noqa: PLR2004  nothing of it is seen farther out
            yield _pin(pin, x, y, view.width)


def _pin(pin: Pin, x: float, y: float, width: float) -> str:
    head = (
        f"<g transform='translate({x:.1f},{y:.1f})'>"
        f"<path class='nbam-p' fill='#c2255c' stroke='#fff' stroke-width='1.2' d='{HEAD}'/>"
        "<circle class='nbam-e' fill='#fff' cy='-14' r='2.6'/>"
    )
    label = " ".join(_printable(pin.label).split())
    if len(label) > LABEL_MOST:
        label = label[: LABEL_MOST - 1] + "…"
    turned = x + 11 + CHARACTER_PX * len(label) > width and x > width / 2
    place = "x='-11' text-anchor='end'" if turned else "x='11'"
    text = (
        f"<text class='nbam-i' {place} y='-10' font-size='12' font-weight='600' fill='#1c2a33'"
        " stroke='#f4f6f6' stroke-opacity='.8' stroke-width='3' stroke-linejoin='round'"
        f" paint-order='stroke'>{escape(label)}</text>"
    )
    return f"{head}{text if label else ''}</g>"


def _source(view: View, pins: int, note: str) -> Iterator[str]:
    cut = f"{PINS_MOST} of {pins} pins drawn" if pins > PINS_MOST else ""
    said = " · ".join(filter(None, (cut, note, "Natural Earth")))
    yield _words(said, view.width - 7, view.height - 6, " text-anchor='end'")


def _words(text: str, x: float, y: float, more: str = "") -> str:
    return (
        f"<text class='nbam-t' x='{x:.1f}' y='{y:.1f}'{more} fill='#40525f' stroke='#f4f6f6'"
        f" stroke-opacity='.8' stroke-width='3' paint-order='stroke'>{escape(text)}</text>"
    )


def _printable(text: str) -> str:
    """Without what XML forbids: one such character, and no viewer shows the picture."""
    return NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
