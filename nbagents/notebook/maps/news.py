"""What the user did on a map, as a sentence for a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents_widgets.map_state import lat_words, lon_words
from nbagents_widgets.places import PlacesMissingError, gazetteer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents_widgets.map_state import Click, MapState

CLICKS_TOLD = 3
WORDS_MOST = 80
FINE_FROM_ZOOM = 10


def user_news(state: MapState, clicks: Sequence[Click], *, was_moved: bool) -> str | None:
    """What happened since the model was last told; `None`: nothing.

    Args:
        state: The map as it stands now.
        clicks: The new clicks; of many the last few are told.
        was_moved: Whether the user has moved it. Where Python has moved it since, that is not told.
    """
    said = [_click(click, state.zoom) for click in clicks[-CLICKS_TOLD:]]
    if len(clicks) > CLICKS_TOLD:
        said[0] = f"{len(clicks) - CLICKS_TOLD} times, and then {said[0]}"
    parts = [f"clicked {', then '.join(said)}"] if said else []
    if was_moved and state.moved_by == "user":
        where = _place(state.lon, state.lat, state.zoom)
        parts.append(f"moved it to {where}, zoom {state.zoom:g}")
    return f"On {_name(state)}, the user {' and '.join(parts)}." if parts else None


def _name(state: MapState) -> str:
    return f"the map {_quoted(state.title)}" if state.title else "the map"


def _click(click: Click, zoom: float) -> str:
    where = _place(click.lon, click.lat, zoom)
    if click.on == "pin":
        return f"the pin {_quoted(click.label)} at {where}"
    if click.on == "feature":
        return f"{_quoted(click.label)} of the layer {_quoted(click.layer)} at {where}"
    return f"at {where}"


def _place(lon: float, lat: float, zoom: float) -> str:
    decimals = 4 if zoom > FINE_FROM_ZOOM else 2
    near = _near(lon, lat)
    words = f"{lon_words(lon, decimals)}, {lat_words(lat, decimals)}"
    return f"{words} (near {near})" if near else words


def _near(lon: float, lat: float) -> str:
    try:
        place = gazetteer().nearest(lon, lat)
    except PlacesMissingError:
        return ""  # an extra, which the person may do without
    return f"{place.name}, {place.country}" if place else ""


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= WORDS_MOST else line[: WORDS_MOST - 1] + "…")
