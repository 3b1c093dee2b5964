"""The map as a still picture: an SVG for saved notebooks, drawn as the page draws it."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from nbagents_widgets.map_picture.basemap import basemap
from nbagents_widgets.map_picture.boxes import MiddleBox, box_of, touch
from nbagents_widgets.map_picture.grid import (
    GridLine,
    Inset,
    View,
    inset_of,
    meridians,
    parallels,
    scale_bar,
    scale_words,
    view_of,
)
from nbagents_widgets.map_picture.lettering import (
    HALO,
    cut,
    drawn_legend,
    drawn_names,
    drawn_title,
    printable,
)
from nbagents_widgets.map_picture.placement import Placed, Side, in_view, placement
from nbagents_widgets.map_picture.shapes import drawn_layers
from nbagents_widgets.map_picture.width import width_px
from nbagents_widgets.map_state import MapState, Pin, describe, map_state_of
from nbagents_widgets.world import Name, unit_x, unit_y

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PINS_MOST: Final = 300
LABEL_MOST: Final = 40
GRID_PX: Final = 10
HEAD: Final = "M0,0C-2.5-5-7-8.6-7-14A7,7,0,0,1,7-14C7-8.6,2.5-5,0,0Z"

TIES: Final[dict[Side, str]] = {
    "right": "x='11' y='-10'",
    "left": "x='-11' y='-10' text-anchor='end'",
    "above": "x='0' y='-27' text-anchor='middle'",
    "below": "x='0' y='13' text-anchor='middle'",
    "middle": "x='0' y='-10' text-anchor='middle'",
}
"""Where a label's text is tied, from the pin's foot."""

STYLE: Final = (
    "<style>@media(prefers-color-scheme:dark){"
    ".nbam-b{fill:#101920}.nbam-s{fill:#17232d}.nbam-l{fill:#323d44}.nbam-c{stroke:#7d95a6}"
    ".nbam-n{stroke:#5d6c76}.nbam-g{stroke:#bed7eb;stroke-opacity:.13}"
    ".nbam-t{fill:#b3c3ce;stroke:#17232d}.nbam-k{stroke:#b3c3ce}.nbam-m{stroke:#ff6f96}"
    ".nbam-p{fill:#ff6f96;stroke:#17232d}.nbam-e{fill:#17232d}"
    ".nbam-y{fill:#dbe5ec;stroke:#17232d}.nbam-w{fill:#9cc3e3}.nbam-d{fill:#dbe5ec}"
    ".nbam-r{fill:#17232d;stroke:#dbe5ec}.nbam-h{fill:#24313b;stroke:#4a5b67}.nbam-j{fill:#f1f5f8}"
    ".nbam-i{fill:#f1f5f8;stroke:#17232d}.nbam-f{stroke:#4a5b67}.nbam-o{stroke:#17232d}}</style>"
)


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
    source = _source_words(len(state.pins), layers.note)
    title, title_box = drawn_title(state.title, view)
    legend, legend_box = drawn_legend(state, view)
    furniture = [*title_box, *legend_box, _scale_box(view, state), _source_box(view, source)]
    furniture += [box_of(inset.x, inset.y, inset.view.width, inset.view.height)] if inset else []
    pins = [_pin_name(pin) for pin in state.pins[:PINS_MOST]]
    placed = in_view(placement(pins, view.zoom), view, furniture)
    parts = (
        _head(describe(state), width_px, height_px),
        basemap(view),
        _grid(view),
        layers.svg,
        drawn_names(placed),
        _scale(view, state),
        *(_inset(inset) if inset else ()),
        *_pins(pins, placed, state, view),
        f"<g class='nbam-t' fill='#40525f' {HALO}>",
        *_grid_names(view, [*furniture, *(one.box for one in placed)]),
        _words(scale_words(state, scale_bar(state)[0]), 14.5, view.height - 13.5),
        _words(source, view.width - 7, view.height - 6, " text-anchor='end'"),
        "</g>",
        title,
        legend,
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
        f" aria-label='{escape(printable(words))}' width='{width_px}' height='{height_px}'"
        f" viewBox='0 0 {width_px} {height_px}' font-family='system-ui,sans-serif'"
        f" font-size='10'>{STYLE}"
    )


def _grid(view: View) -> str:
    commands = "".join(f"M{round(one.px)}.5,0V{view.height:g}" for one in meridians(view))
    commands += "".join(f"M0,{round(one.px)}.5H{view.width:g}" for one in parallels(view))
    return (
        f"<path class='nbam-g' fill='none' stroke='#305472' stroke-opacity='.15' d='{commands}'/>"
    )


def _grid_names(view: View, taken: Sequence[MiddleBox]) -> Iterator[str]:
    """Meridians and parallels are named where nothing else is written."""
    for words, left, floor in _grid_words(meridians(view), parallels(view), view):
        width = width_px(words, GRID_PX)
        box = box_of(left, floor - GRID_PX, width, GRID_PX + 2)
        is_whole = left > 0 and left + width < view.width and GRID_PX < floor < view.height
        if is_whole and not any(touch(one, box) for one in taken):
            yield _words(words, left, floor)


def _grid_words(
    upright: Sequence[GridLine], level: Sequence[GridLine], view: View
) -> Iterator[tuple[str, float, float]]:
    """Meridians at the top, parallels at the right."""
    for one in upright:
        yield one.words, one.px + 3, 11
    for one in level:
        yield one.words, view.width - 4 - width_px(one.words, GRID_PX), one.px - 3


def _scale_box(view: View, state: MapState) -> MiddleBox:
    metres, px = scale_bar(state)
    width = max(px, width_px(scale_words(state, metres), GRID_PX) + 6)
    return box_of(8, view.height - 26, width + 4, 26)


def _source_box(view: View, words: str) -> MiddleBox:
    width = width_px(words, GRID_PX) + 12
    return box_of(view.width - width, view.height - 18, width, 18)


def _scale(view: View, state: MapState) -> str:
    _, px = scale_bar(state)
    path = f"M10.5,{view.height - 14.5:g}v5h{px:.1f}v-5"
    return f"<path class='nbam-k' fill='none' stroke='#40525f' d='{path}'/>"


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


def _pin_name(pin: Pin) -> Name:
    label = cut(pin.label, LABEL_MOST)
    return Name("pin", (label,) if label else (), unit_x(pin.lon), unit_y(pin.lat))


def _pins(
    pins: Sequence[Name], placed: Sequence[Placed], state: MapState, view: View
) -> Iterator[str]:
    """Each pin at its copy that is nearest to the middle, its label where that was placed."""
    sides: dict[int, Side] = {
        id(one.name): one.side for one in placed if abs(one.x - view.width / 2) <= view.world / 2
    }
    for pin in pins:
        turns = math.floor(unit_x(state.lon) - pin.x + 0.5)
        x = (pin.x + turns) * view.world - view.left
        y = pin.y * view.world - view.top
        if (
            -view.width / 2 <= x <= view.width * 1.5 and -4 <= y <= view.height + 24
        ):  # nothing of it is seen farther out
            yield _pin(pin, x, y, sides.get(id(pin)))


def _pin(pin: Name, x: float, y: float, side: Side | None) -> str:
    head = (
        f"<g transform='translate({x:.1f},{y:.1f})'>"
        f"<path class='nbam-p' fill='#c2255c' stroke='#fff' stroke-width='1.2' d='{HEAD}'/>"
        "<circle class='nbam-e' fill='#fff' cy='-14' r='2.6'/>"
    )
    if side is None:
        return f"{head}</g>"
    text = (
        f"<text class='nbam-i' {TIES[side]} font-size='12' font-weight='600' fill='#1c2a33'"
        f" {HALO} stroke-linejoin='round'>{escape(pin.lines[0])}</text>"
    )
    return f"{head}{text}</g>"


def _source_words(pins: int, note: str) -> str:
    shown = f"{PINS_MOST} of {pins} pins drawn" if pins > PINS_MOST else ""
    return " · ".join(filter(None, (shown, note, "Natural Earth")))


def _words(text: str, x: float, y: float, more: str = "") -> str:
    return f"<text x='{x:.0f}' y='{y:.0f}'{more}>{escape(text)}</text>"
