"""Schemas as others write them."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from nbagents.tools.json_schema.type_names import json_schema_of, json_type_of

TYPES = {
    "integer": "integer int long short byte bigint",
    "number": "number float double",
    "string": "string str char",
    "boolean": "boolean bool",
    "array": "array list arraylist tuple set queue stack",
    "object": "object dict hashmap hashtable",
}


@pytest.mark.parametrize(
    ("word", "kind"), [(word, kind) for kind, words in TYPES.items() for word in words.split()]
)
def test_types_of_other_languages_are_those_of_json(word: str, kind: str) -> None:
    for one in (word, word.upper(), word.title(), f" {word} "):
        assert json_type_of(one) == kind


@pytest.mark.parametrize("word", ["any", "Any", " ", "", None])
def test_any_is_no_type(word: Any) -> None:
    assert json_schema_of({"type": word, "description": "x"}) == {"description": "x"}


GIVEN: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"type": ["String", "null"]}, {"type": ["string", "null"]}),
    ({"type": ["str", "any"]}, {}),
    (
        {"type": "dict", "properties": {"type": {"type": "float"}, "enum": {"type": "any"}}},
        {"type": "object", "properties": {"type": {"type": "number"}, "enum": {}}},
    ),
    (
        {"type": "ArrayList", "items": {"type": "HashMap"}, "default": {"type": "dict"}},
        {"type": "array", "items": {"type": "object"}, "default": {"type": "dict"}},
    ),
    (
        {"type": "tuple", "items": [{"type": "int"}, {"type": "str"}], "additionalItems": False},
        {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": False},
    ),
    (
        {"properties": {"a": {"type": "int", "required": True}, "b": {"required": False}}},
        {"properties": {"a": {"type": "integer"}, "b": {}}, "required": ["a"]},
    ),
    (
        {"minimum": 1, "exclusiveMinimum": True, "maximum": 2, "exclusiveMaximum": False},
        {"exclusiveMinimum": 1, "maximum": 2},
    ),
    (
        {"optional": True, "nullable": True, "x-own": [1]},
        {"optional": True, "nullable": True, "x-own": [1]},
    ),
    ({"description": None, "title": 3, "deprecated": "yes", "examples": "a"}, {}),
    ({"required": ["a", "a"]}, {"required": ["a"]}),
    (
        {"additionalProperties": {"type": "long"}, "anyOf": [{"type": "char"}, True], "not": False},
        {
            "additionalProperties": {"type": "integer"},
            "anyOf": [{"type": "string"}, {}],
            "not": False,
        },
    ),
    ({"properties": {"a": True, "b": False}}, {"properties": {"a": {}, "b": {"not": {}}}}),
]


@pytest.mark.parametrize(("given", "expected"), GIVEN)
def test_each_keyword_gets_the_form_of_today(
    given: dict[str, Any], expected: dict[str, Any]
) -> None:
    found = json_schema_of(given)
    assert found == expected
    Draft202012Validator.check_schema(found)


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({"properties": []}, "properties must be an object"),
        ({"properties": {"a": 3}}, "properties.a must be an object"),
        ({"properties": {"a": {"enum": "x"}}}, "properties.a.enum must be a list"),
        ({"required": "a"}, "required must be a list of names"),
        ({"required": [1]}, "required must be a list of names"),
        ({"items": {"minimum": "0"}}, "items.minimum must be a number"),
        ({"minLength": -1}, "minLength must be a whole number"),
        ({"anyOf": []}, "anyOf must be a list of schemas"),
        ({"allOf": [{"pattern": 3}]}, "allOf.0.pattern must be a string"),
        ({"uniqueItems": "yes"}, "uniqueItems must be true or false"),
        ({"type": "date"}, "^type must be a type of JSON .*, not 'date'"),
        ({"properties": {"a": {"type": 3}}}, "properties.a.type must be a type of JSON"),
        ({"items": {"type": ["string", "file"]}}, "items.type must be .*, not 'file'"),
        (3, "it must be an object"),
    ],
)
def test_a_keyword_that_cannot_be_read_is_refused_by_its_path(given: Any, where: str) -> None:
    with pytest.raises(TypeError, match=where):
        json_schema_of(given)
