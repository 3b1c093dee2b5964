"""Where things are on the earth: coordinates, the projection, bounds, coastlines, and GeoJSON."""

from nbagents_widgets.world.borders import CountryBox, Shape, atlas, country_boxes, shaped, unrolled
from nbagents_widgets.world.bounds import Bounds, bounds_of, fitted, hull
from nbagents_widgets.world.checks import (
    a_list,
    check_fields,
    checked_lat,
    checked_lon,
    checked_zoom,
    plain,
    record,
)
from nbagents_widgets.world.clip import Box, clipped_line, clipped_ring, simplified
from nbagents_widgets.world.geojson import Collection, collected, positions
from nbagents_widgets.world.mercator import (
    LAT_LIMIT,
    ZOOM_LIMIT,
    lat_at,
    near_lon,
    unit_x,
    unit_y,
    world_px,
    wrapped,
)
from nbagents_widgets.world.names import Name, NameKind, world_names

__all__ = [
    "LAT_LIMIT",
    "ZOOM_LIMIT",
    "Bounds",
    "Box",
    "Collection",
    "CountryBox",
    "Name",
    "NameKind",
    "Shape",
    "a_list",
    "atlas",
    "bounds_of",
    "check_fields",
    "checked_lat",
    "checked_lon",
    "checked_zoom",
    "clipped_line",
    "clipped_ring",
    "collected",
    "country_boxes",
    "fitted",
    "hull",
    "lat_at",
    "near_lon",
    "plain",
    "positions",
    "record",
    "shaped",
    "simplified",
    "unit_x",
    "unit_y",
    "unrolled",
    "world_names",
    "world_px",
    "wrapped",
]
