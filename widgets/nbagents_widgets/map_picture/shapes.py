"""The layers of a map as SVG: cut to the view, simplified until they are small enough to save."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Final

from nbagents_widgets.map_picture.basemap import BLEED_PX, Sight, line_data, ring_data, sight_of
from nbagents_widgets.map_state import css_color
from nbagents_widgets.world import Shape, near_lon, shaped, unit_x, unit_y, unrolled

if TYPE_CHECKING:
    from nbagents_widgets.map_picture.grid import View
    from nbagents_widgets.map_state import Layer

MOST_BYTES: Final = 30_000
"""What the layers of a picture take: a run keeps 60 kB in all."""

COARSENESS_PX: Final = (0.5, 1.5, 4)
"""How far drawn lines may be from the given ones: tried in turn, until all is small enough."""

UNITS: Final = 2
LINE_PX: Final = 2.5
EDGE_PX: Final = 1.5
DOT_PX: Final = 4.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """Layers as SVG elements, and what was left out."""

    svg: str
    note: str
    """In words; empty where all that is in view was drawn."""


def drawn_layers(layers: Sequence[Layer], view: View, lon: float) -> Drawn:
    """The layers, the first below.

    Args:
        layers: What to draw.
        view: What is seen.
        lon: The middle of the view: points are drawn at their copy that is nearest to it.
    """
    sight = sight_of(view, UNITS)
    parts: list[str] = []
    for off_px in COARSENESS_PX:
        parts = [part for layer in layers for part in _layer(layer, sight, lon, off_px)]
        if sum(map(len, parts)) <= MOST_BYTES:
            return Drawn(svg="".join(parts), note="")
    kept = list(_within(parts, MOST_BYTES))
    note = f"{len(kept)} of {len(parts)} shapes drawn"
    return Drawn(svg="".join(kept), note=note)


def _within(parts: Sequence[str], most_bytes: int) -> Iterator[str]:
    for part in parts:
        most_bytes -= len(part)
        if most_bytes >= 0:
            yield part


def _layer(layer: Layer, sight: Sight, lon: float, off_px: float) -> Iterator[str]:
    color = escape(css_color(layer.color))
    for feature in layer.geojson["features"]:
        kind, coordinates = feature["geometry"]["type"], feature["geometry"]["coordinates"]
        if "Point" in kind:
            yield from _dots(_many(kind, coordinates), sight.view, lon, color)
        elif "Line" in kind:
            data = line_data(_shapes(_many(kind, coordinates)), sight, off_px)
            yield from _path(data, f"fill='none' stroke='{color}' stroke-width='{LINE_PX * UNITS}'")
        else:
            look = f"fill='{color}' fill-opacity='.25' fill-rule='evenodd' stroke='{color}'"
            for rings in _many(kind, coordinates):
                data = ring_data(_shapes(rings), sight, off_px)
                yield from _path(data, f"{look} stroke-width='{EDGE_PX * UNITS:g}'")


def _many(kind: str, coordinates: Any) -> list[Any]:  # Any: nested as deep as the kind says
    return coordinates if kind.startswith("Multi") else [coordinates]


def _shapes(lines: Sequence[Any]) -> list[Shape]:
    return [shaped(unrolled(line)) for line in lines if len(line) > 1]


def _path(data: str, look: str) -> Iterator[str]:
    if data:
        yield f"<path transform='scale({1 / UNITS:g})' stroke-linejoin='round' {look} d='{data}'/>"


def _dots(places: Sequence[Any], view: View, middle: float, color: str) -> Iterator[str]:
    for lon, lat in places:
        x = unit_x(near_lon(lon, middle)) * view.world - view.left
        y = unit_y(lat) * view.world - view.top
        if -BLEED_PX <= x <= view.width + BLEED_PX and -BLEED_PX <= y <= view.height + BLEED_PX:
            yield (
                f"<circle class='nbam-o' cx='{x:.1f}' cy='{y:.1f}' r='{DOT_PX}' fill='{color}'"
                " stroke='#fff'/>"
            )
