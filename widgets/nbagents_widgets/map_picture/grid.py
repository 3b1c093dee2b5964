"""What helps to read a map: the view, round meridians, a scale, a small map in a corner."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from nbagents_widgets.map_state import MapState, lat_words, lon_words
from nbagents_widgets.world import LAT_LIMIT, Box, lat_at, unit_x, unit_y, world_px

STEPS_DEG: Final = (60, 30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
APART_PX: Final = 110
EQUATOR_M: Final = 40_075_016.686
FLATNESS: Final = 0.006_694_379_990_14
"""The equator, and how much the earth is flattened: e². Source: WGS 84."""

TRUE_FROM_ZOOM: Final = 4
"""From this zoom level on a scale is true enough over the whole view."""

INSET_FROM_ZOOM: Final = 5.5
INSET_ZOOM: Final = 2
INSET_WIDTH_PX: Final = 112
INSET_HEIGHT_PX: Final = 76
INSET_FLOOR_PX: Final = 26
INSET_MARGIN_PX: Final = 9
LEAST_MARK_PX: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The part of the world that is seen, in pixels from the date line and from 85.05° N."""

    left: float
    top: float
    width: float
    height: float
    zoom: float

    @property
    def world(self) -> float:
        """How many pixels the world is wide."""
        return world_px(self.zoom)


@dataclass(frozen=True, slots=True)
class GridLine:
    """A meridian or parallel: its pixel from the view's left or top, and its name."""

    px: float
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Inset:
    """A small map of the region, and the large map's view in it."""

    x: float
    y: float
    view: View
    mark: Box


def view_of(state: MapState, width_px: float, height_px: float) -> View:
    """The view of that size with the state's position in its middle."""
    world = world_px(state.zoom)
    return View(
        left=unit_x(state.lon) * world - width_px / 2,
        top=unit_y(state.lat) * world - height_px / 2,
        width=width_px,
        height=height_px,
        zoom=state.zoom,
    )


def grid_step(zoom: float) -> float:
    """The finest of the round steps that keeps meridians at least 110 px apart, in degrees."""
    px_per_degree = world_px(zoom) / 360
    return min((step for step in STEPS_DEG if step * px_per_degree >= APART_PX), default=60)


def meridians(view: View) -> list[GridLine]:
    """The meridians in view, west to east."""
    west = view.left / view.world * 360 - 180
    east = (view.left + view.width) / view.world * 360 - 180
    return [
        GridLine(unit_x(lon) * view.world - view.left, lon_words(lon - 360 * _turns(lon), 3))
        for lon in _multiples(west, east, grid_step(view.zoom))
    ]


def parallels(view: View) -> list[GridLine]:
    """The parallels in view, south to north."""
    north = lat_at(view.top / view.world)
    south = lat_at((view.top + view.height) / view.world)
    return [
        GridLine(unit_y(lat) * view.world - view.top, lat_words(lat, 3))
        for lat in _multiples(south, north, grid_step(view.zoom))
        if abs(lat) < LAT_LIMIT
    ]


def scale_bar(state: MapState, most_px: float = 100) -> tuple[float, float]:
    """A round length in metres along the parallel in the middle, and its pixels."""
    metres_per_px = parallel_metres(_drawn_lat(state)) / world_px(state.zoom)
    most = metres_per_px * most_px
    power = 10.0 ** math.floor(math.log10(most))
    metres = next(step * power for step in (5, 2, 1) if step * power <= most)
    return metres, metres / metres_per_px


def parallel_metres(lat: float) -> float:
    """How long the parallel of a latitude is, on the ellipsoid."""
    sine = math.sin(math.radians(lat))
    return EQUATOR_M * math.cos(math.radians(lat)) / math.sqrt(1 - FLATNESS * sine * sine)


def scale_words(state: MapState, metres: float) -> str:
    """`50 km`; of the whole world, where that holds: `2,000 km at 30° N`."""
    whole = f"{metres / 1000:,g} km" if metres >= 1000 else f"{metres:g} m"  # metres
    return f"{whole} at {lat_words(_drawn_lat(state), 0)}" if state.zoom < TRUE_FROM_ZOOM else whole


def _drawn_lat(state: MapState) -> float:
    """The latitude in the middle: the poles themselves are not on the map."""
    return max(-LAT_LIMIT, min(LAT_LIMIT, state.lat))


def inset_of(view: View, state: MapState) -> Inset | None:
    """The small map, or `None` where it would be of no use, or in the way."""
    too_small = view.width < 3 * INSET_WIDTH_PX or view.height < 2.5 * INSET_HEIGHT_PX
    if view.zoom < INSET_FROM_ZOOM or too_small:
        return None
    shrink = 2.0 ** (INSET_ZOOM - view.zoom)
    across = max(LEAST_MARK_PX, view.width * shrink) / 2
    down = max(LEAST_MARK_PX, view.height * shrink) / 2
    middle_x, middle_y = INSET_WIDTH_PX / 2, INSET_HEIGHT_PX / 2
    region = MapState(lon=state.lon, lat=state.lat, zoom=INSET_ZOOM)
    return Inset(
        x=view.width - INSET_WIDTH_PX - INSET_MARGIN_PX,
        y=view.height - INSET_HEIGHT_PX - INSET_FLOOR_PX,
        view=view_of(region, INSET_WIDTH_PX, INSET_HEIGHT_PX),
        mark=Box(
            left=middle_x - across,
            right=middle_x + across,
            top=middle_y - down,
            bottom=middle_y + down,
        ),
    )


def _multiples(start: float, end: float, step: float) -> list[float]:
    return [at * step for at in range(math.ceil(start / step), math.floor(end / step) + 1)]


def _turns(lon: float) -> int:
    """How often a longitude goes round; half a turn is none, so that 180° stays 180°."""
    return math.floor(lon / 360 + 0.5)
