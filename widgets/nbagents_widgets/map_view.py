"""A map in the notebook: Python moves it, the user moves it, and each sees what the other did."""

from __future__ import annotations

import contextvars
import threading
import traceback
from collections.abc import Callable
from typing import Any

import traitlets

from nbagents_widgets.frontend import kernel_here
from nbagents_widgets.library import loader_for
from nbagents_widgets.map_display import PICTURE_WIDTH_PX, map_bundle
from nbagents_widgets.map_picture import map_picture
from nbagents_widgets.map_state import (
    Click,
    MapState,
    MapSurface,
    UserLog,
    click_of,
    describe,
    layers_of,
    map_state_of,
    pins_of,
)
from nbagents_widgets.map_tiles import tiles_of
from nbagents_widgets.still_or_live import StillOrLive

__all__ = ["MapView"]

HEIGHT_LEAST_PX = 120


class MapView(MapSurface, StillOrLive):
    """A map of the world that works offline; longitude comes first, degrees WGS 84.

    Where no page is watching (nbconvert, nbclient) it opens no comm and shows a still picture.

    Args:
        lon: Longitude of the middle, -180 to 180, east positive.
        lat: Latitude of the middle, -90 to 90, north positive.
        zoom: 0 shows the world, 18 a house.
        height_px: How high it is; it is as wide as its place.
        title: A name for people and screen readers.
        tiles: Online tiles, which nothing asks for by itself: `"osm"`, `"topo"`, or a template like
            `"https://…/{z}/{x}/{y}.png"`. Where they cannot be had, the map says so and draws its
            own.
        attribution: Whose tiles they are, as text; the presets know that.

    Raises:
        ValueError: A coordinate or the zoom level is out of range or no finite number, or `tiles`
            is no preset and no template.

    Example:
        >>> view = MapView(lon=10.75, lat=59.91, zoom=9)
        >>> view.set_pin(10.75, 59.91, "Oslo")
        >>> view
        Map at 10.75° E, 59.91° N, zoom 9, 1 pin
    """

    _esm = loader_for("map", "atlas-50m", "map-names")

    # Where Python sent the map: {lon, lat, zoom, seq} and, where it is to show them whole, bounds.
    # Python writes, the page reads.
    wanted: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)
    # Where the page has it: {lon, lat, zoom, by, seq}. The page writes, Python reads.
    rendered: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)
    # Marked places: [{lon, lat, label}]. Python writes, the page reads.
    pins: traitlets.List[Any] = traitlets.List(traitlets.Dict()).tag(sync=True)
    # What is drawn: [{name, color, geojson}], the last on top. Python writes, the page reads.
    layers: traitlets.List[Any] = traitlets.List(traitlets.Dict()).tag(sync=True)
    # Online tiles: {url, attribution}, or nothing. Python writes once, the page reads.
    tiles: traitlets.Dict[str, Any] = traitlets.Dict(read_only=True).tag(sync=True)
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
        tiles: str | None = None,
        attribution: str | None = None,
    ) -> None:
        self._lock = threading.RLock()  # the page's moves may come in another thread
        self._is_writing = False
        self._handlers: list[_Handler] = []
        self._state = MapState(lon=lon, lat=lat, zoom=zoom, title=title)
        self.user_log = UserLog()
        self.set_trait("tiles", tiles_of(tiles, attribution))
        super().__init__(wanted=_wanted(self._state), title=title, height_px=height_px)

    # --- what the user does

    def on_click(self, handler: Callable[[Click], object]) -> Callable[[], None]:
        """Call a function with each click.

        It runs on the main thread, when no cell is running; what it prints stands below the cell
        that called `on_click`.

        Returns:
            What ends it.
        """
        kept = _Handler(handler)
        self._handlers.append(kept)

        def end() -> None:
            if kept in self._handlers:
                self._handlers.remove(kept)

        return end

    def take_click(self, click: Click) -> None:
        """Take what the user clicked on, here or on a run's map that shows the same."""
        super().take_click(click)
        for handler in tuple(self._handlers):
            handler.soon(click)

    def follow_user(self, lon: float, lat: float, zoom: float) -> None:
        """Go where the user moved another map that shows the same, such as a run's."""
        self.change(lambda state: state.centred(lon, lat, zoom).moved(lon, lat, zoom))
        self.user_log.moved()

    # --- what it shows

    @property
    def map_state(self) -> MapState:
        """All that the map shows, as one value."""
        with self._lock:
            return self._state

    @property
    def state(self) -> dict[str, Any] | None:
        """What the page last drew, as `lon`, `lat`, `zoom`, `by`, `seq`; `None` before that."""
        return dict(self.rendered) or None

    def change(self, change: Callable[[MapState], MapState]) -> None:
        """Show what a function makes of what is shown; in any thread.

        Raises:
            ValueError: The function refuses; nothing has changed.
        """
        with self._lock:
            before, now = self._state, change(self._state)
            self._state, self._is_writing = now, True
            try:
                with self.hold_sync():  # pyright: ignore[reportUnknownMemberType]  one message
                    self._write(before, now)
            finally:
                self._is_writing = False

    def picture(self, width_px: int = PICTURE_WIDTH_PX, height_px: int | None = None) -> str:
        """The map as it is now, as the text of an SVG; never with online tiles."""
        return map_picture(self.map_state, width_px, height_px or self.height_px)

    def still(self) -> dict[str, Any]:
        """Its picture, and what it shows."""
        return map_bundle(self.map_state, self.height_px)

    def __repr__(self) -> str:
        return describe(self.map_state)

    # --- between the state and the traits

    def _write(self, before: MapState, now: MapState) -> None:
        if now.seq != before.seq:
            self.wanted = _wanted(now)
        if now.pins != before.pins:
            self.pins = [pin.payload() for pin in now.pins]
        if now.layers != before.layers:
            self.layers = [layer.payload() for layer in now.layers]

    @traitlets.validate("pins")
    def _check_pins(self, proposal: dict[str, Any]) -> list[dict[str, float | str]]:
        return [pin.payload() for pin in pins_of(proposal["value"])]

    @traitlets.validate("layers")
    def _check_layers(self, proposal: dict[str, Any]) -> list[dict[str, Any]]:
        if self._is_writing:  # checked when they were made, and large
            return proposal["value"]
        return [layer.payload() for layer in layers_of(proposal["value"])]

    @traitlets.observe("pins", "layers", "title")
    def _keep(self, change: dict[str, Any]) -> None:
        if not self._is_writing:
            with self._lock:
                self._state = map_state_of({change["name"]: change["new"]}, self._state)

    @traitlets.observe("rendered")
    def _keep_rendered(self, change: dict[str, Any]) -> None:
        """A user's move counts, unless Python has sent the map elsewhere since."""
        match change["new"]:
            case {"by": "user", "seq": int(seq), "lon": lon, "lat": lat, "zoom": zoom}:
                with self._lock:
                    if seq < self._state.seq:
                        return
                    self._state = self._state.moved(lon, lat, zoom)
                self.user_log.moved()
            case {"by": "python", "seq": int(seq), "lon": lon, "lat": lat, "zoom": zoom}:
                with self._lock:
                    if seq == self._state.seq and self._state.bounds is not None:
                        self._state = self._state.settled(lon, lat, zoom)
            case _:
                pass

    def heard(self, message: Any) -> None:  # Any: JSON
        """Take a click."""
        match message:
            case {"type": "click"}:
                self.take_click(click_of(message))
            case _:
                pass  # a later page may say more


def _wanted(state: MapState) -> dict[str, Any]:
    bounds = {"bounds": state.bounds.payload()} if state.bounds else {}
    return {"lon": state.lon, "lat": state.lat, "zoom": state.zoom, "seq": state.seq, **bounds}


class _Handler:
    """A function of the person's, and the cell that gave it.

    A page's message may come in any thread, and in the middle of a cell: code of a person's never
    runs then. In its own time it runs as if it were in the cell that gave it, and prints there.

    Args:
        function: What to call; its result is not used.
    """

    def __init__(self, function: Callable[[Any], object]) -> None:  # Any: whatever happened
        self.function = function
        self._cell = contextvars.copy_context()

    def soon(self, happened: object) -> None:
        """Call it on the main thread as soon as that is free; from any thread."""
        loop = getattr(kernel_here(), "io_loop", None)
        if loop is None:  # no kernel, so no page either: somebody tries it out
            self.function(happened)
        else:
            loop.add_callback(self._call, happened)

    def _call(self, happened: object) -> None:
        try:
            self._cell.copy().run(self.function, happened)
        except Exception:  # noqa: BLE001  it is the person's own code: they are shown what it was
            self._cell.copy().run(traceback.print_exc)
