"""OpenAI's strict rules: what is rewritten, what is said in words, what falls back and why."""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Any, Literal

import pytest
from pydantic import AnyUrl, BaseModel, Field, JsonValue

from nbagents.tools.json_schema.strict_form import strict_schema
from nbagents.tools.schema.function_parameters import function_schema


def strict_of(hint: Any, **default: Any) -> dict[str, Any]:
    """The strict schema of one parameter `x`."""
    written, note = strict_schema(plain_of(hint, **default))
    assert written is not None, note
    return written


def note_of(hint: Any) -> str:
    written, note = strict_schema(plain_of(hint))
    assert written is None
    assert note is not None
    return note


def plain_of(hint: Any, **default: Any) -> dict[str, JsonValue]:
    def take(x: Any) -> None: ...

    take.__annotations__["x"] = hint
    if default:
        take.__defaults__ = (default["default"],)
    return function_schema(take, "take").parameters


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Stay(BaseModel):
    city: str = Field(min_length=1)
    nights: int = 2
    colour: Colour = Field(default=Colour.RED, description="Of the door.")


class Tree(BaseModel):
    label: str
    children: list[Tree] = []


class Cat(BaseModel):
    kind: Literal["cat"]


class Dog(BaseModel):
    kind: Literal["dog"]


HINTS: list[Any] = [
    str,
    bool,
    Colour,
    Stay,
    Tree,
    list[Stay],
    dt.date,
    dt.timedelta,
    Decimal,
    AnyUrl,
    bytes,
    set[int],
    tuple[float, float],
    int | list[str] | None,
    Literal["a", "b"],
    Annotated[Cat | Dog, Field(discriminator="kind")],
    Annotated[str, Field(min_length=2, max_length=3, pattern="^a")],
    Annotated[list[int], Field(min_length=1, max_length=9)],
]

REFUSED = {"default", "minLength", "maxLength", "uniqueItems", "oneOf", "allOf", "prefixItems"}


