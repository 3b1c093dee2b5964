"""A function as a tool: its name, how it runs, which version it is."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import inspect
import linecache
import math
from collections.abc import AsyncIterator, Iterator
from typing import Any, cast

import pytest

from nbagents.errors import ToolDefinitionError
from nbagents.tools.context.context import Context
from nbagents.tools.schema.binding import Bound
from nbagents.tools.tool import definition as tool_module
from nbagents.tools.tool.definition import Tool, ToolOptions

CTX = Context()


def forecast(city: str, days: int = 3) -> str:
    """Forecast the weather.

    Args:
        city: Where.
    """
    return f"{city} {days}"


def echo(arguments: dict[str, Any]) -> Any:
    return arguments


def names(tool: Tool) -> list[str]:
    """The parameters that a model sees."""
    return list(cast("dict[str, Any]", tool.schema.parameters["properties"]))


def run(tool: Tool, **arguments: Any) -> Any:
    bound = tool.bind(arguments, CTX)
    assert isinstance(bound, Bound), bound
    return tool.run(*bound.args, **bound.kwargs)


def test_a_tool_tells_name_description_parameters_and_is_strict() -> None:
    tool = Tool(forecast)
    assert (tool.name, tool.description) == ("forecast", "Forecast the weather.")
    assert tool.strict
    assert tool.strict_note is None
    assert tool.parameters["required"] == ["city", "days"]
    assert repr(tool) == "<Tool forecast>"


def test_a_tool_is_still_the_function_for_the_one_who_wrote_it() -> None:
    tool = Tool(forecast)
    assert tool("Rome", days=1) == "Rome 1"
    assert inspect.unwrap(tool) is forecast
    assert inspect.signature(tool) == inspect.signature(forecast)
    assert inspect.getdoc(tool) == inspect.getdoc(forecast)


def test_options_come_before_what_the_function_says() -> None:
    tool = Tool(
        forecast,
        ToolOptions(name="weather", description="Tell it.", toolset="sky", title="Weather"),
    )
    assert (tool.name, tool.description, tool.title) == ("sky--weather", "Tell it.", "Weather")


def test_a_description_may_be_empty_on_purpose() -> None:
    assert Tool(forecast, ToolOptions(description="")).description == ""


def test_a_fall_back_from_strict_is_announced() -> None:
    def plot(options: dict[str, int]) -> None: ...

    tool = Tool(plot)
    assert not tool.strict
    assert tool.strict_note == "Not strict: 'options' takes keys that are not known beforehand."
    assert tool.parameters == tool.schema.parameters


def test_strict_can_be_declined_without_a_note() -> None:
    tool = Tool(forecast, ToolOptions(strict=False))
    assert (tool.strict, tool.strict_note) == (False, None)
    assert tool.parameters["required"] == ["city"]


def test_the_schema_is_built_once_and_only_when_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    built: list[str] = []
    original = tool_module.function_schema

    def counted(function: Any, name: str, **options: Any) -> Any:
        built.append(name)
        return original(function, name, **options)

    monkeypatch.setattr(tool_module, "function_schema", counted)
    tool = Tool(forecast)
    assert built == []
    for _ in range(3):
        assert tool.parameters
        assert tool.description
        assert tool.bind({"city": "Rome"}, CTX)
    assert built == ["forecast"]


class Counter:
    """Counts."""

    def __init__(self) -> None:
        self.total = 0

    def add(self, number: int) -> int:
        """Add a number."""
        self.total += number
        return self.total

    async def later(self, number: int) -> int:
        return number

    @classmethod
    def named(cls, name: str) -> str:
        return f"{cls.__name__} {name}"

    @staticmethod
    def twice(number: int) -> int:
        return number * 2


class Adder:
    """An object that can be called."""

    def __call__(self, a: int, b: int = 1) -> int:
        """Add two numbers.

        Args:
            a: The first.
        """
        return a + b


class AsyncAdder:
    """Adds, later."""

    async def __call__(self, a: int) -> int:
        return a + 1


def test_a_bound_method_is_a_tool_of_its_object() -> None:
    counter = Counter()
    tool = Tool(counter.add)
    assert (tool.name, tool.description) == ("add", "Add a number.")
    assert names(tool) == ["number"]
    assert (run(tool, number=2), run(tool, number=3), counter.total) == (2, 5, 5)


def test_class_and_static_methods_are_tools() -> None:
    assert run(Tool(Counter.named), name="x") == "Counter x"
    assert run(Tool(Counter.twice), number=2) == 4


def test_a_method_without_its_object_says_what_to_do() -> None:
    with pytest.raises(ToolDefinitionError, match="toolset_of"):
        Tool(Counter.add).parameters  # noqa: B018


def test_an_object_that_can_be_called_is_named_by_its_class() -> None:
    tool = Tool(Adder())
    assert (tool.name, tool.description, tool.is_async) == ("Adder", "Add two numbers.", False)
    assert run(tool, a=2) == 3
    later = Tool(AsyncAdder())
    assert (later.description, later.is_async) == ("Adds, later.", True)


def test_what_a_partial_has_bound_is_hidden_from_the_model() -> None:
    def search(query: str, key: str, limit: int = 5) -> Any:
        """Search."""
        return query, key, limit

    tool = Tool(functools.partial(search, key="secret"))
    assert (tool.name, tool.description) == ("search", "Search.")
    assert names(tool) == ["query", "limit"]
    assert "secret" not in str(tool.parameters)
    assert run(tool, query="a") == ("a", "secret", 5)
    assert isinstance(tool.bind({"query": "a", "key": "mine"}, CTX), tuple)


def test_a_partial_may_bind_by_position_and_be_async() -> None:
    async def add(a: int, b: int) -> int:
        return a + b

    tool = Tool(functools.partial(add, 1))
    assert tool.is_async
    assert asyncio.run(run(tool, b=2)) == 3


def test_a_builtin_with_a_signature_is_a_tool() -> None:
    assert run(Tool(math.sqrt), x=9) == 3


def test_a_builtin_without_a_signature_says_what_to_do() -> None:
    with pytest.raises(ToolDefinitionError, match="function of your own"):
        Tool(max).parameters  # noqa: B018


@pytest.mark.parametrize("thing", [3, "text", Counter, None])
def test_what_cannot_be_called_or_is_a_class_is_refused(thing: Any) -> None:
    with pytest.raises(ToolDefinitionError, match="no function"):
        Tool(thing)


def test_a_lambda_needs_a_name() -> None:
    with pytest.raises(ToolDefinitionError, match="name="):
        Tool(lambda: 1)
    assert Tool(lambda: 1, ToolOptions(name="one")).name == "one"


def test_what_yields_gives_the_list_of_what_it_yielded() -> None:
    def rows(count: int) -> Iterator[int]:
        yield from range(count)

    async def later(count: int) -> AsyncIterator[int]:
        for one in range(count):
            yield one

    assert run(Tool(rows), count=3) == [0, 1, 2]
    assert Tool(later).is_async
    assert asyncio.run(run(Tool(later), count=2)) == [0, 1]


def test_an_async_tool_on_a_thread_is_refused() -> None:
    async def later() -> None: ...

    with pytest.raises(ToolDefinitionError, match="async"):
        Tool(later, ToolOptions(thread=True))


@pytest.mark.parametrize("timeout_s", [0, -1, float("inf"), float("nan")])
def test_a_timeout_is_a_positive_number(timeout_s: float) -> None:
    with pytest.raises(ToolDefinitionError, match="positive"):
        Tool(forecast, ToolOptions(timeout_s=timeout_s))


def test_a_type_defined_beside_an_inner_function_is_found_by_its_text() -> None:
    @dataclasses.dataclass
    class Trip:
        city: str

    def plan(trip: Trip, other: list[Trip] | None = None) -> Trip:
        return trip

    assert run(Tool(plan), trip={"city": "Rome"}) == Trip("Rome")


def cell(text: str, name: str = "<cell>") -> Any:
    """A function as a notebook makes it: compiled from text, which the line cache holds."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {}
    exec(compile(text, name, "exec"), space)
    return space["work"]


