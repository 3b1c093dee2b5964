"""What a map shows: position, pins, layers, title; and the words of positions."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from nbagents_widgets.map_state.colors import palette_color
from nbagents_widgets.map_state.layers import Layer, layered, layers_of
from nbagents_widgets.messages import is_mapping
from nbagents_widgets.world import (
    Bounds,
    a_list,
    bounds_of,
    check_fields,
    checked_lat,
    checked_lon,
    checked_zoom,
    fitted,
    plain,
    record,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

LABEL_MOST: Final = 500
NAMED_MOST: Final = 8

MovedBy = Literal["user", "python"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """A marked place: degrees WGS 84, and a text of one line."""

    lon: float
    lat: float
    label: str = ""

    def __post_init__(self) -> None:
        check_fields(self, lon=checked_lon, lat=checked_lat)
        if not isinstance(self.label, str):  # pyright: ignore[reportUnnecessaryIsInstance]  a notebook does not check types
            raise TypeError(f"A pin's label is a text, not {type(self.label).__name__}.")

    def payload(self) -> dict[str, float | str]:
        """As it crosses to the page."""
        return {"lon": plain(self.lon), "lat": plain(self.lat), "label": self.label}


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
    layers: tuple[Layer, ...] = ()
    title: str = ""
    bounds: Bounds | None = None
    """What it was commanded to show whole; place and zoom level are then those of a usual size,
    until a page says which fit its own."""
    seq: int = 0
    """How many commands have moved the map: a page carries out each one once."""
    moved_by: MovedBy = "python"

    def __post_init__(self) -> None:
        check_fields(self, lon=checked_lon, lat=checked_lat, zoom=checked_zoom)

    def centred(self, lon: float, lat: float, zoom: float | None = None) -> MapState:
        """Commanded to a place; `zoom=None` keeps the level."""
        level = self.zoom if zoom is None else zoom
        return self._commanded(lon, lat, level, None)

    def zoomed(self, zoom: float) -> MapState:
        """Commanded to a zoom level, where it is."""
        return self.centred(self.lon, self.lat, zoom)

    def fit(self, bounds: Bounds) -> MapState:
        """Commanded to show bounds whole, as closely as they allow."""
        return self._commanded(*fitted(bounds), bounds)

    def moved(self, lon: float, lat: float, zoom: float) -> MapState:
        """Moved by the user: no command, so nothing is sent back to the page."""
        return replace(self, lon=lon, lat=lat, zoom=zoom, bounds=None, moved_by="user")

    def settled(self, lon: float, lat: float, zoom: float) -> MapState:
        """Shown by a page, which has fitted the bounds to its own size."""
        return replace(self, lon=lon, lat=lat, zoom=zoom)

    def pinned(self, *pins: Pin) -> MapState:
        """With more pins; one at the very same place is replaced."""
        new = {(pin.lon, pin.lat): pin for pin in pins}
        old = (pin for pin in self.pins if (pin.lon, pin.lat) not in new)
        return replace(self, pins=(*old, *new.values()))

    def repinned(
        self, label: str, lon: float | None, lat: float | None, new_label: str | None
    ) -> MapState:
        """With a pin moved or renamed; `None` keeps what it was."""
        old = self._pin(label)
        moved = Pin(
            lon=old.lon if lon is None else lon,
            lat=old.lat if lat is None else lat,
            label=old.label if new_label is None else new_label,
        )
        return replace(self, pins=tuple(moved if pin is old else pin for pin in self.pins))

    def unpinned(self, *labels: str) -> MapState:
        """Without the pins of these labels, or without any."""
        gone = {self._pin(label).label for label in labels}
        kept = (pin for pin in self.pins if labels and pin.label not in gone)
        return replace(self, pins=tuple(kept))

    def new_layer(self, geojson: object, name: str | None, color: str | None) -> Layer:
        """A layer that is still to be added; without a name or colour it gets one."""
        known = {layer.name: layer.color for layer in self.layers}
        named = name or f"layer {len(known) + 1}"
        return Layer.of(geojson, named, color or known.get(named) or palette_color(len(known)))

    def layered(self, layer: Layer, around: Bounds | None = None) -> MapState:
        """With one more layer, and fitted around it; one of the same name is replaced."""
        state = replace(self, layers=layered(self.layers, layer))
        return state if around is None else state.fit(around)

    def without_layers(self, *names: str) -> MapState:
        """Without the layers of these names, or without any."""
        known = [layer.name for layer in self.layers]
        for name in names:
            if name not in known:
                raise ValueError(f"There is no layer {name!r}.{_hint(name, known, 'The map has')}")
        kept = (layer for layer in self.layers if names and layer.name not in names)
        return replace(self, layers=tuple(kept))

    def center(self) -> dict[str, float | str]:
        """Where it is, how close, and who moved it last."""
        return {
            "lon": plain(self.lon),
            "lat": plain(self.lat),
            "zoom": plain(self.zoom),
            "moved_by": self.moved_by,
        }

    def payload(self, *, with_layers: bool = True) -> dict[str, object]:
        """The value of a payload of kind `map`: the whole state.

        Args:
            with_layers: `False` leaves them out: a map keeps what a payload does not name, and
                layers are large.
        """
        layers = {"layers": [layer.payload() for layer in self.layers]}
        return {
            "center": {"lon": plain(self.lon), "lat": plain(self.lat)},
            "zoom": plain(self.zoom),
            "bounds": self.bounds and self.bounds.payload(),
            "pins": [pin.payload() for pin in self.pins],
            **(layers if with_layers else {}),
            "title": self.title,
            "seq": self.seq,
        }

    def _pin(self, label: str) -> Pin:
        known = {pin.label: pin for pin in self.pins if pin.label}
        if label not in known:
            raise ValueError(f"There is no pin {label!r}.{_hint(label, list(known), 'There are')}")
        return known[label]

    def _commanded(self, lon: float, lat: float, zoom: float, bounds: Bounds | None) -> MapState:
        where = replace(self, lon=lon, lat=lat, zoom=zoom, bounds=bounds)
        return replace(where, seq=self.seq + 1, moved_by="python")


def map_state_of(value: object, before: MapState | None = None) -> MapState:
    """The state that a payload of kind `map` asks for, over the one before it.

    Args:
        value: A mapping with any of `center` (`lon`, `lat`), `zoom`, `bounds` (`west`, `south`,
            `east`, `north`; they count more than `center` and `zoom`), `pins`, `layers`, `title`;
            what is absent keeps its value. `left_at` (`center`, `zoom`) says where the user left
            the map, and counts most.
        before: What the map showed; `None` is a new map.

    Raises:
        ValueError: The value is no mapping, or a coordinate is out of range.
    """
    said = record(value, "A map's payload")
    state = _placed(said, before or MapState())
    changes: dict[str, object] = {}
    if isinstance(title := said.get("title"), str):
        changes["title"] = title
    if said.get("pins") is not None:
        changes["pins"] = pins_of(said["pins"])
    if said.get("layers") is not None:
        changes["layers"] = layers_of(said["layers"])
    state = replace(state, **changes)  # pyright: ignore[reportArgumentType]  the state checks its fields
    left_at = said.get("left_at")
    return state if left_at is None else _placed(record(left_at, "left_at"), state)


def laid_over(before: object, value: object) -> Any:  # Any: JSON
    """A payload's value over the one before it, as one value that shows both.

    What is absent keeps its value; a new place ends what was to be shown whole.
    """
    if not is_mapping(before) or not is_mapping(value):
        return value
    stale = {"left_at", *(("bounds",) if {"center", "zoom", "bounds"} & value.keys() else ())}
    return {**{key: one for key, one in before.items() if key not in stale}, **value}


def describe(state: MapState) -> str:
    """The map in a sentence: `Map at 10.75° E, 59.91° N, zoom 9, 1 pin`."""
    decimals = 4 if state.zoom > 10 else 2  # from there 0.01° is over 10 px
    where = f"{lon_words(state.lon, decimals)}, {lat_words(state.lat, decimals)}"
    name = f"{state.title}: map" if state.title else "Map"
    many = _counted(len(state.pins), "pin") + _counted(len(state.layers), "layer")
    return f"{name} at {where}, zoom {_trimmed(state.zoom, 2)}{many}"


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


def _placed(said: Mapping[str, Any], state: MapState) -> MapState:
    """Where a payload puts a map; no command, since it is one already."""
    if said.get("bounds") is not None:
        bounds = bounds_of(said["bounds"])
        lon, lat, zoom = fitted(bounds)
        return replace(state, lon=lon, lat=lat, zoom=zoom, bounds=bounds)
    center = record(said.get("center") or {}, "A map's center")
    changes = {key: center[key] for key in ("lon", "lat") if key in center}
    if said.get("zoom") is not None:
        changes["zoom"] = said["zoom"]
    return replace(state, **changes, bounds=None) if changes else state


def pins_of(value: object) -> tuple[Pin, ...]:
    """The pins of a payload.

    Raises:
        ValueError: One is none.
    """
    records = [record(one, "A pin") for one in a_list(value, "A map's pins")]
    return tuple(
        Pin(
            lon=checked_lon(one.get("lon")),
            lat=checked_lat(one.get("lat")),
            label=str(one.get("label") or "")[:LABEL_MOST],
        )
        for one in records
    )


def _trimmed(value: float, decimals: int) -> str:
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _counted(count: int, thing: str) -> str:
    return f", {count} {thing}{'s' * (count != 1)}" if count else ""


def _hint(name: str, known: list[str], begin: str) -> str:
    """Which names there are: the close ones, or the first."""
    close = difflib.get_close_matches(name, known, n=3) or known[:NAMED_MOST]
    if not close:
        return " There are none."
    more = "" if len(known) <= len(close) else f" and {len(known) - len(close)} more"
    return f" {begin} {', '.join(map(repr, close))}{more}."
