"""A part of the world that a map is to show whole, and the place and zoom level that do."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from nbagents_widgets.world.checks import (
    check_fields,
    checked_lat,
    checked_lon,
    finite,
    plain,
    record,
    within,
)
from nbagents_widgets.world.mercator import lat_at, unit_y, wrapped

NOMINAL_WIDTH_PX: Final = 640
NOMINAL_HEIGHT_PX: Final = 320
"""The size of a map that no page has drawn yet."""

PADDING_PX: Final = 24
PADDING_MOST_PX: Final = 200
CLOSEST: Final = 15
"""No bounds are shown closer than this: those of one point would be a doorstep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Degrees WGS 84; west > east means that they cross 180°.

    Raises:
        ValueError: A coordinate is out of range, or south lies north of north.
    """

    west: float
    south: float
    east: float
    north: float
    padding_px: float = PADDING_PX
    """Room that is left free on each side."""

    def __post_init__(self) -> None:
        check_fields(self, west=checked_lon, east=checked_lon)
        check_fields(self, south=checked_lat, north=checked_lat)
        if self.south > self.north:
            raise ValueError(
                f"South ({self.south:g}) lies north of north ({self.north:g}): exchange them."
            )
        within(self.padding_px, "The padding", 0, PADDING_MOST_PX, "px")

    @property
    def span(self) -> float:
        """Degrees from west to east, also across 180°."""
        return self.east - self.west + (360 if self.east < self.west else 0)

    def payload(self) -> dict[str, float]:
        """As they cross to the page."""
        sides = ("west", "south", "east", "north", "padding_px")
        return {side: plain(float(getattr(self, side))) for side in sides}


def bounds_of(value: object) -> Bounds:
    """The bounds of a payload: a mapping with `west`, `south`, `east`, `north`.

    Raises:
        ValueError: They are none.
    """
    sides = record(value, "A map's bounds")
    return Bounds(
        west=checked_lon(sides.get("west")),
        south=checked_lat(sides.get("south")),
        east=checked_lon(sides.get("east")),
        north=checked_lat(sides.get("north")),
        padding_px=finite(sides.get("padding_px", PADDING_PX), "The padding"),
    )


def fitted(
    bounds: Bounds, width_px: float = NOMINAL_WIDTH_PX, height_px: float = NOMINAL_HEIGHT_PX
) -> tuple[float, float, float]:
    """Longitude, latitude and zoom level at which a map of this size shows the bounds whole."""
    top, bottom = unit_y(bounds.north), unit_y(bounds.south)
    across = _level(width_px, bounds.padding_px, bounds.span / 360)
    down = _level(height_px, bounds.padding_px, bottom - top)
    zoom = max(0.0, min(CLOSEST, across, down))
    lon = wrapped(bounds.west + bounds.span / 2)
    return round(lon, 6), round(lat_at((top + bottom) / 2), 6), math.floor(zoom * 100) / 100


def hull(points: Iterable[tuple[float, float]]) -> Bounds | None:
    """The narrowest bounds around points, across 180° where that is shorter; `None`: no points."""
    places = [(wrapped(lon), lat) for lon, lat in points]
    if not places:
        return None
    lons = sorted({lon for lon, _ in places})
    following = [*lons[1:], lons[0] + 360]
    gaps = [after - lon for lon, after in zip(lons, following, strict=True)]
    widest = gaps.index(max(gaps))
    lats = [lat for _, lat in places]
    east, west = lons[widest], lons[(widest + 1) % len(lons)]
    return Bounds(west=west, south=min(lats), east=east, north=max(lats))


def _level(room_px: float, padding_px: float, part: float) -> float:
    """The zoom level at which a part of the world fills a room."""
    room = max(room_px - 2 * padding_px, room_px / 4)
    return math.inf if part <= 0 else math.log2(room / (256 * part))