def nodes(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema inside of a schema."""
    yield schema
    inner = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values()]
    inner += [*schema.get("anyOf", []), *([schema["items"]] if "items" in schema else [])]
    for one in inner:
        yield from nodes(one)


@pytest.mark.parametrize("hint", HINTS, ids=str)
@pytest.mark.parametrize("has_default", [True, False])
def test_what_is_strict_keeps_every_rule(hint: Any, has_default: bool) -> None:  # noqa: FBT001
    schema = strict_of(hint, default=None) if has_default else strict_of(hint)
    for node in nodes(schema):
        assert not REFUSED & node.keys()
        assert node.keys() & {"type", "anyOf", "$ref", "enum", "const"}
        if "$ref" in node:
            assert set(node) == {"$ref"}
        if node.get("type") == "object":
            assert node["additionalProperties"] is False
            assert node["required"] == list(node["properties"])


def test_an_optional_parameter_is_required_and_nullable_and_its_default_is_said() -> None:
    schema = strict_of(int, default=3)
    assert schema["required"] == ["x"]
    assert schema["properties"]["x"] == {
        "anyOf": [{"type": "integer"}, {"type": "null"}],
        "description": "Default 3.",
    }


def test_a_required_parameter_stays_as_it_is() -> None:
    assert strict_of(int)["properties"]["x"] == {"type": "integer"}


def test_a_type_that_takes_null_is_not_made_nullable_twice() -> None:
    schema = strict_of(int | None, default=None)
    assert schema["properties"]["x"] == {"anyOf": [{"type": "integer"}, {"type": "null"}]}


def test_optional_fields_inside_of_objects_are_nullable_too() -> None:
    stay = strict_of(Stay)["$defs"]["Stay"]
    assert stay["required"] == ["city", "nights", "colour"]
    assert {"type": "null"} in stay["properties"]["nights"]["anyOf"]
    assert stay["properties"]["colour"] == {
        "anyOf": [{"$ref": "#/$defs/Colour"}, {"type": "null"}],
        "description": "Of the door. Default 'red'.",
    }


def test_what_the_provider_refuses_is_said_in_the_description() -> None:
    hint = Annotated[str, Field(min_length=2, description="A code")]
    assert strict_of(hint)["properties"]["x"] == {
        "type": "string",
        "description": "A code. At least 2 characters.",
    }
    assert "Format 'uri'" in strict_of(AnyUrl)["properties"]["x"]["description"]
    assert strict_of(dt.date)["properties"]["x"] == {"type": "string", "format": "date"}
    assert strict_of(set[int])["properties"]["x"]["description"] == "No item twice."


def test_a_pattern_that_looks_around_is_said_instead_of_sent() -> None:
    plain = strict_of(Annotated[str, Field(pattern="^a")])["properties"]["x"]
    assert plain["pattern"] == "^a"
    schema: dict[str, Any] = {
        "properties": {"x": {"type": "string", "pattern": "^(?!a)"}},
        "required": ["x"],
    }
    written, _ = strict_schema(schema)
    assert written == {
        "type": "object",
        "properties": {"x": {"type": "string", "description": "Matching '^(?!a)'."}},
        "required": ["x"],
        "additionalProperties": False,
    }


def test_a_tuple_of_one_type_is_a_list_of_fixed_length() -> None:
    assert strict_of(tuple[float, float])["properties"]["x"] == {
        "type": "array",
        "items": {"type": "number"},
        "minItems": 2,
        "maxItems": 2,
    }


@pytest.mark.parametrize(
    ("hint", "words"),
    [
        (Any, "'x' takes anything"),
        (dict[str, int], "'x' takes keys that are not known beforehand"),
        (list[Any], "an item of 'x' takes anything"),
        (tuple[int, str], "'prefixItems'"),
        (list, "an item of 'x' takes anything"),
        (dict[str, Any] | None, "keys that are not known"),
    ],
    ids=str,
)
def test_what_cannot_be_strict_falls_back_and_says_why(hint: Any, words: str) -> None:
    assert words in note_of(hint)


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"anyOf": [{"type": "object"}, {"type": "object"}]}, "choice of several objects"),
        ({"properties": {"x": {"$ref": "#/$defs/Nowhere"}}}, "not in the schema"),
        ({"properties": {"x": {"$ref": "https://example.org/x"}}}, "not in the schema"),
        ({"properties": {"x": {"type": "string", "not": {"const": "a"}}}}, "uses 'not'"),
        (
            {"properties": {"x": {"type": "array", "prefixItems": [{"type": "null"}]}}},
            "uses 'prefixItems'",
        ),
        ({"properties": {"x": {"type": "array"}}}, "the items of 'x' can be anything"),
        ({"properties": {"x": True}}, "'x' takes anything"),
        ({"properties": {"x": {"enum": list(range(1001))}}}, "1000 enum values"),
        ({"properties": {f"x{n}": {"type": "null"} for n in range(5001)}}, "5000 properties"),
        ({"properties": {"x": {"const": "a" * 120_001}}}, "120000 characters"),
        ({"properties": {"x": {"enum": [f"{n:099}" for n in range(300)]}}}, "15000 characters"),
        ({"properties": 3}, "no object"),
    ],
)
def test_a_foreign_schema_falls_back_and_says_why(schema: dict[str, Any], words: str) -> None:
    written, note = strict_schema(schema)
    assert written is None
    assert note is not None
    assert words in note


def test_too_deep_objects_fall_back_and_objects_that_hold_themselves_do_not() -> None:
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(11):
        deep = {"type": "object", "properties": {"x": deep}, "required": ["x"]}
    assert "nests more than 10" in str(strict_schema(deep)[1])
    assert strict_schema(deep["properties"]["x"])[1] is None
    assert strict_of(Tree)["$defs"]["Tree"]["properties"]["children"]["anyOf"][0] == {
        "type": "array",
        "items": {"$ref": "#/$defs/Tree"},
    }


def test_the_given_schema_is_not_changed() -> None:
    plain = plain_of(Stay)
    before = repr(plain)
    strict_schema(plain)
    assert repr(plain) == before


def test_a_single_all_of_is_taken_in() -> None:
    schema: dict[str, Any] = {
        "properties": {"x": {"allOf": [{"type": "string"}], "description": "A text."}},
        "required": ["x"],
    }
    written: Any = strict_schema(schema)[0]
    assert written["properties"]["x"] == {"type": "string", "description": "A text."}


def test_definitions_that_branch_at_each_level_are_looked_at_once() -> None:
    def level(number: int) -> dict[str, Any]:
        inner = {"$ref": f"#/$defs/d{number + 1}"} if number < 60 else {"type": "string"}
        return {"type": "object", "properties": {"a": inner, "b": inner}, "required": ["a", "b"]}

    definitions: dict[str, Any] = {f"d{number}": level(number) for number in range(61)}
    written, reason = strict_schema({"$defs": definitions, **level(-1)})
    assert written is None
    assert reason == "it nests more than 10 objects"
