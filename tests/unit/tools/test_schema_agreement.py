"""What a model sees of a tool and what judges its calls are one."""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
from typing import Annotated, Any, Literal, NotRequired

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field, create_model
from typing_extensions import TypedDict

from nbagents.tools.context.context import Context
from nbagents.tools.schema.binding import Bound
from nbagents.tools.tool.definition import Tool
from tests.strict_rules import faults
from tests.thinning import examples

Json = Any  # any JSON


class Mixed(enum.Enum):
    ONE = 1
    TEXT = "a"
    HALF = 2.5


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 2


LEAVES = st.sampled_from(
    [str, int, float, bool, dt.date, Mixed, Size, Literal["a", "b"], Literal[1, "a"] | None]
)
NAMES = st.sampled_from(["a", "b", "c"])
COUNTER = iter(range(10**9))


def field_of(inner: Any, how: str) -> tuple[Any, Any]:
    """The hint and the default of a field; `...` where it is required."""
    if how == "none":
        return inner | None if not isinstance(inner, str) else inner, None
    return inner, ... if how == "required" else DEFAULTED


DEFAULTED: Any = Field(default_factory=lambda: "left out")
HOWS = st.sampled_from(["required", "defaulted", "none"])
FIELDS = ("a", "b", "c")


def model_of(fields: dict[str, tuple[Any, str]]) -> Any:
    made: dict[str, Any] = {name: field_of(*one) for name, one in fields.items()}
    return create_model(f"Model{next(COUNTER)}", **made)


def dataclass_of(fields: dict[str, tuple[Any, str]]) -> Any:
    ordered = sorted(fields.items(), key=lambda one: one[1][1] != "required")
    made: list[Any] = []
    for name, (hint, how) in ordered:
        default = {"none": None, "defaulted": "left out"}.get(how, dataclasses.MISSING)
        inner = hint | None if how == "none" else hint
        made.append((name, inner, dataclasses.field(default=default)))
    return dataclasses.make_dataclass(f"Data{next(COUNTER)}", made)


def typed_dict_of(fields: dict[str, tuple[Any, str]]) -> Any:
    made = {
        name: NotRequired[hint] if how == "defaulted" else hint | None if how == "none" else hint
        for name, (hint, how) in fields.items()
    }
    return TypedDict(f"Typed{next(COUNTER)}", made)  # pyright: ignore  # noqa: PGH003  made at run time


def tagged(members: list[dict[str, tuple[Any, str]]], *, is_told: bool) -> Any:
    """A union whose members have a tag with a default; `is_told`: pydantic is told of it."""
    made: list[Any] = []
    for at, fields in enumerate(members):
        tag: Any = (Literal[f"kind-{at}"], f"kind-{at}")
        rest: dict[str, Any] = {name: field_of(*one) for name, one in fields.items()}
        made.append(create_model(f"Tagged{next(COUNTER)}", kind=tag, **rest))
    union: Any = made[0]
    for one in made[1:]:
        union = union | one
    return Annotated[union, Field(discriminator="kind")] if is_told and len(made) > 1 else union


