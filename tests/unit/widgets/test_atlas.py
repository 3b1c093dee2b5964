"""The atlas that Python reads is the page's, and a map of it has land where land is."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from nbagents_widgets.world.borders import ATLAS_FILE, Atlas, Shape, atlas, unit_x, unit_y
from nbagents_widgets.world.clip import Box, clipped_line, clipped_ring, simplified

CASES = json.loads(
    (Path(__file__).parents[2] / "fixtures/map/cases.json").read_text(encoding="utf-8")
)


def is_land(world: Atlas, lon: float, lat: float) -> bool:
    x, y = unit_x(lon), unit_y(lat)
    return sum(crossings(shape, x, y) for shape in world.land) % 2 == 1


def crossings(shape: Shape, x: float, y: float) -> int:
    """How many edges of a ring a ray to the east crosses."""
    count = 0
    for (ax, ay), (bx, by) in zip(shape.points, shape.points[1:], strict=False):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            count += 1
    return count


@pytest.mark.parametrize(
    ("lon", "lat", "land"),
    [
        pytest.param(2.35, 48.86, True, id="Paris"),
        pytest.param(36.8, -1.3, True, id="Nairobi"),
        pytest.param(-40, 30, False, id="the Atlantic"),
        pytest.param(51, 41, False, id="the Caspian"),
        pytest.param(179.5, 68, True, id="Chukotka, west of the date line"),
    ],
)
def test_land_is_where_land_is(lon: float, lat: float, *, land: bool) -> None:
    assert is_land(atlas(), lon, lat) is land


def test_chukotka_goes_on_past_the_date_line() -> None:
    assert max(shape.right for shape in atlas().land) > unit_x(185)


def test_antarctica_closes_along_the_bottom_a_little_over_a_turn() -> None:
    (area,) = atlas().polar_areas
    (coast,) = atlas().polar_coasts
    assert area.bottom == pytest.approx(1.0)
    assert area.right - area.left > 1
    assert coast.right - coast.left == pytest.approx(1.0)


def test_no_line_jumps_across_the_world() -> None:
    world = atlas()
    for shape in (*world.land, *world.polar_coasts, *world.borders):
        xs = [x for x, _ in shape.points]
        assert max(abs(b - a) for a, b in itertools.pairwise(xs)) < 0.5


def test_borders_are_the_arcs_that_two_countries_share() -> None:
    """As many points as topojson's own mesh has: nothing is drawn twice, nothing is left out."""
    topology = json.loads(ATLAS_FILE.read_text(encoding="utf-8"))
    owners: dict[int, set[int]] = {}
    for number, country in enumerate(topology["objects"]["countries"]["geometries"]):
        for arc in _flat(country["arcs"]):
            owners.setdefault(arc if arc >= 0 else ~arc, set()).add(number)
    shared = [arc for arc, who in owners.items() if len(who) == 2]
    segments = sum(len(topology["arcs"][arc]) - 1 for arc in shared)
    assert sum(len(border.points) - 1 for border in atlas().borders) == segments
    assert len(atlas().borders) < len(shared) / 1.5, "arcs that meet are one line"


def test_the_atlas_is_decoded_once() -> None:
    assert atlas() is atlas()


@pytest.mark.parametrize("case", CASES["unit"])
def test_projection_is_the_pages(case: dict[str, float]) -> None:
    assert unit_x(case["lon"]) == pytest.approx(case["x"])
    assert unit_y(case["lat"]) == pytest.approx(case["y"], abs=1e-9)


BOX = Box(left=0, top=0, right=10, bottom=10)


def test_a_ring_is_cut_along_the_edges_of_the_box() -> None:
    assert clipped_ring([(-5, -5), (5, -5), (5, 5), (-5, 5)], BOX) == [
        (0, 0),
        (5, 0),
        (5, 5),
        (0, 5),
    ]


def test_a_ring_around_the_box_becomes_the_box_and_one_beside_it_nothing() -> None:
    around = [(-5.0, -5.0), (15.0, -5.0), (15.0, 15.0), (-5.0, 15.0)]
    assert sorted(clipped_ring(around, BOX)) == [(0, 0), (0, 10), (10, 0), (10, 10)]
    assert clipped_ring([(20, 20), (30, 20), (30, 30)], BOX) == []


def test_a_line_is_cut_into_the_pieces_that_are_seen() -> None:
    line = [(-5.0, 5.0), (5.0, 5.0), (15.0, 5.0), (15.0, 8.0), (5.0, 8.0)]
    assert clipped_line(line, BOX) == [[(0, 5), (5, 5), (10, 5)], [(10, 8), (5, 8)]]


def test_simplifying_keeps_corners_and_drops_what_lies_between() -> None:
    line = [(0.0, 0.0), (5.0, 0.2), (10.0, 0.0), (10.0, 10.0)]
    assert simplified(line, 0.5) == [(0, 0), (10, 0), (10, 10)]
    assert simplified(line, 0.1) == line


def test_simplifying_a_ring_that_ends_where_it_starts_keeps_it_open() -> None:
    ring = [(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0), (0.0, 0.0)]
    assert simplified(ring, 1.0) == ring


def _flat(arcs: list[object]) -> list[int]:
    found: list[int] = []
    for one in arcs:
        if isinstance(one, int):
            found.append(one)
        elif isinstance(one, list):
            found.extend(_flat(one))  # pyright: ignore[reportUnknownArgumentType]  nested lists of numbers
    return found
