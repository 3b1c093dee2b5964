"""What a model can do with a map, and what it is told of what the user did there."""

# ruff: noqa: D417, N802  the names are GraphAI's, and a context is hidden from models
from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Final, TypedDict

from nbagents_widgets.map_state import (
    Click,
    Layer,
    MapState,
    MapSurface,
    click_of,
    describe,
    map_state_of,
)
from nbagents_widgets.world import ZOOM_LIMIT
from pydantic import Field, JsonValue

from nbagents.errors import ToolError
from nbagents.results import Result
from nbagents.tools.context import Context
from nbagents.tools.tool import Tool, ToolOptions

Lon = Annotated[float, Field(ge=-180, le=180, allow_inf_nan=False)]
Lat = Annotated[float, Field(ge=-90, le=90, allow_inf_nan=False)]
Zoom = Annotated[float, Field(ge=0, le=ZOOM_LIMIT, allow_inf_nan=False)]

_numbers: Final = itertools.count(1)

BY_HAND: Final = Context()
"""Who calls, where no run does."""

RUNS_KEPT: Final = 50


class Move(TypedDict):
    """What is to become of a pin."""

    label: Annotated[str, Field(description="The pin's label as it is now.")]
    lon: Annotated[Lon | None, Field(description="Where to, or null to leave it there.")]
    lat: Annotated[Lat | None, Field(description="Where to, or null to leave it there.")]
    new_label: Annotated[str | None, Field(description="Its new label, or null to keep it.")]


Moves = Annotated[list[Move], Field(min_length=1, max_length=100)]


class Place(TypedDict):
    """A place on the earth."""

    lon: Lon
    lat: Lat