def shapes(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    fields = st.dictionaries(NAMES, st.tuples(inner, HOWS), min_size=1, max_size=3)
    return st.one_of(
        inner.map(lambda one: list[one]),
        inner.map(lambda one: tuple[one, one]),
        inner.map(lambda one: one | None),
        st.tuples(inner, inner).map(lambda two: two[0] | two[1]),
        fields.map(model_of),
        fields.map(dataclass_of),
        fields.map(typed_dict_of),
        st.tuples(st.lists(fields, min_size=1, max_size=3), st.booleans()).map(
            lambda drawn: tagged(drawn[0], is_told=drawn[1])
        ),
    )


HINTS = st.recursive(LEAVES, shapes, max_leaves=6)


@st.composite
def values(draw: Any, node: Any, root: Any, depth: int = 0) -> Json:
    """Something that a strict schema allows."""
    if "$ref" in node:
        target = root if node["$ref"] == "#" else root["$defs"][node["$ref"].rpartition("/")[2]]
        return draw(values(target, root, depth + 1))
    if "anyOf" in node:
        branches = sorted(node["anyOf"], key=lambda one: one.get("type") != "null")
        branch = branches[0] if depth > 8 else draw(st.sampled_from(branches))
        return draw(values(branch, root, depth + 1))
    if "const" in node or "enum" in node:
        return draw(st.sampled_from([node["const"]] if "const" in node else node["enum"]))
    kinds = node["type"] if isinstance(node["type"], list) else [node["type"]]
    return draw(of_kind(draw(st.sampled_from(kinds)), node, root, depth))


@st.composite
def of_kind(draw: Any, kind: str, node: Any, root: Any, depth: int) -> Json:
    if kind == "object":
        inner = node["properties"].items()
        return {name: draw(values(one, root, depth + 1)) for name, one in inner}
    if kind == "array":
        least, most = node.get("minItems", 0), node.get("maxItems", 2)
        size = least if depth > 8 else draw(st.integers(least, max(least, most)))
        return [draw(values(node["items"], root, depth + 1)) for _ in range(size)]
    if kind == "string":
        texts = st.sampled_from(["", "left out", "ü", "7", "null"])
        return draw(st.dates().map(str) if node.get("format") == "date" else texts)
    least, most = node.get("minimum", -9), node.get("maximum", 9)
    plain: dict[str, st.SearchStrategy[Any]] = {
        "integer": st.integers(least, most),
        "number": st.floats(least, most) | st.integers(least, most),
        "boolean": st.booleans(),
        "null": st.none(),
    }
    return draw(plain[kind])


QUIET = settings(max_examples=examples(150), derandomize=True)


def taken(x: Any) -> Any:
    return x


def tool_of(hint: Any, how: str) -> Tool:
    def take(x: Any) -> Any:
        return x

    take.__annotations__["x"] = hint
    if how != "required":
        take.__defaults__ = (None if how == "none" else "left out",)
    return Tool(take)


@pytest.mark.medium
@QUIET
@given(hint=HINTS, how=HOWS, data=st.data())
def test_what_the_strict_schema_of_a_function_allows_is_taken(
    hint: Any, how: str, data: st.DataObject
) -> None:
    tool = tool_of(hint, how)
    assert tool.strict, tool.strict_note
    assert faults(tool.parameters) == []
    value = data.draw(values(tool.parameters, tool.parameters))
    found = tool.bind(value, Context())
    assert isinstance(found, Bound), (value, found, tool.parameters)


def objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    named = st.dictionaries(NAMES, inner, min_size=1, max_size=3)
    required = st.lists(NAMES, max_size=2, unique=True)
    plain = st.tuples(named, required, st.sampled_from([{}, {"additionalProperties": False}]))
    return plain.map(
        lambda one: {"type": "object", "properties": one[0], "required": one[1], **one[2]}
    )


PLAIN = st.sampled_from(
    [
        *({"type": kind} for kind in ("string", "integer", "boolean", "null")),
        {"type": ["string", "null"]},
        {"type": "integer", "minimum": 0},
        {"enum": [1, "a"]},
        {"const": "left out", "default": "left out"},
        *({"$ref": f"#/{place}"} for place in ("$defs/one", "$defs/two%20words", "$defs/a~1b")),
        {"$ref": "#/$defs/tree", "description": "A tree."},
        {"$ref": "#/$defs/one", "maximum": 5},
        {"$ref": "#there"},
    ]
)
DEFINITIONS: Json = {
    "one": {"type": "integer", "minimum": 1},
    "two words": {"type": "object", "properties": {"a": {"$ref": "#/$defs/one"}}},
    "a/b": {"$anchor": "there", "oneOf": [{"type": "string"}, {"$ref": "#/$defs/tree"}]},
    "tree": {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"$ref": "#/$defs/tree"}},
    },
}


def combined(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, min_size=1, max_size=2)
    return st.one_of(
        objects(inner),
        inner.map(lambda one: {"type": "array", "items": one}),
        st.tuples(st.sampled_from(["allOf", "anyOf", "oneOf"]), several).map(
            lambda two: {two[0]: two[1]}
        ),
        st.tuples(st.sampled_from(["allOf", "anyOf", "oneOf"]), several, objects(inner)).map(
            lambda drawn: {**drawn[2], drawn[0]: drawn[1]}
        ),
        st.tuples(several, several).map(lambda two: {"oneOf": two[0], "anyOf": two[1]}),
    )


RAW = st.recursive(PLAIN, combined, max_leaves=6)


@QUIET
@given(properties=st.dictionaries(NAMES, RAW, min_size=1), more=RAW, data=st.data())
def test_what_the_strict_schema_made_of_a_foreign_one_allows_is_taken(
    properties: Json, more: Json, data: st.DataObject
) -> None:
    root: Json = {"properties": properties, "required": ["a"], "$defs": DEFINITIONS}
    if data.draw(st.booleans()):
        root["allOf"] = [more]
    tool = Tool.from_schema("t", "", root, taken)
    if not tool.strict:
        assert tool.strict_note
        return
    assert faults(tool.parameters) == []
    value = data.draw(values(tool.parameters, tool.parameters))
    found = tool.bind(value, Context())
    assert isinstance(found, Bound), (value, found, tool.parameters)
