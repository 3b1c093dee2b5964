"""Layers in the still picture: drawn where they are, safe, and small."""

from __future__ import annotations

import math
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from nbagents_widgets.map_picture.picture import map_picture, picture_uri

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*layers: object, lon: float = 0, lat: float = 0, zoom: float = 4) -> ET.Element:
    value = {"center": {"lon": lon, "lat": lat}, "zoom": zoom, "layers": layers}
    return ET.fromstring(map_picture(value))


def of(kind: str, coordinates: object, **more: object) -> dict[str, object]:
    return {"geojson": {"type": kind, "coordinates": coordinates}, "color": "red", **more}


def red(root: ET.Element, name: str) -> list[ET.Element]:
    colors = {"#e03131"}
    legend = {one for group in root.iter(SVG + "g") if group.get("class") for one in group.iter()}
    drawn = (one for one in root.iter(SVG + name) if one not in legend)
    return [one for one in drawn if {one.get("fill"), one.get("stroke")} & colors]


def test_a_point_stands_where_it_is() -> None:
    (dot,) = red(drawn(of("Point", [0, 0])), "circle")
    assert (dot.get("cx"), dot.get("cy")) == ("320.0", "160.0")


def test_lines_and_areas_are_paths_in_their_colour() -> None:
    ring = [[-1, -1], [1, -1], [1, 1], [-1, -1]]
    line, area = red(
        drawn(of("LineString", [[-5, 0], [5, 0]], name="a"), of("Polygon", [ring], name="b")),
        "path",
    )
    assert (line.get("fill"), line.get("d")) == ("none", "M526,320l228,0")
    assert area.get("fill-opacity") == ".25"
    assert (area.get("d") or "").endswith("z")


def test_a_line_over_the_date_line_is_drawn_on_the_side_that_is_seen() -> None:
    (line,) = red(drawn(of("LineString", [[170, 0], [-170, 0]]), lon=180), "path")
    assert line.get("d") == "M412,320l456,0"


def test_what_is_out_of_sight_is_left_out() -> None:
    root = drawn(of("Point", [90, 0]), of("LineString", [[90, 0], [91, 1]], name="b"))
    assert red(root, "circle") == red(root, "path") == []


@pytest.mark.medium
def test_a_layer_with_too_much_to_save_is_drawn_coarsely_or_in_part_and_it_is_said() -> None:
    def circle(number: int) -> dict[str, Any]:
        middle, steps = (number % 60 - 30) / 2, range(60)
        points = [
            [middle + math.cos(step / 9), number / 20 - 8 + math.sin(step / 9)] for step in steps
        ]
        return {"type": "LineString", "coordinates": points}

    many = {"type": "GeometryCollection", "geometries": [circle(one) for one in range(300)]}
    root = drawn({"geojson": many, "color": "red"}, zoom=5)
    said = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert any("shapes drawn · Natural Earth" in text for text in said)
    assert len(picture_uri(ET.tostring(root, encoding="unicode"))) < 60_000


@pytest.mark.medium
def test_a_long_line_is_simplified_rather_than_left_out() -> None:
    points = [[math.sin(step / 700) * 8, step / 5000 - 5] for step in range(40_000)]
    (line,) = red(drawn(of("LineString", points)), "path")
    assert len(line.get("d") or "") < 8_000
