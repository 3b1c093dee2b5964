"""What a check sees of a call's arguments, and how what it gives is written again."""

from __future__ import annotations

import datetime as dt
import enum
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel, Field, JsonValue

from nbagents.tools.call.plain_form import is_json
from nbagents.tools.call.prepared_call import as_written, seen_arguments
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool
from nbagents.tools.values.handles import Handles


class Mode(enum.Enum):
    HARD = "hard"
    SOFT = "soft"


class Place(BaseModel):
    name: str = Field(alias="called")
    since: dt.date = dt.date(2020, 1, 2)


@dataclass
class Stay:
    nights: int
    modes: list[Mode] = field(default_factory=list[Mode])


class Table:
    """No JSON can carry it."""


def seen(function: Any, arguments: JsonValue, **shared: object) -> dict[str, Any] | None:
    return seen_arguments(Tool(function), arguments, Context(handles=Handles(shared)))


def wipe(path: str, *, force: bool = True, mode: Mode = Mode.SOFT) -> None:
    """Wipe."""


def test_what_is_left_out_is_what_the_tool_would_take() -> None:
    assert seen(wipe, {"path": "/"}) == {"path": "/", "force": True, "mode": "soft"}


@pytest.mark.parametrize("written", [True, "true", 1, "yes"])
def test_a_value_is_what_the_tool_gets_however_it_was_written(written: JsonValue) -> None:
    got = seen(wipe, {"path": "/", "force": written, "mode": "hard"})
    assert got is not None
    assert got["force"] is True
    assert got["mode"] == "hard"


def book(place: Place, stay: Stay, price: Decimal, at: dt.datetime | None = None) -> None:
    """Book."""


def test_objects_are_seen_by_their_fields_and_numbers_stay_numbers() -> None:
    got = seen(
        book, {"place": {"called": "Oslo"}, "stay": {"nights": "2", "modes": ["hard"]}, "price": 5}
    )
    assert got == {
        "place": {"called": "Oslo", "since": "2020-01-02"},
        "stay": {"nights": 2, "modes": ["hard"]},
        "price": 5,
        "at": None,
    }


def test_what_a_handle_names_is_the_object_itself() -> None:
    def use(table: Table, rows: list[int]) -> None:
        """Use."""

    table = Table()
    got = seen(use, {"table": "r1", "rows": [1]}, r1=table)
    assert got is not None
    assert got["table"] is table


def test_a_default_without_a_form_is_the_object_itself() -> None:
    table = Table()

    def use(*more: int, table: Table = table) -> None:
        """Use."""

    got = seen(use, {})
    assert got is not None
    assert got["table"] is table
    assert got["more"] == []


def test_each_look_gives_new_objects() -> None:
    def use(rows: list[int]) -> None:
        """Use."""

    arguments: JsonValue = {"rows": [1]}
    first = seen(use, arguments)
    assert first is not None
    first["rows"].append(2)
    assert seen(use, arguments) == {"rows": [1]} == arguments


@pytest.mark.parametrize("arguments", [{"path": 5}, {}, [1], "x", None, {"path": "a", "b": 1}])
def test_what_does_not_fit_is_not_seen(arguments: JsonValue) -> None:
    assert seen(wipe, arguments) is None


def test_defaults_of_a_schema_that_was_given_are_seen_too() -> None:
    schema = {"properties": {"force": {"type": "boolean", "default": True}, "n": {}}}

    def handler(arguments: dict[str, Any]) -> str:
        return str(arguments)

    tool = Tool.from_schema("wipe", "", schema, handler)
    assert seen_arguments(tool, {}, Context()) == {"force": True}
    assert seen_arguments(tool, {"force": False}, Context()) == {"force": False}


def test_what_a_check_leaves_stays_as_it_was_written() -> None:
    table = Table()
    before = {"table": table, "force": True, "left": [1], "more": 3}
    given = {"table": table, "force": True, "left": [1], "more": 1}
    written: JsonValue = {"table": "r1", "force": "yes", "more": 3}
    assert as_written(given, before, written) == {"table": "r1", "force": "yes", "more": 1}
    assert as_written({"force": 1}, before, written) == {"force": 1}
    assert as_written({"left": [1, 2]}, before, written) == {"left": [1, 2]}


@pytest.mark.parametrize(
    ("value", "is_so"),
    [(None, True), ({"a": [1, "b"]}, True), ({1: 2}, False), ({"a": {1}}, False), ((1,), False)],
)
def test_json_is_what_the_log_can_carry(value: object, *, is_so: bool) -> None:
    assert is_json(value) == is_so
