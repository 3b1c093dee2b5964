"""Groups of tools, and what a user may hand over as tools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from nbagents.errors import ToolDefinitionError, ToolNotFoundError
from nbagents.tools.tool import Tool, ToolOptions
from nbagents.tools.toolbox import Toolbox
from nbagents.tools.toolset import Toolset, resolve_tools, toolset_of


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def halve(a: float) -> float:
    return a / 2


class Lamp:
    """A lamp."""

    def __init__(self) -> None:
        self.level = 0

    @property
    def brightness(self) -> int:
        raise AssertionError("a property must not be read")

    def dim(self, level: int) -> str:
        """Set how bright it is."""
        self.level = level
        return f"now {level}"

    @staticmethod
    def colours() -> list[str]:
        return ["red"]

    def _secret(self) -> None: ...


class ColourLamp(Lamp):
    def paint(self, colour: str) -> str:
        return colour


def names(tools: Sequence[Tool]) -> list[str]:
    return [one.name for one in tools]


def test_a_toolset_prefixes_its_tools() -> None:
    made = toolset_of("math", [add, Tool(halve, ToolOptions(name="half", command=True))])
    assert isinstance(made, Toolset)
    assert names(made.tools()) == ["math--add", "math--half"]
    assert made.tools()[0].description == "Add two numbers."
    assert made.tools()[1].command


def test_a_mapping_gives_its_own_names() -> None:
    assert names(toolset_of("math", {"plus": add, "half": halve}).tools()) == [
        "math--plus",
        "math--half",
    ]


def test_the_public_methods_of_an_object_are_tools_of_that_object() -> None:
    lamp = ColourLamp()
    found = toolset_of("lamp", lamp).tools()
    assert names(found) == ["lamp--dim", "lamp--colours", "lamp--paint"]
    assert found[0](level=3) == "now 3"
    assert lamp.level == 3


def test_an_overridden_method_is_the_tool() -> None:
    class Loud(Lamp):
        def dim(self, level: int) -> str:
            return "no"

    assert toolset_of("lamp", Loud()).tools()[0](1) == "no"


def test_a_raw_schema_survives_in_a_toolset() -> None:
    raw = Tool.from_schema("find", "Find.", {"properties": {"q": {"type": "string"}}}, add)
    made = toolset_of("web", [raw]).tools()[0]
    assert made.name == "web--find"
    assert made.schema.parameters == raw.schema.parameters


def test_two_members_of_one_name_are_refused() -> None:
    with pytest.raises(ToolDefinitionError, match="'math--add'"):
        toolset_of("math", [add, add])


@pytest.mark.parametrize("members", [[], object()])
def test_a_toolset_of_nothing_is_refused(members: Any) -> None:
    with pytest.raises(ToolDefinitionError, match="no public methods"):
        toolset_of("empty", members)


def test_functions_tools_toolsets_and_names_become_tools_in_order() -> None:
    box = Toolbox()
    box.add(Tool(halve))
    given = Tool(add)
    found = resolve_tools([toolset_of("lamp", Lamp()), given, "halve", Lamp().dim], box=box)
    assert names(found) == ["lamp--dim", "lamp--colours", "add", "halve", "dim"]
    assert found[2] is given


def test_the_same_tool_twice_is_one_and_two_of_a_name_are_refused() -> None:
    box = Toolbox()
    given = box.add(Tool(add))
    assert resolve_tools([given, "add", "a*"], box=box) == (given,)
    with pytest.raises(ToolDefinitionError, match="Two tools are called 'add'"):
        resolve_tools([add, given], box=box)


@pytest.mark.parametrize("thing", [3, None, [add]])
def test_what_is_no_tool_is_refused(thing: Any) -> None:
    with pytest.raises(ToolDefinitionError, match="is no tool"):
        resolve_tools([thing])


def test_an_unknown_name_is_told() -> None:
    with pytest.raises(ToolNotFoundError, match="'nothing'"):
        resolve_tools(["nothing"], box=Toolbox())
