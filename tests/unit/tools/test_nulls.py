"""Where a model's `null` means "not given"."""

from __future__ import annotations

from typing import Any

import pytest

from nbagents.tools.json_schema.null_meaning import admits_null, null_dropper


@pytest.mark.parametrize(
    ("schema", "admits"),
    [
        ({"type": "null"}, True),
        ({"type": ["string", "null"]}, True),
        ({"type": "string"}, False),
        ({}, True),
        (True, True),
        (False, False),
        ({"enum": ["a", None]}, True),
        ({"enum": ["a"]}, False),
        ({"const": None}, True),
        ({"const": "a"}, False),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, True),
        ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, False),
        ({"$ref": "#/$defs/text"}, False),
        ({"$ref": "#/$defs/again"}, False),
        ({"$ref": "#/$defs/a~1b"}, True),
        ({"$ref": "#"}, False),
        ({"anyOf": [True]}, True),
    ],
    ids=str,
)
def test_whether_a_schema_takes_null(schema: Any, admits: bool) -> None:  # noqa: FBT001
    root: dict[str, Any] = {
        "type": "object",
        "$defs": {
            "text": {"type": "string"},
            "again": {"$ref": "#/$defs/text"},
            "a/b": {"type": "null"},
        },
    }
    assert admits_null(schema, root) is admits


def test_references_in_a_circle_come_to_an_end() -> None:
    root: dict[str, Any] = {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
    assert admits_null({"$ref": "#/$defs/a"}, root)
    assert null_dropper({**root, "properties": {"x": {"$ref": "#/$defs/a"}}}) is None


def test_there_is_nothing_to_drop_where_all_is_required() -> None:
    assert null_dropper({"properties": {"a": {"type": "string"}}, "required": ["a"]}) is None


def test_only_nulls_that_mean_nothing_are_dropped_at_every_depth() -> None:
    inner: dict[str, Any] = {
        "properties": {
            "must": {"type": "string"},
            "may": {"type": "string"},
            "null": {"type": ["string", "null"]},
        },
        "required": ["must"],
    }
    drop = null_dropper(
        {
            "properties": {
                "one": inner,
                "many": {"type": "array", "items": inner},
                "named": {"type": "object", "additionalProperties": inner},
                "maybe": {"anyOf": [{"type": "null"}, inner]},
            },
            "required": ["one"],
        }
    )
    assert drop is not None
    given: Any = {"must": None, "may": None, "null": None, "unknown": None}
    kept: Any = {"must": None, "null": None, "unknown": None}
    arguments = {"one": given, "many": [given], "named": {"a": given}, "maybe": given}
    assert drop(arguments) == {"one": kept, "many": [kept], "named": {"a": kept}, "maybe": kept}
    assert drop({"one": None, "many": None, "maybe": None}) == {"one": None, "maybe": None}
    assert drop([1]) == [1]
    assert "may" in given


def test_what_one_branch_of_a_union_needs_is_kept() -> None:
    first: dict[str, Any] = {"properties": {"a": {"type": "string"}}}
    second: dict[str, Any] = {"properties": {"a": {"type": ["string", "null"]}}}
    drop = null_dropper({"properties": {"x": {"anyOf": [first, second, True]}, "y": first}})
    assert drop is not None
    assert drop({"x": {"a": None}, "y": {"a": None}}) == {"x": {"a": None}, "y": {}}


def test_a_schema_that_refers_to_itself_adds_nothing() -> None:
    root: dict[str, Any] = {"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]}}}
    root["$defs"]["b"] = {"allOf": [{"$ref": "#/$defs/b"}]}
    assert admits_null({"$ref": "#/$defs/a"}, root)
    assert not admits_null({"$ref": "#/$defs/b"}, root)


def test_null_fits_all_of_several_only_if_it_fits_each() -> None:
    assert not admits_null({"allOf": [{}, {"type": "string"}]}, {})
    assert admits_null({"allOf": [{}, {"type": ["string", "null"]}]}, {})
