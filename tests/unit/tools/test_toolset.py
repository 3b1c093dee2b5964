"""Groups of tools, and what a user may hand over as tools."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest
from pydantic import BaseModel

from nbagents.agents import Agent
from nbagents.errors import ToolDefinitionError, ToolNotFoundError
from nbagents.tools.tool.decorator import tool
from nbagents.tools.tool.definition import Tool, ToolOptions
from nbagents.tools.tool.registry import Toolbox, toolbox
from nbagents.tools.tool.toolset import Toolset, ToolsetView, resolve_tools, toolset_of


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
        resolve_tools([Tool(halve, ToolOptions(name="add")), given], box=box)


@pytest.mark.parametrize("thing", [3, None, [add], {"add": add}, object()])
def test_what_is_no_tool_is_refused(thing: Any) -> None:
    with pytest.raises(ToolDefinitionError, match="is no tool"):
        resolve_tools([thing])


def test_an_unknown_name_is_told() -> None:
    with pytest.raises(ToolNotFoundError, match="'nothing'"):
        resolve_tools(["nothing"], box=Toolbox())


def module(source: str) -> ModuleType:
    made = ModuleType("kitchen.oven")
    exec(source, vars(made))
    return made


OVEN = """
from math import sqrt
import json

def heat(degrees: int) -> str: ...
def _secret() -> None: ...
class Oven: ...
LIMIT = 250
"""


def test_an_object_is_a_toolset_of_its_methods_under_the_name_of_its_class() -> None:
    lamp = ColourLamp()
    found = resolve_tools([lamp], box=Toolbox())
    assert names(found) == ["ColourLamp--dim", "ColourLamp--colours", "ColourLamp--paint"]
    assert found[0](level=2) == "now 2"
    assert lamp.level == 2


def test_a_module_is_a_toolset_of_the_public_functions_that_are_defined_there() -> None:
    assert names(resolve_tools([module(OVEN)], box=Toolbox())) == ["oven--heat"]


def test_a_module_that_says_what_is_public_is_believed() -> None:
    listed = module(OVEN + "__all__ = ['sqrt', 'Oven', 'LIMIT', 'heat', 'gone']")
    assert names(resolve_tools([listed], box=Toolbox())) == ["oven--sqrt", "oven--heat"]
    assert names(toolset_of("kitchen", listed).tools()) == ["kitchen--sqrt", "kitchen--heat"]


def test_a_tool_of_a_module_keeps_its_options() -> None:
    made = module("")

    def heat() -> None: ...

    heat.__module__ = made.__name__
    vars(made)["heat"] = Tool(heat, ToolOptions(name="warm", command=True))
    (found,) = resolve_tools([made], box=Toolbox())
    assert (found.name, found.command) == ("oven--warm", True)


def test_an_object_that_can_be_called_stays_one_tool() -> None:
    class Adder:
        def __call__(self, a: int) -> int:
            return a

        def reset(self) -> None: ...

    assert names(resolve_tools([Adder()], box=Toolbox())) == ["Adder"]


def test_the_foundations_of_a_class_are_no_tools() -> None:
    class Shop(BaseModel):
        name: str = "shop"

        def order(self, item: str) -> str:
            return item

    @dataclass
    class Errand:
        tools: tuple[str, ...] = ("hammer",)
        name: str = "errand"

        def go(self) -> None: ...

    assert names(resolve_tools([Shop(), Errand()], box=Toolbox())) == ["Shop--order", "Errand--go"]


@pytest.mark.parametrize("cls", [Lamp, type("Shelf", (), {"tools": 1, "name": 2})])
def test_a_class_is_refused_with_advice(cls: type) -> None:
    with pytest.raises(ToolDefinitionError, match=rf"give an instance, e.g. {cls.__name__}\(\)"):
        resolve_tools([cls])
    with pytest.raises(ToolDefinitionError, match="give an instance"):
        toolset_of("lamp", cls)


def test_two_objects_of_one_class_need_names() -> None:
    with pytest.raises(ToolDefinitionError, match="toolsets of different names"):
        resolve_tools([Lamp(), Lamp()])
    both = [toolset_of("left", Lamp()), toolset_of("right", Lamp())]
    assert len(resolve_tools(both)) == 4


def test_what_is_not_enabled_is_left_out_and_asked_for_each_time() -> None:
    answers = itertools.cycle([True, False])
    sometimes = Tool(add, ToolOptions(enabled=lambda: next(answers)))
    never = Tool(halve, ToolOptions(enabled=False))
    assert resolve_tools([sometimes, never]) == (sometimes,)
    assert resolve_tools([sometimes, never]) == ()


def test_of_two_tools_of_one_name_one_may_be_off() -> None:
    off = Tool(halve, ToolOptions(name="add", enabled=False))
    assert names(resolve_tools([off, add])) == ["add"]


def test_what_is_private_is_only_there_where_it_is_named() -> None:
    box = Toolbox()
    hidden = box.add(Tool(add, ToolOptions(private=True, toolset="maths")))
    shown = box.add(Tool(halve, ToolOptions(toolset="maths")))
    assert box.select(["all"]) == (shown,)
    assert box.select(["maths--*"]) == (shown,)
    assert box.select(["maths--add"]) == (hidden,)
    assert box.select(["maths"]) == (hidden, shown)


def test_a_view_shows_a_part_of_a_toolset_under_its_own_name() -> None:
    maths = toolset_of("maths", [add, halve])
    part = ToolsetView(maths, keep=lambda tool: tool.name.endswith("add"))
    assert (part.name, names(part.tools())) == ("maths", ["maths--add"])
    renamed = ToolsetView(part, rename="sums")
    assert isinstance(renamed, Toolset)
    assert (renamed.name, names(resolve_tools([renamed]))) == ("sums", ["sums--add"])
    assert renamed.tools()[0].description == "Add two numbers."


def test_a_function_or_a_method_named_twice_is_one_tool() -> None:
    class Shelf:
        @tool
        def put(self, what: str) -> str:
            return what

        def take(self) -> str:
            return "it"

    shelf = Shelf()
    given = [shelf.put, shelf.put, shelf.take, shelf.take, add, Tool(add), add]
    assert names(resolve_tools(given, box=Toolbox())) == ["put", "take", "add"]
    lamps = toolset_of("lamp", Lamp())
    views = [ToolsetView(lamps, rename="light"), ToolsetView(lamps, rename="light")]
    assert names(resolve_tools(views)) == ["light--dim", "light--colours"]
    for others in ([shelf.put, Shelf().put], [add, Tool(add, ToolOptions(description="Else."))]):
        with pytest.raises(ToolDefinitionError, match="Two tools are called"):
            resolve_tools(others, box=Toolbox())


def test_raw_schemas_of_one_handler_that_differ_are_two_tools() -> None:
    raw = [Tool.from_schema("t", "", {"properties": {name: {}}}, halve) for name in "ab"]
    with pytest.raises(ToolDefinitionError, match="Two tools are called 't'"):
        resolve_tools(raw)


def test_an_agent_is_one_tool_wherever_a_tool_may_stand() -> None:
    agent = Agent("helper", tools=[halve])
    assert [tool.name for tool in resolve_tools([agent])] == ["helper"]
    assert [tool.name for tool in toolset_of("a", agent).tools()] == ["a--helper"]
    assert [tool.name for tool in Agent("boss", tools=[agent]).preview("Go").tools] == ["helper"]


def test_a_function_that_is_a_tool_already_keeps_what_was_said_of_it() -> None:
    def wipe() -> None:
        "Wipe."

    tool = toolbox.add(Tool(wipe, ToolOptions(destructive=True)))
    assert resolve_tools([wipe]) == (tool,)
