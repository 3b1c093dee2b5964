"""The map as a widget: who moves it, what is displayed, and when a comm is opened."""

from __future__ import annotations

import html
import json
import math
import re
from typing import Any

import pytest
from nbagents_widgets.map_view import MapView

from tests.unit.widgets.wire import Wire

VIEW = "application/vnd.jupyter.widget-view+json"
STATIC = "application/vnd.nbagents.widget.v1+json"
ROUTE = {"type": "LineString", "coordinates": [[10, 50], [20, 60]]}


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBAGENTS_FRONTEND", "live")


@pytest.fixture
def unwatched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBAGENTS_FRONTEND", "static")


def from_page(view: MapView, **state: object) -> None:
    """A message of the page, as ipywidgets takes it off the wire."""
    data: dict[str, Any] = {"method": "update", "state": state, "buffer_paths": []}
    assert view.comm is not None
    view.comm.handle_msg({"content": {"data": data}, "buffers": []})


def clicked(view: MapView, **click: object) -> None:
    """A click as the page tells of it."""
    data = {"method": "custom", "content": {"type": "click", **click}}
    assert view.comm is not None
    view.comm.handle_msg({"content": {"data": data}, "buffers": []})


def users(seq: int) -> dict[str, object]:
    return {"lon": 1.5, "lat": 2.5, "zoom": 3, "by": "user", "seq": seq}


def updates(wire: Wire, trait: str) -> list[Any]:
    messages: list[dict[str, Any]] = [sent["data"] or {} for sent in wire.sent]
    states = [message["state"] for message in messages if message.get("method") == "update"]
    return [state[trait] for state in states if trait in state]


def bundle(view: MapView) -> dict[str, Any]:
    data, _metadata = view._repr_mimebundle_()  # pyright: ignore[reportPrivateUsage]  IPython's hook
    return data


@pytest.mark.usefixtures("watched")
def test_a_watched_map_is_displayed_as_widget_picture_and_words(wires: list[Wire]) -> None:
    view = MapView(lon=10.75, lat=59.91, zoom=9)
    view.set_pin(10.75, 59.91, "Oslo")
    shown = bundle(view)
    assert shown["text/plain"] == "Map at 10.75° E, 59.91° N, zoom 9, 1 pin"
    assert shown[VIEW]["model_id"] in {wire.comm_id for wire in wires}
    assert shown[STATIC]["kind"] == "map"
    assert shown[STATIC]["value"]["pins"] == view.pins
    assert re.fullmatch(
        r'<img alt="Map at [^"<]*" src="data:image/svg\+xml,[^"<>]*" style="[^"]*">',
        shown["text/html"],
    )


@pytest.mark.usefixtures("unwatched")
def test_where_no_page_is_watching_no_comm_is_opened_at_all(wires: list[Wire]) -> None:
    view = MapView()
    view.set_center(1, 2, 3)
    view.set_pin(1, 2, "a")
    shown = bundle(view)
    assert set(shown) == {"text/plain", "text/html", STATIC}
    assert wires == []
    assert view.get_center() == {"lon": 1, "lat": 2, "zoom": 3, "moved_by": "python"}


