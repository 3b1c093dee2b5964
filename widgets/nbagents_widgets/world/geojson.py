"""GeoJSON that anybody wrote, checked and brought to one form: a collection of plain features.

Source: RFC 7946.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from nbagents_widgets.world.checks import a_list, plain, record

POINTS_MOST: Final = 50_000
"""Points of one layer: about a megabyte, and as much as a page draws while it is dragged."""

LON_MOST: Final = 360
"""A line across the date line may go on beyond 180°."""

PROPERTIES_MOST: Final = 20
TEXT_MOST: Final = 200

NOTHING: Final = {"type": "GeometryCollection", "geometries": ()}
"""A feature may be nowhere."""

DEPTHS: Final = {
    "Point": 0,
    "MultiPoint": 1,
    "LineString": 1,
    "MultiLineString": 2,
    "Polygon": 2,
    "MultiPolygon": 3,
}
"""How deep the positions of each geometry lie."""

Collection: TypeAlias = dict[str, Any]  # a FeatureCollection, as JSON
Position: TypeAlias = list[float]


def collected(value: object) -> Collection:
    """A `FeatureCollection` of what was given: longitude and latitude only, six decimals.

    Args:
        value: A feature collection, a feature or a geometry, as a mapping, as its JSON, or as
            anything with a `__geo_interface__`, such as shapely's geometries and GeoDataFrames.

    Raises:
        ValueError: It is no GeoJSON in degrees WGS 84, holds nothing to draw, or too much.
    """
    features = list(_features(_mapping(value), {}))
    if not features:
        raise ValueError("The GeoJSON holds no geometry: there is nothing to draw.")
    count = sum(1 for feature in features for _ in positions(feature["geometry"]["coordinates"]))
    if count > POINTS_MOST:
        raise ValueError(
            f"The GeoJSON has {count:,} points, and a layer takes {POINTS_MOST:,}. "
            "Simplify it first, e.g. with GeoSeries.simplify, or take a part of it."
        )
    return {"type": "FeatureCollection", "features": features}


def positions(coordinates: Any) -> Iterator[Position]:  # Any: nested lists, as deep as they come
    """Every position of a geometry's checked coordinates."""
    if coordinates and not isinstance(coordinates[0], list):
        yield coordinates
        return
    for part in coordinates:
        yield from positions(part)


def _mapping(value: object) -> Mapping[str, Any]:
    given = getattr(value, "__geo_interface__", value)
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError as error:
            raise ValueError(f"The GeoJSON is no valid JSON: {error}.") from error
    return record(given, "GeoJSON")


def _features(value: Mapping[str, Any], properties: Mapping[str, Any]) -> Iterator[Collection]:
    kind = value.get("type")
    if kind == "FeatureCollection":
        for one in a_list(value.get("features"), "The features of a FeatureCollection"):
            yield from _features(record(one, "A feature"), {})
    elif kind == "Feature":
        own = _kept(value.get("properties") or {})
        yield from _features(record(value.get("geometry") or NOTHING, "A geometry"), own)
    elif kind == "GeometryCollection":
        for one in a_list(value.get("geometries"), "The geometries of a GeometryCollection"):
            yield from _features(record(one, "A geometry"), properties)
    else:
        coordinates = _coordinates(value, kind)
        if coordinates:
            geometry = {"type": kind, "coordinates": coordinates}
            yield {"type": "Feature", "geometry": geometry, "properties": dict(properties)}


def _coordinates(geometry: Mapping[str, Any], kind: object) -> list[Any]:
    if not isinstance(kind, str) or kind not in DEPTHS:
        kinds = ", ".join(("FeatureCollection", "Feature", *DEPTHS))
        raise ValueError(f"GeoJSON has a type, one of {kinds}; {kind!r} is none.")
    return _nested(geometry.get("coordinates"), DEPTHS[kind], kind)


def _nested(value: object, depth: int, kind: str) -> list[Any]:
    parts = a_list(value, f"The coordinates of a {kind}")
    if depth == 0:
        return _position(parts, kind)
    return [_nested(part, depth - 1, kind) for part in parts]


def _position(parts: Any, kind: str) -> Position:  # Any: JSON
    numbers = list(parts[:2])
    sound = all(isinstance(one, int | float) and math.isfinite(one) for one in numbers)
    if len(numbers) != 2 or not sound:  # longitude and latitude
        raise ValueError(f"A position of a {kind} is [longitude, latitude], not {list(parts)!r}.")
    lon, lat = numbers
    if abs(lon) > LON_MOST or abs(lat) > 90:  # a pole
        msg = f"[{lon:g}, {lat:g}] in a {kind} is no longitude and latitude in degrees."
        hint = (
            " GeoJSON writes the longitude first."
            if abs(lat) <= LON_MOST and abs(lon) <= 90  # a pole
            else " Bring it to WGS 84 first, e.g. with GeoDataFrame.to_crs(4326)."
        )
        raise ValueError(msg + hint)
    return [plain(round(float(lon), 6)), plain(round(float(lat), 6))]


def _kept(properties: object) -> dict[str, Any]:
    """The properties that a popup can show: texts, numbers, yes and no."""
    known = record(properties, "A feature's properties")
    shown = {
        str(key)[:TEXT_MOST]: value[:TEXT_MOST] if isinstance(value, str) else value
        for key, value in known.items()
        if isinstance(value, str | bool | int)
        or (isinstance(value, float) and math.isfinite(value))
    }
    return dict(list(shown.items())[:PROPERTIES_MOST])
