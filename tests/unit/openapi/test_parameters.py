"""Parameters: every style of the specification's table, and values that break a naive client."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

import pytest
from calling import Json, call, document, operation, parameter
from recording_server import Reply, serving

import nbagents as nba

LIST, OBJECT = ["blue", "black", "brown"], {"R": 100, "G": 200, "B": 150}


def target(path: str, given: Json, *parameters: Json) -> str:
    """What a server is asked for."""
    with serving(Reply.of({})) as server:
        api = nba.OpenAPI(document({path: {"get": operation(*parameters)}}), base_url=server.url)
        made = call(api, given)
        assert made.status == "done", made.content
    return server.only.target


STYLES = [
    # Source: OpenAPI 3.1.1, Style Examples.
    ("path", "simple", False, "blue", "blue"),
    ("path", "simple", False, LIST, "blue,black,brown"),
    ("path", "simple", False, OBJECT, "R,100,G,200,B,150"),
    ("path", "simple", True, OBJECT, "R=100,G=200,B=150"),
    ("path", "label", False, "blue", ".blue"),
    ("path", "label", False, LIST, ".blue,black,brown"),
    ("path", "label", True, LIST, ".blue.black.brown"),
    ("path", "label", False, OBJECT, ".R,100,G,200,B,150"),
    ("path", "label", True, OBJECT, ".R=100.G=200.B=150"),
    ("path", "matrix", False, "", ";color"),
    ("path", "matrix", False, "blue", ";color=blue"),
    ("path", "matrix", False, LIST, ";color=blue,black,brown"),
    ("path", "matrix", True, LIST, ";color=blue;color=black;color=brown"),
    ("path", "matrix", False, OBJECT, ";color=R,100,G,200,B,150"),
    ("path", "matrix", True, OBJECT, ";R=100;G=200;B=150"),
    ("query", "form", True, "", "color="),
    ("query", "form", True, "blue", "color=blue"),
    ("query", "form", False, LIST, "color=blue,black,brown"),
    ("query", "form", True, LIST, "color=blue&color=black&color=brown"),
    ("query", "form", False, OBJECT, "color=R,100,G,200,B,150"),
    ("query", "form", True, OBJECT, "R=100&G=200&B=150"),
    ("query", "spaceDelimited", False, LIST, "color=blue%20black%20brown"),
    ("query", "spaceDelimited", False, OBJECT, "color=R%20100%20G%20200%20B%20150"),
    ("query", "pipeDelimited", False, LIST, "color=blue%7Cblack%7Cbrown"),
    ("query", "pipeDelimited", False, OBJECT, "color=R%7C100%7CG%7C200%7CB%7C150"),
    ("query", "deepObject", True, OBJECT, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"),
    (
        "query",
        "deepObject",
        True,
        {"a": {"b": [1, 2]}},
        "color%5Ba%5D%5Bb%5D=1&color%5Ba%5D%5Bb%5D=2",
    ),
]


@pytest.mark.parametrize(("place", "style", "explode", "value", "written"), STYLES)
def test_styles(place: str, style: str, *, explode: bool, value: Any, written: str) -> None:
    one = parameter("color", place, {}, style=style, explode=explode)
    path = "/x/{color}/end" if place == "path" else "/x"
    expected = f"/x/{written}/end" if place == "path" else f"/x?{written}"
    assert target(path, {"color": value}, one) == expected


@pytest.mark.parametrize(
    ("explode", "value", "written"),
    [
        (False, LIST, "blue,black,brown"),
        (True, OBJECT, "R=100,G=200,B=150"),
        (False, OBJECT, "R,100,G,200,B,150"),
        (False, "a b=c", "a b=c"),
        (False, True, "true"),
    ],
)
def test_headers(*, explode: bool, value: Any, written: str) -> None:
    with serving(Reply.of({})) as server:
        one = parameter("X-Color", "header", {}, explode=explode)
        api = nba.OpenAPI(document({"/x": {"get": operation(one)}}), base_url=server.url)
        call(api, {"X-Color": value})
    assert server.only.headers["X-Color"] == written


def test_cookies_go_together_and_cannot_end_early() -> None:
    with serving(Reply.of({})) as server:
        given = [parameter("a", "cookie"), parameter("b", "cookie", {}, explode=False)]
        api = nba.OpenAPI(document({"/x": {"get": operation(*given)}}), base_url=server.url)
        call(api, {"a": "1; admin=true", "b": ["x", "y"]})
    assert server.only.headers["Cookie"] == "a=1%3B%20admin=true; b=x%2Cy"


NASTY = [
    "a&b=c",
    "a/b",
    "50% off",
    "x+y",
    "q?z#h",
    "snow☃",
    "tab;semi",
    "a,b",
    "é\u0301",
    "%2F",
    "👩‍🚀",
]


@pytest.mark.parametrize("value", NASTY)
def test_no_value_breaks_out_of_its_place(value: str) -> None:
    given = [parameter("p", "path"), parameter("q", "query"), parameter("r", "query")]
    asked = target("/x/{p}/y", {"p": value, "q": value, "r": "end"}, *given)
    path, _, query = asked.partition("?")
    assert [unquote(one) for one in path.split("/")] == ["", "x", value, "y"]
    assert [unquote(one.partition("=")[2]) for one in query.split("&")] == [value, "end"]
    assert "+" not in asked


@pytest.mark.parametrize("value", ["..", ".", "%2e%2e", ""])
def test_a_value_does_not_climb_out_of_its_path(value: str) -> None:
    with serving(Reply.of({})) as server:
        paths = {"/x/{p}/y": {"get": operation(parameter("p", "path"))}}
        made = call(nba.OpenAPI(document(paths), base_url=server.url), {"p": value})
    if value == "%2e%2e":  # a percent sign is one, and so escaped
        assert server.only.path == "/x/%252e%252e/y"
        return
    assert made.failure is not None
    assert made.failure.recovery == "correct_call"
    assert server.asked == []


def test_a_reserved_expansion_keeps_its_slashes_but_does_not_climb() -> None:
    one = parameter("name", "path")
    assert target("/v1/{+name}:run", {"name": "a/b c"}, one) == "/v1/a/b%20c:run"
    with serving(Reply.of({})) as server:
        paths = {"/v1/{+name}": {"get": operation(one)}}
        made = call(nba.OpenAPI(document(paths), base_url=server.url), {"name": "a/../../admin"})
    assert made.failure is not None
    assert server.asked == []


def test_where_reserved_characters_are_allowed_the_query_still_holds() -> None:
    one = parameter("q", "query", allowReserved=True)
    asked = target("/x", {"q": "a/b?c:d@e&f=g#h+i%j"}, one, parameter("z", "query"))
    assert asked == "/x?q=a/b?c:d@e%26f%3Dg%23h%2Bi%25j"


def test_what_is_not_given_is_not_sent() -> None:
    given = [parameter(one, "query", {}) for one in "abcd"]
    assert target("/x", {"a": None, "b": [], "c": {}, "d": False}, *given) == "/x?d=false"


def test_numbers_are_written_as_the_model_wrote_them() -> None:
    given = [parameter(one, "query", {"type": "number"}) for one in "abc"]
    assert target("/x", {"a": 23.0, "b": 1, "c": -0.5}, *given) == "/x?a=23.0&b=1&c=-0.5"


def test_a_parameter_with_content_is_written_as_that() -> None:
    one: Json = {"name": "filter", "in": "query", "content": {"application/json": {"schema": {}}}}
    assert unquote(target("/x", {"filter": {"a": [1, "é"]}}, one)) == '/x?filter={"a":[1,"é"]}'


@pytest.mark.parametrize(
    "name", ["Accept", "content-type", "AUTHORIZATION", "Host", "Transfer-Encoding"]
)
def test_headers_that_are_no_parameters_are_not_asked_for(name: str) -> None:
    api = nba.OpenAPI(document({"/x": {"get": operation(parameter(name, "header"))}}))
    assert api.tools()[0].parameters["properties"] == {}


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\nb", "a\x00b"])
def test_a_header_cannot_end_early(value: str) -> None:
    with serving(Reply.of({})) as server:
        api = nba.OpenAPI(
            document({"/x": {"get": operation(parameter("X-A", "header"))}}), base_url=server.url
        )
        made = call(api, {"X-A": value})
    assert made.failure is not None
    assert made.failure.kind == "invalid_call"
    assert server.asked == []


def test_one_name_in_several_places_is_told_apart_and_each_value_arrives_in_its_own() -> None:
    given = [parameter("id", place) for place in ("path", "query", "header", "cookie")]
    body = {"application/json": {"type": "object", "properties": {"id": {"type": "string"}}}}
    paths = {"/x/{id}": {"post": operation(*given, body=body)}}
    with serving(Reply.of({})) as server:
        api = nba.OpenAPI(document(paths), base_url=server.url)
        names = [*api.operations[0].parts.schemas, "body"]
        assert names == list(api.tools()[0].parameters["properties"])  # type: ignore[arg-type]
        assert names == ["path_id", "query_id", "header_id", "cookie_id", "body"]
        call(api, {name: name[0] for name in names[:4]} | {"body": {"id": "b"}})
    asked = server.only
    assert (asked.target, asked.headers["id"], asked.headers["Cookie"]) == (
        "/x/p?id=q",
        "h",
        "id=c",
    )
    assert asked.json == {"id": "b"}


def test_names_that_no_provider_takes_are_written_anew_and_mean_the_same() -> None:
    names = [
        "ids[]",
        "page[size]",
        "$filter",
        "x y",
        "größe",
        "a" * 80,
        "a" * 80 + "b",
        "ids",
        "[]",
    ]
    given = [parameter(name, "query") for name in names]
    with serving(Reply.of({})) as server:
        api = nba.OpenAPI(document({"/x": {"get": operation(*given)}}), base_url=server.url)
        schema: Any = api.tools()[0].parameters
        query: Json = {name: name for name in names}
        written = api.operations[0].arguments(query=query)
        call(api, written)
    assert server.only.query == [(name, name) for name in names]
    assert set(written) == set(schema["properties"])
    assert all(len(one) <= 64 and one.isascii() and one.strip("_") for one in written)
    assert "page[size]" in schema["properties"]["page_size"]["description"]
    assert written["ids"] == "ids"


def test_a_parameter_called_as_the_body_is_still_one() -> None:
    given = [parameter("body", "query"), parameter("content_type", "query")]
    with serving(Reply.of({})) as server:
        paths = {"/x": {"post": operation(*given, body={"application/json": {}, "text/csv": {}})}}
        api = nba.OpenAPI(document(paths), base_url=server.url)
        call(api, {"query_body": "q", "query_content_type": "t", "body": [1]})
    assert server.only.query == [("body", "q"), ("content_type", "t")]
    assert server.only.json == [1]


def test_those_of_an_operation_hold_before_those_of_its_path() -> None:
    item = {
        "parameters": [parameter("q", "query", {"type": "integer"}), parameter("r", "query")],
        "get": operation(parameter("q", "query", {"type": "boolean"})),
    }
    schema: Any = nba.OpenAPI(document({"/x": item})).tools()[0].parameters
    assert schema["properties"] == {"q": {"type": "boolean"}, "r": {"type": "string"}}