def test_a_map_made_in_silence_opens_its_comm_when_a_page_watches(
    wires: list[Wire], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NBAGENTS_FRONTEND", "static")
    view = MapView(lon=5)
    monkeypatch.setenv("NBAGENTS_FRONTEND", "live")
    shown = bundle(view)
    own = next(wire for wire in wires if wire.comm_id == shown[VIEW]["model_id"])
    assert own.sent[0]["data"]["state"]["wanted"]["lon"] == 5


@pytest.mark.usefixtures("watched", "wires")
def test_the_users_move_is_where_the_map_is() -> None:
    view = MapView()
    view.set_center(10, 20, 5)
    from_page(view, rendered=users(seq=1))
    assert view.get_center() == {"lon": 1.5, "lat": 2.5, "zoom": 3, "moved_by": "user"}
    assert view.state == users(seq=1)


@pytest.mark.usefixtures("watched", "wires")
def test_a_users_move_that_was_made_before_a_command_came_does_not_undo_it() -> None:
    view = MapView()
    view.set_center(10, 20, 5)
    from_page(view, rendered=users(seq=0))
    assert view.get_center() == {"lon": 10, "lat": 20, "zoom": 5, "moved_by": "python"}


@pytest.mark.usefixtures("watched")
def test_a_users_move_is_not_sent_back(wires: list[Wire]) -> None:
    view = MapView()
    own = next(wire for wire in wires if wire.comm_id == view.model_id)
    own.sent.clear()
    from_page(view, rendered=users(seq=0))
    assert updates(own, "wanted") == []


@pytest.mark.usefixtures("watched", "wires")
def test_the_pages_answer_to_a_command_does_not_move_the_map() -> None:
    view = MapView()
    view.set_center(0, 89, 5)
    from_page(view, rendered={"lon": 0, "lat": 85.051129, "zoom": 5, "by": "python", "seq": 1})
    assert view.get_center() == {"lon": 0, "lat": 89, "zoom": 5, "moved_by": "python"}
    assert view.state is not None
    assert view.state["lat"] == 85.051129


@pytest.mark.usefixtures("watched")
def test_each_command_goes_out_with_the_next_number(wires: list[Wire]) -> None:
    view = MapView()
    own = next(wire for wire in wires if wire.comm_id == view.model_id)
    view.set_center(10, 20)
    view.set_center(10, 20)
    assert updates(own, "wanted") == [
        {"lon": 10, "lat": 20, "zoom": 2, "seq": 1},
        {"lon": 10, "lat": 20, "zoom": 2, "seq": 2},
    ]


@pytest.mark.usefixtures("watched", "wires")
def test_zooming_keeps_the_place_the_user_chose() -> None:
    view = MapView()
    from_page(view, rendered=users(seq=0))
    view.set_zoom(7)
    assert view.get_center() == {"lon": 1.5, "lat": 2.5, "zoom": 7, "moved_by": "python"}
    assert view.wanted == {"lon": 1.5, "lat": 2.5, "zoom": 7, "seq": 1}


@pytest.mark.usefixtures("watched")
def test_following_the_user_moves_the_page_and_is_still_the_users_move(wires: list[Wire]) -> None:
    view = MapView()
    own = next(wire for wire in wires if wire.comm_id == view.model_id)
    view.follow_user(1, 2, 3)
    assert view.get_center()["moved_by"] == "user"
    assert updates(own, "wanted") == [{"lon": 1, "lat": 2, "zoom": 3, "seq": 1}]


@pytest.mark.usefixtures("unwatched")
def test_pins_are_kept_replaced_and_cleared() -> None:
    view = MapView()
    view.set_pin(1, 2, "a")
    view.set_pin(1, 2, "b")
    view.set_pin(3, 4)
    assert view.pins == [{"lon": 1, "lat": 2, "label": "b"}, {"lon": 3, "lat": 4, "label": ""}]
    view.clear_pins()
    assert view.pins == []
    assert repr(view) == "Map at 10° E, 30° N, zoom 2"


@pytest.mark.usefixtures("unwatched")
def test_pins_and_title_may_be_set_as_traits() -> None:
    view = MapView(title="Trip")
    view.pins = [{"lon": 1, "lat": 2, "label": "a"}]
    view.title = "Tour"
    assert repr(view) == "Tour: map at 10° E, 30° N, zoom 2, 1 pin"


@pytest.mark.usefixtures("unwatched")
@pytest.mark.parametrize("lon", [181, -180.1, math.nan, math.inf, "1"])
def test_a_longitude_that_is_none_is_refused_in_words_and_changes_nothing(lon: Any) -> None:
    view = MapView(lon=5, lat=6, zoom=7)
    for act in (view.set_center, view.set_pin):
        with pytest.raises(ValueError, match="longitude must be"):
            act(lon, 0)
    with pytest.raises(ValueError, match=r"pin|longitude"):
        view.pins = [{"lon": lon, "lat": 0, "label": ""}]
    assert view.get_center() == {"lon": 5, "lat": 6, "zoom": 7, "moved_by": "python"}
    assert view.pins == []


@pytest.mark.usefixtures("unwatched")
def test_a_zoom_level_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match="zoom level must be between 0"):
        MapView().set_zoom(19)