def test_the_same_source_has_the_same_hash_wherever_it_stands() -> None:
    source = "def work(a: int) -> int:\n    return a\n"
    first = Tool(cell(source, "<cell 1>")).source_hash
    second = Tool(cell("x = 1\n\n" + source, "<cell 2>")).source_hash
    other = Tool(cell(source.replace("return a", "return -a"), "<cell 3>")).source_hash
    assert first == second != other
    assert len(first) == 12


def test_the_hash_is_of_the_source_at_definition() -> None:
    tool = Tool(cell("def work() -> int:\n    return 1\n"))
    before = tool.source_hash
    cell("def work() -> int:\n    return 2\n")
    assert tool.source_hash == before


def test_without_source_the_schema_is_the_version() -> None:
    def made(hint: str) -> Tool:
        space: dict[str, Any] = {}
        exec(f"def work(a: {hint}) -> int: ...", space)
        return Tool(space["work"])

    assert made("int").source_hash == made("int").source_hash != made("str").source_hash


SCHEMA: dict[str, Any] = {
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
}


def test_a_raw_schema_is_made_strict_and_its_handler_gets_one_dictionary() -> None:
    tool = Tool.from_schema("sky--forecast", "Forecast.", SCHEMA, echo)
    assert (tool.name, tool.description, tool.strict) == ("sky--forecast", "Forecast.", True)
    assert tool.parameters["required"] == ["city", "days"]
    assert tool.schema.parameters["required"] == ["city"]
    assert run(tool, city="Rome", days=None) == {"city": "Rome"}


