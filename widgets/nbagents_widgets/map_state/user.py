"""What the person did on a map: clicks and moves, in order, to be read by whoever comes later."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from nbagents_widgets.world import LAT_LIMIT, check_fields, checked_lat, checked_lon, plain, record

ClickedOn: TypeAlias = Literal["map", "pin", "feature"]

KEPT: Final = 100
TEXT_MOST: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Click:
    """A click on a map: where, in degrees WGS 84, and on what."""

    lon: float
    lat: float
    on: ClickedOn = "map"
    label: str = ""
    """Of a pin, its label; of a feature, its name."""
    layer: str = ""
    """The layer of a feature."""
    properties: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The properties of a feature (Any: JSON)."""

    def __post_init__(self) -> None:
        check_fields(self, lon=checked_lon, lat=checked_lat)

    def payload(self) -> dict[str, Any]:
        """As it came from the page."""
        place = {"lon": plain(self.lon), "lat": plain(self.lat), "on": self.on}
        named = {"label": self.label, "layer": self.layer, "properties": dict(self.properties)}
        return {**place, **{name: value for name, value in named.items() if value}}


def click_of(value: object) -> Click:
    """The click that a page told of.

    Raises:
        ValueError: It is none.
    """
    said = record(value, "A click")
    on = said.get("on")
    return Click(
        lon=checked_lon(said.get("lon")),
        lat=max(-LAT_LIMIT, min(LAT_LIMIT, checked_lat(said.get("lat")))),
        on=on if on in ("pin", "feature") else "map",
        label=str(said.get("label") or "")[:TEXT_MOST],
        layer=str(said.get("layer") or "")[:TEXT_MOST],
        properties=record(said.get("properties") or {}, "A feature's properties"),
    )


class UserLog:
    """What the person did, newest last; safe in any thread.

    Each reader keeps a mark of its own, so that several may read the same once each.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._clicks: deque[tuple[int, Click]] = deque(maxlen=KEPT)
        self._count = 0
        self._moved_at = 0

    @property
    def mark(self) -> int:
        """How much has happened."""
        return self._count

    @property
    def clicks(self) -> tuple[Click, ...]:
        """The last hundred clicks."""
        with self._lock:
            return tuple(click for _, click in self._clicks)

    def clicked(self, click: Click) -> None:
        """Take a click."""
        with self._lock:
            self._count += 1
            self._clicks.append((self._count, click))

    def moved(self) -> None:
        """The person has moved the map."""
        with self._lock:
            self._count += 1
            self._moved_at = self._count

    def since(self, mark: int) -> tuple[tuple[Click, ...], bool]:
        """The clicks after a mark, and whether the map was moved after it."""
        with self._lock:
            clicks = tuple(click for at, click in self._clicks if at > mark)
            return clicks, self._moved_at > mark