class MapTools:
    """The toolset of one map; see `map_tools`."""

    def __init__(self, surface: MapSurface, name: str) -> None:
        self.name: Final = name
        self.map_id: Final = f"{name}-{next(_numbers)}"
        self._surface = surface
        self._told = surface.user_log.mark
        self._followed = (-1, -1)  # what a view has made of which command's number
        self._shown: dict[str, Sequence[Layer]] = {}  # by run, what its map shows
        command = ToolOptions(toolset=name, news=self.news)
        query = ToolOptions(toolset=name, news=self.news, read_only=True)
        self._tools: Sequence[Tool] = (
            Tool(self.setCenter, command),
            Tool(self.getCenter, query),
            Tool(self.setZoom, command),
            Tool(self.fitBounds, command),
            Tool(self.setPin, command),
            Tool(self.movePlaces, command),
            Tool(self.clearPins, command),
            Tool(self.addLayer, command),
            Tool(self.removeLayer, command),
            Tool(self.findPlaces, query),
        )

    def tools(self) -> Sequence[Tool]:
        """The tools, in the order in which a model reads them."""
        return self._tools

    @property
    def map_state(self) -> MapState:
        """All that the map shows."""
        return self._surface.map_state

    @property
    def clicks(self) -> tuple[Click, ...]:
        """What the user clicked on, the last hundred, newest last."""
        return self._surface.user_log.clicks

    def news(self) -> str | None:
        """What the user did since this was last asked, in words; asked before each request."""
        log = self._surface.user_log
        mark, since = log.mark, self._told
        if mark == since:
            return None
        from nbagents.notebook.maps.news import user_news  # somebody did something

        self._told = mark
        clicks, was_moved = log.since(since)
        return user_news(self.map_state, clicks, was_moved=was_moved)

    def take_user_move(self, value: Mapping[str, JsonValue]) -> None:
        """Take over what the user did on the map of a run.

        Args:
            value: What the page says: `click`, or `center` (`lon`, `lat`) and `zoom`.

        Raises:
            ValueError: The page says what is no place.
        """
        if value.get("click") is not None:
            self._surface.take_click(click_of(value["click"]))
        place = {key: value[key] for key in ("center", "zoom") if value.get(key) is not None}
        if place:
            moved, command = map_state_of(place, self.map_state), self.command_seq
            self._surface.follow_user(moved.lon, moved.lat, moved.zoom)
            self._followed = (self.map_state.seq, command)

    @property
    def command_seq(self) -> int:
        """The number of the last command: a view that follows the user counts that as one too."""
        seq = self.map_state.seq
        return self._followed[1] if self._followed[0] == seq else seq

    def setCenter(
        self, lon: Lon, lat: Lat, zoom: Zoom | None = None, ctx: Context = BY_HAND
    ) -> Result:
        """Move the map to show a place.

        Args:
            lon: Longitude in degrees, -180 to 180, east positive.
            lat: Latitude in degrees, -90 to 90, north positive.
            zoom: 0 shows the world, 5 a country, 10 a city, 15 streets; leave it out to keep it.
        """
        return self._command(ctx, lambda surface: surface.set_center(lon, lat, zoom))

    def getCenter(self) -> dict[str, Any]:
        """Read where the map is now: longitude, latitude, zoom level, and who moved it last.

        The user can move the map too, so ask again instead of relying on an earlier answer.
        """
        return dict(self.map_state.center())

    def setZoom(self, zoom: Zoom, ctx: Context = BY_HAND) -> Result:
        """Zoom the map in or out where it is.

        Args:
            zoom: 0 shows the world, 5 a country, 10 a city, 15 streets, 18 a house.
        """
        return self._command(ctx, lambda surface: surface.set_zoom(zoom))

    def fitBounds(
        self, west: Lon, south: Lat, east: Lon, north: Lat, ctx: Context = BY_HAND
    ) -> Result:
        """Show a whole region on the map, such as a country, as closely as its bounds allow.

        Args:
            west: Western longitude; larger than east where the region crosses 180°.
            south: Southern latitude.
            east: Eastern longitude.
            north: Northern latitude.
        """
        return self._command(ctx, lambda surface: surface.fit_bounds(west, south, east, north))

    def setPin(self, lon: Lon, lat: Lat, label: str = "", ctx: Context = BY_HAND) -> Result:
        """Mark a place on the map with a pin.

        Args:
            lon: Longitude in degrees, -180 to 180, east positive.
            lat: Latitude in degrees, -90 to 90, north positive.
            label: A few words to show at the pin.
        """
        return self._command(ctx, lambda surface: surface.set_pin(lon, lat, label))

    def movePlaces(self, pins: Moves, ctx: Context = BY_HAND) -> Result:
        """Correct pins that were set before: where they stand, or what their labels say.

        Only for pins that exist, each named by its present label. Other pins and whatever else is
        drawn stay as they are; nothing happens where one of the labels is unknown.

        Args:
            pins: Which pins, and what is to be corrected.
        """

        def act(surface: MapSurface) -> None:
            surface.change(lambda state: _repinned(state, pins))

        return self._command(ctx, act)

    def clearPins(self, labels: list[str] | None = None, ctx: Context = BY_HAND) -> Result:
        """Take pins away.

        Args:
            labels: Only the pins with these labels; leave it out to take all away.
        """
        return self._command(ctx, lambda surface: surface.clear_pins(*(labels or ())))

    def addLayer(
        self,
        geojson: dict[str, Any] | str,
        name: str,
        color: str | None = None,
        fit: bool = True,  # noqa: FBT001, FBT002  models give arguments by name
        ctx: Context = BY_HAND,
    ) -> Result:
        """Draw GeoJSON: points, lines or areas. The same name again replaces the layer.

        Args:
            geojson: GeoJSON in degrees WGS 84 (longitude first), or the name of an object that has
                been shared or returned and holds it.
            name: What to call the layer.
            color: blue, orange, green, red, purple, teal, pink, brown, yellow, grey, or a CSS
                colour; leave it out for one that no other layer has.
            fit: Whether to move the map so that the whole layer is seen.
        """
        given = _geojson(geojson, ctx)
        layers = self.map_state.layers
        result = self._command(ctx, lambda surface: surface.add_layer(given, name, color, fit=fit))
        added = next((one for one in self.map_state.layers if one not in layers), None)
        what = f"{added.name!r} has {added.counts()}. " if added else ""
        return replace(result, content=f"Done. {what}{result.preview}.")

    def removeLayer(self, name: str | None = None, ctx: Context = BY_HAND) -> Result:
        """Take away a layer that was drawn.

        Args:
            name: The layer's name; leave it out to take all layers away.
        """

        def act(surface: MapSurface) -> None:
            if name is None:
                surface.clear_layers()
            else:
                surface.remove_layer(name)

        return self._command(ctx, act)

    def findPlaces(
        self,
        query: str,
        limit: Annotated[int, Field(ge=1, le=20)] = 5,
        country: str | None = None,
        near: Place | None = None,
    ) -> list[dict[str, Any]]:
        """Look up cities, countries and US states by name: coordinates, and how many live there.

        Args:
            query: A name in any language, or how it begins. "Paris, US" says the country.
            limit: How many to give, those first that are meant most often.
            country: Only in this country: its English name or ISO code.
            near: Prefer what is near this place.
        """
        from nbagents_widgets.places import PlacesMissingError, gazetteer  # 16 MB

        here = (near["lon"], near["lat"]) if near else None
        try:
            places = gazetteer().find(query, limit, country, here)
        except PlacesMissingError as error:
            raise ToolError(str(error), kind="unavailable") from error
        except ValueError as error:
            raise ToolError(str(error)) from error
        if not places:
            raise ToolError(f"No place is known by the name {query!r}. Try another spelling.")
        return [place.payload() for place in places]

    def _command(self, ctx: Context, act: Callable[[MapSurface], None]) -> Result:
        try:
            act(self._surface)
        except ValueError as error:
            raise ToolError(str(error)) from error
        state = self.map_state
        words = describe(state)
        value = state.payload(with_layers=self._is_new(state.layers, ctx.run_id))
        data = {"kind": "map", **value, "map_id": self.map_id}
        return Result(f"Done. {words}.", data=data, preview=words)

    def _is_new(self, layers: Sequence[Layer], run_id: str) -> bool:
        """Whether a run's map does not show these layers yet: they are large, and said once."""
        known = self._shown.pop(run_id, ())
        self._shown[run_id] = tuple(layers)
        while len(self._shown) > RUNS_KEPT:
            self._shown.pop(next(iter(self._shown)))
        return known != self._shown[run_id]


def _repinned(state: MapState, moves: Sequence[Move]) -> MapState:
    """All moves or, where one cannot be, none."""
    for move in moves:
        state = state.repinned(move["label"], move["lon"], move["lat"], move["new_label"])
    return state


def _geojson(given: dict[str, Any] | str, ctx: Context) -> object:
    """What a model gave: GeoJSON, its text, or the name of an object."""
    if isinstance(given, str) and not given.lstrip().startswith("{"):
        return ctx.handles.find(given)
    return given
