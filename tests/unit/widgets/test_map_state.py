"""A map's position: what is refused, who moved it, and how it is said."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from nbagents_widgets.map_picture.grid import (
    View,
    grid_step,
    inset_of,
    meridians,
    parallels,
    scale_bar,
    view_of,
)
from nbagents_widgets.map_state.layers import layers_of
from nbagents_widgets.map_state.state import MapState, Pin, describe, laid_over, map_state_of
from nbagents_widgets.world.bounds import Bounds

CASES = json.loads(
    (Path(__file__).parents[2] / "fixtures/map/cases.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", CASES["described"])
def test_a_position_is_said_as_the_page_says_it(case: dict[str, Any]) -> None:
    pins = tuple(Pin(lon=number, lat=0) for number in range(case["pins"]))
    point = {"type": "Point", "coordinates": [1, 2]}
    layers = layers_of([{"geojson": point}] * case.get("layers", 0))
    state = MapState(lon=case["lon"], lat=case["lat"], zoom=case["zoom"], pins=pins, layers=layers)
    assert describe(state) == case["words"]


@pytest.mark.parametrize("case", CASES["states"], ids=lambda case: case["name"])
def test_payloads_one_after_the_other_show_what_the_page_shows(case: dict[str, Any]) -> None:
    state: MapState | None = None
    whole: Any = {}
    for value in case["values"]:
        state = map_state_of(value, state)
        whole = laid_over(whole, value)
    assert state is not None
    bounds = state.bounds and state.bounds.payload()
    shown = {"lon": state.lon, "lat": state.lat, "zoom": state.zoom, "bounds": bounds}
    names = {
        "pins": [pin.label for pin in state.pins],
        "layers": [layer.name for layer in state.layers],
    }
    assert {**shown, **names, "title": state.title} == case["shows"]
    assert map_state_of(whole).bounds == state.bounds
    assert map_state_of(whole).layers == state.layers


def test_a_title_names_the_map() -> None:
    assert describe(MapState(title="Trip")) == "Trip: map at 10° E, 30° N, zoom 2"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"lon": 181}, r"longitude must be between -180 and 180 .*not 181"),
        ({"lon": -180.5}, r"longitude must be between -180 and 180 .*not -180.5"),
        ({"lat": 120}, r"latitude must be between -90 and 90 .*not 120\. .*longitude first"),
        ({"lat": math.nan}, r"latitude must be a finite number, not nan"),
        ({"lon": math.inf}, r"longitude must be a finite number, not inf"),
        ({"zoom": -1}, r"zoom level must be between 0 \(the world\) and 18"),
        ({"zoom": 19}, r"zoom level must be between 0 .* not 19"),
        ({"zoom": "9"}, r"zoom level must be a finite number, not '9'"),
        ({"lon": None}, r"longitude must be a finite number, not None"),
        ({"lat": True}, r"latitude must be a finite number, not True"),
        ({"lon": 10**400}, r"longitude must be a finite number"),
    ],
)
def test_what_is_no_place_is_refused_in_words(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        MapState(**change)


def test_the_edges_of_the_world_are_places() -> None:
    assert MapState(lon=-180, lat=-90, zoom=0).center()["lat"] == -90
    assert MapState(lon=180, lat=90, zoom=18).center()["lon"] == 180


def test_a_command_counts_and_a_users_move_does_not() -> None:
    state = MapState().centred(1, 2, 3).moved(4, 5, 6)
    assert (state.seq, state.moved_by) == (1, "user")
    assert state.zoomed(7).center() == {"lon": 4, "lat": 5, "zoom": 7, "moved_by": "python"}


def test_bounds_are_a_command_that_the_next_place_ends() -> None:
    bounds = Bounds(west=-5, south=45, east=16, north=60)
    state = MapState().fit(bounds)
    assert (state.seq, state.bounds, state.lon) == (1, bounds, 5.5)
    assert state.settled(5.5, 53, 4.5).bounds == bounds
    assert state.zoomed(4).bounds is None
    assert state.moved(1, 2, 3).bounds is None


def test_a_pin_is_moved_and_renamed_by_its_label() -> None:
    state = MapState().pinned(Pin(lon=1, lat=2, label="a"), Pin(lon=3, lat=4, label="b"))
    moved = state.repinned("a", 5, None, "c")
    assert [pin.payload() for pin in moved.pins] == [
        {"lon": 5, "lat": 2, "label": "c"},
        {"lon": 3, "lat": 4, "label": "b"},
    ]
    assert [pin.label for pin in state.unpinned("a").pins] == ["b"]
    assert state.unpinned().pins == ()


def test_a_label_that_no_pin_has_is_said_with_those_there_are() -> None:
    state = MapState().pinned(Pin(lon=1, lat=2, label="Oslo"))
    with pytest.raises(ValueError, match=r"no pin 'Olso'. There are 'Oslo'\."):
        state.repinned("Olso", 1, 2, None)
    with pytest.raises(ValueError, match=r"no layer 'x'. There are none"):
        state.without_layers("x")


def test_a_pin_at_the_very_same_place_is_replaced() -> None:
    state = MapState().pinned(Pin(lon=1, lat=2, label="a")).pinned(Pin(lon=1, lat=2, label="b"))
    assert [pin.label for pin in state.pins] == ["b"]


def test_a_payload_holds_the_whole_state_and_reads_back() -> None:
    state = MapState(lon=1.5, lat=2, zoom=3, pins=(Pin(lon=1, lat=2, label="a"),), title="t", seq=4)
    payload = state.payload()
    assert payload == {
        "center": {"lon": 1.5, "lat": 2},
        "zoom": 3,
        "pins": [{"lon": 1, "lat": 2, "label": "a"}],
        "title": "t",
        "seq": 4,
        "bounds": None,
        "layers": [],
    }
    assert map_state_of(payload, MapState(seq=4)) == state


def test_a_partial_payload_keeps_what_it_does_not_name() -> None:
    before = MapState(lon=1, lat=2, zoom=3, title="t")
    assert map_state_of({"zoom": 5}, before) == MapState(lon=1, lat=2, zoom=5, title="t")
    assert map_state_of({"center": None, "pins": None, "zoom": None}, before) == before


NO_MAPS: list[Any] = [
    None,
    "map",
    {"center": "Oslo"},
    {"center": {"lon": 200}},
    {"pins": "Oslo"},
    {"pins": [{}]},
    {"pins": [1]},
    {"bounds": {"west": 1}},
    {"layers": [{"geojson": {"type": "Map"}}]},
]


@pytest.mark.parametrize("value", NO_MAPS)
def test_a_payload_that_is_no_map_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"map|pin|longitude|latitude|GeoJSON"):
        map_state_of(value)


def test_a_pins_label_is_a_text() -> None:
    with pytest.raises(TypeError, match="label is a text, not int"):
        Pin(lon=1, lat=2, label=3)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("case", CASES["grid_steps"])
def test_the_grid_is_as_fine_as_the_pages(case: dict[str, float]) -> None:
    assert grid_step(case["zoom"]) == case["step"]


def test_meridians_and_parallels_have_the_pages_names() -> None:
    view = View(**CASES["grid"]["view"])
    assert [line.words for line in meridians(view)] == CASES["grid"]["meridians"]
    assert [line.words for line in parallels(view)] == CASES["grid"]["parallels"]


def test_meridians_go_on_over_the_date_line() -> None:
    view = View(**CASES["date_line"]["view"])
    assert [line.words for line in meridians(view)] == CASES["date_line"]["meridians"]


@pytest.mark.parametrize("case", CASES["scale_bars"])
def test_the_scale_is_the_pages(case: dict[str, float]) -> None:
    metres, px = scale_bar(MapState(lon=0, lat=case["lat"], zoom=case["zoom"]))
    assert metres == case["metres"]
    assert px == pytest.approx(case["px"], abs=0.05)


def test_the_small_map_stands_where_the_page_puts_it() -> None:
    case = CASES["inset"]
    state = MapState(lon=case["lon"], lat=case["lat"], zoom=case["zoom"])
    inset = inset_of(view_of(state, case["width"], case["height"]), state)
    assert inset is not None
    assert (inset.x, inset.y) == (case["x"], case["y"])
    mark = {side: getattr(inset.mark, side) for side in ("left", "top", "right", "bottom")}
    assert mark == case["mark"]
