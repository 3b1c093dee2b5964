"""A document may be damaged anywhere: what is wrong is said, and nothing else is raised."""

from __future__ import annotations

import copy
import json
import warnings
from typing import Any, cast

from calling import Json, document, operation, parameter
from hypothesis import given, settings
from hypothesis import strategies as st

import nbagents as nba
from nbagents.errors import ToolDefinitionError, ToolError
from nbagents.openapi import OpenAPI
from nbagents.openapi.request import Fitting, base_of, fitting, request_of
from tests.thinning import examples

WHOLE: Json = document(
    {
        "/a/{id}": {
            "parameters": [parameter("id", "path", {"$ref": "#/components/schemas/Id"})],
            "servers": [{"url": "https://{x}.example", "variables": {"x": {"default": "a"}}}],
            "get": operation(
                parameter("q", "query", {"type": "array", "items": {}}, style="form", explode=True),
                parameter("h", "header", {"type": "object", "properties": {"a": {}}}),
                {"name": "c", "in": "cookie", "content": {"application/json": {"schema": {}}}},
                operationId="one",
                tags=["t"],
                security=[{"key": []}, {"oauth": ["read"]}],
                summary="One",
            ),
            "post": operation(
                body={
                    "application/json": {"$ref": "#/components/schemas/Node"},
                    "multipart/form-data": {
                        "type": "object",
                        "properties": {"f": {"type": "string", "format": "binary"}},
                        "required": ["f"],
                    },
                }
            ),
        },
        "/b": {"$ref": "#/components/pathItems/b"},
    },
    components={
        "schemas": {
            "Id": {"type": "integer", "minimum": 1, "enum": [1, 2], "default": 1},
            "Node": {
                "allOf": [{"$ref": "#/components/schemas/Base"}, {"required": ["name"]}],
                "nullable": True,
            },
            "Base": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "pattern": "^a+$", "readOnly": False},
                    "kids": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}},
                },
                "additionalProperties": {"type": "string"},
            },
        },
        "pathItems": {"b": {"delete": operation()}},
        "securitySchemes": {
            "key": {"type": "apiKey", "in": "query", "name": "k"},
            "oauth": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://t"}}},
        },
    },
    servers=[{"url": "https://a.example"}],
)


def places(node: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = [here] if here else []
    names: Any = range(len(cast("list[Any]", node))) if isinstance(node, list) else node
    for name in names if isinstance(node, (dict, list)) else ():
        found += places(node[name], (*here, name))
    return found


ODD_VALUES: list[Any] = [
    *(None, True, 0, -1, 1.5, "", "x", [], {}, [None], {"": None}, {"$ref": 3}, {"$ref": "#"}),
    *({"$ref": "#/paths"}, {"$ref": "#/components/schemas/Node"}, {"$ref": "../x.json"}),
    *([[]], {"allOf": [{}]}, "{", "/{id}", "#/x", {"type": ["null"]}, 10**400),
]
ODD = st.sampled_from(ODD_VALUES)


def damaged(place: tuple[Any, ...], odd: Any) -> Json:
    made = copy.deepcopy(WHOLE)
    node: Any = made
    for name in place[:-1]:
        node = node[name]
    node[place[-1]] = copy.deepcopy(odd)
    return made


@settings(max_examples=examples(200))
@given(st.sampled_from(places(WHOLE)), ODD)
def test_whatever_is_damaged_is_said_and_the_rest_is_used(place: tuple[Any, ...], odd: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            api = nba.OpenAPI(damaged(place, odd))
            tools = api.tools()
        except ToolDefinitionError as error:
            assert str(error)  # noqa: PT017
            return
    json.dumps([(one.name, one.description, one.parameters) for one in tools])
    for one in api:
        try_a_call(api, one.method, one.path)


def try_a_call(api: OpenAPI, method: str, path: str) -> None:
    operation = api.operation_of(method, path)
    words: Json = {"id": 1, "q": ["a"], "h": {"a": 1}, "c": [1], "body": {"name": "a", "f": "x"}}
    try:
        known = operation.parameters["properties"]
        made = fitting(operation, {name: one for name, one in words.items() if name in known})  # type: ignore[operator]
        if isinstance(made, Fitting):
            request_of(operation, base_of(operation, None, None), made, {})
        api._caller.security.sent(operation.raw, operation.where)  # pyright: ignore[reportPrivateUsage]
    except (ToolDefinitionError, ToolError) as error:
        assert str(error)  # noqa: PT017
