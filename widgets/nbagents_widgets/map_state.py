"""What a map shows: position, pins, title; the arithmetic and the words of positions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, cast

__all__ = [
    "LAT_LIMIT",
    "ZOOM_LIMIT",
    "MapState",
    "MovedBy",
    "Pin",
    "describe",
    "lat_words",
    "lon_words",
    "map_state_of",
    "world_px",
]

LAT_LIMIT: Final = 85.0511287798
"""Where Web Mercator ends, so that the world is a square. Source: EPSG:3857."""

ZOOM_LIMIT: Final = 18
"""Leaflet's levels: 0 shows the world in 256 px, each further level doubles it."""

LABEL_MOST: Final = 500

MovedBy = Literal["user", "python"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """A marked place: degrees WGS 84, and a text of one line."""

    lon: float
    lat: float
    label: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "lon", checked_lon(self.lon))
        object.__setattr__(self, "lat", checked_lat(self.lat))
        if not isinstance(self.label, str):  # pyright: ignore[reportUnnecessaryIsInstance]  a notebook does not check types
            msg = f"A pin's label is a text, not {type(self.label).__name__}."
            raise TypeError(msg)

    def payload(self) -> dict[str, float | str]:
        """As it crosses to the page."""
        return {"lon": _plain(self.lon), "lat": _plain(self.lat), "label": self.label}


@dataclass(frozen=True, slots=True, kw_only=True)
class MapState:
    """All that a map shows. Degrees WGS 84; every change gives a new state.

    Raises:
        ValueError: A coordinate or the zoom level is out of range or no finite number.
    """

    lon: float = 10.0
    lat: float = 30.0
    zoom: float = 2.0
    pins: tuple[Pin, ...] = ()
    title: str = ""
    seq: int = 0
    """How many commands have moved the map: a page carries out each one once."""
    moved_by: MovedBy = "python"

    def __post_init__(self) -> None:
        object.__setattr__(self, "lon", checked_lon(self.lon))
        object.__setattr__(self, "lat", checked_lat(self.lat))
        object.__setattr__(self, "zoom", checked_zoom(self.zoom))

    def centred(self, lon: float, lat: float, zoom: float | None = None) -> MapState:
        """Commanded to a place; `zoom=None` keeps the level."""
        level = self.zoom if zoom is None else zoom
        return replace(self, lon=lon, lat=lat, zoom=level, seq=self.seq + 1, moved_by="python")

    def zoomed(self, zoom: float) -> MapState:
        """Commanded to a zoom level, where it is."""
        return self.centred(self.lon, self.lat, zoom)

    def moved(self, lon: float, lat: float, zoom: float) -> MapState:
        """Moved by the user: no command, so nothing is sent back to the page."""
        return replace(self, lon=lon, lat=lat, zoom=zoom, moved_by="user")

    def pinned(self, pin: Pin) -> MapState:
        """With one more pin; one at the very same place is replaced."""
        others = (old for old in self.pins if (old.lon, old.lat) != (pin.lon, pin.lat))
        return replace(self, pins=(*others, pin))

    def center(self) -> dict[str, float | str]:
        """Where it is, how close, and who moved it last."""
        return {
            "lon": _plain(self.lon),
            "lat": _plain(self.lat),
            "zoom": _plain(self.zoom),
            "moved_by": self.moved_by,
        }

    def payload(self) -> dict[str, object]:
        """The value of a payload of kind `map`: the whole state."""
        return {
            "center": {"lon": _plain(self.lon), "lat": _plain(self.lat)},
            "zoom": _plain(self.zoom),
            "pins": [pin.payload() for pin in self.pins],
            "title": self.title,
            "seq": self.seq,
        }


