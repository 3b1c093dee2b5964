"""Junk always fits its schema, is alike for the same seed, and gets to tools as their types."""

from __future__ import annotations

import enum
import json
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import PurePath
from typing import Annotated, Any, Literal, NamedTuple, cast
from uuid import UUID

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

import nbagents as nba
from nbagents.models.model import ToolSpec
from nbagents.testing.stand_ins import (
    Choices,
    FuzzError,
    NoValueError,
    junk_arguments,
    simpler,
    value_for,
)
from tests.thinning import examples


class Colour(enum.Enum):
    RED = "red"
    TWO = 2


class Leaf(BaseModel):
    name: Annotated[str, Field(pattern=r"^[a-z]{2,5}-\d+$")]
    size: Annotated[float, Field(gt=0, le=9.5, multiple_of=0.5)]


class Tree(BaseModel):
    """A tree that holds itself, in three ways."""

    left: Tree | Leaf
    others: list[Tree] = []
    named: dict[str, Tree | None] = {}
    next: Tree | None = None


class Pair(NamedTuple):
    first: int
    second: str


class Options(TypedDict, total=False):
    deep: bool
    limit: Annotated[int, Field(ge=1, le=3)]


class Board:
    """What no JSON can carry."""


LEAVES: list[Any] = [
    *(int, float, str, bool, bytes, date, datetime, time, timedelta, UUID, Decimal, PurePath),
    *(Colour, Leaf, Tree, Pair, Options, None, Literal["a", 3] | None, Any),
    Annotated[int, Field(gt=3, lt=9, multiple_of=2)],
    Annotated[str, Field(min_length=3, max_length=4)],
    Annotated[str, Field(pattern=r"^(on|off)_[A-F0-9]{4}\w?$")],
    Annotated[list[int], Field(min_length=2, max_length=3)],
]


