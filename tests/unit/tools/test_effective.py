"""What people are shown of a call is what its tool gets."""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import json
import math
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import (
    BaseModel,
    Field,
    JsonValue,
    RootModel,
    SecretStr,
    computed_field,
    field_serializer,
    model_serializer,
)

from nbagents.tools.call.prepared_call import Effective, effective_call
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool
from nbagents.tools.values.handles import Handles
from tests.thinning import examples


class Colour(enum.Enum):
    RED = "red"


class Place(BaseModel):
    name: str
    floor: int = 3


@dataclasses.dataclass
class Stay:
    nights: int = 2


class Table:
    """No JSON can carry it."""

    def __init__(self, rows: int = 3) -> None:
        self.rows = rows


def shown(function: Callable[..., object], written: JsonValue, **shared: object) -> Effective:
    found = effective_call(Tool(function), written, Context(handles=Handles(shared)))
    assert found is not None
    return found


def wipe(disk: str, passes: int = 3, *, force: bool = True, label: str | None = None) -> None:
    """Wipe a disk."""


@pytest.mark.parametrize(
    "written",
    [
        {"disk": "sda"},
        {"disk": "sda", "passes": None, "force": None, "label": None},  # a strict schema's way
        {"label": None, "disk": "sda"},
    ],
)
def test_what_is_not_given_is_what_the_tool_takes_and_says_so(written: JsonValue) -> None:
    found = shown(wipe, written)
    assert found.arguments == {"disk": "sda", "passes": 3, "force": True, "label": None}
    assert set(found.defaults) == {"passes", "force", "label"}
    assert found.key == shown(wipe, {"disk": "sda"}).key


def test_what_was_given_stands_first_in_its_order() -> None:
    found = shown(wipe, {"force": "no", "disk": "sda"})
    assert [*found.arguments] == ["force", "disk", "passes", "label"]
    assert found.arguments["force"] is False


class Paid(BaseModel):
    """What it is serialised as is not what it is."""

    to: str = Field("me", validation_alias="payee", serialization_alias="recipient")
    euros: int = 5
    force: bool = Field(default=True, exclude=True)

    @field_serializer("euros")
    def less(self, _: int) -> int:
        return 1

    @computed_field
    def cents(self) -> int:
        return 100 * self.euros


class Worse(BaseModel):
    paid: Paid = Field(default_factory=lambda: Paid.model_validate({}))

    @model_serializer
    def nothing(self) -> dict[str, int]:
        return {}


class Quiet(RootModel[list[Paid]]):
    """A model that is a list."""


PAID: Final = {"payee": "me", "euros": 5, "force": True}
NEXT = iter(range(100))

FORMS: list[tuple[Any, Any, object]] = [
    (Colour, "red", "red"),
    (dt.date, "2026-01-02", "2026-01-02"),
    (dt.timedelta, "P1D", "P1D"),
    (Decimal, "1.10", "1.10"),
    (float, "NaN", "NaN"),
    (float, "-Infinity", "-Infinity"),
    (int, "9007199254740993", 9007199254740993),
    (float, 3, 3.0),
    (list[float], [1, 2.5], [1.0, 2.5]),
    (set[int], ["7"], [7]),
    (tuple[int, str], [1, "a"], [1, "a"]),
    (Place, {"name": "hall"}, {"name": "hall", "floor": 3}),
    (Stay, {}, {"nights": 2}),
    (Path, "a/b", "a/b"),
    (SecretStr, "hush", "**********"),
    (dict[str, Any], {"a": [None, {}]}, {"a": [None, {}]}),
    (Paid, {}, PAID),
    (list[Paid], [{"payee": "me", "euros": 1}], [PAID | {"euros": 1}]),
    (dict[str, Paid], {"a": {"payee": "me", "euros": 1}}, {"a": PAID | {"euros": 1}}),
    (Worse, {}, {"paid": PAID}),
    (Quiet, [{}], [PAID]),
]


