"""Arguments against a raw JSON Schema."""

from __future__ import annotations

from typing import Any

import pytest

from nbagents.tools.schema_check import fitted

TREE: dict[str, Any] = {
    "$defs": {
        "tree": {
            "type": "object",
            "properties": {
                "label": {"type": "string"},
                "children": {"type": "array", "items": {"$ref": "#/$defs/tree"}},
            },
            "required": ["label"],
        }
    },
    "$ref": "#/$defs/tree",
}


RULES: list[tuple[dict[str, Any], Any, Any, str | None]] = [
    ({"type": "string"}, "a", 1, "type"),
    ({"type": "integer"}, 2.0, 2.5, "type"),
    ({"type": "integer"}, 2, True, "type"),
    ({"type": "number"}, 1, "one", "type"),
    ({"type": "boolean"}, True, 1, "type"),
    ({"type": "null"}, None, 0, "type"),
    ({"type": ["string", "null"]}, None, 1, "type"),
    ({"type": "object"}, {}, [], "type"),
    ({"enum": ["a", 1]}, 1, True, "enum"),
    ({"const": 1}, 1, 2, "const"),
    ({"minimum": 1}, 1, 0, "minimum"),
    ({"maximum": 1}, 1, 2, "maximum"),
    ({"exclusiveMinimum": 1}, 2, 1, "exclusiveMinimum"),
    ({"exclusiveMaximum": 1}, 0, 1, "exclusiveMaximum"),
    ({"multipleOf": 0.1}, 0.3, 0.35, "multipleOf"),
    ({"minLength": 2}, "ab", "a", "minLength"),
    ({"maxLength": 2}, "ab", "abc", "maxLength"),
    ({"pattern": "^a"}, "ab", "b", "pattern"),
    ({"minItems": 1}, [1], [], "minItems"),
    ({"maxItems": 1}, [1], [1, 2], "maxItems"),
    ({"uniqueItems": True}, [1, 2], [1, 1], "uniqueItems"),
    ({"items": {"type": "string"}}, ["a"], ["a", 1], "type"),
    (
        {"prefixItems": [{"type": "string"}], "items": {"type": "null"}},
        ["a", None],
        [1],
        "type",
    ),
    ({"anyOf": [{"type": "string"}, {"minimum": 3, "type": "number"}]}, 3, 2, "minimum"),
    ({"oneOf": [{"type": "string"}, {"type": "null"}]}, None, 2, "type"),
    ({"allOf": [{"type": "string"}, {"minLength": 2}]}, "ab", "a", "minLength"),
    ({"required": ["a"]}, {"a": 1}, {}, "missing"),
    ({"additionalProperties": {"type": "null"}}, {"a": None}, {"a": 1}, "type"),
    (
        {"properties": {"a": {}}, "additionalProperties": False},
        {"a": 1},
        {"b": 1},
        "extra_forbidden",
    ),
    (
        TREE,
        {"label": "a", "children": [{"label": "b"}]},
        {"label": "a", "children": [{}]},
        "missing",
    ),
    ({"$ref": "#/nowhere"}, 1, None, None),
]


@pytest.mark.parametrize(
    ("schema", "good", "bad", "constraint"),
    RULES,
    ids=str,
)
def test_each_rule_takes_what_fits_and_names_what_does_not(
    schema: dict[str, Any], good: Any, bad: Any, constraint: str | None
) -> None:
    assert fitted(good, schema) == (good, ())
    found = [one.constraint for one in fitted(bad, schema)[1]]
    assert found == ([constraint] if constraint else [])


def test_the_path_and_the_words_help_to_correct_the_call() -> None:
    schema: dict[str, Any] = {
        "properties": {"stays": {"items": {"properties": {"city": {"type": "string"}}}}},
        "additionalProperties": False,
    }
    _, found = fitted({"stays": [{"city": 1}], "stay": 1}, schema)
    assert [(one.field, one.message) for one in found] == [
        ("stays.0.city", "This must be a string."),
        ("stay", "There is no such parameter. Did you mean 'stays'?"),
    ]