def _around(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    keys = st.just(str)
    return st.one_of(
        inner.map(lambda one: list[one]),
        inner.map(lambda one: tuple[one, ...]),
        st.tuples(inner, inner).map(lambda two: tuple[two[0], two[1]]),
        st.tuples(keys, inner).map(lambda two: dict[two[0], two[1]]),
        inner.map(lambda one: one | None if one is not None else None),
    )


HINTS = st.recursive(st.sampled_from(LEAVES), _around, max_leaves=4)
SIGNATURES = st.lists(st.tuples(HINTS, st.booleans()), min_size=1, max_size=4)


Signature = list[tuple[Any, bool]]


def tool_of(
    signature: list[tuple[Any, bool]], seen: list[dict[str, Any]] | None = None
) -> nba.Tool:
    """A tool of these parameters; of some nothing need be given."""
    ordered = sorted(enumerate(signature), key=lambda one: one[1][1])
    words = ", ".join(f"p{at}: H{at}{' = None' if free else ''}" for at, (_, free) in ordered)
    names: dict[str, Any] = {f"H{at}": hint for at, (hint, _) in ordered}
    names["seen"] = [] if seen is None else seen
    code = f'def made({words}):\n    "Made."\n    seen.append(dict(locals()))\n    return "ok"'
    exec(code, names)  # a signature is what is tested
    return nba.Tool(names["made"])


def spec_of(tool: nba.Tool) -> ToolSpec:
    return ToolSpec(
        name=tool.name,
        description="",
        parameters=tool.schema.parameters,
        handles=tool.schema.handles,
    )


@pytest.mark.medium
@settings(max_examples=examples(250))
@given(SIGNATURES, st.integers(0, 10**6))
def test_junk_fits_the_schema_of_any_signature(
    signature: list[tuple[Any, bool]], seed: int
) -> None:
    tool = tool_of(signature)
    arguments = junk_arguments(spec_of(tool), Choices(str(seed)))
    jsonschema.validate(arguments, dict(tool.schema.parameters), jsonschema.Draft202012Validator)
    json.dumps(arguments)


@settings(max_examples=examples(60))
@given(SIGNATURES, st.integers(0, 10**6))
def test_tools_get_junk_as_arguments_of_their_types(
    signature: list[tuple[Any, bool]], seed: int
) -> None:
    seen: list[dict[str, Any]] = []
    tool = tool_of(signature, seen)
    run = nba.Agent(tools=[tool], model=nba.JunkModel(seed)).run("Go", log="memory")
    assert [one.status for one in run.calls] == ["done"], run.calls
    for at, (hint, _) in enumerate(signature):
        if isinstance(hint, type) and hint is not Any:
            assert seen[0][f"p{at}"] is None or isinstance(seen[0][f"p{at}"], _plain(hint))


def _plain(hint: Any) -> Any:
    origin = getattr(hint, "__origin__", None)
    return dict if hint is Options else origin or hint


HELD: list[Any] = [
    *(Board, list[Board], dict[str, Board], Board | None, Board | int, list[Board] | None),
]


@pytest.mark.medium
@settings(max_examples=examples(60))
@given(
    st.lists(st.tuples(st.sampled_from([*HELD, int, Tree]), st.booleans()), min_size=1, max_size=4),
    st.integers(0, 10**6),
)
def test_tools_get_the_live_objects_that_junk_names(signature: Signature, seed: int) -> None:
    seen: list[dict[str, Any]] = []
    boards = {"first": Board(), "second": Board()}
    agent = nba.Agent(tools=[tool_of(signature, seen)], model=nba.JunkModel(seed))
    run = agent.run("Go", log="memory", vars={**boards, "other": [1, 2]})
    assert [one.status for one in run.calls] == ["done"], run.calls
    for at, (hint, _) in enumerate(signature):
        if hint in HELD:
            assert all(one in boards.values() for one in _objects(seen[0][f"p{at}"]))


def _objects(value: Any) -> list[object]:
    """What of a value is no JSON."""
    if isinstance(value, dict):
        return list(cast("dict[str, object]", value).values())
    if isinstance(value, list):
        return cast("list[object]", value)
    return [] if value is None or isinstance(value, int) else [value]


def test_the_same_seed_calls_alike_whatever_else_is_offered() -> None:
    def one(text: str, number: int) -> str:
        """One."""
        return text

    def other(flag: int) -> int:
        """Other."""
        return flag

    def calls(seed: int, *tools: Any) -> list[Any]:
        run = nba.Agent(tools=tools, model=nba.JunkModel(seed, times=4)).run("Go", log="memory")
        return [call.arguments for call in run.calls if call.name == "one"]

    assert calls(3, one) == calls(3, one, other) == calls(3, other, one)
    assert len(calls(3, one)) == 4
    assert len({json.dumps(calls(seed, one)) for seed in range(5)}) > 1


def test_a_live_object_is_given_by_its_name_or_the_tool_is_not_called() -> None:
    seen: list[Any] = []

    def look(board: Board, boards: list[Board], spare: Board | None = None) -> str:
        """Look at boards."""
        seen.append((board, boards, spare))
        return "ok"

    def count(number: int) -> int:
        """Count."""
        return number

    board = Board()
    model = nba.JunkModel(2, times=5)
    run = nba.Agent(tools=[look], model=model).run("Go", log="memory", vars={"b": board, "n": [3]})
    assert [one.status for one in run.calls] == ["done"] * 5
    given = [one for call in seen for one in (call[0], *call[1])]
    assert all(one is board for one in given)
    alone = nba.Agent(tools=[look, count], model=nba.JunkModel()).run("Go", log="memory")
    assert [one.name for one in alone.calls] == ["count"]
    assert "Not look: board takes a Board, and none is shared (vars=)." in alone.text


def test_what_cannot_be_made_up_is_said() -> None:
    impossible: list[dict[str, Any]] = [
        {"type": "integer", "minimum": 3, "maximum": 2},
        {"type": "string", "pattern": "^(?=a)b$"},
        {"type": "string", "pattern": "("},
        {"not": {}},
    ]
    for schema in impossible:
        with pytest.raises(NoValueError):
            value_for(schema, Choices("1"))


@pytest.mark.medium
def test_schemas_of_others_are_taken_too() -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            "kind": {"const": "x"},
            "both": {"allOf": [{"type": "integer", "minimum": 3}, {"maximum": 5}]},
            "bare": {},
            "some": {"type": ["string", "null"]},
            "map": {
                "type": "object",
                "additionalProperties": {"type": "integer"},
                "minProperties": 2,
                "propertyNames": {"pattern": "^k[a-z]+$"},
            },
            "pair": {"prefixItems": [{"type": "integer"}, {"enum": ["a"]}], "items": False},
            "unique": {"type": "array", "items": {"type": "integer"}, "uniqueItems": True},
            "again": {"$ref": "#"},
        },
        "required": ["kind", "both", "bare", "some", "map", "pair", "unique"],
    }
    for seed in range(100):
        value = value_for(schema, Choices(str(seed)))
        jsonschema.validate(value, schema, jsonschema.Draft202012Validator)


