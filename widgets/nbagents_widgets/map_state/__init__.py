"""What a map shows, and what is done to it: position, pins, layers, clicks and moves."""

from nbagents_widgets.map_state.colors import css_color
from nbagents_widgets.map_state.layers import Layer, layers_of
from nbagents_widgets.map_state.state import (
    MapState,
    Pin,
    describe,
    laid_over,
    lat_words,
    lon_words,
    map_state_of,
    pins_of,
)
from nbagents_widgets.map_state.surface import MapSurface
from nbagents_widgets.map_state.user import Click, UserLog, click_of

__all__ = [
    "Click",
    "Layer",
    "MapState",
    "MapSurface",
    "Pin",
    "UserLog",
    "click_of",
    "css_color",
    "describe",
    "laid_over",
    "lat_words",
    "layers_of",
    "lon_words",
    "map_state_of",
    "pins_of",
]
