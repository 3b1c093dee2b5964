"""The validator of strict rules, which every schema of every test passes, finds each fault."""

from __future__ import annotations

from typing import Any

import pytest

from nbagents.models.model import ToolSpec
from tests.strict_rules import faults, faults_of_body

Json = dict[str, Any]


def root(**properties: Any) -> Json:
    names = list(properties)
    return {
        "type": "object",
        "properties": properties,
        "required": names,
        "additionalProperties": False,
    }


def test_what_keeps_the_rules_has_no_fault() -> None:
    tree = root(kids={"type": "array", "items": {"$ref": "#/$defs/tree"}}, up={"$ref": "#"})
    nullable = {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}], "description": "d"}
    assert faults({**root(x=nullable, t={"$ref": "#/$defs/tree"}), "$defs": {"tree": tree}}) == []


@pytest.mark.parametrize(
    ("x", "fault"),
    [
        ({"allOf": [{"type": "string"}]}, "'allOf' is not permitted"),
        ({"oneOf": [{"type": "string"}]}, "'oneOf' is not permitted"),
        ({"type": "string", "default": "a"}, "'default' is not permitted"),
        ({"type": "string", "minLength": 1}, "'minLength' is not permitted"),
        ({"type": "string", "format": "uri"}, "'uri' is not a valid format"),
        ({"type": "string", "pattern": "(?=a)"}, "its pattern looks around"),
        ({"enum": [1, "a"]}, "it has no type"),
        ({"type": "string", "enum": [1, "a"]}, "1 is of no type that is said"),
        ({"type": "string", "enum": []}, "a choice of nothing"),
        ({"type": "string", "enum": [f"{n:099}" for n in range(300)]}, "its choices are too long"),
        ({"type": "array"}, "its items are not said"),
        ({"$ref": "#/$defs/none"}, "'#/$defs/none' leads nowhere"),
        ({"$ref": "#", "description": "d"}, "something stands beside a reference"),
        ({"type": "string", "anyOf": [{"type": "string"}]}, "a type stands beside a choice"),
        ({"type": "object", "properties": {}}, "'additionalProperties' is required to be false"),
        ({**root(y={"type": "null"}), "required": []}, "'required' must name every property"),
        ({"type": "text"}, "['text'] are no types"),
        ({"type": "string", "properties": {}}, "properties of what is no object"),
        ({**root(), "$defs": {}}, "definitions stand at the root only"),
    ],
)
def test_each_broken_rule_is_found_wherever_it_is(x: Json, fault: str) -> None:
    for where in (x, {"anyOf": [x, {"type": "null"}]}, {"type": "array", "items": x}):
        assert any(one.endswith(fault) for one in faults(root(x=where))), faults(root(x=where))
    assert faults_of_body({"tools": [{"name": "f", "strict": True, "parameters": root(x=x)}]})
    assert not faults_of_body({"tools": [{"name": "f", "strict": False, "parameters": root(x=x)}]})


def test_roots_and_sizes_are_looked_at() -> None:
    deep: Json = root()
    for _ in range(11):
        deep = root(x=deep)
    assert faults({"anyOf": [root()]})[:2] == ["the root is no object", "the root has 'anyOf'"]
    assert faults(deep) == ["it is nested too deeply"]
    assert faults(root(x={"type": "integer", "enum": list(range(1001))})) == [
        "it has too many choices"
    ]


def test_a_test_that_calls_a_schema_strict_which_is_not_fails(strict_rules: list[str]) -> None:
    ToolSpec(name="f", description="d", parameters={"type": "object"}, strict=True)
    assert strict_rules == ["tool 'f': #: 'additionalProperties' is required to be false"]
    strict_rules.clear()