@pytest.mark.usefixtures("watched")
def test_bounds_go_to_the_page_and_come_back_as_a_place(wires: list[Wire]) -> None:
    view = MapView()
    own = next(wire for wire in wires if wire.comm_id == view.model_id)
    view.fit_bounds(-5, 45, 16, 60)
    (wanted,) = updates(own, "wanted")
    assert wanted["bounds"] == {
        "west": -5,
        "south": 45,
        "east": 16,
        "north": 60,
        "padding_px": 24,
    }
    from_page(view, rendered={"lon": 5.5, "lat": 53.1, "zoom": 4.4, "by": "python", "seq": 1})
    assert view.get_center() == {"lon": 5.5, "lat": 53.1, "zoom": 4.4, "moved_by": "python"}
    view.set_center(1, 2)
    assert "bounds" not in view.wanted


@pytest.mark.usefixtures("watched")
def test_layers_go_to_the_page_once_and_are_replaced_by_name(wires: list[Wire]) -> None:
    view = MapView()
    own = next(wire for wire in wires if wire.comm_id == view.model_id)
    view.add_layer(ROUTE, "Route", "red")
    view.add_layer(ROUTE)
    view.add_layer({"type": "Point", "coordinates": [1, 2]}, "Route")
    view.set_pin(1, 2)
    sent = updates(own, "layers")
    assert [[layer["name"] for layer in one] for one in sent] == [
        ["Route"],
        ["Route", "layer 2"],
        ["Route", "layer 2"],
    ]
    assert sent[-1][0]["geojson"]["features"][0]["geometry"]["type"] == "Point"
    assert [layer["color"] for layer in sent[-1]] == ["red", "orange"]
    view.remove_layer("Route")
    assert [layer["name"] for layer in view.layers] == ["layer 2"]
    view.clear_layers()
    assert view.layers == []
    assert repr(view) == "Map at 10° E, 30° N, zoom 2, 1 pin"


@pytest.mark.usefixtures("unwatched")
def test_a_layer_can_be_seen_whole_as_it_is_added() -> None:
    view = MapView()
    view.add_layer(ROUTE, fit=True)
    assert view.get_center()["lon"] == 15
    with pytest.raises(ValueError, match="GeoJSON has a type"):
        view.add_layer({"type": "Map"}, fit=True)
    with pytest.raises(ValueError, match="'mauvve' is no colour"):
        view.add_layer(ROUTE, color="mauvve")
    assert len(view.layers) == 1


@pytest.mark.medium
@pytest.mark.usefixtures("unwatched")
def test_large_layers_are_named_and_not_saved_beside_the_picture() -> None:
    view = MapView()
    points = [[round(number / 100, 2), round(number / 100, 2)] for number in range(8000)]
    view.add_layer({"type": "LineString", "coordinates": points}, "Long")
    view.add_layer(ROUTE, "Short")
    value = bundle(view)[STATIC]["value"]
    assert [layer["name"] for layer in value["layers"]] == ["Short"]
    assert value["left_out"] == ["Long"]
    assert len(bundle(view)["text/html"]) < 60_000


@pytest.mark.usefixtures("watched", "wires")
def test_clicks_come_back_in_order_and_to_handlers() -> None:
    view = MapView()
    seen: list[Any] = []
    end = view.on_click(seen.append)
    clicked(view, lon=10.5, lat=59.5, on="map")
    clicked(view, lon=1, lat=2, on="pin", label="Oslo")
    end()
    view.click(3, 4)
    assert [click.payload() for click in view.clicks] == [
        {"lon": 10.5, "lat": 59.5, "on": "map"},
        {"lon": 1, "lat": 2, "on": "pin", "label": "Oslo"},
        {"lon": 3, "lat": 4, "on": "map"},
    ]
    assert seen == list(view.clicks[:2])


@pytest.mark.usefixtures("watched", "wires")
def test_a_click_that_is_nowhere_is_refused_and_changes_nothing() -> None:
    view = MapView()
    with pytest.raises(ValueError, match="longitude"):
        view.click(999, 0)
    assert view.clicks == ()


@pytest.mark.usefixtures("watched")
def test_online_tiles_are_told_to_the_page_only_where_they_are_asked_for(
    wires: list[Wire],
) -> None:
    def told(view: MapView) -> Any:
        own = next(wire for wire in wires if wire.comm_id == view.model_id)
        return own.sent[0]["data"]["state"]["tiles"]

    assert told(MapView()) == {}
    assert "OpenStreetMap" in told(MapView(tiles="osm"))["attribution"]
    url = "https://tiles.example/{z}/{x}/{y}.png"
    assert told(MapView(tiles=url, attribution="© us")) == {"url": url, "attribution": "© us"}