def test_a_raw_schema_without_optional_parameters_drops_no_null() -> None:
    schema = {"properties": {"city": {"type": ["string", "null"]}}, "required": ["city"]}
    assert run(Tool.from_schema("t", "", schema, echo), city=None) == {"city": None}


def test_the_arguments_of_a_raw_schema_are_an_object() -> None:
    assert isinstance(Tool.from_schema("t", "", SCHEMA, echo).bind([1], CTX), tuple)


def test_a_handler_without_signature_gets_the_arguments() -> None:
    assert run(Tool.from_schema("t", "", SCHEMA, max), city="x") == "city"


def test_a_raw_schema_is_checked() -> None:
    tool = Tool.from_schema("forecast", "", SCHEMA, echo)
    found = tool.bind({"days": "x"}, CTX)
    assert isinstance(found, tuple)
    assert {one.field: one.constraint for one in found} == {"city": "missing", "days": "type"}


def test_the_handler_of_a_raw_schema_may_ask_for_the_context() -> None:
    def handle(arguments: dict[str, Any], ctx: Context) -> Any:
        return arguments, ctx

    assert run(Tool.from_schema("t", "", SCHEMA, handle), city="x") == ({"city": "x"}, CTX)


def test_tools_of_one_handler_are_told_apart_by_their_schemas() -> None:
    def handle(arguments: dict[str, Any]) -> Any:
        return arguments

    first = Tool.from_schema("a", "", SCHEMA, handle)
    second = Tool.from_schema("b", "", SCHEMA, handle)
    assert first.source_hash != second.source_hash


@pytest.mark.parametrize("schema", [{"type": "array"}, {"x": object()}])
def test_a_schema_of_no_object_is_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(ToolDefinitionError, match="schema of tool 'bad'"):
        Tool.from_schema("bad", "", schema, echo)


def test_nobody_can_change_a_raw_schema_later() -> None:
    given: dict[str, Any] = {"properties": {"a": {"type": "string"}}}
    tool = Tool.from_schema("t", "", given, echo, ToolOptions(strict=False))
    given["properties"]["b"] = {}
    assert names(tool) == ["a"]


def test_a_raw_schema_in_a_class_stays_whole_on_its_objects() -> None:
    def handle(arguments: dict[str, Any], ctx: Context) -> Any:
        return arguments, ctx

    class Box:
        label = "box"

        def _say(self, given: dict[str, Any], ctx: Context) -> Any:
            return self.label, given, ctx

        say = Tool.from_schema("box.say", "Say.", SCHEMA, _say)
        tell = Tool.from_schema("box.tell", "Tell.", SCHEMA, handle)

    for made, result in (
        (Box().say, ("box", {"city": "x"}, CTX)),
        (Box().tell, ({"city": "x"}, CTX)),
    ):
        assert made.name == made.original_name.replace(".", "_")
        assert made.schema.parameters == Tool.from_schema("t", "", SCHEMA, echo).schema.parameters
        assert run(made, city="x") == result
