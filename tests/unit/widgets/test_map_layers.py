"""GeoJSON that anybody wrote: what is drawn of it, what is refused and in which words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from nbagents_widgets.map_state.colors import checked_color, css_color
from nbagents_widgets.map_state.layers import LAYERS_MOST, Layer, bounds_of_layers, layers_of
from nbagents_widgets.world.bounds import Bounds, bounds_of, fitted, hull
from nbagents_widgets.world.geojson import POINTS_MOST, collected

CASES = json.loads(
    (Path(__file__).parents[2] / "fixtures/map/cases.json").read_text(encoding="utf-8")
)
POINT = {"type": "Point", "coordinates": [10.123456789, 59.9, 23]}


@pytest.mark.parametrize("case", CASES["fits"], ids=lambda case: str(case["bounds"]))
def test_bounds_are_fitted_as_the_page_fits_them(case: dict[str, Any]) -> None:
    lon, lat, zoom = fitted(bounds_of(case["bounds"]), case["width"], case["height"])
    assert (lon, lat, zoom) == (case["lon"], case["lat"], case["zoom"])


@pytest.mark.parametrize(
    ("sides", "message"),
    [
        ((0, 60, 10, 50), r"South \(60\) lies north of north \(50\): exchange them"),
        ((0, 50, 200, 60), "longitude must be between -180 and 180"),
        ((0, 50, 10, 95), "latitude must be between -90 and 90"),
    ],
)
def test_bounds_that_are_none_are_refused_in_words(
    sides: tuple[float, float, float, float], message: str
) -> None:
    west, south, east, north = sides
    with pytest.raises(ValueError, match=message):
        Bounds(west=west, south=south, east=east, north=north)


def test_too_much_padding_is_refused() -> None:
    with pytest.raises(ValueError, match="padding must be between 0 and 200 px"):
        Bounds(west=0, south=0, east=1, north=1, padding_px=500)


def test_points_on_both_sides_of_the_date_line_are_near_each_other() -> None:
    around = hull([(170, -20), (-170, 10), (179, 0)])
    assert around == Bounds(west=170, south=-20, east=-170, north=10)
    assert hull([]) is None


def test_a_geometry_becomes_a_collection_with_two_coordinates_a_point() -> None:
    feature = {"type": "Feature", "geometry": POINT, "properties": {"name": "Oslo"}}
    (kept,) = collected(json.dumps(feature))["features"]
    assert kept["geometry"] == {"type": "Point", "coordinates": [10.123457, 59.9]}
    assert kept["properties"] == {"name": "Oslo"}


def test_what_has_a_geo_interface_is_geojson() -> None:
    class Shapely:
        __geo_interface__ = POINT

    assert len(collected(Shapely())["features"]) == 1


def test_collections_in_collections_come_apart_and_empty_features_go() -> None:
    inner: Any = {"type": "GeometryCollection", "geometries": [POINT, POINT]}
    features: list[Any] = [
        {"type": "Feature", "geometry": inner, "properties": {"a": 1}},
        {"type": "Feature", "geometry": None, "properties": {}},
    ]
    kept = collected({"type": "FeatureCollection", "features": features})["features"]
    assert [one["properties"] for one in kept] == [{"a": 1}, {"a": 1}]


def test_of_properties_plain_values_stay() -> None:
    properties = {"a": "x" * 300, "b": 1.5, "c": True, "d": None, "e": [1], "f": float("nan")}
    (kept,) = collected({"type": "Feature", "geometry": POINT, "properties": properties})[
        "features"
    ]
    assert kept["properties"] == {"a": "x" * 200, "b": 1.5, "c": True}


NO_GEOJSON: list[Any] = [
    ("{", "no valid JSON"),
    (3, "GeoJSON is a mapping, not int"),
    ({"type": "Map"}, "'Map' is none"),
    ({"type": "FeatureCollection", "features": []}, "nothing to draw"),
    ({"type": "Point", "coordinates": [1]}, r"\[longitude, latitude\], not \[1\]"),
    ({"type": "Point", "coordinates": ["1", 2]}, r"\[longitude, latitude\]"),
    ({"type": "Point", "coordinates": [59, 110]}, "GeoJSON writes the longitude first"),
    ({"type": "Point", "coordinates": [597000, 6640000]}, r"to_crs\(4326\)"),
    ({"type": "LineString", "coordinates": 7}, "coordinates of a LineString are a list"),
    ({"type": "LineString", "coordinates": [[0, 0]] * (POINTS_MOST + 1)}, "50,001 points"),
]


@pytest.mark.parametrize(("value", "message"), NO_GEOJSON, ids=lambda one: str(one)[:40])
def test_what_is_no_geojson_is_refused_in_words(value: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        collected(value)


@pytest.mark.parametrize("case", CASES["colors"])
def test_a_colour_is_the_pages(case: dict[str, str]) -> None:
    assert css_color(checked_color(case["color"])) == case["css"]


@pytest.mark.parametrize("color", ["url(x)", "red;x", "expression(1)", "", "#12", 3])
def test_what_is_no_colour_is_refused(color: object) -> None:
    with pytest.raises(ValueError, match="is no colour: take one of blue"):
        checked_color(color)


def test_a_layer_says_what_is_in_it() -> None:
    line = {"type": "LineString", "coordinates": [[0, 0], [1, 1]]}
    both = {"type": "GeometryCollection", "geometries": [POINT, line, POINT]}
    assert Layer.of(both, " a  name ", "red").counts() == "2 points, 1 line"
    assert Layer.of(both, " a  name ", "red").name == "a name"


def test_a_map_takes_so_many_layers() -> None:
    with pytest.raises(ValueError, match="A map takes 20 layers"):
        layers_of([{"geojson": POINT}] * (LAYERS_MOST + 1))


def test_the_bounds_of_layers_hold_all_of_them() -> None:
    layers = layers_of([{"geojson": POINT}, {"geojson": {"type": "Point", "coordinates": [-1, 2]}}])
    around = bounds_of_layers(*layers, padding_px=5)
    assert around is not None
    assert (around.west, around.south, around.north, around.padding_px) == (-1, 2, 59.9, 5)
    assert bounds_of_layers() is None
