"""From a function's signature, defaults and docstring to a JSON Schema, and back to a call."""

from __future__ import annotations

import datetime as dt
import logging
import threading
from typing import Annotated, Any, Generic, NotRequired, TypeVar, Unpack

import pytest
from pydantic import BaseModel, Field, JsonValue
from readings import CTX, call, issues, properties, schema_of
from typing_extensions import TypedDict

from nbagents.errors import ToolDefinitionError
from nbagents.tools.context.context import Context

T = TypeVar("T")
NONE: Any = None
"""As in `x: str = None`, which type checkers refuse and people write."""


def test_a_parameter_without_default_is_required_and_one_with_is_not() -> None:
    def forecast(city: str, days: int = 3) -> None: ...

    schema = schema_of(forecast).parameters
    assert schema["required"] == ["city"]
    assert schema["properties"] == {
        "city": {"type": "string"},
        "days": {"type": "integer", "default": 3},
    }
    assert schema["additionalProperties"] is False


def test_a_function_without_parameters_takes_an_empty_closed_object() -> None:
    def now() -> None: ...

    assert schema_of(now).parameters == {
        "type": "object",
        "properties": {},
        "additionalProperties": False,
    }


def test_properties_keep_the_order_of_the_signature() -> None:
    def place(zoom: int, lon: float, lat: float, at: str = "") -> None: ...

    assert list(properties(place)) == ["zoom", "lon", "lat", "at"]


def test_a_parameter_without_hint_takes_anything() -> None:
    def echo(value) -> None: ...  # pyright: ignore[reportMissingParameterType, reportUnknownParameterType]

    assert properties(echo) == {"value": {"description": "Any value, or the name of an object."}}


def test_no_titles_are_made_up() -> None:
    class Spot(BaseModel):
        lon: float

    def pin(spot: Spot, some_name: str) -> None: ...

    assert "title" not in str(schema_of(pin, local_names={"Spot": Spot}).parameters)


def test_constraints_of_field_reach_the_schema_and_the_validation() -> None:
    def forecast(days: Annotated[int, Field(ge=1, le=7)], city: str = Field(min_length=2)) -> int:
        return days + len(city)

    assert properties(forecast)["days"] == {"type": "integer", "minimum": 1, "maximum": 7}
    assert properties(forecast)["city"] == {"type": "string", "minLength": 2}
    assert schema_of(forecast).parameters["required"] == ["days", "city"]
    assert issues(forecast, {"days": 9, "city": "x"}) == {
        "days": "less_than_equal",
        "city": "string_too_short",
    }
    assert call(forecast, {"days": 2, "city": "Rome"}) == 6


def test_a_default_inside_of_field_is_used_wherever_the_field_stands() -> None:
    def left(days: int = Field(4, le=7)) -> int:
        return days

    def inside(days: Annotated[int, Field(default=5, le=7)]) -> int:
        return days

    def both(days: Annotated[int, Field(le=7)] = 6) -> int:
        return days

    def made(names: Annotated[list[str], Field(default_factory=lambda: ["a"])]) -> list[str]:
        return names

    assert [call(one, {}) for one in (left, inside, both, made)] == [4, 5, 6, ["a"]]
    assert [properties(one)["days"]["default"] for one in (left, inside, both)] == [4, 5, 6]


def test_a_default_of_none_makes_the_type_nullable() -> None:
    def find(near: str = NONE, limit: Annotated[int, Field(ge=1)] = NONE) -> Any:
        return near, limit

    assert {"type": "null"} in properties(find)["near"]["anyOf"]
    assert call(find, {"near": None, "limit": None}) == (None, None)
    assert "limit" in {one.split(".")[0] for one in issues(find, {"limit": 0})}


def test_a_default_without_json_form_is_used_but_not_told() -> None:
    lock = threading.Lock()

    def work(
        guard: Any = lock, at: dt.date = dt.date(2026, 1, 2), top: float = float("inf")
    ) -> Any:
        return guard, at, top

    assert call(work, {}) == (lock, dt.date(2026, 1, 2), float("inf"))
    found = properties(work)
    assert "default" not in found["guard"]
    assert "default" not in found["top"]
    assert found["at"]["default"] == "2026-01-02"


def test_a_mutable_default_is_the_functions_own_object() -> None:
    shared: list[str] = []

    def collect(into: list[str] = shared) -> Any:
        return into

    assert call(collect, {}) is shared


@pytest.mark.parametrize("name", ["json", "copy", "schema", "model_config", "_private", "dict"])
def test_a_parameter_may_have_a_name_that_pydantic_keeps_for_itself(name: str) -> None:
    space: dict[str, Any] = {}
    exec(f"def tool({name}: int) -> int:\n    return {name}", space)
    assert list(properties(space["tool"])) == [name]
    assert call(space["tool"], {name: 3}) == 3


def test_an_alias_is_the_name_that_the_model_sees() -> None:
    def trip(start: Annotated[str, Field(alias="from")]) -> str:
        return start

    assert list(properties(trip)) == ["from"]
    assert call(trip, {"from": "Rome"}) == "Rome"
    assert "start" in issues(trip, {"start": "Rome"})


