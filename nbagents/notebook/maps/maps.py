"""The maps of this kernel: toolsets that move them, and the pages that say what the user did."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Final

from nbagents_widgets.map_state import MapState, MapSurface, UserLog
from pydantic import JsonValue

from nbagents.notebook.maps.tools import MapTools

_maps: Final[weakref.WeakValueDictionary[str, MapTools]] = weakref.WeakValueDictionary()


class RunMap(MapSurface):
    """A map without a widget of its own: the payloads of a run draw it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # the user's moves come in another thread
        self._state = MapState()
        self.user_log = UserLog()

    @property
    def map_state(self) -> MapState:
        """All that the map shows."""
        with self._lock:
            return self._state

    def change(self, change: Callable[[MapState], MapState]) -> None:
        """Show what a function makes of what is shown."""
        with self._lock:
            self._state = change(self._state)

    def follow_user(self, lon: float, lat: float, zoom: float) -> None:
        """The user moved the map that a run shows: no command, the run's page knows."""
        self.change(lambda state: state.moved(lon, lat, zoom))
        self.user_log.moved()


def map_tools(view: MapSurface | None = None, *, name: str = "mapAgent") -> MapTools:
    """The tools of a map: move it, mark and draw on it, find places; see docs/map.md.

    Before each request the model is told what the user clicked on and where they moved the map.

    Args:
        view: The `MapView` to move. Without one, the run itself shows the map.
        name: The toolset's name, before `--`.

    Example:
        >>> [tool.name for tool in map_tools().tools()][0]
        'mapAgent--setCenter'
    """
    tools = MapTools(RunMap() if view is None else view, name)
    _maps[tools.map_id] = tools
    return tools


def take_user_move(value: JsonValue) -> bool:
    """Tell the toolset that drew a run's map what the user did there: moved it, or clicked.

    Args:
        value: What the page emitted: `center` and `zoom`, or `click`, and the `map_id` of the
            payload.

    Returns:
        Whether a toolset of this kernel drew that map.
    """
    owner = _owner(value)
    if owner is None or not isinstance(value, dict):
        return False
    owner.take_user_move(value)
    return True


def user_position(value: JsonValue) -> dict[str, JsonValue] | None:
    """Where the user left the map that a payload shows, if they moved it after that payload.

    Args:
        value: The value of a payload of kind `map`.

    Returns:
        What belongs under its key `left_at`: `center` and `zoom`. `None`: it is where it was put.
    """
    owner = _owner(value)
    if owner is None or not isinstance(value, dict):
        return None
    state = owner.map_state
    if state.moved_by != "user" or value.get("seq") != owner.command_seq:
        return None
    whole = state.payload(with_layers=False)
    return {key: whole[key] for key in ("center", "zoom")}  # pyright: ignore[reportReturnType]  it is JSON


def _owner(value: JsonValue) -> MapTools | None:
    map_id = value.get("map_id") if isinstance(value, dict) else None
    return _maps.get(map_id) if isinstance(map_id, str) else None