@pytest.mark.usefixtures("unwatched")
@pytest.mark.parametrize("tiles", ["javascript:{z}{x}{y}", "https://x/{z}/{x}.png", "osm2", ""])
def test_tiles_that_are_none_are_refused_in_words(tiles: str) -> None:
    with pytest.raises(ValueError, match="tiles is 'osm' or 'topo', or a template"):
        MapView(tiles=tiles, attribution="us")


@pytest.mark.usefixtures("unwatched")
def test_tiles_need_somebody_to_thank() -> None:
    with pytest.raises(ValueError, match="Say whose tiles these are"):
        MapView(tiles="https://tiles.example/{z}/{x}/{y}.png")


@pytest.mark.usefixtures("unwatched")
def test_the_picture_is_of_the_map_as_it_is_now() -> None:
    view = MapView(height_px=200)
    view.set_center(2.35, 48.86, 5)
    view.set_pin(2.35, 48.86, "Paris")
    svg = view.picture()
    assert "aria-label='Map at 2.35° E, 48.86° N, zoom 5, 1 pin'" in svg
    assert "height='200'" in svg
    assert ">Paris</text>" in svg


@pytest.mark.usefixtures("unwatched")
def test_a_title_does_not_break_out_of_the_pictures_tag() -> None:
    shown = bundle(MapView(title='"><script>alert(1)</script>'))
    assert "<script" not in shown["text/html"]
    assert html.escape('"><script>alert(1)</script>: map') in shown["text/html"]


@pytest.mark.usefixtures("watched")
def test_the_page_is_sent_the_maps_module_when_it_asks(wires: list[Wire]) -> None:
    view = MapView()
    own = next(wire for wire in wires if wire.comm_id == view.model_id)
    data = {"method": "custom", "content": {"type": "library", "name": "map"}}
    view.comm.handle_msg({"content": {"data": data}, "buffers": []})  # pyright: ignore[reportOptionalMemberAccess]
    answer = own.sent[-1]
    assert answer["data"]["content"]["name"] == "map"
    assert b"Natural Earth" in answer["buffers"][0]


@pytest.mark.usefixtures("watched")
def test_what_travels_with_each_map_is_small(wires: list[Wire]) -> None:
    view = MapView()
    own = next(wire for wire in wires if wire.comm_id == view.model_id)
    assert len(json.dumps(own.sent[0]["data"]["state"])) < 4_000


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    kept: list[dict[str, Any]] = []

    def publish(data: dict[str, Any], **options: Any) -> None:
        kept.append({"data": data, **options})

    monkeypatch.setattr("IPython.display.publish_display_data", publish)
    return kept


@pytest.mark.usefixtures("watched")
def test_a_frozen_map_leaves_its_picture_where_it_was_shown(
    wires: list[Wire], published: list[dict[str, Any]]
) -> None:
    view = MapView(10, 50, 4)
    view._ipython_display_()  # pyright: ignore[reportPrivateUsage]  IPython's hook
    from_page(view, rendered={"lon": 20.0, "lat": 40.0, "zoom": 5, "by": "user", "seq": 0})
    view.freeze()
    shown, frozen = published
    assert VIEW in shown["data"]
    assert set(frozen["data"]) == {"text/plain", "text/html", STATIC}
    assert frozen["data"][STATIC]["value"]["center"] == {"lon": 20, "lat": 40}
    assert frozen["data"]["text/plain"].startswith("Map at 20° E, 40° N")
    assert frozen["update"] is True
    assert frozen["transient"] == shown["transient"]
    assert wires[-1].sent[-1]["msg_type"] == "comm_close"


@pytest.mark.usefixtures("watched", "wires")
def test_a_map_that_was_never_shown_freezes_without_a_trace(
    published: list[dict[str, Any]],
) -> None:
    MapView().freeze()
    assert published == []


@pytest.mark.usefixtures("watched", "wires")
def test_each_map_has_a_display_of_its_own(published: list[dict[str, Any]]) -> None:
    for view in (MapView(), MapView()):
        view._ipython_display_()  # pyright: ignore[reportPrivateUsage]  IPython's hook
    first, second = (one["transient"]["display_id"] for one in published)
    assert first != second
