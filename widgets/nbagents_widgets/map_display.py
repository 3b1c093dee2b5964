"""How a map is displayed: a live view where a page watches, and always a form that needs none."""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING, Any, Final, cast

from nbagents_widgets.map_picture import map_picture, picture_uri
from nbagents_widgets.map_state import describe

if TYPE_CHECKING:
    from nbagents_widgets.map_state import MapState

__all__ = ["PICTURE_WIDTH_PX", "VIEW_MIME", "WIDGET_MIME", "map_bundle", "publish"]

VIEW_MIME: Final = "application/vnd.jupyter.widget-view+json"
WIDGET_MIME: Final = "application/vnd.nbagents.widget.v1+json"
"""What our extension shows where the widget's model is gone: `kind`, `value`, `model_id`."""

PICTURE_WIDTH_PX: Final = 640

LAYERS_MOST_BYTES: Final = 100_000
"""What is saved of layers, beside their picture."""


def map_bundle(state: MapState, height_px: int, model_id: str | None = None) -> dict[str, Any]:
    """A map by MIME type (Any: JSON and texts).

    Args:
        state: What it shows.
        height_px: How high it is.
        model_id: The widget's model, where there is one for a page to show.
    """
    words = describe(state)
    source = picture_uri(map_picture(state, PICTURE_WIDTH_PX, height_px))
    image = f'<img alt="{html.escape(words)}" src="{source}" style="max-width:100%">'
    still = {"kind": "map", "value": {**_storable(state), "height_px": height_px}}
    bundle: dict[str, Any] = {
        "text/plain": words,
        "text/html": image,
        WIDGET_MIME: {**still, "model_id": model_id},
    }
    if model_id is not None:
        view = {"version_major": 2, "version_minor": 1, "model_id": model_id}
        bundle[VIEW_MIME] = view
    return bundle


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


def publish(bundle: dict[str, Any], display_id: str, *, update: bool = False) -> None:
    """Display a bundle, or replace what was displayed under the same id."""
    from IPython import display  # only where IPython is

    show = cast("Any", display).publish_display_data  # Any: IPython leaves it untyped
    show(bundle, metadata={}, transient={"display_id": display_id}, update=update)
