"""A map in the notebook: Python moves it, the user moves it, and each sees what the other did."""

from __future__ import annotations

import html
import itertools
import threading
from typing import TYPE_CHECKING, Any, cast

import anywidget
import traitlets

from nbagents_widgets.frontend import is_watched, keep_own_subshell
from nbagents_widgets.library import answer_library_request, loader_for
from nbagents_widgets.map_picture import map_picture, picture_uri
from nbagents_widgets.map_state import MapState, Pin, describe, map_state_of

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["MapView"]

VIEW_MIME = "application/vnd.jupyter.widget-view+json"
HEIGHT_LEAST_PX = 120
PICTURE_WIDTH_PX = 640

_numbers = itertools.count(1)


class MapView(anywidget.AnyWidget):
    """A map of the world that works offline; longitude comes first, degrees WGS 84.

    Where no page is watching (nbconvert, nbclient) it opens no comm and shows a still picture.

    Args:
        lon: Longitude of the middle, -180 to 180, east positive.
        lat: Latitude of the middle, -90 to 90, north positive.
        zoom: 0 shows the world, 18 a house.
        height_px: How high it is; it is as wide as its place.

    Raises:
        ValueError: A coordinate or the zoom level is out of range or no finite number.

    Example:
        >>> view = MapView(lon=10.75, lat=59.91, zoom=9)
        >>> view.set_pin(10.75, 59.91, "Oslo")
        >>> view
        Map at 10.75° E, 59.91° N, zoom 9, 1 pin
    """

    _esm = loader_for("map")

    # Where Python sent the map: {lon, lat, zoom, seq}. Python writes, the page reads.
    wanted: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)
    # Where the page has it: {lon, lat, zoom, by, seq}. The page writes, Python reads.
    rendered: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)
    # Marked places: [{lon, lat, label}]. Python writes, the page reads.
    pins: traitlets.List[Any] = traitlets.List(traitlets.Dict()).tag(sync=True)
    # A name for people and screen readers. Python writes, the page reads.
    title = traitlets.Unicode().tag(sync=True)
    # Python writes, the page reads.
    height_px = traitlets.Int(320, min=HEIGHT_LEAST_PX).tag(sync=True)

    def __init__(
        self,
        lon: float = 10.0,
        lat: float = 30.0,
        zoom: float = 2.0,
        height_px: int = 320,
        *,
        title: str = "",
    ) -> None:
        self._lock = threading.RLock()  # the page's moves may come in another thread
        self._display_id = f"nbagents-map-{next(_numbers)}"
        self._is_shown = False
        self._state = MapState(lon=lon, lat=lat, zoom=zoom, title=title)
        super().__init__(  # pyright: ignore[reportUnknownMemberType]  ipywidgets is untyped
            wanted=_wanted(self._state), title=title, height_px=height_px
        )
        self.on_msg(self._hear)  # pyright: ignore[reportUnknownMemberType]  ipywidgets is untyped

    def open(self) -> None:
        """Open the comm to the page, where a page is watching."""
        if self.comm is not None or not is_watched():
            return
        super().open()
        keep_own_subshell(self.comm)

    def set_center(self, lon: float, lat: float, zoom: float | None = None) -> None:
        """Move the map.

        Args:
            lon: Longitude, -180 to 180, east positive.
            lat: Latitude, -90 to 90, north positive; the map is drawn up to 85.05.
            zoom: 0 to 18; `None` keeps it.

        Raises:
            ValueError: Something is out of range or no finite number.
        """
        self._change(lambda state: state.centred(lon, lat, zoom))

    def set_zoom(self, zoom: float) -> None:
        """Zoom where the map is, also if the user moved it there; 0 to 18.

        Raises:
            ValueError: The level is out of range or no finite number.
        """
        self._change(lambda state: state.zoomed(zoom))

    def set_pin(self, lon: float, lat: float, label: str = "") -> None:
        """Mark a place; a pin at the very same place is replaced.

        Raises:
            ValueError: A coordinate is out of range or no finite number.
        """
        pin = Pin(lon=lon, lat=lat, label=label)
        self._change(lambda state: state.pinned(pin))

    def clear_pins(self) -> None:
        """Take all pins away."""
        self.pins = []

    def get_center(self) -> dict[str, float | str]:
        """Where the map is now: `lon`, `lat`, `zoom`, and `moved_by` `"user"` or `"python"`."""
        return self.map_state.center()

    @property
    def map_state(self) -> MapState:
        """All that the map shows, as one value."""
        with self._lock:
            return self._state

    @property
    def state(self) -> dict[str, Any] | None:
        """What the page last drew, as `lon`, `lat`, `zoom`, `by`, `seq`; `None` before that."""
        return dict(self.rendered) or None

    def follow_user(self, lon: float, lat: float, zoom: float) -> None:
        """Go where the user moved another map that shows the same, such as a run's."""
        self._change(lambda state: state.centred(lon, lat, zoom).moved(lon, lat, zoom))

    def picture(self, width_px: int = PICTURE_WIDTH_PX, height_px: int | None = None) -> str:
        """The map as it is now, as the text of an SVG."""
        return map_picture(self.map_state, width_px, height_px or self.height_px)

    def __repr__(self) -> str:
        return describe(self.map_state)

    def freeze(self) -> None:
        """Replace the live map by its picture, wherever it is shown, and close it.

        A saved notebook then shows the map without a kernel: a widget's own view cannot.
        """
        if self._is_shown:
            _publish(self._still(), self._display_id, update=True)
        cast("Any", self).layout.close()  # Any: ipywidgets is untyped
        self.close()

    def _ipython_display_(self) -> None:
        bundle, _ = self._repr_mimebundle_()
        self._is_shown = True
        _publish(bundle, self._display_id)

    def _still(self) -> dict[str, Any]:
        words, picture = describe(self.map_state), picture_uri(self.picture())
        image = f'<img alt="{html.escape(words)}" src="{picture}" style="max-width:100%">'
        return {"text/plain": words, "text/html": image}

    def _repr_mimebundle_(self, **_kwargs: object) -> tuple[dict[str, Any], dict[str, Any]]:
        bundle = self._still()
        self.open()
        if self.comm is not None and is_watched():
            view = {"version_major": 2, "version_minor": 1, "model_id": self.model_id}
            bundle[VIEW_MIME] = view
        return bundle, {}

    def _change(self, change: Callable[[MapState], MapState]) -> None:
        with self._lock:
            before, self._state = self._state, change(self._state)
            now = self._state
            if now.seq != before.seq:
                self.wanted = _wanted(now)
            if now.pins != before.pins:
                self.pins = [pin.payload() for pin in now.pins]

    @traitlets.validate("pins")
    def _check_pins(self, proposal: dict[str, Any]) -> list[dict[str, float | str]]:
        return [pin.payload() for pin in map_state_of({"pins": proposal["value"]}).pins]

    @traitlets.observe("pins")
    def _keep_pins(self, change: dict[str, Any]) -> None:
        with self._lock:
            self._state = map_state_of({"pins": change["new"]}, self._state)

    @traitlets.observe("title")
    def _keep_title(self, change: dict[str, Any]) -> None:
        with self._lock:
            self._state = map_state_of({"title": change["new"]}, self._state)

    @traitlets.observe("rendered")
    def _keep_users_move(self, change: dict[str, Any]) -> None:
        """A user's move counts, unless Python has sent the map elsewhere since."""
        match change["new"]:
            case {"by": "user", "seq": int(seq), "lon": lon, "lat": lat, "zoom": zoom}:
                with self._lock:
                    if seq >= self._state.seq:
                        self._state = self._state.moved(lon, lat, zoom)
            case _:
                pass

    def _hear(self, _widget: object, content: object, _buffers: object) -> None:
        answer_library_request(self, content)


def _publish(bundle: dict[str, Any], display_id: str, *, update: bool = False) -> None:
    from IPython import display  # noqa: PLC0415  only where IPython is

    publish = cast("Any", display).publish_display_data  # Any: IPython leaves it untyped
    publish(bundle, metadata={}, transient={"display_id": display_id}, update=update)


def _wanted(state: MapState) -> dict[str, float]:
    return {"lon": state.lon, "lat": state.lat, "zoom": state.zoom, "seq": state.seq}
