"""Every type that pydantic can describe, hints of every kind, and nulls."""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import functools
import typing
from collections.abc import Generator, Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, NotRequired, Required, TypeVar, get_args
from typing import TypedDict as PlainTypedDict
from uuid import UUID

import pytest
from pydantic import BaseModel, Field, JsonValue
from readings import CTX, call, issues, properties, schema_of
from typing_extensions import TypedDict

from nbagents.errors import ToolDefinitionError
from nbagents.tools.schema.binding import Bound


class Styling(TypedDict):
    colour: str
    width: NotRequired[int]


class Size(PlainTypedDict, total=False):
    """As people import it, also on Python 3.11."""

    width: Required[int]
    inner: Styling


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Corner(enum.Enum):
    SOUTH = (0, 1)
    EAST = 1


@dataclasses.dataclass
class Point:
    lon: float
    lat: float = 0.0


class Hotel(BaseModel):
    name: str = Field(description="Its name.")
    at: Point
    nights: list[dt.date] = Field(default_factory=list[dt.date])


class Tree(BaseModel):
    label: str
    children: list[Tree] = []


T = TypeVar("T")


class Page(BaseModel, Generic[T]):
    items: list[T]
    more: bool = False


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: list[str]


@pytest.mark.parametrize(
    ("hint", "given", "expected"),
    [
        (Colour, "red", Colour.RED),
        (Literal["a", 1], "a", "a"),
        (Point, {"lon": 1, "lat": 2}, Point(1.0, 2.0)),
        (Styling, {"colour": "red"}, {"colour": "red"}),
        (Size, {"width": "3"}, {"width": 3}),
        (
            list[Size | int],
            [{"width": 3, "inner": {"colour": "red"}}],
            [{"width": 3, "inner": {"colour": "red"}}],
        ),
        (Iterable[int], ["1", 2], [1, 2]),
        (Iterable, [1, "a"], [1, "a"]),
        (Literal[Colour.RED], "red", Colour.RED),
        (Literal[Colour.RED, Colour.BLUE, 3] | None, "blue", Colour.BLUE),
        (Literal[Colour.RED, 3], 3, 3),
        (Literal["red", Colour.RED], "red", "red"),
        (Literal[Corner.SOUTH], [0, 1], Corner.SOUTH),
        (Literal[Corner.EAST], 1, Corner.EAST),
        (Literal[b"x", "y"], "x", b"x"),
        (list[Literal[b"x"]], ["x"], [b"x"]),
        (Annotated[Literal[Colour.RED], Field(description="d")], "red", Colour.RED),
        (
            Hotel,
            {"name": "H", "at": {"lon": 1}, "nights": ["2026-01-02"]},
            Hotel(name="H", at=Point(1.0), nights=[dt.date(2026, 1, 2)]),
        ),
        (
            Tree,
            {"label": "a", "children": [{"label": "b"}]},
            Tree(label="a", children=[Tree(label="b")]),
        ),
        (Page[int], {"items": [1, "2"]}, Page[int](items=[1, 2])),
        (
            Annotated[Cat | Dog, Field(discriminator="kind")],
            {"kind": "dog", "tricks": ["sit"]},
            Dog(kind="dog", tricks=["sit"]),
        ),
        (int | list[int] | None, [1], [1]),
        (tuple[float, float], [1, 2], (1.0, 2.0)),
        (set[str], ["a", "a"], {"a"}),
        (dict[str, list[int]], {"a": [1]}, {"a": [1]}),
        (dt.datetime, "2026-01-02T03:04:05Z", dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)),
        (dt.timedelta, "PT1H", dt.timedelta(hours=1)),
        (Decimal, "1.10", Decimal("1.10")),
        (UUID, "12345678-1234-5678-1234-567812345678", UUID("12345678" + "12345678" * 3)),
        (Path, "a/b.txt", Path("a/b.txt")),
        (bytes, "abc", b"abc"),
        (Annotated[dt.date, Field(strict=True)], "2026-01-02", dt.date(2026, 1, 2)),
    ],
    ids=str,
)
def test_a_type_that_pydantic_can_describe_arrives_as_python_object(
    hint: Any, given: JsonValue, expected: Any
) -> None:
    def take(value: Any) -> Any:
        return value

    take.__annotations__["value"] = hint
    assert call(take, {"value": given}) == expected


