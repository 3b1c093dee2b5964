"""A map in a form that needs no page: as a picture, and as what our extension draws."""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING, Any, Final

from nbagents_widgets.displays import WIDGET_MIME
from nbagents_widgets.map_picture import map_picture, picture_uri
from nbagents_widgets.map_state import describe

if TYPE_CHECKING:
    from nbagents_widgets.map_state import MapState

__all__ = ["PICTURE_WIDTH_PX", "map_bundle"]

PICTURE_WIDTH_PX: Final = 640

LAYERS_MOST_BYTES: Final = 100_000
"""What is saved of layers, beside their picture."""


def map_bundle(state: MapState, height_px: int) -> dict[str, Any]:
    """A map by MIME type (Any: JSON and texts).

    Args:
        state: What it shows.
        height_px: How high it is.
    """
    words = describe(state)
    source = picture_uri(map_picture(state, PICTURE_WIDTH_PX, height_px))
    return {
        "text/plain": words,
        "text/html": f'<img alt="{html.escape(words)}" src="{source}" style="max-width:100%">',
        WIDGET_MIME: {"kind": "map", "value": {**_storable(state), "height_px": height_px}},
    }


def _storable(state: MapState) -> dict[str, Any]:
    """The state without the layers that would make a saved notebook large; they are named."""
    left_out: list[str] = []
    layers: list[Any] = []
    room = LAYERS_MOST_BYTES
    for layer in state.layers:
        room -= (size := len(json.dumps(layer.geojson, separators=(",", ":"))))
        if room >= 0:
            layers.append(layer.payload())
        else:
            room += size
            left_out.append(layer.name)
    value = {**state.payload(with_layers=False), "layers": layers}
    return {**value, "left_out": left_out} if left_out else value
