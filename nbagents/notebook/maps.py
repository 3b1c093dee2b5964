"""A map as a toolset: a model moves it and marks places, and asks where the user moved it to."""

from __future__ import annotations

import itertools
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Final, Protocol

from nbagents_widgets.map_state import ZOOM_LIMIT, MapState, Pin, describe, map_state_of
from pydantic import Field, JsonValue

from nbagents.errors import ToolError
from nbagents.results import Result
from nbagents.tools.tool import Tool, ToolOptions

__all__ = ["MapSurface", "MapTools", "map_tools", "take_user_move"]

Lon = Annotated[float, Field(ge=-180, le=180, allow_inf_nan=False)]
Lat = Annotated[float, Field(ge=-90, le=90, allow_inf_nan=False)]
Zoom = Annotated[float, Field(ge=0, le=ZOOM_LIMIT, allow_inf_nan=False)]

_numbers: Final = itertools.count(1)
_maps: Final[weakref.WeakValueDictionary[str, MapTools]] = weakref.WeakValueDictionary()


class MapSurface(Protocol):
    """What the tools move: a `MapView`, or a map that only runs show."""

    @property
    def map_state(self) -> MapState:
        """All that the map shows."""
        ...

    def set_center(self, lon: float, lat: float, zoom: float | None = None) -> None:
        """Move the map."""
        ...

    def set_zoom(self, zoom: float) -> None:
        """Zoom where the map is."""
        ...

    def set_pin(self, lon: float, lat: float, label: str = "") -> None:
        """Mark a place."""
        ...

    def follow_user(self, lon: float, lat: float, zoom: float) -> None:
        """The user moved the map that a run shows."""
        ...


class RunMap:
    """A map without a widget of its own: the payloads of a run draw it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # the user's moves come in another thread
        self._state = MapState()

    @property
    def map_state(self) -> MapState:
        """All that the map shows."""
        with self._lock:
            return self._state

    def set_center(self, lon: float, lat: float, zoom: float | None = None) -> None:
        """Move the map."""
        self._change(lambda state: state.centred(lon, lat, zoom))

    def set_zoom(self, zoom: float) -> None:
        """Zoom where the map is."""
        self._change(lambda state: state.zoomed(zoom))

    def set_pin(self, lon: float, lat: float, label: str = "") -> None:
        """Mark a place."""
        self._change(lambda state: state.pinned(Pin(lon=lon, lat=lat, label=label)))

    def follow_user(self, lon: float, lat: float, zoom: float) -> None:
        """The user moved the map that a run shows: no command, the run's page knows."""
        self._change(lambda state: state.moved(lon, lat, zoom))

    def _change(self, change: Callable[[MapState], MapState]) -> None:
        with self._lock:
            self._state = change(self._state)


class MapTools:
    """The toolset of one map; see `map_tools`."""

    def __init__(self, surface: MapSurface, name: str) -> None:
        self.name: Final = name
        self.map_id: Final = f"{name}-{next(_numbers)}"
        self._surface = surface
        options = ToolOptions(toolset=name)
        self._tools: Sequence[Tool] = (
            Tool(self.setCenter, options),
            Tool(self.getCenter, options),
            Tool(self.setZoom, options),
            Tool(self.setPin, options),
        )
        _maps[self.map_id] = self

    def tools(self) -> Sequence[Tool]:
        """The tools, in the order in which a model reads them."""
        return self._tools

    def take_user_move(self, value: Mapping[str, JsonValue]) -> None:
        """Take over where the user moved the map of a run.

        Args:
            value: What the page says: `center` (`lon`, `lat`) and `zoom`.

        Raises:
            ValueError: The page says what is no place.
        """
        place = {key: value[key] for key in ("center", "zoom") if key in value}
        moved = map_state_of(place, self._surface.map_state)
        self._surface.follow_user(moved.lon, moved.lat, moved.zoom)

    def setCenter(self, lon: Lon, lat: Lat, zoom: Zoom | None = None) -> Result:  # noqa: N802  GraphAI's name
        """Move the map to a place, so that the user sees it.

        Args:
            lon: Longitude in degrees, -180 to 180, east positive.
            lat: Latitude in degrees, -90 to 90, north positive.
            zoom: 0 shows the world, 5 a country, 10 a city, 15 streets; leave it out to keep it.
        """
        return self._command(lambda surface: surface.set_center(lon, lat, zoom))

    def getCenter(self) -> dict[str, Any]:  # noqa: N802  GraphAI's name
        """Read where the map is now: longitude, latitude, zoom level, and who moved it last.

        The user can move the map too, so ask again instead of relying on an earlier answer.
        """
        return dict(self._surface.map_state.center())

    def setZoom(self, zoom: Zoom) -> Result:  # noqa: N802  GraphAI's name
        """Zoom the map in or out where it is.

        Args:
            zoom: 0 shows the world, 5 a country, 10 a city, 15 streets, 18 a house.
        """
        return self._command(lambda surface: surface.set_zoom(zoom))

    def setPin(self, lon: Lon, lat: Lat, label: str = "") -> Result:  # noqa: N802  GraphAI's name
        """Mark a place on the map with a pin.

        Args:
            lon: Longitude in degrees, -180 to 180, east positive.
            lat: Latitude in degrees, -90 to 90, north positive.
            label: A few words to show at the pin.
        """
        return self._command(lambda surface: surface.set_pin(lon, lat, label))

    def _command(self, act: Callable[[MapSurface], None]) -> Result:
        try:
            act(self._surface)
        except ValueError as error:
            raise ToolError(str(error)) from error
        state = self._surface.map_state
        words = describe(state)
        data = {"kind": "map", **state.payload(), "map_id": self.map_id}
        return Result(f"Done. {words}.", data=data, preview=words)


def map_tools(view: MapSurface | None = None, *, name: str = "mapAgent") -> MapTools:
    """The tools of a map: `setCenter`, `getCenter`, `setZoom` and `setPin`.

    Args:
        view: The `MapView` to move. Without one, the run itself shows the map.
        name: The toolset's name, before `--`.

    Example:
        >>> [tool.name for tool in map_tools().tools()][0]
        'mapAgent--setCenter'
    """
    return MapTools(RunMap() if view is None else view, name)


def take_user_move(value: JsonValue) -> bool:
    """Tell the toolset that drew a run's map where the user moved it.

    Args:
        value: What the page emitted: `center`, `zoom`, and the `map_id` of the payload.

    Returns:
        Whether a toolset of this kernel drew that map.
    """
    map_id = value.get("map_id") if isinstance(value, dict) else None
    owner = _maps.get(map_id) if isinstance(map_id, str) else None
    if owner is None or not isinstance(value, dict):
        return False
    owner.take_user_move(value)
    return True
