"""The world as a square: Web Mercator, zoom levels, and longitudes that go round."""

from __future__ import annotations

import math
from typing import Final

LAT_LIMIT: Final = 85.0511287798
"""Where Web Mercator ends, so that the world is a square. Source: EPSG:3857."""

ZOOM_LIMIT: Final = 18
"""Leaflet's levels: 0 shows the world in 256 px, each further level doubles it."""


def world_px(zoom: float) -> float:
    """How many pixels the world is wide."""
    return 256.0 * 2.0**zoom


def unit_x(lon: float) -> float:
    """Longitude on the world taken as 0 to 1, west to east."""
    return (lon + 180.0) / 360.0


def unit_y(lat: float) -> float:
    """Latitude on the world taken as 0 to 1, north to south."""
    sine = math.sin(math.radians(max(-LAT_LIMIT, min(LAT_LIMIT, lat))))
    return 0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)


def lat_at(y: float) -> float:
    """The latitude at a height of the unit world, 0 to 1."""
    return math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * max(0.0, min(1.0, y))))))


def near_lon(lon: float, to: float) -> float:
    """The copy of a meridian that is nearest to another: maps go round."""
    return lon + 360 * math.floor((to - lon) / 360 + 0.5)


def wrapped(lon: float) -> float:
    """The same meridian in [-180, 180); 180 itself stays, since people write it."""
    return lon if -180 <= lon <= 180 else (lon + 180) % 360 - 180  # half a turn
