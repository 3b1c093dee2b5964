"""Documents: what is read of them, what is wrong in them by place, and what they cannot do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from calling import Json, call, document, operation, parameter

import nbagents as nba
from nbagents.errors import ToolDefinitionError
from nbagents.openapi.document.yaml_text import YamlError, plain_scalar, read_yaml
from nbagents.openapi.request import Fitting, base_of, fitting


def refused(given: Any, tmp_path: Path | None = None) -> str:
    """Why a document is refused."""
    if tmp_path is not None:
        path = tmp_path / "api.yaml"
        path.write_bytes(given if isinstance(given, bytes) else given.encode())
        given = path
    with pytest.raises(ToolDefinitionError) as found:
        nba.OpenAPI(given)
    return str(found.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("NO", "NO"), ("on", "on"), ("y", "y"), ("yes", "yes"), ("12:30:00", "12:30:00")),
        *(
            ("2024-01-31", "2024-01-31"),
            ("0777", 777),
            ("0o17", 15),
            ("0x1F", 31),
            ("1_000", "1_000"),
        ),
        *(("true", True), ("False", False), ("~", None), ("", None), ("null", None), ("-", "-")),
        *(("1.5", 1.5), ("1e3", 1000.0), (".5", 0.5), ("+3", 3), ("1.", 1.0), (".", ".")),
        *((".nan", ".nan"), (".inf", ".inf"), ("1e999", "1e999"), ("9" * 400, "9" * 400)),
    ],
)
def test_plain_words_of_yaml_mean_what_yaml_1_2_says(text: str, value: object) -> None:
    found = plain_scalar(text)
    assert found == value
    assert type(found) is type(value)


def test_keys_are_text_quoted_words_are_text_and_merges_fill_what_is_missing() -> None:
    text = """
    base: &base {a: 1, b: 2}
    200: {<<: *base, b: 3}
    'true': "12"
    no: !!str 7
    both: {<<: [{x: 1}, {x: 2, y: 3}]}
    folded: >
      two
      words
    """
    assert read_yaml(text) == {
        "base": {"a": 1, "b": 2},
        "200": {"a": 1, "b": 3},
        "true": "12",
        "no": "7",
        "both": {"x": 1, "y": 3},
        "folded": "two words\n",
    }


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("a: 1\nb: 2\na: 3", 3, "'a' comes twice"),
        ("a: &x [1, *x]", 1, "contains itself"),
        ("a: 1\nb: *nothing", 2, "undefined|no anchor"),
        ("a: 1\n\tb: 2", 2, "tab|token"),
        ("a: !!python/object/apply:os.system [ls]", 1, "tag"),
        ("a: !custom 3", 1, "tag"),
        ("a: 1\n---\nb: 2", 2, "second document"),
        ("[a]: 1", 1, "key"),
        ("a: [1, 2", 1, "."),
        ("{<<: 3}", 1, "merges mappings"),
    ],
)
def test_what_is_wrong_in_yaml_is_said_with_its_line(text: str, line: int, why: str) -> None:
    with pytest.raises(YamlError, match=rf"line (?:{line}|{line + 1})\b.*(?:{why})"):
        read_yaml(text)


def test_anchors_are_shared_and_not_copied() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 15)]
    found: Any = read_yaml("\n".join(lines))
    assert found["a14"][0] is found["a14"][9] is found["a13"]


@pytest.mark.medium
def test_a_bomb_in_a_schema_ends() -> None:
    lines = ["a0: &a0 {type: object, properties: {x: {type: string}}}"]
    names = [f"p{n}" for n in range(10)]
    for n in range(1, 12):
        inner = ", ".join(f"{name}: *a{n - 1}" for name in names)
        lines.append(f"a{n}: &a{n} {{type: object, properties: {{{inner}}}}}")
    bomb: Any = read_yaml("\n".join(lines))
    given = document({"/x": {"post": operation(body={"application/json": bomb["a11"]})}})
    with pytest.raises(ToolDefinitionError, match="too large"):
        nba.OpenAPI(given).operation("POST", "/x")


def test_nothing_is_as_deep_as_a_stack(tmp_path: Path) -> None:
    assert "nested" in refused("a: " + "[" * 3_000, tmp_path)
    assert "nested" in refused('{"a":' + "[" * 200_000)
    schema: Json = {}
    for _ in range(5_000):
        schema = {"type": "array", "items": schema}
    given = document({"/x": {"get": operation(parameter("q", "query", schema))}})
    with pytest.raises(ToolDefinitionError, match="nested too deeply"):
        nba.OpenAPI(given).operation("GET", "/x")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (b"", "it is empty"),
        (b" \n", "it is empty"),
        (b"<html></html>", "web page"),
        (b"- a\n- b", "it is a list"),
        (b"just words", "it is 'just words'"),
        (b'{"swagger": "2.0"}', "Swagger 2.0"),
        (b'{"info": {}}', "no field `openapi`"),
        (b'{"openapi": "4.0.0"}', "its version is '4.0.0'"),
        (b'{"openapi": 3}', "its version is 3"),
        (b'{"openapi": "3.1.0", "paths": {', "line 1, column"),
        (b"\xff\xfe\x00", "is not utf-16"),
        (b"openapi: \xff", "byte 9 is not utf-8"),
    ],
)
def test_what_is_no_document_is_refused_with_file_and_reason(
    tmp_path: Path, given: bytes, why: str
) -> None:
    said = refused(given, tmp_path)
    assert said.startswith("api.yaml: ")
    assert why in said


def test_a_file_that_is_not_there_is_told_of(tmp_path: Path) -> None:
    assert "cannot be read: No such file" in refused(str(tmp_path / "none.json"))
    assert "cannot be read" in refused(tmp_path)


def test_a_path_that_comes_twice_is_no_silent_loss() -> None:
    twice = '{"openapi":"3.0.3","paths":{"/a":{"get":{}},"/a":{"put":{}}}}'
    assert "the key '/a' comes twice" in refused(twice)
    elsewhere = (
        '{"openapi":"3.0.3","paths":{"/a":{"get":{}}},"x-old":{"/a":{"get":{}}},"info":{"/a":{}}}'
    )
    assert len(nba.OpenAPI(elsewhere)) == 1


BAD_REFERENCES = {
    "#/components/schemas/None": "which is not there",
    "other.json#/A": "leads out of the document",
    "file:///etc/passwd": "leads out of the document",
    "http://127.0.0.1:1/x.json": "leads out of the document",
    "#/components/schemas/Ring": "in a circle",
    "#/components/schemas/Made": "made of itself",
    "#/openapi": "a schema is '3.1.0'",
}


@pytest.mark.parametrize("ref", BAD_REFERENCES)
def test_a_reference_that_leads_nowhere_costs_its_operation_alone(ref: str) -> None:
    schemas = {
        "Ring": {"$ref": "#/components/schemas/Ring2"},
        "Ring2": {"$ref": "#/components/schemas/Ring"},
        "Made": {"allOf": [{"allOf": [{"$ref": "#/components/schemas/Made2"}]}]},
        "Made2": {"allOf": [{"$ref": "#/components/schemas/Made"}]},
    }
    bad = operation(body={"application/json": {"properties": {"a": {"$ref": ref}}}})
    given = document(
        {"/bad": {"post": bad}, "/good": {"get": operation()}}, components={"schemas": schemas}
    )
    api = nba.OpenAPI(given)
    with pytest.warns(UserWarning, match=BAD_REFERENCES[ref]):
        assert [tool.name for tool in api.tools()] == ["Pets--get_good"]
    (fault,) = api.faults
    assert "POST /bad" in fault


def test_references_are_followed_through_escapes_anchors_and_path_items() -> None:
    given = document(
        {
            "/a~b/{x y}": {"$ref": "#/components/pathItems/one"},
            "/c": {"get": operation({"$ref": "#/paths/~1d~0/get/parameters/0"})},
            "/d~": {"get": operation(parameter("q", "query", {"$ref": "#named"}))},
        },
        components={
            "pathItems": {"one": {"get": operation({"$ref": "#/components/parameters/x%20y"})}},
            "parameters": {"x y": parameter("x y", "path", {"$ref": "#/components/schemas/A~1B"})},
            "schemas": {"A/B": {"type": "integer"}, "N": {"$anchor": "named", "type": "boolean"}},
        },
    )
    written: Any = [one.parameters for one in nba.OpenAPI(given)]
    assert [one["properties"] for one in written] == [
        {"x_y": {"$ref": "#/$defs/A_1B", "description": "(path parameter x y)"}},
        {"q": {"$ref": "#/$defs/named"}},
        {"q": {"$ref": "#/$defs/named"}},
    ]
    found = [*written[0]["$defs"].values(), *written[1]["$defs"].values()]
    assert found == [{"type": "integer"}, {"type": "boolean"}]


def test_schemas_of_3_0_are_said_as_json_schema_says_it() -> None:
    schema: Json = {
        "type": "object",
        "properties": {
            "a": {"type": "string", "nullable": True, "enum": ["x"], "example": "x", "xml": {}},
            "b": {"type": "number", "minimum": 0, "exclusiveMinimum": True},
            "c": {"allOf": [{"type": "string"}], "nullable": True, "description": "C."},
            "d": {"type": "string", "pattern": r"\p{L}+[", "minLength": -1, "default": "x"},
            "e": {"type": "wrong", "maximum": "7", "enum": [], "required": "yes"},
        },
    }
    given = document({"/x": {"post": operation(body={"application/json": schema})}})
    written: Any = nba.OpenAPI({**given, "openapi": "3.0.3"}).tools()[0].parameters
    assert written["properties"]["body"]["properties"] == {
        "a": {"type": ["string", "null"], "enum": ["x", None]},
        "b": {"type": "number", "exclusiveMinimum": 0},
        "c": {"description": "C.", "anyOf": [{"allOf": [{"type": "string"}]}, {"type": "null"}]},
        "d": {"type": "string", "default": "x"},
        "e": {},
    }


def test_what_is_odd_costs_its_operation_at_most() -> None:
    media = {"name": "q", "in": "query", "content": {"a/b": [1]}}
    paths: Any = {3: {"get": {}}, "/x": {"get": operation(media)}, "/y": {"$ref": "#/nowhere"}}
    api = nba.OpenAPI(document(paths))
    with pytest.warns(UserWarning, match=r"paths\./y: left out.*'#/nowhere', which is not there"):
        assert [tool.name for tool in api.tools()] == ["Pets--get_x"]


SLOW = [
    *("^(a+)+$", "^(a|a)*$", "^((a)*)*$", "(x+x+)+y", "a" * 600, "^(a{1,9}){1,9}$", "([a-z]+)*$"),
    *("a*a*a*a*a*$", r"^(?:a\)+)*$", "^(a?){9,}$" + "(a*)*"),
]


@pytest.mark.parametrize("pattern", SLOW)
def test_a_pattern_that_may_take_for_ever_is_not_matched(pattern: str) -> None:
    one = parameter("q", "query", {"type": "string", "pattern": pattern})
    api = nba.OpenAPI(document({"/x": {"get": operation(one)}}), "http://a.test")
    made = fitting(api.operations[0], {"q": "a" * 5_000 + "!"})
    assert isinstance(made, Fitting)


def test_a_usual_pattern_is_matched() -> None:
    one = parameter("q", "query", {"type": "string", "pattern": r"^[a-z]+(-\d{2})?$"})
    api = nba.OpenAPI(document({"/x": {"get": operation(one)}}), "http://a.test")
    assert isinstance(fitting(api.operations[0], {"q": "ab-12"}), Fitting)
    assert not isinstance(fitting(api.operations[0], {"q": "AB"}), Fitting)


def test_a_template_and_its_parameters_need_not_agree() -> None:
    declared = [parameter("StartDate", "path"), parameter("unused", "path")]
    given = document({"/{startDate}/{missing}": {"get": operation(*declared)}})
    api = nba.OpenAPI(given)
    with pytest.warns(UserWarning, match=r"(?s)\{missing\}.*\{unused\}"):
        (tool,) = api.tools()
    assert list(api.operations[0].parts.schemas) == ["startDate", "missing"]
    assert tool.parameters["required"] == ["startDate", "missing"]


def test_names_are_different_valid_and_the_same_each_time() -> None:
    ids = [
        "list",
        "list",
        "LIST",
        "li st",
        "li_st",
        "li-st",
        "x" * 90 + "a",
        "x" * 90 + "b",
        "日本",
        "",
    ]
    paths = {f"/p{at}": {"get": operation(operationId=one)} for at, one in enumerate(ids)}
    names = [one.name for one in nba.OpenAPI(document(paths)).operations]
    assert len(set(names)) == len(ids)
    assert names == [one.name for one in nba.OpenAPI(json.dumps(document(paths))).operations]
    assert names[0] == "list"
    assert (names[2], names[4], names[5], names[9]) == ("LIST", "li_st", "li-st", "get_p9")
    tools = nba.OpenAPI(document(paths)).tools()
    assert all(len(one.name) <= 64 and one.name.isascii() for one in tools)
    assert [one.original_name for one in tools][:9] == ids[:9]


SERVERS = [
    {"url": "https://{region}.pets.example/{version}", "variables": {"version": {"default": "v1"}}},
    {"url": "https://eu.pets.example/v2/"},
    {"url": "/relative"},
    {},
    {"url": "ftp://x.example"},
    {
        "url": "https://pets.example:{port}",
        "variables": {"port": {"default": 80, "enum": [80, "81"]}},
    },
]


@pytest.mark.parametrize(
    ("servers", "base"),
    [
        (None, "https://eu.pets.example/v2"),
        ({"region": "us"}, "https://us.pets.example/v1"),
        ({"region": "us", "version": "v9"}, "https://us.pets.example/v9"),
        (1, "https://eu.pets.example/v2"),
        ({"port": "81"}, "https://pets.example:81"),
        ("https://eu.pets.example/v2/", "https://eu.pets.example/v2"),
    ],
)
def test_servers_are_chosen_by_position_by_url_or_by_their_variables(
    servers: Any, base: str
) -> None:
    (one,) = nba.OpenAPI(document({"/x": {"get": operation()}}, servers=SERVERS)).operations
    assert base_of(one, servers, None) == base


def test_a_number_is_a_default() -> None:
    (one,) = nba.OpenAPI(document({"/x": {"get": operation()}}, servers=SERVERS[5:])).operations
    assert base_of(one, None, None) == "https://pets.example:80"


def test_a_variable_that_only_the_document_has_leaves_other_servers_alone() -> None:
    upload = operation(servers=[{"url": "https://up.example"}])
    (one,) = nba.OpenAPI(document({"/x": {"put": upload}}, servers=SERVERS)).operations
    assert base_of(one, {"region": "us"}, None) == "https://up.example"


@pytest.mark.parametrize(
    "servers", [2, 3, 4, 9, -1, "https://none.example", {"regoin": "us"}, {"port": "443"}]
)
def test_a_server_that_cannot_be_used_is_said(servers: Any) -> None:
    given = document({"/x": {"get": operation()}}, servers=SERVERS)
    made = call(nba.OpenAPI(given, servers=servers))
    assert made.failure is not None
    assert made.failure.kind == "unavailable"
    assert "GET /x" in made.failure.message


def test_the_servers_of_an_operation_hold_before_those_above() -> None:
    own = operation(servers=[{"url": "https://own.example"}])
    paths = {"/x": {"get": own, "put": operation(), "servers": [{"url": "https://path.example"}]}}
    api = nba.OpenAPI(document(paths, servers=SERVERS))
    assert [base_of(one, None, None) for one in api] == [
        "https://own.example",
        "https://path.example",
    ]
