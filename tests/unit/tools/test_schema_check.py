"""Arguments against a raw JSON Schema."""

from __future__ import annotations

from typing import Any

import pytest

from nbagents.tools.json_schema.validation import fitted

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
    ({"not": {"type": "string"}}, 1, "a", "not"),
    ({"enum": [1, 2], "type": "integer"}, 1, "three", "enum"),
    (
        {
            "properties": {"a": {}},
            "patternProperties": {"^x": {"type": "null"}},
            "additionalProperties": False,
        },
        {"a": 1, "xy": None},
        {"xy": 1},
        "type",
    ),
    ({"pattern": "\\p{L}+"}, "anything", None, None),
    ({"multipleOf": 3}, 10**400 * 3, 10**400, "multipleOf"),
    ({"multipleOf": 0.5}, 10**400, 0.3, "multipleOf"),
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


WRITTEN: list[tuple[Any, Any, Any]] = [
    ({"type": "integer"}, "7", 7),
    ({"type": "integer"}, " -7 ", -7),
    ({"type": "integer"}, 7.0, 7),
    ({"type": "integer"}, "7.0", 7),
    ({"type": "number"}, "9.8", 9.8),
    ({"type": "number"}, "1e3", 1000.0),
    ({"type": "number"}, 7, 7),
    ({"type": "boolean"}, "True", True),
    ({"type": "boolean"}, "false", False),
    ({"type": "array"}, "[1.0, 3.0]", [1.0, 3.0]),
    ({"type": "array", "items": {"type": "integer"}}, '["1", 2.0]', [1, 2]),
    ({"type": "array"}, "['a', 'b']", ["a", "b"]),
    ({"type": "object"}, '{"a": {"b": 1}}', {"a": {"b": 1}}),
    ({"type": ["integer", "null"]}, "7", 7),
    ({"type": ["string", "integer"]}, "7", "7"),
    ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, "7", "7"),
    ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "7", 7),
    ({"allOf": [{"type": "integer"}, {"minimum": 3}]}, "7", 7),
    ({"type": "integer", "enum": [1, 2]}, "2", 2),
    ({"properties": {"a": {"type": "integer"}}}, {"a": "1", "b": "2"}, {"a": 1, "b": "2"}),
    ({"additionalProperties": {"type": "integer"}}, {"a": "1"}, {"a": 1}),
    ({"prefixItems": [{"type": "integer"}], "items": {"type": "number"}}, ["1", "2.5"], [1, 2.5]),
    ({}, "7", "7"),
]


@pytest.mark.parametrize(("schema", "given", "expected"), WRITTEN, ids=str)
def test_what_is_written_in_another_form_is_mended(
    schema: dict[str, Any], given: Any, expected: Any
) -> None:
    found, problems = fitted(given, schema)
    assert problems == ()
    assert (found, type(found)) == (expected, type(expected))


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        *[("integer", one) for one in ("seven", "7.5", 7.5, "", True, None, "0x7", "1_000", "nan")],
        *[("number", one) for one in ("9,8", "inf", "1e999", False, [1])],
        *[("boolean", one) for one in ("yes", "1", 1, 0, "")],
        *[("array", one) for one in ("", "1, 2", "[1", '{"a": 1}', {"a": 1}, 1, "null")],
        *[("object", one) for one in ("", "[1]", [1], '{"a": ', "a")],
        *[("string", one) for one in (1, True, {"value": "a"}, ["a"])],
    ],
    ids=str,
)
def test_what_could_mean_something_else_is_refused(kind: str, given: Any) -> None:
    found, (problem,) = fitted(given, {"type": kind})
    assert (found, problem.constraint) == (given, "type")


def test_what_fits_stays_the_very_object() -> None:
    given: Any = {"a": [1, {"b": "x"}], "c": None}
    schema: dict[str, Any] = {"properties": {"a": {"type": "array", "items": {}}}}
    found, problems = fitted(given, schema)
    assert problems == ()
    assert found is given


def test_null_for_something_optional_is_left_out_where_none_fits() -> None:
    schema: dict[str, Any] = {
        "properties": {
            "must": {"type": "string"},
            "may": {"type": "string"},
            "null": {"type": ["string", "null"]},
            "inner": {"properties": {"may": {"type": "string"}}},
        },
        "required": ["must"],
    }
    given: Any = {"must": "a", "may": None, "null": None, "inner": {"may": None}, "other": None}
    kept: Any = {"must": "a", "null": None, "inner": {}, "other": None}
    assert fitted(given, schema) == (kept, ())
    assert [one.field for one in fitted({"must": None}, schema)[1]] == ["must"]
    found = fitted(given, schema, drop_nulls=False)[1]
    assert [one.field for one in found] == ["may", "inner.may"]


def test_the_choices_are_listed_as_json_also_where_the_type_is_wrong() -> None:
    (found,) = fitted("c", {"type": "integer", "enum": [1, None, "ü"]})[1]
    assert found.message == 'This must be one of 1, null, "ü".'


def test_a_union_tells_of_the_branch_that_comes_closest() -> None:
    point: dict[str, Any] = {"properties": {"lon": {"type": "number"}}, "required": ["lon", "lat"]}
    schema: dict[str, Any] = {"anyOf": [{"type": "string"}, {"type": "object", **point}]}
    (found,) = fitted({"lon": 1}, schema)[1]
    assert found.field == "lat"


def test_unions_that_hold_themselves_are_looked_at_once() -> None:
    node: dict[str, Any] = {"type": "object", "properties": {"x": {"$ref": "#/$defs/n"}}}
    schema: dict[str, Any] = {"$defs": {"n": {"anyOf": [node, {**node}, {"type": "null"}]}}}
    value: Any = 1
    for _ in range(60):  # two ways at each of them: more than could ever be tried
        value = {"x": value}
    assert fitted(value, {**schema, "$ref": "#/$defs/n"})[1]


def test_a_schema_without_end_is_one_issue() -> None:
    endless: dict[str, Any] = {"$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}}
    (found,) = fitted("x", {**endless, "$ref": "#/$defs/a"})[1]
    assert "too deeply" in found.message


@pytest.mark.parametrize("pattern", ["x{99999999999999999999}", "(" * 3000 + ")" * 3000])
def test_a_pattern_that_python_cannot_read_is_not_checked(pattern: str) -> None:
    schema: dict[str, Any] = {"properties": {"a": {"type": "string", "pattern": pattern}}}
    assert fitted({"a": "x"}, schema) == ({"a": "x"}, ())
