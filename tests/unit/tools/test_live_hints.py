"""Parameters that take the name of a live object and get the object."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from typing import Annotated, Any, Protocol

import pytest
from pydantic import BaseModel, ConfigDict, Field
from readings import properties, schema_of

from nbagents.agents import Agent
from nbagents.messages import CallRequest
from nbagents.models.scripted import ScriptedModel
from nbagents.tools.context.context import Context
from nbagents.tools.schema.binding import Bound
from nbagents.tools.values.handles import Handles


class Table:
    """A class of the notebook, of which pydantic knows nothing."""


class Chart:
    """Another one."""


class Speaker(Protocol):
    def speak(self) -> str: ...


class Report(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)
    table: Table


@dataclasses.dataclass
class Job:
    table: Table


TABLE, OTHER, CHART = Table(), Table(), Chart()
CTX = Context(handles=Handles({"table": TABLE, "other": OTHER, "chart": CHART, "size": len}))
NONE: Any = None


def bound(function: Any, /, **arguments: Any) -> Any:
    found = schema_of(function).bind(arguments, CTX)
    assert isinstance(found, Bound), found
    return function(*found.args, **found.kwargs)


def told(function: Any, /, **arguments: Any) -> dict[str, str]:
    found = schema_of(function).bind(arguments, CTX)
    assert isinstance(found, tuple)
    return {one.field: one.message for one in found}


def test_a_live_parameter_is_a_string_that_says_so_and_gets_the_object() -> None:
    def describe(table: Table, rows: int = 3) -> Any:
        """Describe it.

        Args:
            table: What to describe.
        """
        return table, rows

    schema = schema_of(describe)
    assert properties(describe)["table"] == {
        "type": "string",
        "description": "What to describe. (a handle: the name of a Table)",
    }
    assert schema.handles == {"table": "Table"}
    assert bound(describe, table="table", rows="7") == (TABLE, 7)


def test_a_tool_without_live_parameters_says_that_too() -> None:
    def add(a: int) -> int:
        return a

    assert schema_of(add).handles == {}


def test_a_name_that_is_unknown_or_of_another_type_is_told_with_what_fits() -> None:
    def describe(table: Table) -> None: ...

    assert told(describe, table="tabel")["table"].endswith("Did you mean 'table'?")
    assert told(describe, table="chart") == {
        "table": "'chart' is of type Chart, not Table. What fits: 'table', 'other'."
    }
    assert told(describe, table=3) == {"table": "This must be the name of an object."}
    assert told(describe) == {"table": "This is required."}

    def listen(thread: threading.Thread) -> None: ...

    assert told(listen, thread="chart")["thread"].endswith("There is none that fits.")


def test_live_hints_may_stand_inside_of_others() -> None:
    def join(
        tables: list[Table],
        by_name: dict[str, Table],
        nested: list[list[Table]],
        pair: tuple[Table, int],
        many: tuple[Table, ...] = (),
    ) -> Any:
        return tables, by_name, nested, pair, many

    given: dict[str, Any] = {
        "tables": ["table", "other"],
        "by_name": {"a": "table"},
        "nested": '[["table"]]',
        "pair": ["table", "1"],
        "many": ["other"],
    }
    assert bound(join, **given) == (
        [TABLE, OTHER],
        {"a": TABLE},
        [[TABLE]],
        (TABLE, 1),
        (OTHER,),
    )
    said = properties(join)["tables"]
    assert said["items"] == {"type": "string"}
    assert said["description"] == "each one a handle: the name of a Table"
    assert list(told(join, **{**given, "tables": ["table", "chart"]})) == ["tables.1"]


def test_stars_take_names_too() -> None:
    def join(*tables: Table, **named: Table) -> Any:
        return tables, named

    assert bound(join, tables=["table"], named={"a": "other"}) == ((TABLE,), {"a": OTHER})
    assert bound(join) == ((), {})
    assert properties(join)["tables"]["description"].startswith("each one a handle")


def test_a_union_takes_a_name_or_what_else_it_says() -> None:
    def show(
        thing: Table | Chart,
        maybe: Table | None = None,
        number: Table | int = 1,
        text: str | Table = "",
        several: list[Table] | Table | None = None,
    ) -> Any:
        return thing, maybe, number, text, several

    assert bound(show, thing="chart", maybe=None) == (CHART, None, 1, "", None)
    assert bound(show, thing="table", number="7", text="words") == (TABLE, None, 7, "words", None)
    assert bound(show, thing="table", maybe="table", number="other", text="table") == (
        *(TABLE, TABLE, OTHER, TABLE),
        None,
    )
    assert bound(show, thing="table", several=["table"])[4] == [TABLE]
    found = properties(show)
    assert found["thing"]["description"] == "a handle: the name of a Table or Chart"
    assert found["maybe"]["anyOf"] == [{"type": "string"}, {"type": "null"}]
    assert found["number"]["description"] == "or a handle: the name of a Table"
    assert found["text"]["type"] == "string"
    assert "no object 'x'" in told(show, thing="table", number="x")["number"]
    assert "number" in told(show, thing="table", number=[1])


@pytest.mark.parametrize("hint", [Report, Job])
def test_a_model_or_dataclass_that_holds_what_json_cannot_carry_is_passed_whole(hint: Any) -> None:
    def work(job: Any) -> Any:
        return job

    work.__annotations__["job"] = hint
    ready = hint(table=TABLE)
    found = schema_of(work).bind({"job": "job"}, Context(handles=Handles({"job": ready})))
    assert isinstance(found, Bound)
    assert work(**found.kwargs) is ready


def test_functions_classes_and_protocols_can_be_named() -> None:
    def use(function: Callable[[Any], int], speaker: Speaker) -> Any:
        return function, speaker

    assert bound(use, function="size", speaker="chart") == (len, CHART)
    assert (
        "is of type Chart, not Callable" in told(use, function="chart", speaker="chart")["function"]
    )


def test_what_describes_a_parameter_describes_a_live_one_too() -> None:
    def show(
        a: Annotated[Table, "text of a"],
        b: Annotated[Table, Field(description="field of b")],
        c: Annotated[Table, Field(alias="class")] = NONE,
    ) -> Any:
        return a, b, c

    found = properties(show)
    assert found["a"]["description"] == "text of a (a handle: the name of a Table)"
    assert found["b"]["description"] == "field of b (a handle: the name of a Table)"
    assert bound(show, a="table", b="other", **{"class": "table"}) == (TABLE, OTHER, TABLE)
    assert bound(show, a="table", b="other")[2] is None


def test_a_default_is_the_functions_own_object() -> None:
    def show(table: Table = TABLE) -> Any:
        return table

    assert bound(show) is TABLE
    assert "default" not in properties(show)["table"]


def test_arrays_and_frames_are_named_by_their_classes() -> None:
    numpy: Any = pytest.importorskip("numpy")
    pandas: Any = pytest.importorskip("pandas")
    typing: Any = pytest.importorskip("numpy.typing")

    def work(frame: Any, array: Any) -> Any:
        return frame, array

    work.__annotations__ = {"frame": pandas.DataFrame, "array": typing.NDArray[numpy.float64]}
    frame, array = pandas.DataFrame({"a": [1]}), numpy.zeros(3)
    schema = schema_of(work)
    assert schema.handles == {"frame": "DataFrame", "array": "ndarray"}
    found = schema.bind(
        {"frame": "df", "array": "x"}, Context(handles=Handles({"df": frame, "x": array}))
    )
    assert isinstance(found, Bound)
    assert found.kwargs["frame"] is frame
    assert found.kwargs["array"] is array


def in_a_cell(source: str) -> Any:
    """The function `describe` of a cell without hints."""
    space: dict[str, Any] = {}
    exec(source, space)
    return space["describe"]


def test_a_name_is_the_object_where_a_parameter_has_no_hint() -> None:
    describe = in_a_cell("describe = lambda df, n=3, *more, **named: (df, n, more, named)")
    given: Any = {"df": "table", "n": "other", "more": ["chart", "tabel"], "named": {"a": "size"}}
    assert bound(describe, **given) == (TABLE, OTHER, (CHART, "tabel"), {"a": len})
    assert bound(describe, df="table ", n=["table"]) == ("table ", ["table"], (), {})
    assert bound(describe, df={"a": "table"}) == ({"a": "table"}, 3, (), {})
    assert schema_of(describe).handles == {}


def test_without_a_hint_the_schema_says_so_where_nothing_else_is_said() -> None:
    describe = in_a_cell(
        '''
def describe(a, b, c=None):
    """Describe it.

    Args:
        b: The table.
    """
    return a, b, c
'''
    )
    said = {"description": "Any value, or the name of an object."}
    assert properties(describe) == {
        "a": said,
        "b": {"description": "The table."},
        "c": {"anyOf": [{}, {"type": "null"}], **said, "default": None},
    }
    assert bound(describe, a="table", b="table", c="table") == (TABLE, TABLE, TABLE)
    assert bound(describe, a=None, b="x") == (None, "x", None)


def test_a_hint_that_was_written_counts_whatever_it_is() -> None:
    def describe(a: Any, b: str, c: object, d: Any = None) -> Any:
        return a, b, c, d

    names: dict[str, Any] = dict.fromkeys("abcd", "table")
    assert bound(describe, **names) == ("table",) * 4
    assert properties(describe)["a"] == {}


def test_a_run_passes_the_object_that_was_shared() -> None:
    describe = in_a_cell("def describe(df): return type(df).__name__")
    asked = CallRequest(id="c1", name="describe", arguments='{"df": "df"}')
    agent = Agent(tools=[describe], model=ScriptedModel([[asked], "done"]))
    run = agent.run("What is {df}?", vars={"df": TABLE}, log="memory")
    assert run.calls[0].content == "Table"
