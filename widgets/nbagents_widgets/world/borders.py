"""The world's land and borders, from the one atlas file that the page reads too."""

from __future__ import annotations

import functools
import json
from collections import defaultdict
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, NotRequired, TypeAlias, TypedDict

from nbagents_widgets.world.mercator import unit_x, unit_y

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

ATLAS_FILE: Final = Path(__file__).with_name("atlas.json")
"""Natural Earth 1:110 million, public domain, as packed by world-atlas."""

Point: TypeAlias = tuple[float, float]
Line: TypeAlias = list[Point]
CountryBox: TypeAlias = tuple[float, float, float, float]
"""West, south, east, north; past 180° where a part of the world crosses it."""


class _Geometry(TypedDict):
    type: str
    id: NotRequired[str]
    arcs: list[list[int]] | list[list[list[int]]]


class _Collection(TypedDict):
    geometries: list[_Geometry]


class _Transform(TypedDict):
    scale: tuple[float, float]
    translate: tuple[float, float]


class _Topology(TypedDict):
    arcs: list[list[tuple[int, int]]]
    transform: _Transform
    objects: dict[str, _Collection]


@dataclass(frozen=True, slots=True)
class Shape:
    """A ring or line on the world taken as a unit square; it may reach past the sides."""

    points: tuple[Point, ...]
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Atlas:
    """What the basemap is drawn from."""

    land: tuple[Shape, ...]
    """Coastlines that close: islands, continents, and the Caspian as a hole."""
    polar_areas: tuple[Shape, ...]
    """Land that goes round a pole, closed along the bottom of the map."""
    polar_coasts: tuple[Shape, ...]
    """The coastlines of those, open."""
    borders: tuple[Shape, ...]


@functools.cache
def atlas() -> Atlas:
    """The atlas, decoded when it is first needed."""
    topology, arcs = _read()
    land = topology["objects"]["land"]["geometries"]
    countries = topology["objects"]["countries"]["geometries"]
    rings = [unrolled(_joined(ring, arcs)) for one in land for ring in _rings(one)]
    round_the_pole = [ring for ring in rings if _goes_round(ring)]
    return Atlas(
        land=tuple(shaped(ring) for ring in rings if not _goes_round(ring)),
        polar_areas=tuple(shaped(_closed_at_the_pole(ring)) for ring in round_the_pole),
        polar_coasts=tuple(shaped(ring) for ring in round_the_pole),
        borders=tuple(shaped(unrolled(line)) for line in _chained(arcs, _shared_arcs(countries))),
    )


@functools.cache
def country_boxes() -> dict[int, list[CountryBox]]:
    """The number of a country in ISO 3166 to where each of its parts lies."""
    topology, arcs = _read()
    boxes: dict[int, list[CountryBox]] = {}
    for one in topology["objects"]["countries"]["geometries"]:
        lines = (unrolled(_joined(ring, arcs)) for ring in _rings(one))
        if "id" in one:
            boxes[int(one["id"])] = [_box(line) for line in lines]
    return boxes


def _read() -> tuple[_Topology, list[Line]]:
    topology: _Topology = json.loads(ATLAS_FILE.read_text(encoding="utf-8"))
    return topology, [list(_decoded(arc, topology["transform"])) for arc in topology["arcs"]]


def _box(line: Line) -> CountryBox:
    lons, lats = [lon for lon, _ in line], [lat for _, lat in line]
    return min(lons), min(lats), max(lons), max(lats)


def _decoded(arc: Iterable[tuple[int, int]], transform: _Transform) -> Iterator[Point]:
    """Source: the TopoJSON format, 2.1.4 (quantised, delta-encoded arcs)."""
    (scale_x, scale_y), (from_x, from_y) = transform["scale"], transform["translate"]
    x = y = 0
    for dx, dy in arc:
        x, y = x + dx, y + dy
        yield x * scale_x + from_x, y * scale_y + from_y


def _rings(geometry: _Geometry) -> Iterator[list[int]]:
    if geometry["type"] == "Polygon":
        yield from geometry["arcs"]  # pyright: ignore[reportReturnType]  the type says which
    else:
        yield from chain.from_iterable(geometry["arcs"])  # pyright: ignore[reportReturnType,reportArgumentType]


def _joined(ring: Sequence[int], arcs: Sequence[Line]) -> Line:
    """The arcs of a ring, end to end; `~n` is arc n backwards."""
    line: Line = []
    for index in ring:
        arc = arcs[index] if index >= 0 else arcs[~index][::-1]
        line.extend(arc[1:] if line else arc)
    return line


def _shared_arcs(countries: Iterable[_Geometry]) -> list[int]:
    owners: defaultdict[int, set[int]] = defaultdict(set)
    for number, country in enumerate(countries):
        for index in chain.from_iterable(_rings(country)):
            owners[index if index >= 0 else ~index].add(number)
    return sorted(arc for arc, who in owners.items() if len(who) > 1)


def _chained(arcs: Sequence[Line], indices: Iterable[int]) -> list[Line]:
    """The arcs end to end where they meet: fewer, longer lines draw the same in fewer words."""
    chains: list[Line] = []
    left = {index: arcs[index] for index in indices}
    while left:
        chain = list(left.pop(next(iter(left))))
        while (more := _continuation(chain[-1], left)) is not None:
            chain.extend(more[1:])
        chains.append(chain)
    return chains


def _continuation(end: Point, left: dict[int, Line]) -> Line | None:
    for index, arc in left.items():
        if arc[0] == end:
            return left.pop(index)
        if arc[-1] == end:
            return left.pop(index)[::-1]
    return None


def unrolled(line: Iterable[Sequence[float]]) -> Line:
    """Without jumps: lines may cross the date line, from 180 to -180."""
    smooth: Line = []
    turns, before = 0, None
    for lon, lat in line:
        turns += 0 if before is None else round((before - lon) / 360)
        before = lon
        smooth.append((lon + 360 * turns, lat))
    return smooth


def _goes_round(ring: Line) -> bool:
    return abs(ring[-1][0] - ring[0][0]) > 180  # half a turn


def _closed_at_the_pole(ring: Line) -> Line:
    """Closed below the map, and a little longer than a turn, so that no seam shows."""
    turn = ring[-1][0] - ring[0][0]
    more = [(lon + turn, lat) for lon, lat in ring[1:3]]
    return [*ring, *more, (more[-1][0], -90.0), (ring[0][0], -90.0)]


def shaped(line: Line) -> Shape:
    """A line of longitudes and latitudes on the unit square."""
    points = tuple((unit_x(lon), unit_y(lat)) for lon, lat in line)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Shape(points, min(xs), min(ys), max(xs), max(ys))
