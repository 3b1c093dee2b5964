"""Schemas made of several: said in one by strict rules, or sent loosely with the reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict
from typing_extensions import TypedDict

import nbagents as nba
from nbagents.agents.specification.handoffs import handoff_of
from nbagents.tools.context.context import Context
from nbagents.tools.schema.binding import Bound
from nbagents.tools.tool.definition import Tool
from tests.strict_rules import faults

P: dict[str, Any] = {
    "type": "object",
    "properties": {"p": {"type": "integer"}},
    "required": ["p"],
}
Q: dict[str, Any] = {"type": "object", "properties": {"q": {"type": "string"}}}
TREE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "label": {"type": "string"},
        "inner": {"type": "array", "items": {"$ref": "#/$defs/tree"}},
    },
    "required": ["label"],
}


def take(x: Any) -> Any:
    return x


def tool_of(schema: dict[str, Any]) -> Tool:
    return Tool.from_schema("f", "d", schema, take)


def given(tool: Tool, arguments: Any) -> Any:
    """What the handler gets."""
    bound = tool.bind(arguments, Context())
    assert isinstance(bound, Bound), bound
    return bound.args[0]


@pytest.mark.parametrize(
    ("schema", "arguments", "taken"),
    [
        ({"allOf": [P, Q]}, {"p": 1, "q": None}, {"p": 1}),
        ({**P, "allOf": [Q]}, {"p": 1, "q": "a"}, {"p": 1, "q": "a"}),
        (
            {"properties": {"x": {"allOf": [P, Q]}}, "required": ["x"]},
            {"x": {"p": 1, "q": None}},
            {"x": {"p": 1}},
        ),
        (
            {
                "properties": {
                    "x": {"oneOf": [P, Q], "anyOf": [{"properties": {"z": {"type": "null"}}}]}
                }
            },
            {"x": {"p": 2, "z": None}},
            {"x": {"p": 2, "z": None}},
        ),
        (
            {
                "properties": {"x": {"$ref": "#/$defs/n", "maximum": 9}},
                "$defs": {"n": {"type": "integer"}},
            },
            {"x": 9},
            {"x": 9},
        ),
        (
            {
                "properties": {"x": {"$ref": "#/$defs/a%20b~1c"}},
                "$defs": {"a b/c": {"type": "integer"}},
            },
            {"x": 9},
            {"x": 9},
        ),
        (
            {"$ref": "#/$defs/tree", "$defs": {"tree": TREE}},
            {"label": "a", "inner": [{"label": "b", "inner": None}]},
            {"label": "a", "inner": [{"label": "b"}]},
        ),
        ({"anyOf": [P]}, {"p": 1}, {"p": 1}),
        ({"properties": {"x": {"enum": [1, "a", None]}}}, {"x": "a"}, {"x": "a"}),
    ],
)
def test_what_is_made_of_several_is_said_in_one(
    schema: dict[str, Any], arguments: Any, taken: Any
) -> None:
    tool = tool_of(schema)
    assert tool.strict, tool.strict_note
    assert faults(tool.parameters) == []
    assert given(tool, arguments) == taken


@pytest.mark.parametrize(
    ("x", "reason"),
    [
        ({"allOf": [{"type": "string"}, {"type": "integer"}]}, "what cannot be at once"),
        ({"allOf": [{"pattern": "a"}, {"pattern": "b"}], "type": "string"}, "'pattern' twice"),
        ({"allOf": [{"$ref": "#/properties/x"}]}, "refers to itself"),
        ({"allOf": [{"const": 1}, {"const": 2}]}, "what cannot be at once"),
        ({"type": "object", "properties": {}, "required": ["y"]}, "requires 'y'"),
        ({"enum": [{"a": 1}]}, "takes anything"),
        ({"type": "boolean", "enum": ["True", "dontcare"]}, "values that are not of its type"),
        ({"type": "array", "items": {"type": "null"}, "enum": ["a"]}, "not of its type"),
        ({"allOf": [{"anyOf": [{"minimum": n} for n in range(6)]}] * 2}, "too many choices"),
    ],
)
def test_what_cannot_be_said_in_one_is_sent_loosely_with_the_reason(x: Any, reason: str) -> None:
    tool = tool_of({"properties": {"x": x}})
    assert not tool.strict
    assert tool.strict_note
    assert reason in tool.strict_note
    assert tool.parameters["properties"] == {"x": x}


def test_what_one_closes_and_the_other_does_not_is_closed() -> None:
    tool = tool_of({"allOf": [{**P, "additionalProperties": False}, Q]})
    assert tool.parameters["properties"] == P["properties"]
    closed: Any = {"type": "object", "properties": {}, "additionalProperties": False}
    assert not tool_of({"allOf": [closed, P]}).strict


def test_what_stands_beside_a_reference_is_checked_too() -> None:
    tool = tool_of({"properties": {"x": {"$ref": "#/$defs/n", "maximum": 9}}, "$defs": {"n": {}}})
    assert isinstance(tool.bind({"x": 10}, Context()), tuple)


class Branch(BaseModel):
    label: str
    inner: list[Branch] = []


def test_a_type_that_holds_itself_is_strict_wherever_it_is_given() -> None:
    asked = nba.Agent("a").as_tool(parameters=Branch)
    handing, _ = handoff_of(
        nba.handoff(nba.Agent("b"), input_type=Branch), lambda _agent, plan: plan
    )
    for tool in (asked, handing, tool_of(Branch.model_json_schema())):
        assert tool.strict, tool.strict_note
        assert faults(tool.parameters) == []
        assert given(tool, {"label": "a", "inner": [{"label": "b", "inner": None}]})


class Cat(BaseModel):
    name: str
    lives: int = 9


@dataclass
class Dog:
    name: str
    lives: int = 1


class Bird(TypedDict, total=False):
    name: str
    lives: int


class House(BaseModel):
    pet: Cat | None = None
    dog: Dog | None = None
    bird: Bird | None = None


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    name: str


ONE: Any = {"name": "Tom", "fur": "red"}


@pytest.mark.parametrize(
    ("hint", "value", "place"),
    [
        *((kind, ONE, "x.fur") for kind in (Cat, Dog, Bird)),
        *((list[kind], [ONE], "x.0.fur") for kind in (Cat, Dog, Bird)),
        *((House, {name: ONE}, f"x.{name}.fur") for name in ("pet", "dog", "bird")),
    ],
)
def test_an_unknown_key_inside_of_an_argument_is_refused_alike(
    hint: Any, value: Any, place: str
) -> None:
    def take(x: Any) -> Any:
        return x

    take.__annotations__["x"] = hint
    found = Tool(take).bind({"x": value}, Context())
    assert isinstance(found, tuple)
    assert [(one.field, one.constraint, one.message) for one in found] == [
        (place, "extra_forbidden", "There is no such field.")
    ]
    for options in (nba.ToolOptions(strict=False), nba.ToolOptions()):
        assert '"additionalProperties": true' not in str(Tool(take, options).parameters)


@pytest.mark.parametrize("kind", [Cat, Dog, Bird])
def test_an_unknown_key_of_an_agents_input_is_refused_alike(kind: Any) -> None:
    found = nba.Agent("a").as_tool(parameters=kind).bind(ONE, Context())
    assert isinstance(found, tuple)
    assert [(one.field, one.constraint) for one in found] == [("fur", "extra_forbidden")]


def test_a_type_that_says_itself_what_becomes_of_unknown_keys_decides() -> None:
    def take(x: Any) -> Any:
        return x

    take.__annotations__["x"] = Open
    bound = Tool(take).bind({"x": ONE}, Context())
    assert isinstance(bound, Bound)
    assert bound.kwargs["x"].fur == "red"