def test_an_object_that_does_not_fit_inside_is_named_by_its_path() -> None:
    def book(hotel: Hotel) -> None: ...

    assert issues(book, {"hotel": {"name": "H", "at": {"lat": 1}}}) == {"hotel.at.lon": "missing"}


@pytest.mark.parametrize(
    ("hint", "wrong"),
    [
        (Literal[Colour.RED], "blue"),
        (Literal[Colour.RED], "RED"),
        (Literal[b"x"], "y"),
        (Literal[Corner.EAST], True),
        (Literal[Corner.EAST, 3], [1]),
    ],
)
def test_another_value_than_a_literals_is_refused(hint: Any, wrong: JsonValue) -> None:
    def take(value: Any) -> Any:
        return value

    take.__annotations__["value"] = hint
    assert issues(take, {"value": wrong}) == {"value": "literal_error"}


@pytest.mark.parametrize("hint", [Iterator[int], Generator[int, None, None], Iterator, Generator])
def test_an_iterator_is_written_as_a_list_and_can_be_asked_for_the_next(hint: Any) -> None:
    def first(values: Any) -> Any:
        return next(values), list(values)

    first.__annotations__["values"] = hint
    assert call(first, {"values": [1, 2, 3]}) == (1, [2, 3])
    item: JsonValue = {"type": "integer"} if get_args(hint) else {}
    assert properties(first)["values"] == {"type": "array", "items": item}


@pytest.mark.parametrize(
    "hint",
    [
        *(type[int], typing.Type[int], type[int] | None, list[type[int]]),  # noqa: UP006
        *(dict[str, type[Point]], Annotated[type[int], "a type"], tuple[type[int], ...]),
    ],
    ids=str,
)
def test_a_class_as_argument_is_refused_with_the_parameter_and_what_to_do(hint: Any) -> None:
    def make(kind: Any) -> None: ...

    make.__annotations__["kind"] = hint
    with pytest.raises(
        ToolDefinitionError, match=r"'kind' of tool 'example'.*cannot write as JSON"
    ):
        schema_of(make)


def test_a_hint_that_is_no_type_is_refused_with_the_parameter_and_what_to_do() -> None:
    def plot(title: str, frame: Any) -> None: ...

    plot.__annotations__["frame"] = 3
    with pytest.raises(ToolDefinitionError, match=r"'frame' of tool 'example'.*by name"):
        schema_of(plot)


@pytest.mark.parametrize("stage", ["core", "json"])
def test_a_type_that_breaks_only_now_and_then_is_refused_too(stage: str) -> None:
    left = ["once"]

    class Moody:
        @classmethod
        def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
            if stage == "core" and left and left.pop():
                raise RuntimeError("not now")
            return handler(str)

        @classmethod
        def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> Any:
            if stage == "json" and left and left.pop():
                raise RuntimeError("not now")
            return handler(schema)

    def take(first: Moody, second: str) -> None: ...

    with pytest.raises(ToolDefinitionError, match="not now"):
        schema_of(take, local_names={"Moody": Moody})


def test_text_hints_are_resolved_in_the_namespace_of_a_notebook() -> None:
    cell = """
from __future__ import annotations
from dataclasses import dataclass

@dataclass
class Trip:
    city: str

def plan(trip: Trip, others: list[Trip] = []) -> NotThere:
    return trip
"""
    space: dict[str, Any] = {"__name__": "__main__"}
    exec(cell, space)
    trip = call(space["plan"], {"trip": {"city": "Rome"}})
    assert trip == space["Trip"]("Rome")


def test_a_type_of_a_later_cell_is_found_when_the_tool_is_used() -> None:
    space: dict[str, Any] = {}
    exec("from __future__ import annotations\ndef plan(day: Day) -> str: ...", space)
    space["Day"] = dt.date
    assert properties(space["plan"])["day"]["format"] == "date"


def test_a_hint_that_does_not_resolve_says_which_and_what_to_do() -> None:
    space: dict[str, Any] = {}
    exec("from __future__ import annotations\ndef plan(day: Dya) -> str: ...", space)
    with pytest.raises(ToolDefinitionError, match=r"'Dya' of parameter 'day'.*Define or import"):
        schema_of(space["plan"])


def test_a_decorated_function_is_read_by_what_it_wraps() -> None:
    def logged(function: Any) -> Any:
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            return "logged", function(*args, **kwargs)

        return wrapper

    @logged
    def forecast(day: dt.date) -> dt.date:
        """The forecast."""
        return day

    assert schema_of(forecast).description == "The forecast."
    assert call(forecast, {"day": "2026-01-02"}) == ("logged", dt.date(2026, 1, 2))


