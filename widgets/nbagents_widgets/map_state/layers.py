"""A layer of a map: features under a name, in one colour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from nbagents_widgets.map_state.colors import checked_color, palette_color
from nbagents_widgets.world import Bounds, Collection, a_list, collected, hull, positions, record

LAYERS_MOST: Final = 20
NAME_MOST: Final = 60

KINDS: Final = {
    **dict.fromkeys(("Point", "MultiPoint"), "point"),
    **dict.fromkeys(("LineString", "MultiLineString"), "line"),
    **dict.fromkeys(("Polygon", "MultiPolygon"), "area"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """Features to draw on a map.

    Raises:
        ValueError: The GeoJSON is none, or the colour is none.
    """

    name: str
    geojson: Collection
    """A `FeatureCollection` as `collected` gives it."""
    color: str

    @classmethod
    def of(cls, geojson: object, name: str, color: str) -> Layer:
        """A layer of anything that is GeoJSON; see `collected`."""
        short = " ".join(str(name).split())[:NAME_MOST] or "layer"
        return cls(name=short, geojson=collected(geojson), color=checked_color(color))

    def payload(self) -> dict[str, Any]:
        """As it crosses to the page."""
        return {"name": self.name, "color": self.color, "geojson": self.geojson}

    def counts(self) -> str:
        """What is in it: `2 points, 1 line`."""
        many: dict[str, int] = {}
        for feature in self.geojson["features"]:
            kind = KINDS[feature["geometry"]["type"]]
            many[kind] = many.get(kind, 0) + 1
        return ", ".join(f"{count} {kind}{'s' * (count != 1)}" for kind, count in many.items())


def layered(layers: tuple[Layer, ...], layer: Layer) -> tuple[Layer, ...]:
    """The layers with one more on top; one of the same name is replaced where it is.

    Raises:
        ValueError: There are too many.
    """
    if any(one.name == layer.name for one in layers):
        return tuple(layer if one.name == layer.name else one for one in layers)
    if len(layers) >= LAYERS_MOST:
        raise ValueError(
            f"A map takes {LAYERS_MOST} layers: remove one, or put both into one layer."
        )
    return (*layers, layer)


def layers_of(value: object) -> tuple[Layer, ...]:
    """The layers of a payload: mappings with `geojson`, and perhaps `name` and `color`.

    Raises:
        ValueError: One is none.
    """
    layers: tuple[Layer, ...] = ()
    for one in a_list(value, "A map's layers"):
        known: Mapping[str, Any] = record(one, "A layer")
        place = len(layers)
        name = str(known.get("name") or f"layer {place + 1}")
        color = known.get("color") or palette_color(place)
        layers = layered(layers, Layer.of(known.get("geojson"), name, color))
    return layers


def bounds_of_layers(*layers: Layer, padding_px: float | None = None) -> Bounds | None:
    """Where the layers lie; `None` where nothing is in them."""
    features = (feature for layer in layers for feature in layer.geojson["features"])
    around = hull(
        (lon, lat)
        for feature in features
        for lon, lat in positions(feature["geometry"]["coordinates"])
    )
    if around is None or padding_px is None:
        return around
    return replace(around, padding_px=padding_px)
