"""Tools of definitions that were written elsewhere."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from nbagents.errors import ToolDefinitionError
from nbagents.tools.context.context import Context
from nbagents.tools.schema.binding import Bound, Issues
from nbagents.tools.tool.definition import Tool, ToolOptions
from nbagents.tools.tool.foreign_definitions import tools_of_definitions

PLUS: dict[str, Any] = {
    "name": "math.plus",
    "description": "Add.",
    "parameters": {"type": "dict", "properties": {"a": {"type": "int"}}, "required": ["a"]},
}


def echo(name: str, given: dict[str, Any]) -> Any:
    return name, given


def run(tool: Tool, **arguments: Any) -> Any:
    bound = tool.bind(arguments, Context(run_id="run-1"))
    assert isinstance(bound, Bound), bound
    return tool.run(*bound.args, **bound.kwargs)


@pytest.mark.parametrize(
    "definition",
    [
        PLUS,
        {"type": "function", "function": PLUS},
        {"type": "function", "strict": True, **PLUS},
        {"name": "math.plus", "description": "Add.", "inputSchema": PLUS["parameters"]},
    ],
)
def test_a_definition_becomes_a_tool_that_calls_by_its_own_name(definition: Any) -> None:
    (tool,) = tools_of_definitions([definition], echo)
    assert (tool.name, tool.original_name, tool.description) == ("math_plus", "math.plus", "Add.")
    assert run(tool, a="3") == ("math.plus", {"a": 3})


def test_a_definition_may_have_no_parameters_and_no_description() -> None:
    (tool,) = tools_of_definitions([{"name": "now"}], echo)
    assert (tool.description, tool.parameters["properties"]) == ("", {})
    assert run(tool) == ("now", {})


def test_names_stay_distinct_and_one_that_fits_is_kept() -> None:
    definitions = [{**PLUS, "name": name} for name in ("math.plus", "math/plus", "math_plus")]
    tools = tools_of_definitions(definitions, echo)
    assert len({tool.name for tool in tools}) == 3
    assert [run(tool, a=1)[0] for tool in tools] == ["math.plus", "math/plus", "math_plus"]
    assert tools[2].name == "math_plus"


def test_the_handler_may_be_async_and_take_the_context() -> None:
    async def later(name: str, given: dict[str, Any], ctx: Context) -> str:
        return f"{name} {given['a']} {ctx.run_id}"

    (tool,) = tools_of_definitions([PLUS], later)
    assert tool.is_async
    assert asyncio.run(run(tool, a=1)) == "math.plus 1 run-1"


def test_options_hold_for_all_of_them() -> None:
    tools = tools_of_definitions([PLUS], echo, ToolOptions(strict=False, toolset="box"))
    assert [(tool.name, tool.strict) for tool in tools] == [("box--math_plus", False)]


WRONG: list[tuple[Any, str]] = [
    ([PLUS, PLUS], "Two definitions are called 'math.plus'"),
    ([{"parameters": {}}], "has no name"),
    ([{"name": ""}], "has no name"),
    ([{"name": "x", "parameters": {"properties": {"a": {"enum": 1}}}}], "properties.a.enum"),
]


@pytest.mark.parametrize(("definitions", "match"), WRONG)
def test_what_cannot_be_read_is_refused(definitions: Any, match: str) -> None:
    with pytest.raises(ToolDefinitionError, match=match):
        tools_of_definitions(definitions, echo)


def test_other_parameters_are_refused_unless_the_schema_takes_them() -> None:
    def extra(**schema: Any) -> Bound | Issues:
        definition: dict[str, Any] = {
            "name": "t",
            "parameters": {"properties": {"city": {}}, **schema},
        }
        (tool,) = tools_of_definitions([definition], echo)
        return tool.bind({"citty": "Rome"}, Context())

    found = extra()
    assert isinstance(found, tuple)
    assert found[0].message == "There is no such parameter. Did you mean 'city'?"
    assert isinstance(extra(additionalProperties=True), Bound)
    assert isinstance(extra(patternProperties={"^c": {}}), Bound)


@pytest.mark.parametrize("schema", [{}, {"type": "object"}, {"description": "x"}, {"$defs": {}}])
@pytest.mark.parametrize("strict", [True, False])
def test_a_schema_that_says_nothing_takes_nothing_and_is_shown_so(
    schema: dict[str, Any], *, strict: bool
) -> None:
    tool = Tool.from_schema("t", "", schema, max, ToolOptions(strict=strict))
    assert tool.parameters["properties"] == {}
    assert tool.parameters["additionalProperties"] is False
    found = tool.bind({"any": 1}, Context())
    assert isinstance(found, tuple)
    assert [(one.field, one.constraint) for one in found] == [("any", "extra_forbidden")]
    assert isinstance(tool.bind({}, Context()), Bound)


@pytest.mark.parametrize(
    "more",
    [
        {"additionalProperties": True},
        {"minProperties": 1},
        {"propertyNames": {"pattern": "^a"}},
        {"required": ["any"]},
        {"$ref": "#/$defs/any", "$defs": {"any": {"type": "object"}}},
    ],
)
def test_a_schema_that_speaks_of_names_it_does_not_list_takes_them(more: dict[str, Any]) -> None:
    tool = Tool.from_schema("t", "", {"type": "object", **more}, max)
    assert tool.parameters.get("additionalProperties", True) is True
    assert isinstance(tool.bind({"any": 1}, Context()), Bound)


def test_a_handler_whose_other_hints_do_not_resolve_serves_all_the_same() -> None:
    space: dict[str, Any] = {"Context": Context}
    exec("def handle(given: 'Missing', ctx: 'Context'): return given, ctx.run_id", space)
    tool = Tool.from_schema("t", "", {"properties": {"a": {}}}, space["handle"])
    assert run(tool, a=1) == ({"a": 1}, "run-1")