@pytest.mark.parametrize(("hint", "written", "told"), FORMS)
def test_a_value_is_shown_as_the_tool_gets_it(hint: Any, written: JsonValue, told: object) -> None:
    def take(x: Any) -> None:
        """Take."""

    take.__annotations__["x"] = hint
    found = shown(take, {"x": written})
    assert json.dumps(found.arguments) == json.dumps({"x": told})
    assert found.defaults == ()


UNTOLD = [
    (object(), "<object object>"),
    (len, "<built-in function len>"),
    (Table(), "Table object>"),
    ([0] * 9_999, "9,999 items"),
    (b"\xff", "bytes"),
]


@pytest.mark.parametrize(("default", "words"), UNTOLD)
def test_a_default_that_json_cannot_carry_is_told_in_a_few_words(
    default: object, words: str
) -> None:
    def take(x=default) -> None:  # type: ignore[no-untyped-def]
        """Take."""

    found = shown(take, {})
    said = found.arguments["x"]
    assert isinstance(said, str)
    assert words in said
    assert len(said) <= 200
    assert " at 0x" not in said
    assert (found.defaults, found.objects) == (("x",), {"/x": said})


def test_a_default_that_raises_when_it_is_asked_what_it_is_is_its_type() -> None:
    class Rude:
        def __repr__(self) -> str:
            raise RuntimeError("no")

    def take(x=Rude()) -> None:  # type: ignore[no-untyped-def]  # noqa: B008
        """Take."""

    assert shown(take, {}).arguments == {"x": "Rude"}


def test_an_object_stands_by_its_name_and_what_it_is() -> None:
    def join(left: Table, others: list[Table], anything: Any, name: str) -> None:
        """Join."""

    del join.__annotations__["anything"]  # what has no hint takes names, too
    table = Table()
    written: JsonValue = {"left": "t", "others": ["u", "t"], "anything": "u", "name": "t"}
    found = shown(join, written, t=table, u=Table(5))
    assert found.arguments == written
    assert set(found.objects) == {"/left", "/others/0", "/others/1", "/anything"}
    assert found.named["left"] == {"handle": "t", "summary": found.objects["/left"]}
    assert found.named["name"] == "t"  # a text that is spelled like it


def test_what_is_shown_is_the_very_call_that_is_made() -> None:
    def take(at: Annotated[int, Field(default_factory=lambda: next(NEXT))]) -> None:
        """Take."""

    found = shown(take, {})
    assert found.bound is not None
    assert found.bound.kwargs == found.arguments
    assert shown(take, {}).arguments != found.arguments  # each call has its own


def test_what_does_not_fit_is_not_made_up() -> None:
    assert effective_call(Tool(wipe), {"disk": []}, Context()) is None


LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    LEAVES | NUMBERS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@pytest.mark.medium
@settings(max_examples=examples(200))
@given(
    st.dictionaries(st.sampled_from("abc"), JSON),
    st.fixed_dictionaries(dict.fromkeys("abc", JSON)),
)
def test_given_and_default_together_are_what_the_tool_gets(
    written: dict[str, Any], defaults: dict[str, Any]
) -> None:
    got: dict[str, Any] = {}

    def take(a: Any = defaults["a"], b: Any = defaults["b"], c: Any = defaults["c"]) -> None:
        """Take."""
        got.update(a=a, b=b, c=c)

    found = shown(take, written)
    assert found.bound is not None
    take(*found.bound.args, **found.bound.kwargs)
    assert json.dumps(found.arguments, sort_keys=True) == json.dumps(got, sort_keys=True)
    not_given = {n for n in got if n not in written or (written[n] is None is defaults[n])}
    assert set(found.defaults) == not_given


@given(st.floats())
def test_what_json_cannot_carry_of_numbers_is_a_text_that_is_read_as_it_again(x: float) -> None:
    def take(x: float = x) -> None:
        """Take."""

    told = shown(take, {}).arguments["x"]
    again = shown(take, {"x": told}).bound
    assert again is not None
    assert again.kwargs["x"] == x or (math.isnan(x) and math.isnan(again.kwargs["x"]))
    json.dumps(told, allow_nan=False)