def test_an_answer_of_a_form_is_junk_of_that_form() -> None:
    run = nba.Agent(output=Leaf, model=nba.JunkModel(4)).run("Go", log="memory")
    assert isinstance(run.output, Leaf)


def test_choices_made_again_give_the_same_and_simpler_ones_less() -> None:
    schema = nba.Tool(lambda_of_tree()).parameters
    first = Choices("7")
    value = value_for(schema, first)
    assert value_for(schema, Choices(given=first.made)) == value
    assert all(len(one) <= len(first.made) for one in simpler(first.made))
    least = value_for(schema, Choices(given=[]))
    assert len(json.dumps(least)) <= len(json.dumps(value))


def lambda_of_tree() -> Any:
    def grow(tree: Tree) -> str:
        """Grow a tree."""
        return "ok"

    return grow


def share(total: float, people: list[str], note: str = "") -> float:
    """Share a sum."""
    return total / len(people)


def refuses(number: int) -> int:
    """Refuse."""
    raise nba.ToolError("Not today.", kind="unavailable")


@pytest.mark.medium
def test_fuzz_says_the_simplest_call_that_breaks_a_tool() -> None:
    with pytest.raises(FuzzError) as caught:
        nba.fuzz(share, refuses, seed=5)
    found = caught.value.found
    assert [(one.tool, one.why) for one in found.broken] == [
        ("share", "ZeroDivisionError: float division by zero")
    ] or found.broken[0].why.startswith("ZeroDivisionError")
    assert found.broken[0].call in {
        "share(total=0, people=[])",
        'share(total=0, people=[], note="" (default))',
        "share(total=0.0, people=[])",
        'share(total=0.0, people=[], note="" (default))',
    }
    assert found.calls["refuses"] == 50
    with pytest.raises(FuzzError) as again:
        nba.fuzz(share, refuses, seed=5)
    assert str(again.value) == str(caught.value)


def test_fuzz_is_content_with_what_holds() -> None:
    def double(number: int) -> int:
        """Double."""
        return 2 * number

    assert str(nba.fuzz([double], times=7)) == "1 tool, 7 calls with junk (seed 0): none broke."


def test_fuzz_calls_nothing_that_needs_consent_unless_it_may() -> None:
    called: list[str] = []

    def wipe(disk: str) -> str:
        """Wipe a disk."""
        called.append(disk)
        return "gone"

    asks = nba.tool(ask=True)(wipe)
    assert "not called: wipe: it needs consent" in str(nba.fuzz(asks))
    assert called == []
    nba.fuzz(asks, times=3, consent=True)
    assert len(called) == 3


def test_fuzz_finds_tools_whose_errors_end_the_run() -> None:
    def fall(number: int) -> int:
        """Fall."""
        raise KeyError(number)

    with pytest.raises(FuzzError, match="KeyError"):
        nba.fuzz(nba.tool(on_error=None)(fall))


@pytest.mark.parametrize("given_", [(), ([],)])
def test_fuzz_of_nothing_is_said(given_: Any) -> None:
    with pytest.raises(ValueError, match="no tool to call"):
        nba.fuzz(*given_)


@pytest.mark.parametrize("times", [0, -1, True, "3"])
def test_a_number_of_calls_that_is_none_is_said(times: Any) -> None:
    with pytest.raises(ValueError, match="times is"):
        nba.JunkModel(times=times)
    with pytest.raises(ValueError, match="times is"):
        nba.fuzz(share, times=times)


def test_a_run_with_junk_can_be_looked_at_like_any_other() -> None:
    run = nba.Agent(tools=[refuses], model=nba.JunkModel()).run("Go", log="memory")
    nba.expect(run).called("refuses", number=int).failed("refuses", contains="today")