def test_the_docstring_comes_before_annotated_text_and_that_before_field() -> None:
    def place(
        a: Annotated[int, "text of a", Field(description="field of a")],
        b: Annotated[int, "text of b", "second text", Field(description="field of b")],
        c: Annotated[int, Field(description="field of c")],
        d: int = Field(0, description="field of d"),
        e: Annotated[int, "text of e"] = 1,
    ) -> None:
        """Place it.

        Args:
            a: docstring of a
        """

    told = {name: one["description"] for name, one in properties(place).items()}
    assert told == {
        "a": "docstring of a",
        "b": "text of b",
        "c": "field of c",
        "d": "field of d",
        "e": "text of e",
    }


def test_the_docstring_can_be_left_out() -> None:
    def place(a: Annotated[int, "text of a"]) -> None:
        """Place it.

        Args:
            a: docstring of a
        """

    schema = schema_of(place, use_docstring=False)
    assert schema.description == ""
    assert schema.parameters["properties"] == {"a": {"type": "integer", "description": "text of a"}}


def test_building_a_schema_logs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    def place(a, *rest) -> None:  # pyright: ignore[reportMissingParameterType, reportUnknownParameterType]
        """Place it.

        Args:
            a: no type anywhere
              strangely indented
            missing: no such parameter
            *rest: the rest

        Returns:
            it: all
        """

    with caplog.at_level(logging.DEBUG):
        schema_of(place)
    assert not caplog.records


def test_star_args_are_a_list_and_star_kwargs_an_object() -> None:
    def mix(first: str, *rest: int, sep: str = "-", **more: float) -> Any:
        """Mix.

        Args:
            first: The first.
            *rest: The rest.
            **more: Anything more.
        """
        return first, rest, sep, more

    found = properties(mix)
    assert found["rest"] == {
        "type": "array",
        "items": {"type": "integer"},
        "description": "The rest.",
    }
    assert found["more"]["additionalProperties"] == {"type": "number"}
    assert found["more"]["description"] == "Anything more."
    assert schema_of(mix).parameters["required"] == ["first"]
    assert call(mix, {"first": "a"}) == ("a", (), "-", {})
    given: JsonValue = {"first": "a", "rest": [1, 2], "sep": "+", "more": {"x": 1}}
    assert call(mix, given) == ("a", (1, 2), "+", {"x": 1.0})


def test_star_args_of_a_tuple_type_are_a_list_of_its_items() -> None:
    def add(*numbers: tuple[int, ...], **labels: dict[str, int]) -> Any:
        return numbers, labels

    assert properties(add)["numbers"]["items"] == {"type": "integer"}
    assert properties(add)["labels"]["additionalProperties"] == {"type": "integer"}


class Styling(TypedDict):
    colour: str
    width: NotRequired[int]


def test_keywords_unpacked_from_a_typed_dict_are_checked_by_it() -> None:
    def draw(**style: Unpack[Styling]) -> Any:
        return style

    assert call(draw, {"style": {"colour": "red"}}) == {"colour": "red"}
    assert issues(draw, {"style": {"width": 1}}) == {"style.colour": "missing"}


def test_free_keywords_cannot_take_the_place_of_a_parameter_or_of_the_context() -> None:
    def mix(first: str, ctx: Context, **more: Any) -> Any:
        return first, ctx, more

    assert issues(mix, {"first": "a", "more": {"ctx": 1, "first": 2}}) == {
        "ctx": "extra_forbidden",
        "first": "extra_forbidden",
    }


def test_every_kind_of_parameter_arrives_in_its_place() -> None:
    def mix(a: int, b: int = 2, /, c: int = 3, *, d: int, e: int = 5) -> Any:
        return a, b, c, d, e

    assert call(mix, {"a": 1, "d": 4}) == (1, 2, 3, 4, 5)
    assert call(mix, {"a": 10, "b": 20, "c": 30, "d": 40, "e": 50}) == (10, 20, 30, 40, 50)


def test_the_context_is_hidden_and_given_at_any_position() -> None:
    def first(ctx: Context, city: str) -> Any:
        return ctx, city

    def last(city: str, ctx: Context) -> Any:
        return ctx, city

    def middle(city: str, ctx: Context | None, /, days: int = 1) -> Any:
        return ctx, city

    def keyword(city: str, *rest: str, ctx: Annotated[Context | None, "hidden"] = None) -> Any:
        return ctx, city

    for one in (first, last, middle, keyword):
        assert "ctx" not in properties(one)
        assert call(one, {"city": "Rome"}) == (CTX, "Rome")


def test_a_model_cannot_give_the_context() -> None:
    def first(ctx: Context, city: str) -> None: ...

    assert issues(first, {"city": "Rome", "ctx": {}}) == {"ctx": "extra_forbidden"}


def test_a_context_with_stars_is_refused() -> None:
    def wrong(*ctx: Context) -> None: ...

    with pytest.raises(ToolDefinitionError, match="ctx: Context"):
        schema_of(wrong)


def test_a_class_that_says_nothing_is_not_described_by_the_one_it_comes_from() -> None:
    class Counter(Generic[T]):
        def __call__(self, thing: T) -> T:
            return thing

    assert schema_of(Counter[int]()).description == ""
