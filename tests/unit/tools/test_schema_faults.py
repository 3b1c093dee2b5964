"""Schemas of elsewhere that no endpoint could take: said when the tool is defined."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from nbagents.errors import ToolDefinitionError
from nbagents.tools.json_schema.schema_faults import fault_of
from nbagents.tools.tool.definition import Tool

OUTSIDE = "https://example.org/city.json"


def at(node: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": node}, **more}


REFERENCES: list[tuple[dict[str, Any], str]] = [
    (at({"$ref": "#/$defs/City"}), "properties.a.$ref leads to '#/$defs/City', which is not there"),
    (at({"$ref": OUTSIDE}), f"properties.a.$ref leads out of the schema, to '{OUTSIDE}'"),
    (at({"$ref": "City"}), "properties.a.$ref leads out of the schema, to 'City'"),
    (at({"$ref": "#city"}), "properties.a.$ref leads to '#city'"),
    (at({"$ref": "#/anyOf/2"}, anyOf=[{}, {}]), "properties.a.$ref leads to '#/anyOf/2'"),
    (at({"$ref": "#/description"}, description="x"), "leads to '#/description'"),
    ({"$ref": "#/$defs/City"}, "$ref leads to '#/$defs/City'"),
    (at({"items": {"anyOf": [{}, {"$ref": "#/x"}]}}), "properties.a.items.anyOf.1.$ref leads"),
    (at({}, **{"$defs": {"b": {"$ref": "#/$defs/c"}}}), "$defs.b.$ref leads to '#/$defs/c'"),
    (
        at({"$ref": "#/x/b"}, x={"b": {"properties": {"c": {"$ref": "#/y"}}}}),
        "properties.a.$ref.properties.c.$ref leads to '#/y'",
    ),
]

SOUND: list[dict[str, Any]] = [
    at({"$ref": "#"}),
    at({"$ref": "#/$defs/City"}, **{"$defs": {"City": {"$ref": "#/properties/a"}}}),
    at({"$ref": "#/definitions/a~1b~0c d"}, definitions={"a/b~c d": {}}),
    at({"$ref": "#/definitions/c%20d"}, definitions={"c d": {}}),
    at({"$ref": "#/anyOf/1"}, anyOf=[{}, {}]),
    at({"$ref": "#/components/schemas/City"}, components={"schemas": {"City": {}}}),
    at({"$ref": "#city"}, **{"$defs": {"City": {"$anchor": "city"}}}),
    {"properties": {"$ref": {"type": "string"}, "pattern": {"type": "string"}}},
    at({"enum": [{"$ref": "nowhere"}], "default": {"$ref": "nowhere"}}),
]


@pytest.mark.parametrize(("schema", "said"), REFERENCES)
def test_a_reference_that_leads_nowhere_is_named(schema: dict[str, Any], said: str) -> None:
    with pytest.raises(ToolDefinitionError) as caught:
        Tool.from_schema("find", "", schema, max)
    assert str(caught.value).startswith("The schema of tool 'find' is no JSON Schema: ")
    assert said in str(caught.value)


@pytest.mark.parametrize("schema", SOUND, ids=str)
def test_what_leads_somewhere_is_taken(schema: dict[str, Any]) -> None:
    assert Tool.from_schema("find", "", schema, max).name == "find"


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        ")",
        "a)(",
        "[a",
        "[^",
        "a**",
        "*a",
        "a|+",
        "a{2,1}",
        "[z-a]",
        "a\\",
        "(?",
        "(?:a",
        "a+*",
    ],
)
def test_a_pattern_that_is_wrong_everywhere_is_named(pattern: str) -> None:
    for schema in (at({"pattern": pattern}), at({"patternProperties": {pattern: {}}})):
        with pytest.raises(ToolDefinitionError, match=r"properties\.a\.pattern.* is no pattern: "):
            Tool.from_schema("find", "", schema, max)


@pytest.mark.parametrize(
    "pattern",
    [
        *(r"^\p{L}+$", r"(?<year>\d{4})", r"\u{1F600}", r"[]", r"([^])", r"\cA", r"[\w-a]"),
        *(r"{,3}", r"a{,2}*", r"\1", r"(?<=a+)b", r"x{99999999999999999999}", r"\k<year>"),
        *(r"(?i)a", r"(?P<year>a)", "a++", r"[[]a]", "(" * 2000 + ")" * 2000, r"\Z", "é+"),
    ],
)
def test_a_pattern_that_is_right_somewhere_is_taken_and_checks_without_harm(pattern: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert fault_of(at({"pattern": pattern})) is None


def test_nothing_is_found_in_a_schema_without_end() -> None:
    deep: dict[str, Any] = {}
    for _ in range(5000):
        deep = {"items": deep}
    assert fault_of(deep) is None
