"""Colours of layers: a palette that is seen on light and on dark maps, or a CSS colour, checked."""

from __future__ import annotations

import re
from typing import Final

PALETTE: Final = {
    "blue": "#2f7fd6",
    "orange": "#e07b00",
    "green": "#2f9e44",
    "red": "#e03131",
    "purple": "#9c5fd6",
    "teal": "#0c9aa6",
    "pink": "#e0559a",
    "brown": "#a5702a",
    "yellow": "#d9a400",
    "grey": "#808a93",
}
"""Names to CSS colours; in this order layers without a colour get theirs."""

NUMERIC: Final = re.compile(
    r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|(?:rgb|hsl)a?\([\d\s.,%/deg]{1,60}\)"
)

NAMES: Final = (
    "aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blueviolet "
    "burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue "
    "darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen "
    "darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray "
    "darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue "
    "firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray "
    "greenyellow honeydew hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen "
    "lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen "
    "lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey "
    "lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue "
    "mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise "
    "mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive "
    "olivedrab orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip "
    "peachpuff peru plum powderblue rebeccapurple rosybrown royalblue saddlebrown salmon "
    "sandybrown seagreen seashell sienna silver skyblue slateblue slategray slategrey snow "
    "springgreen steelblue tan thistle tomato turquoise violet wheat white whitesmoke "
    "yellowgreen"
)
"""Source: CSS Color Module Level 4, named colours, but those of the palette."""

NAMED: Final = frozenset(NAMES.split())


def checked_color(value: object) -> str:
    """A colour of the palette or of CSS, or a `ValueError` in words."""
    color = value.strip().lower() if isinstance(value, str) else ""
    if color in PALETTE or color in NAMED or NUMERIC.fullmatch(color):
        return color
    known = ", ".join(PALETTE)
    raise ValueError(
        f"{value!r} is no colour: take one of {known}, or a CSS colour like '#2f7fd6'."
    )


def palette_color(place: int) -> str:
    """The colour of the layer at a place that was given none."""
    return tuple(PALETTE)[place % len(PALETTE)]


def css_color(color: str) -> str:
    """What CSS calls a checked colour."""
    return PALETTE.get(color, color)
