"""A document as a toolset: what it lists, how its tools are called, what they say of themselves."""

from __future__ import annotations

import asyncio
import json
import re
import warnings
from pathlib import Path

import pytest
from calling import Json, call, document, operation, parameter
from recording_server import Reply, serving

import nbagents as nba
from nbagents.errors import ToolArgumentsError, ToolDefinitionError

ID = parameter("id", "path")
PETS = document(
    {
        "/pets": {
            "get": operation(operationId="listPets", summary="All pets", tags=["pets"]),
            "post": operation(
                operationId="addPet",
                body={"application/json": {"type": "object", "properties": {"name": {}}}},
            ),
        },
        "/pets/{id}": {"get": operation(ID), "delete": operation(ID), "put": operation(ID)},
    }
)


def test_each_operation_is_a_tool_by_its_id_or_by_its_method_and_path() -> None:
    api = nba.OpenAPI(PETS)
    assert [tool.name for tool in api.tools()] == [
        f"Pets--{one}"
        for one in ("listPets", "addPet", "get_pets_id", "delete_pets_id", "put_pets_id")
    ]
    listed = api.operation("listPets")
    assert listed is api.operation("get", "/pets") is api.operation("Pets--listPets")
    assert (listed.original_name, listed.title, listed.options.tags) == (
        "listPets",
        "All pets",
        ("pets",),
    )


def test_it_can_be_listed_without_looking_into_any_operation() -> None:
    bad = {"get": {"operationId": "bad", "parameters": [{"$ref": "#/nowhere"}]}}
    api = nba.OpenAPI({**PETS, "paths": {**PETS["paths"], "/bad": bad}})
    assert len(api) == 6
    (one,) = [one for one in api if one.operation_id == "bad"]
    assert (one.name, one.tag, one.method) == ("bad", "Pets", "GET")
    with pytest.raises(ToolDefinitionError, match=r"GET /bad \(bad\), parameters\.0.*#/nowhere"):
        _ = one.parameters


def test_an_agent_uses_it_as_it_stands() -> None:
    with serving(Reply.of([{"name": "Rex"}])) as server:
        api = nba.OpenAPI(PETS, base_url=f"{server.url}/v1/")
        request = nba.CallRequest(id="c", name="Pets--listPets", arguments="{}")
        model = nba.ScriptedModel([[request], "done"])
        run = nba.Agent(model=model, tools=[api]).run("Go.", log="memory")
    assert [one.name for one in model.requests[0].tools] == [one.name for one in api.tools()]
    assert json.loads(str(run.calls[0].content)) == [{"name": "Rex"}]
    assert (server.only.method, server.only.target) == ("GET", "/v1/pets")


def test_a_body_of_json_is_sent_and_what_comes_is_the_value() -> None:
    with serving(Reply.of({"id": 7}, status=201)) as server:
        made = call(
            nba.OpenAPI(PETS, base_url=server.url).operation("addPet"), {"body": {"name": "Ñandú"}}
        )
    assert made.value == {"id": 7}
    assert server.only.json == {"name": "Ñandú"}
    assert server.only.headers["Content-Type"] == "application/json"


@pytest.mark.parametrize(
    ("method", "read_only", "destructive", "idempotent"),
    [
        ("get", True, None, True),
        ("head", True, None, True),
        ("post", False, None, False),
        ("put", False, None, True),
        ("patch", False, None, False),
        ("delete", False, True, True),
    ],
)
def test_what_a_method_does_is_said_of_its_tool(
    method: str, *, read_only: bool, destructive: bool | None, idempotent: bool
) -> None:
    options = nba.OpenAPI(document({"/x": {method: operation()}})).tools()[0].options
    assert (options.read_only, options.destructive, options.idempotent) == (
        read_only,
        destructive,
        idempotent,
    )


@pytest.mark.parametrize(("method", "asks"), [("get", False), ("post", True), ("delete", True)])
def test_what_changes_something_needs_consent_by_the_policy(method: str, *, asks: bool) -> None:
    with serving(Reply.of({})) as server:
        api = nba.OpenAPI(document({"/x": {method: operation()}}), base_url=server.url)
        tool = api.tools()[0]
        request = nba.CallRequest(id="c", name=tool.name, arguments="{}")
        model = nba.ScriptedModel([[request], "done"])
        run = nba.Agent(model=model, tools=[tool]).run("Go.", log="memory")
    assert run.calls[0].status == ("denied" if asks else "done")
    assert len(server.asked) == (not asks)


