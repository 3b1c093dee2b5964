"""The registry: what replaces what, what is in conflict, what a person may ask for."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

import pytest

from nbagents.errors import ToolConflictError, ToolNotFoundError
from nbagents.tools.context.origin import Origin, set_defining
from nbagents.tools.tool.decorator import tool
from nbagents.tools.tool.definition import Tool, ToolOptions
from nbagents.tools.tool.registry import Toolbox, toolbox

FIRST = Origin(cell_id="1", label="In [1]: def weather(…)")
SECOND = Origin(cell_id="2", label="In [2]: def weather(…)")


def weather(city: str) -> str:
    """The weather."""
    return city


def named(name: str, toolset: str | None = None) -> Tool:
    return Tool(weather, ToolOptions(name=name, toolset=toolset))


@pytest.fixture
def box() -> Toolbox:
    made = Toolbox()
    made.add_all(
        [
            named("weather"),
            named("setCenter", "mapAgent"),
            named("setZoom", "mapAgent"),
            named("search"),
        ],
        origin=FIRST,
    )
    return made


@pytest.fixture
def shared() -> Iterator[Toolbox]:
    yield toolbox
    set_defining(None)


def test_a_toolbox_is_a_mapping_by_name(box: Toolbox) -> None:
    assert list(box) == ["weather", "mapAgent--setCenter", "mapAgent--setZoom", "search"]
    assert len(box) == 4
    assert "weather" in box
    assert "wether" not in box
    assert box.get("wether") is None
    assert dict(box)["search"] is box["search"]


def test_an_unknown_name_is_told_with_close_ones(box: Toolbox) -> None:
    with pytest.raises(ToolNotFoundError, match="Did you mean 'weather'") as caught:
        box["wether"]
    assert str(caught.value).startswith("There is no tool 'wether'.")
    assert isinstance(caught.value, KeyError)


def test_the_same_cell_replaces(box: Toolbox) -> None:
    again = named("weather")
    box.add(again, origin=FIRST)
    assert box["weather"] is again
    assert next(iter(box)) == "weather"


def test_another_cell_is_a_conflict_that_names_both_and_the_way_out(box: Toolbox) -> None:
    before = box["weather"]
    with pytest.raises(ToolConflictError) as caught:
        box.add(named("weather"), origin=SECOND)
    message = str(caught.value)
    assert FIRST.label in message
    assert SECOND.label in message
    assert "@nbagents.tool(replace=True)" in message
    assert box["weather"] is before


def test_replace_settles_a_conflict_for_good(box: Toolbox) -> None:
    box.add(named("weather"), origin=SECOND, replace=True)
    assert box.origin("weather") == SECOND
    with pytest.raises(ToolConflictError):
        box.add(named("weather"), origin=FIRST)


def test_a_conflict_of_one_tool_keeps_all_of_a_cell_out(box: Toolbox) -> None:
    with pytest.raises(ToolConflictError):
        box.add_all([named("fresh"), named("weather")], origin=SECOND)
    assert "fresh" not in box


def test_a_cell_that_is_gone_frees_its_names(box: Toolbox) -> None:
    box.add(named("other"), origin=SECOND)
    assert box.remove_cell("1", keep=["search"]) == (
        "weather",
        "mapAgent--setCenter",
        "mapAgent--setZoom",
    )
    assert list(box) == ["search", "other"]
    box.add(named("weather"), origin=SECOND)


def test_removing_what_is_not_there_is_an_error(box: Toolbox) -> None:
    assert box.remove("search").name == "search"
    with pytest.raises(ToolNotFoundError):
        box.remove("search")
    with pytest.raises(ToolNotFoundError):
        box.origin("search")


@pytest.mark.parametrize(
    ("specs", "names"),
    [
        (["weather"], ["weather"]),
        (["search", "weather"], ["search", "weather"]),
        (["map*"], ["mapAgent--setCenter", "mapAgent--setZoom"]),
        (["mapAgent"], ["mapAgent--setCenter", "mapAgent--setZoom"]),
        (["*--setZoom", "mapAgent"], ["mapAgent--setZoom", "mapAgent--setCenter"]),
        (["all"], ["weather", "mapAgent--setCenter", "mapAgent--setZoom", "search"]),
        (["none"], []),
        ([], []),
        ([" weather "], ["weather"]),
    ],
)
def test_tools_are_selected_by_name_toolset_pattern_all_or_none(
    box: Toolbox, specs: list[str], names: list[str]
) -> None:
    assert [one.name for one in box.select(specs)] == names


@pytest.mark.parametrize(("spec", "close"), [("wether", "weather"), ("mapAgnt", "mapAgent")])
def test_a_spec_that_means_nothing_names_close_ones(box: Toolbox, spec: str, close: str) -> None:
    with pytest.raises(ToolNotFoundError, match=f"Did you mean '{close}'"):
        box.select(["weather", spec])


def test_a_pattern_that_means_nothing_is_an_error(box: Toolbox) -> None:
    with pytest.raises(ToolNotFoundError):
        box.select(["nothing*"])


def test_all_of_an_empty_toolbox_is_nothing() -> None:
    assert Toolbox().select(["all"]) == ()


def test_the_decorator_registers_and_the_function_still_works(shared: Toolbox) -> None:
    @tool
    def shout(text: str) -> str:
        """Shout."""
        return text.upper()

    assert shared["shout"] is shout
    assert shout("a") == "A"


def test_the_decorator_takes_options(shared: Toolbox) -> None:
    @tool(name="loud", toolset="voice", command=True, timeout_s=2, strict=False)
    def shout(text: str) -> str:
        return text

    assert shared["voice--loud"] is shout
    assert (shout.command, shout.timeout_s, shout.strict) == (True, 2, False)


def test_the_same_module_may_define_anew(shared: Toolbox) -> None:
    first, second = tool(weather), tool(weather)
    assert first is not second
    assert shared["weather"] is second


def test_another_module_is_a_conflict_that_names_both(shared: Toolbox) -> None:
    tool(weather)
    other = types.FunctionType(weather.__code__, {"__name__": "elsewhere"}, "weather")
    with pytest.raises(ToolConflictError, match=r"'test_toolbox'.*'elsewhere'"):
        tool(other)
    tool(replace=True)(other)
    assert shared["weather"].function is other


def test_while_a_cell_runs_it_is_where_tools_are_defined(shared: Toolbox) -> None:
    set_defining(FIRST)
    tool(weather)
    tool(weather)
    set_defining(SECOND)
    with pytest.raises(ToolConflictError):
        tool(weather)
    assert shared.origin("weather") == FIRST


def test_a_tool_can_be_given_to_the_decorator_again(shared: Toolbox) -> None:
    made = Tool(weather)
    assert tool(made) is made
    other: Any = tool(name="forecast")(made)
    assert list(shared) == ["weather", "forecast"]
    assert other.function is weather


def test_a_decorated_method_is_a_tool_of_each_object(shared: Toolbox) -> None:
    class Counter:
        def __init__(self, start: int) -> None:
            self.total = start

        @tool(name="plus")
        def add(self, number: int) -> int:
            """Add."""
            return self.total + number

    assert len(shared) == 0
    assert repr(shared) == "<Toolbox empty>"
    assert isinstance(Counter.add, Tool)
    bound: Any = Counter(5).add
    assert isinstance(bound, Tool)
    assert bound.name == "plus"
    assert bound(2) == 7
    taken: Any = bound.schema.parameters["properties"]
    assert tuple(taken) == ("number",)