def test_null_means_the_default_where_the_type_takes_no_null() -> None:
    def forecast(city: str, days: int = 3, note: str | None = "none") -> Any:
        return city, days, note

    assert call(forecast, {"city": "Rome", "days": None, "note": None}) == ("Rome", 3, None)
    assert issues(forecast, {"city": None}) == {"city": "string_type"}


def test_null_means_the_default_inside_of_objects_too() -> None:
    class Stay(BaseModel):
        city: str
        nights: int = 2
        tags: list[str] | None = ["a"]

    def book(stays: list[Stay], then: Stay | None = None) -> Any:
        return stays, then

    schema = schema_of(book, local_names={"Stay": Stay})
    one: JsonValue = {"city": "Rome", "nights": None, "tags": None}
    bound = schema.bind({"stays": [one], "then": one}, CTX)
    assert isinstance(bound, Bound)
    assert bound.kwargs["stays"] == [Stay(city="Rome", nights=2, tags=None)]
    assert bound.kwargs["then"] == Stay(city="Rome", nights=2, tags=None)


def test_nulls_are_dropped_through_types_that_hold_themselves() -> None:
    def plant(tree: Tree) -> Tree:
        return tree

    grown = call(plant, {"tree": {"label": "a", "children": [{"label": "b", "children": None}]}})
    assert grown == Tree(label="a", children=[Tree(label="b")])


def test_an_issue_says_what_was_given_and_which_name_may_be_meant() -> None:
    def forecast(city: str, days: int = 3) -> None: ...

    found = schema_of(forecast).bind({"citty": "Rome", "days": "x" * 200}, CTX)
    assert isinstance(found, tuple)
    told = {one.field: one.message for one in found}
    assert told["city"] == "This is required."
    assert told["citty"].endswith("Did you mean 'city'?")
    assert "given: 'xxx" in told["days"]
    assert len(told["days"]) < 200


@pytest.mark.parametrize(
    ("hint", "given", "expected"),
    [
        (list[int], "[1, 2]", [1, 2]),
        (dict[str, int], '{"a": 1}', {"a": 1}),
        (list[str], "['a', 'b']", ["a", "b"]),
        (set[int], "[1, 1]", {1}),
        (Point, '{"lon": "1"}', Point(1.0)),
        (list[Point] | None, '[{"lon": 1}]', [Point(1.0)]),
        (int | list[int], "[7]", [7]),
        (int | list[int], "7", 7),
        (str | list[str], '["a"]', '["a"]'),
        (Styling, '{"colour": "red", "width": "3"}', {"colour": "red", "width": 3}),
        (bool, "true", True),
        (int, 7.0, 7),
        (float, "9.8", 9.8),
    ],
    ids=str,
)
def test_what_is_written_in_another_form_is_taken(
    hint: Any, given: JsonValue, expected: Any
) -> None:
    def take(value: Any) -> Any:
        return value

    take.__annotations__["value"] = hint
    assert call(take, {"value": given}) == expected


@pytest.mark.parametrize(
    ("hint", "given"),
    [
        (list[int], "1, 2"),
        (list[int], '{"a": 1}'),
        (dict[str, int], "[1]"),
        (list[int], 3),
        (str, 3),
    ],
    ids=str,
)
def test_what_could_mean_something_else_is_refused(hint: Any, given: JsonValue) -> None:
    def take(value: Any) -> Any:
        return value

    take.__annotations__["value"] = hint
    assert list(issues(take, {"value": given})) == ["value"]


def test_null_is_no_value_where_the_schema_was_shown_as_it_stands() -> None:
    def forecast(city: str, days: int = 3) -> Any:
        return city, days

    found = schema_of(forecast, strict=False).bind({"city": "Rome", "days": None}, CTX)
    assert isinstance(found, tuple)
    assert [one.field for one in found] == ["days"]


def test_a_typed_dict_that_holds_itself_needs_a_newer_one() -> None:
    class Branch(PlainTypedDict):
        twigs: list[Branch]

    def grow(branch: Any) -> None: ...

    grow.__annotations__["branch"] = Branch
    with pytest.raises(ToolDefinitionError, match="typing_extensions"):
        schema_of(grow, local_names={"Branch": Branch})