def test_what_cannot_be_used_is_left_out_and_named_once() -> None:
    paths = {"/good": {"get": operation()}, "/bad": {"get": {"parameters": 3}}, "/worse": None}
    api = nba.OpenAPI(document(paths))
    with pytest.warns(UserWarning, match=r"(?s)/worse.*GET /bad, parameters: this is no list"):
        assert [tool.name for tool in api.tools()] == ["Pets--get_good"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        api.tools()
    assert len(api.faults) == 2
    with pytest.raises(ToolDefinitionError, match="this is no list"):
        api.operation("GET", "/bad")


def test_an_operation_that_is_not_there_gets_close_names() -> None:
    api = nba.OpenAPI(PETS)
    with pytest.raises(ToolDefinitionError, match="Did you mean 'listPets'"):
        api.operation("listPet")
    with pytest.raises(ToolDefinitionError, match=re.escape("Did you mean 'GET /pets'")):
        api.operation("GET", "/pet")


def test_an_id_that_several_have_asks_for_method_and_path() -> None:
    paths = {"/a": {"get": operation(operationId="x")}, "/b": {"get": operation(operationId="x")}}
    api = nba.OpenAPI(document(paths))
    with pytest.raises(
        ToolDefinitionError, match=r"2 operations have the id 'x' \(GET /a, GET /b\)"
    ):
        api.operation("x")
    assert api.operation("GET", "/b").name != api.operation("GET", "/a").name


@pytest.mark.parametrize("suffix", ["json", "yaml"])
def test_a_file_its_text_and_its_bytes_are_one_document(tmp_path: Path, suffix: str) -> None:
    text = json.dumps(PETS, indent=1)
    if suffix == "yaml":
        text = "# a comment\n" + text
    path = tmp_path / f"pets.{suffix}"
    path.write_text(text)
    names = [[tool.name for tool in nba.OpenAPI(one).tools()] for one in (path, str(path), text)]
    assert names[0] == names[1] == names[2] == [tool.name for tool in nba.OpenAPI(PETS).tools()]
    assert len(nba.OpenAPI(text.encode()).tools()) == 5


def test_an_address_is_asked_once_and_relative_servers_go_by_it() -> None:
    served: Json = {**PETS, "servers": [{"url": "../v2"}]}

    def reply(asked: object) -> Reply:
        return Reply.of(served if "openapi" in getattr(asked, "target", "") else {"ok": True})

    with serving(reply) as server:
        api = nba.OpenAPI(f"{server.url}/docs/openapi.json")
        made = call(api.operation("listPets"))
    assert made.value == {"ok": True}
    assert [one.target for one in server.asked] == ["/docs/openapi.json", "/v2/pets"]


def test_a_person_calls_a_tool_with_names_or_with_a_dictionary() -> None:
    given = [parameter("arguments", "query"), parameter("q", "query", {"type": "integer"})]
    with serving(Reply.of({"ok": True})) as server:
        api = nba.OpenAPI(document({"/x": {"get": operation(*given)}}), base_url=server.url)
        tool = api.tools()[0]
        results = [
            asyncio.run(tool(q=1, arguments="a")),
            asyncio.run(tool({"q": 1, "arguments": "a"})),
        ]
        with pytest.raises(ToolArgumentsError, match="q: This must be a whole number"):
            asyncio.run(tool(q="one"))
    assert [one.content for one in results] == [{"ok": True}] * 2
    assert [one.query for one in server.asked] == [[("arguments", "a"), ("q", "1")]] * 2


def test_without_a_server_a_base_url_is_asked_for() -> None:
    made = call(nba.OpenAPI(PETS).operation("listPets"))
    assert made.failure is not None
    assert made.failure.kind == "unavailable"
    assert "base_url=" in made.failure.message


@pytest.mark.parametrize(
    "url",
    [
        "pets.example",
        "ftp://x.example",
        "https://u:p4ssw0rd@x.example",
        "https://x/?a=1",
        "",
        "http://a..b",
    ],
)
def test_a_base_url_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ToolDefinitionError) as found:
        nba.OpenAPI(PETS, base_url=url)
    assert "p4ssw0rd" not in str(found.value)
