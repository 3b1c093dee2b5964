"""A map as a toolset: what a model can do with it, what it is told, and what the user did."""

from __future__ import annotations

import asyncio
import gc
import json
from typing import TYPE_CHECKING, Any

import pytest
from nbagents_widgets.map_view import MapView

from nbagents.errors import ToolError
from nbagents.messages import CallRequest
from nbagents.notebook.maps import map_tools, take_user_move
from nbagents.results import Result
from nbagents.tools.context import Context
from nbagents.tools.invoke import perform, prepare
from nbagents.tools.toolset import Toolset, resolve_tools

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import JsonValue

    from nbagents.notebook.maps import MapTools
    from nbagents.results import CallResult
    from nbagents.tools.tool import Tool


def tool(tools: MapTools, name: str) -> Tool:
    return next(one for one in tools.tools() if one.name == f"{tools.name}--{name}")


class Here:
    """Lanes of a test: everything runs where it is called."""

    async def on_main(
        self, function: Callable[[], object], timeout_s: float | None = None
    ) -> object:
        return function()

    async def in_thread(
        self, function: Callable[[], object], timeout_s: float | None = None
    ) -> object:
        return function()


def called(tools: MapTools, name: str, arguments: str) -> CallResult:
    """The call as a model makes it, the whole way."""
    request = CallRequest(id="c1", name=f"{tools.name}--{name}", arguments=arguments)
    call = prepare(request, {one.name: one for one in tools.tools()})
    return asyncio.run(perform(call, Context(), Here()))


def test_it_is_a_toolset_of_four() -> None:
    tools = map_tools()
    assert isinstance(tools, Toolset)
    assert [one.name for one in resolve_tools([tools])] == [
        "mapAgent--setCenter",
        "mapAgent--getCenter",
        "mapAgent--setZoom",
        "mapAgent--setPin",
    ]


def test_two_maps_can_have_names_of_their_own() -> None:
    names = [one.name for one in resolve_tools([map_tools(), map_tools(name="world")])]
    assert "world--setPin" in names
    assert len(names) == 8


def test_every_tool_is_strict_described_and_says_its_range() -> None:
    for one in map_tools().tools():
        assert one.strict
        assert one.description
    properties: Any = tool(map_tools(), "setCenter").parameters["properties"]
    assert (properties["lon"]["minimum"], properties["lon"]["maximum"]) == (-180, 180)
    assert (properties["lat"]["minimum"], properties["lat"]["maximum"]) == (-90, 90)
    assert "Longitude" in properties["lon"]["description"]


def test_a_command_tells_the_model_where_the_map_is_and_shows_the_whole_map() -> None:
    tools = map_tools()
    tool(tools, "setPin")(10.75, 59.91, "Oslo")
    result = tool(tools, "setCenter")(10.75, 59.91, 9)
    assert result == Result(
        "Done. Map at 10.75° E, 59.91° N, zoom 9, 1 pin.",
        data={
            "kind": "map",
            "center": {"lon": 10.75, "lat": 59.91},
            "zoom": 9,
            "pins": [{"lon": 10.75, "lat": 59.91, "label": "Oslo"}],
            "title": "",
            "seq": 1,
            "map_id": tools.map_id,
        },
        has_next=None,
        preview="Map at 10.75° E, 59.91° N, zoom 9, 1 pin",
    )


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


@pytest.mark.parametrize(
    ("name", "arguments", "field"),
    [
        ("setCenter", '{"lon": 190, "lat": 0, "zoom": null}', "lon"),
        ("setCenter", '{"lon": 0, "lat": -91, "zoom": 3}', "lat"),
        ("setCenter", '{"lon": 0, "lat": 0, "zoom": 40}', "zoom"),
        ("setCenter", '{"lon": "east", "lat": 0, "zoom": 4}', "lon"),
        ("setZoom", '{"zoom": -1}', "zoom"),
        ("setPin", '{"lon": 0, "lat": NaN, "label": ""}', "no valid JSON"),
        ("setPin", '{"lon": 0, "lat": 1e999, "label": ""}', "lat"),
    ],
)
def test_arguments_out_of_range_are_named_to_the_model(
    name: str, arguments: str, field: str
) -> None:
    tools = map_tools()
    result = called(tools, name, arguments)
    assert result.failure is not None
    assert (result.failure.kind, result.failure.recovery) == ("invalid_call", "correct_call")
    assert field in result.content
    assert tool(tools, "getCenter")()["lon"] == 10


def test_a_models_call_shows_one_payload_of_kind_map() -> None:
    result = called(map_tools(), "setCenter", '{"lon": 10.75, "lat": 59.91, "zoom": null}')
    assert result.status == "done"
    assert [payload.kind for payload in result.payloads] == ["map"]
    assert result.has_next is None
    assert result.preview == "Map at 10.75° E, 59.91° N, zoom 2"


def test_the_model_reads_the_center_as_json() -> None:
    result = called(map_tools(), "getCenter", "{}")
    assert json.loads(result.content) == {"lon": 10, "lat": 30, "zoom": 2, "moved_by": "python"}
    assert result.payloads == ()


def test_what_gets_past_the_schema_is_still_told_in_words() -> None:
    with pytest.raises(ToolError, match="latitude must be between -90 and 90"):
        tool(map_tools(), "setCenter")(0, 120)


def test_with_a_view_the_tools_move_that_view(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBAGENTS_FRONTEND", "static")
    view = MapView()
    tools = map_tools(view)
    tool(tools, "setCenter")(10.75, 59.91, 9)
    result = tool(tools, "setPin")(10.75, 59.91, "Oslo")
    assert repr(view) == "Map at 10.75° E, 59.91° N, zoom 9, 1 pin"
    assert result.data["pins"] == view.pins
    take_user_move({"center": {"lon": 1, "lat": 2}, "zoom": 3, "map_id": tools.map_id})
    assert view.get_center() == {"lon": 1, "lat": 2, "zoom": 3, "moved_by": "user"}
