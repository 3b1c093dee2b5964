"""What can be done to a map, by Python and by the user, wherever it is drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nbagents_widgets.map_state.layers import bounds_of_layers
from nbagents_widgets.map_state.state import MapState, Pin
from nbagents_widgets.map_state.user import Click, UserLog
from nbagents_widgets.world import Bounds

if TYPE_CHECKING:
    from nbagents_widgets.places import Place


class MapSurface:
    """A map that keeps its state itself; longitude comes first, degrees WGS 84.

    What draws it gives `map_state`, `change`, `take_click` and `follow_user`.
    """

    user_log: UserLog
    """What the user did, for whoever is to be told."""

    @property
    def map_state(self) -> MapState:
        """All that the map shows, as one value."""
        raise NotImplementedError

    def change(self, change: Callable[[MapState], MapState]) -> None:
        """Show what a function makes of what is shown; in any thread.

        Raises:
            ValueError: The function refuses; nothing has changed.
        """
        raise NotImplementedError

    def take_click(self, click: Click) -> None:
        """Take what the user clicked on."""
        self.user_log.clicked(click)

    def follow_user(self, lon: float, lat: float, zoom: float) -> None:
        """Go where the user moved another map that shows the same, such as a run's."""
        raise NotImplementedError

    def set_center(self, lon: float, lat: float, zoom: float | None = None) -> None:
        """Move the map.

        Args:
            lon: Longitude, -180 to 180, east positive.
            lat: Latitude, -90 to 90, north positive; the map is drawn up to 85.05.
            zoom: 0 to 18; `None` keeps it.

        Raises:
            ValueError: Something is out of range or no finite number.
        """
        self.change(lambda state: state.centred(lon, lat, zoom))

    def set_zoom(self, zoom: float) -> None:
        """Zoom where the map is, also if the user moved it there; 0 to 18.

        Raises:
            ValueError: The level is out of range or no finite number.
        """
        self.change(lambda state: state.zoomed(zoom))

    def fit_bounds(
        self, west: float, south: float, east: float, north: float, padding_px: float = 24
    ) -> None:
        """Move the map so that it shows a part of the world whole, as closely as that allows.

        Args:
            west: Longitude; larger than `east` where the part crosses 180°.
            south: Latitude.
            east: Longitude.
            north: Latitude.
            padding_px: Room that is left free on each side, at most 200.

        Raises:
            ValueError: Something is out of range, or south lies north of north.
        """
        bounds = Bounds(west=west, south=south, east=east, north=north, padding_px=padding_px)
        self.change(lambda state: state.fit(bounds))

    def set_pin(self, lon: float, lat: float, label: str = "") -> None:
        """Mark a place; a pin at the very same place is replaced.

        Raises:
            ValueError: A coordinate is out of range or no finite number.
        """
        pin = Pin(lon=lon, lat=lat, label=label)
        self.change(lambda state: state.pinned(pin))

    def move_pin(
        self,
        label: str,
        lon: float | None = None,
        lat: float | None = None,
        new_label: str | None = None,
    ) -> None:
        """Move a pin, or rename it; what is `None` stays.

        Raises:
            ValueError: No pin has this label, or a coordinate is out of range.
        """
        self.change(lambda state: state.repinned(label, lon, lat, new_label))

    def clear_pins(self, *labels: str) -> None:
        """Take pins away: those with these labels, or all.

        Raises:
            ValueError: No pin has one of the labels.
        """
        self.change(lambda state: state.unpinned(*labels))

    def add_layer(
        self,
        geojson: object,
        name: str | None = None,
        color: str | None = None,
        *,
        fit: bool = False,
    ) -> None:
        """Draw points, lines and areas; a layer of the same name is replaced.

        A click on one shows its properties.

        Args:
            geojson: GeoJSON in degrees WGS 84 as a mapping or its text, or anything with a
                `__geo_interface__`, such as shapely's geometries and GeoDataFrames.
            name: What to call the layer.
            color: `blue`, `orange`, `green`, `red`, `purple`, `teal`, `pink`, `brown`, `yellow`,
                `grey`, or a CSS colour; `None`: one that no other layer has.
            fit: Whether to move the map so that the whole layer is seen.

        Raises:
            ValueError: It is no GeoJSON, too large, or the colour is none.
        """
        layer = self.map_state.new_layer(geojson, name, color)
        around = bounds_of_layers(layer) if fit else None
        self.change(lambda state: state.layered(layer, around))

    def remove_layer(self, name: str) -> None:
        """Take a layer away.

        Raises:
            ValueError: There is none of this name.
        """
        self.change(lambda state: state.without_layers(name))

    def clear_layers(self) -> None:
        """Take all layers away."""
        self.change(lambda state: state.without_layers())

    def find_places(
        self,
        query: str,
        limit: int = 5,
        country: str | None = None,
        near: tuple[float, float] | None = None,
    ) -> tuple[Place, ...]:
        """Look up places by name, offline; needs `pip install "jupyter-nbagents[places]"`.

        Args:
            query: A name, in any language, or how it begins; `Paris, US` says the country.
            limit: How many, at most 50; those that are meant most often come first.
            country: Only in this country, by its English name or code.
            near: Longitude and latitude: what is near counts more.

        Raises:
            ImportError: The places are not installed.
            ValueError: There is no such country.
        """
        from nbagents_widgets.places import gazetteer  # 16 MB

        return gazetteer().find(query, limit, country, near)

    def get_center(self) -> dict[str, float | str]:
        """Where the map is now: `lon`, `lat`, `zoom`, and `moved_by` `"user"` or `"python"`."""
        return self.map_state.center()

    @property
    def clicks(self) -> tuple[Click, ...]:
        """What the user clicked on, the last hundred, newest last."""
        return self.user_log.clicks

    def click(self, lon: float, lat: float) -> None:
        """Click as the user would: for tests, and for notebooks that run without a page.

        Raises:
            ValueError: A coordinate is out of range or no finite number.
        """
        self.take_click(Click(lon=lon, lat=lat))
