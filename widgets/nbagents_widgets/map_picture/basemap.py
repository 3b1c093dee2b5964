"""Sea, land and borders of a view, as SVG that is small enough to save with a notebook."""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from nbagents_widgets.world import Box, Shape, atlas, clipped_line, clipped_ring, simplified

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from nbagents_widgets.map_picture.grid import View

COAST_OFF_PX: Final = 0.8
BORDER_OFF_PX: Final = 1.2
"""How far drawn lines may be from the atlas's: a pixel is hardly seen, and halves the file."""

BLEED_PX: Final = 8
FINE_FROM_ZOOM: Final = 3
BORDERS_FROM_ZOOM: Final = 1

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What is seen of the world, and how finely it is drawn."""

    view: View
    copies: Sequence[int]
    """Which turns round the world: 0 is from -180° to 180°."""
    box: Box
    """In pixels of the view, and a little larger, so that no cut edge is seen."""
    units: int
    """Paths are whole numbers, this many to a pixel: short to write, fine enough to look at."""


def basemap(view: View) -> str:
    """The world under a view: SVG elements, their colours by class names as well."""
    return "".join((*_sea(view), *_world(view)))


def sight_of(view: View, units: int | None = None) -> Sight:
    """All that a view shows, in paths of so many units to a pixel."""
    bottom = min(view.height, view.world - view.top) + BLEED_PX
    box = Box(left=-BLEED_PX, top=-BLEED_PX, right=view.width + BLEED_PX, bottom=bottom)
    fine = 2 if view.zoom >= FINE_FROM_ZOOM else 1
    return Sight(view=view, copies=_copies(view), box=box, units=units or fine)


def _sea(view: View) -> Iterator[str]:
    if view.top < 0 or view.top + view.height > view.world:
        size = f"width='{view.width:g}' height='{view.height:g}'"
        yield f"<rect class='nbam-b' {size} fill='#c3d4e0'/>"
    top, bottom = max(0.0, -view.top), min(view.height, view.world - view.top)
    yield (
        f"<rect class='nbam-s' y='{top:.1f}' width='{view.width:g}' height='{bottom - top:.1f}'"
        " fill='#d3e3ee'/>"
    )


def _world(view: View) -> Iterator[str]:
    units = 2 if view.zoom >= FINE_FROM_ZOOM else 1
    if view.world > view.width:
        sight = sight_of(view)
        yield f"<g {_look(units)}>{_land(sight)}</g>"
        return
    # Several worlds are in view: one is drawn, whole, and repeated. Its id is its own, in case two
    # pictures come to stand in one page.
    turn = math.floor((view.left + view.width / 2) / view.world)
    name = f"nbam{zlib.crc32(repr(view).encode()):x}"
    box = sight_of(view).box
    endless = Box(left=-math.inf, top=box.top, right=math.inf, bottom=box.bottom)
    sight = Sight(view=view, copies=(turn,), box=endless, units=units)
    yield f"<g id='{name}' {_look(units)}>{_land(sight)}</g>"
    for shift in _copies(view):
        if shift != turn:
            yield f"<use href='#{name}' x='{(shift - turn) * view.world:.1f}'/>"


def _look(units: int) -> str:
    scale = f"transform='scale({1 / units:g})' " if units > 1 else ""
    return f"{scale}stroke-linejoin='round' fill='none'"


def _copies(view: View) -> range:
    """Which copies of the world may be in view: maps go round, shapes reach past the date line."""
    first = math.floor(view.left / view.world) - 1
    return range(first, math.floor((view.left + view.width) / view.world) + 2)


def _land(sight: Sight) -> str:
    world = atlas()
    coast = f"stroke='#8398a8' stroke-width='{0.9 * sight.units:g}'"
    border = f"stroke='#b4ab9b' stroke-width='{0.8 * sight.units:g}'"
    parts = [
        _path(
            "nbam-l nbam-c",
            ring_data(world.land, sight),
            f"fill='#f6f4ec' fill-rule='evenodd' {coast}",
        ),
        _path("nbam-l", ring_data(world.polar_areas, sight), "fill='#f6f4ec'"),
        _path("nbam-c", line_data(world.polar_coasts, sight, COAST_OFF_PX), coast),
    ]
    if sight.view.zoom >= BORDERS_FROM_ZOOM:
        parts.append(_path("nbam-n", line_data(world.borders, sight, BORDER_OFF_PX), border))
    return "".join(parts)


def _path(names: str, commands: str, look: str) -> str:
    return f"<path class='{names}' {look} d='{commands}'/>" if commands else ""


def ring_data(shapes: Iterable[Shape], sight: Sight, off_px: float = COAST_OFF_PX) -> str:
    """Path commands of closed rings, as far as they are seen."""
    rings = (clipped_ring(ring, sight.box) for ring in _seen(shapes, sight))
    return "".join(_drawn(ring, sight.units, off_px, "z") for ring in rings if ring)


def line_data(shapes: Iterable[Shape], sight: Sight, off_px: float) -> str:
    """Path commands of open lines, as far as they are seen."""
    lines = (clipped_line(line, sight.box) for line in _seen(shapes, sight))
    return "".join(_drawn(piece, sight.units, off_px) for pieces in lines for piece in pieces)


def _seen(shapes: Iterable[Shape], sight: Sight) -> Iterator[list[Point]]:
    """The shapes that the box overlaps, once for each copy of the world, in pixels of the view."""
    view, box, world = sight.view, sight.box, sight.view.world
    for shift in sight.copies:
        for shape in shapes:
            across = (
                (shape.left + shift) * world - view.left,
                (shape.right + shift) * world - view.left,
            )
            down = shape.top * world - view.top, shape.bottom * world - view.top
            if _overlap(across, (box.left, box.right)) and _overlap(down, (box.top, box.bottom)):
                yield [
                    ((x + shift) * world - view.left, y * world - view.top) for x, y in shape.points
                ]


def _overlap(one: Point, other: Point) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def _drawn(points: Sequence[Point], units: int, off_px: float, end: str = "") -> str:
    """Path commands with whole relative numbers; nothing for what is smaller than a dot."""
    start: Point | None = None
    steps: list[str] = []
    at_x = at_y = 0
    for x, y in simplified(points, off_px):
        to_x, to_y = round(x * units), round(y * units)
        if start is None:
            start = (to_x, to_y)
        elif (to_x, to_y) != (at_x, at_y):
            steps.append(f"{to_x - at_x},{to_y - at_y}")
        at_x, at_y = to_x, to_y
    if start is None or len(steps) <= len(end):
        return ""
    return f"M{start[0]},{start[1]}l{','.join(steps)}".replace(",-", "-") + end
