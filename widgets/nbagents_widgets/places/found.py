"""A place that was found, and how far it is from here to there."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from nbagents_widgets.world import Bounds, plain

KM_PER_DEGREE: Final = 111.2

PlaceKind: TypeAlias = Literal["city", "state", "country", "continent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A city, a US state, a country or a continent; degrees WGS 84."""

    name: str
    kind: PlaceKind
    country: str
    """Its name; of a continent nothing."""
    region: str = ""
    """The US state of a city."""
    lon: float
    lat: float
    population: int
    """0 where it is not known."""
    bounds: Bounds | None = None
    """Where it lies, as far as that is known."""

    def payload(self) -> dict[str, Any]:
        """As a model reads it."""
        named = {"name": self.name, "kind": self.kind, "country": self.country}
        place = {"lon": plain(round(self.lon, 5)), "lat": plain(round(self.lat, 5))}
        more: dict[str, Any] = {"region": self.region, "population": self.population}
        if self.bounds is not None:
            sides = ("west", "south", "east", "north")
            more["bounds"] = {side: plain(getattr(self.bounds, side)) for side in sides}
        return {**named, **place, **{name: value for name, value in more.items() if value}}


def distance_km(lon: float, lat: float, to_lon: float, to_lat: float) -> float:
    """The way from one place to another, good to a percent.

    Source: R. W. Sinnott, Virtues of the Haversine, Sky and Telescope 68 (1984).
    """
    up, down = math.radians(lat), math.radians(to_lat)
    half = math.sin((down - up) / 2) ** 2
    half += math.cos(up) * math.cos(down) * math.sin(math.radians(to_lon - lon) / 2) ** 2
    return KM_PER_DEGREE * math.degrees(2 * math.asin(min(1.0, math.sqrt(half))))