def map_state_of(value: object, before: MapState | None = None) -> MapState:
    """The state that a payload of kind `map` asks for, over the one before it.

    Args:
        value: A mapping with any of `center` (`lon`, `lat`), `zoom`, `pins`, `title`; what is
            absent keeps its value.
        before: What the map showed; `None` is a new map.

    Raises:
        ValueError: The value is no mapping, or a coordinate is out of range.
    """
    state = before or MapState()
    record = _record(value, "A map's payload")
    center = _record(record.get("center") or {}, "A map's center")
    changes: dict[str, object] = {key: center[key] for key in ("lon", "lat") if key in center}
    if record.get("zoom") is not None:
        changes["zoom"] = record["zoom"]
    if isinstance(title := record.get("title"), str):
        changes["title"] = title
    if record.get("pins") is not None:
        changes["pins"] = _pins_of(record["pins"])
    return replace(state, **changes)  # pyright: ignore[reportArgumentType]  the state checks its fields


def describe(state: MapState) -> str:
    """The map in a sentence: `Map at 10.75° E, 59.91° N, zoom 9, 1 pin`."""
    decimals = 4 if state.zoom > 10 else 2  # noqa: PLR2004  from there 0.01° is over 10 px
    where = f"{lon_words(state.lon, decimals)}, {lat_words(state.lat, decimals)}"
    pins = f", {len(state.pins)} pin{'s' * (len(state.pins) != 1)}" if state.pins else ""
    name = f"{state.title}: map" if state.title else "Map"
    return f"{name} at {where}, zoom {_trimmed(state.zoom, 2)}{pins}"


def lon_words(lon: float, decimals: int = 2) -> str:
    """`10.75° E`, without zeros that say nothing."""
    shown = _trimmed(abs(lon), decimals)
    side = "" if shown in {"0", "180"} else " W" if lon < 0 else " E"
    return f"{shown}°{side}"


def lat_words(lat: float, decimals: int = 2) -> str:
    """`59.91° N`, without zeros that say nothing."""
    shown = _trimmed(abs(lat), decimals)
    side = "" if shown == "0" else " S" if lat < 0 else " N"
    return f"{shown}°{side}"


def world_px(zoom: float) -> float:
    """How many pixels the world is wide."""
    return 256.0 * 2.0**zoom


def checked_lon(lon: object) -> float:
    """A longitude in [-180, 180], or a `ValueError` in words."""
    return _checked(lon, "longitude", 180, "degrees east (negative: west)")


def checked_lat(lat: object) -> float:
    """A latitude in [-90, 90], or a `ValueError` in words."""
    return _checked(lat, "latitude", 90, "degrees north (negative: south)")


def checked_zoom(zoom: object) -> float:
    """A zoom level in [0, 18], or a `ValueError` in words."""
    level = _finite(zoom, "The zoom level")
    if not 0 <= level <= ZOOM_LIMIT:
        between = f"between 0 (the world) and {ZOOM_LIMIT} (a house)"
        raise ValueError(f"The zoom level must be {between}, not {level:g}.")
    return level


def _checked(value: object, name: str, limit: int, unit: str) -> float:
    number = _finite(value, f"The {name}")
    if abs(number) > limit:
        msg = f"The {name} must be between -{limit} and {limit} {unit}, not {number:g}."
        if name == "latitude":
            msg += " Note the order: longitude first, then latitude."
        raise ValueError(msg)
    return number


def _finite(value: object, name: str) -> float:
    try:
        number = math.nan if isinstance(value, bool | str) else float(value)  # pyright: ignore[reportArgumentType]
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        msg = f"{name} must be a finite number, not {value!r}."
        raise ValueError(msg)
    return number


def _record(value: object, name: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        msg = f"{name} is a mapping, not {type(value).__name__}."
        raise ValueError(msg)  # noqa: TRY004  it is a value that came in a payload
    return value  # pyright: ignore[reportUnknownVariableType]  JSON has text keys


def _pins_of(value: object) -> tuple[Pin, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise ValueError("A map's pins are a list.")  # noqa: TRY004  as above
    records = [_record(one, "A pin") for one in cast("Sequence[object]", value)]
    return tuple(
        Pin(
            lon=checked_lon(one.get("lon")),
            lat=checked_lat(one.get("lat")),
            label=str(one.get("label") or "")[:LABEL_MOST],
        )
        for one in records
    )


def _plain(number: float) -> float:
    """9 instead of 9.0, as JavaScript and people write it."""
    return int(number) if number.is_integer() else number


def _trimmed(value: float, decimals: int) -> str:
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
