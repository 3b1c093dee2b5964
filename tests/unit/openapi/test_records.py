"""Records that say where their request goes, as AnyTool's lists of RapidAPI have them."""

from __future__ import annotations

import pytest
from calling import Json, call
from recording_server import Reply, serving

from nbagents.errors import ToolDefinitionError
from nbagents.openapi import RequestTools, request_tool

KEY = "rapid-s3cret-key"


def record(url: str, method: str | None = None, **rest: object) -> Json:
    made: Json = {
        "category_name": "Weather",
        "tool_name": "Open Weather",
        "api_name": "Daily forecast",
        "api_description": "The weather of a day.",
        "required_parameters": [
            {"name": "city", "type": "STRING", "description": "Where", "default": ""},
            {"name": "days", "type": "NUMBER", "description": "", "default": "3"},
        ],
        "optional_parameters": [{"name": "metric", "type": "BOOLEAN", "default": ""}],
        "api_url": url,
        **rest,
    }
    return made | ({"method": method} if method else {})


def test_what_is_no_part_of_the_address_is_asked_for_in_the_query() -> None:
    with serving(Reply.of({"sky": "blue"})) as server:
        url = "https://weather.example/v1/{city}/day?key=fixed"
        tool = request_tool(record(url), base_url=server.url)
        made = call(tool, {"city": "Graz ü", "days": 2, "metric": True})
    assert made.value == {"sky": "blue"}
    assert server.only.path == "/v1/Graz%20%C3%BC/day"
    assert server.only.query == [("key", "fixed"), ("days", "2"), ("metric", "true")]
    assert (tool.name, tool.description) == ("Daily_forecast", "The weather of a day.")
    assert tool.original_name == "Daily forecast"


def test_a_post_sends_them_as_json_flat() -> None:
    with serving(Reply.of({})) as server:
        tool = request_tool(record("https://x.example/f/{city}", "post"), base_url=server.url)
        call(tool, {"city": "a", "days": 2})
    assert (server.only.method, server.only.target) == ("POST", "/f/a")
    assert server.only.json == {"days": 2}
    assert tool.options.read_only is False


def test_what_is_missing_or_unknown_is_refused_by_name_and_nothing_is_sent() -> None:
    with serving(Reply.of({})) as server:
        tool = request_tool(record("https://x.example/f"), base_url=server.url)
        missing, unknown = call(tool, {"days": 2}), call(tool, {"city": "a", "days": 2, "town": 1})
    assert missing.failure is not None
    assert unknown.failure is not None
    assert [one.field for one in missing.failure.issues] == ["city"]
    assert [one.field for one in unknown.failure.issues] == ["town"]
    assert server.asked == []


def test_a_schema_takes_the_place_of_the_lists() -> None:
    schema = {
        "type": "object",
        "properties": {"at": {"$ref": "#/$defs/At"}},
        "required": ["at"],
        "$defs": {"At": {"type": "array", "items": {"type": "integer"}}},
    }
    given = {"name": "points", "api_url": "https://x.example/p", "parameters": schema}
    with serving(Reply.of({})) as server:
        tool = request_tool(given, base_url=server.url)
        call(tool, {"at": [1, 2]})
        made = call(tool, {"at": ["north"]})
    assert server.only.query == [("at", "1"), ("at", "2")]
    assert made.failure is not None


def test_secret_headers_are_sent_and_never_asked_for() -> None:
    with serving(Reply.of({})) as server:
        tools = RequestTools(auth={"X-RapidAPI-Key": KEY}, base_url=server.url)
        tool = tools.tool(record("https://open-weather.p.rapidapi.com/f"))
        made = call(tool, {"city": "a", "days": 1})
    assert server.only.headers["X-RapidAPI-Key"] == KEY
    assert server.only.headers["X-RapidAPI-Host"] == "open-weather.p.rapidapi.com"
    assert KEY not in str(tool.parameters) + str(made.content) + repr(tools)


def test_the_host_of_a_record_is_not_named_by_anybody() -> None:
    with serving(Reply.of({})) as server:
        given = record(f"{server.url}/f")
        made = call(request_tool(given), {"city": "a", "days": 1})
        named = call(request_tool(given, private_hosts="127.0.0.1"), {"city": "a", "days": 1})
    assert made.failure is not None
    assert "private address" in made.failure.message
    assert named.status == "done"
    assert len(server.asked) == 1


@pytest.mark.parametrize("url", ["", None, "weather.example/f", "file:///etc/passwd"])
def test_a_record_without_an_address_is_refused(url: str | None) -> None:
    with pytest.raises(ToolDefinitionError, match="does not say where its request goes"):
        request_tool({"api_name": "x", "api_url": url})


def test_a_password_in_an_address_is_not_quoted() -> None:
    with pytest.raises(ToolDefinitionError) as found:
        request_tool({"api_name": "x", "api_url": "https://me:hunter22@x.example/"})
    assert "hunter22" not in str(found.value)
