"""One function behind several tools, by GraphAI's contract."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from trials import RecordingLanes, request

from nbagents.errors import ToolDefinitionError
from nbagents.results import CallResult, Payload, Result
from nbagents.tools.call.invocation import perform, prepare
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import ToolOptions
from nbagents.tools.tool.function_agent import FunctionAgent
from nbagents.tools.tool.toolset import Toolset, ToolsetView, resolve_tools


def definition(name: str) -> dict[str, Any]:
    parameters = {
        "type": "object",
        "properties": {"zoom": {"type": "integer"}},
        "required": ["zoom"],
    }
    inner = {"name": name, "description": f"Does {name}.", "parameters": parameters}
    return {"type": "function", "function": inner}


def called(
    function: Callable[..., Any],
    arguments: str = '{"zoom": 3}',
    *,
    name: str = "map--setZoom",
    passthrough: Mapping[str, Any] | None = None,
    **more: Any,
) -> CallResult:
    tools = [definition("map--setZoom"), definition("setPin"), definition("map--a--b")]
    agent = FunctionAgent("map", function, tools, **more)
    offered = {tool.name: tool for tool in agent.tools()}
    call = request(name, arguments)
    ctx = Context(call, passthrough=passthrough or {})
    return asyncio.run(perform(prepare(call, offered), ctx, RecordingLanes()))


def test_it_is_a_toolset_of_the_tools_it_lists() -> None:
    agent = FunctionAgent("map", lambda: "", [definition("map--setZoom"), definition("setPin")])
    assert isinstance(agent, Toolset)
    first, second = resolve_tools([agent])
    assert (first.name, second.name) == ("map--setZoom", "map--setPin")
    assert first.description == "Does map--setZoom."
    assert repr(agent) == "<FunctionAgent map, 2 tools>"


def test_what_is_inside_of_a_definition_is_enough() -> None:
    agent = FunctionAgent("map", lambda: "", [definition("setPin")["function"]])
    assert [tool.name for tool in agent.tools()] == ["map--setPin"]


def test_names_are_split_at_the_first_separator() -> None:
    def which(func: str) -> str:
        return func

    assert called(which, name="map--a--b").content == "a--b"


def test_the_function_gets_what_it_asks_for() -> None:
    config = {"map": object()}

    def every(
        arg: Any, func: Any, tool_call: Any, agent_name: Any, data: Any, config: Any, ctx: Context
    ) -> Any:
        return Result("", [arg, func, tool_call, agent_name, data, config["map"], ctx.call_id])

    result = called(every, passthrough={"home": "Oslo"}, config=config)
    assert result.data == [
        {"zoom": 3},
        "setZoom",
        {"id": "call-1", "name": "map--setZoom", "arguments": {"zoom": 3}},
        "map",
        {"home": "Oslo"},
        config["map"],
        "call-1",
    ]


def test_graphai_s_own_spelling_is_understood() -> None:
    def camel(agentName: str, toolCall: dict[str, Any]) -> str:  # noqa: N803  GraphAI's names
        return f"{agentName} {toolCall['id']}"

    assert called(camel).content == "map call-1"


def test_keywords_take_all_that_has_no_parameter_of_its_own() -> None:
    def some(func: str, /, **rest: Any) -> Any: ...

    def rest(func: str, **rest: Any) -> Any:
        return Result(func, sorted(rest))

    assert called(rest).data == ["agent_name", "arg", "config", "data", "tool_call"]
    with pytest.raises(ToolDefinitionError, match="'func'"):
        FunctionAgent("map", some, [])


def test_what_has_a_default_need_not_be_known() -> None:
    def fast(func: str, speed: int = 3) -> str:
        return f"{func} {speed}"

    assert called(fast).content == "setZoom 3"


def of_city(city: str) -> str:
    return city


def of_all(*args: str) -> tuple[str, ...]:
    return args


@pytest.mark.parametrize("function", [of_city, of_all])
def test_a_function_that_asks_for_something_else_is_refused(function: Any) -> None:
    with pytest.raises(ToolDefinitionError, match="takes arg, func, tool_call, agent_name, data"):
        FunctionAgent("map", function, [])


def test_a_tool_of_another_agent_is_refused() -> None:
    with pytest.raises(ToolDefinitionError, match="belongs to the agent 'video'"):
        FunctionAgent("map", lambda: "", [definition("video--play")])


def test_its_result_has_content_data_and_has_next_and_the_rest_survives() -> None:
    result = called(
        lambda: {"content": "done", "data": {"kind": "map", "zoom": 3}, "hasNext": False, "cost": 2}
    )
    assert (result.content, result.has_next, result.extra) == ("done", False, {"cost": 2})
    assert result.payloads == (Payload(kind="map", value={"zoom": 3}),)


@pytest.mark.parametrize(
    ("given", "content", "has_next"),
    [
        ("plain text", "plain text", None),
        (Result("ours", has_next=True), "ours", True),
        ({"content": {"lat": 1}, "has_next": True}, '{"lat":1}', True),
        ({"content": "x", "has_next": None, "hasNext": 0}, "x", False),
        ({"data": 1}, "The tool returned no value (null).", None),
        ({"result": "older", "hasNext": True}, '{"result":"older"}', True),
        (None, "The tool returned no value (null).", None),
    ],
    ids=str,
)
def test_whatever_it_returns_is_a_result(given: Any, content: str, has_next: Any) -> None:
    result = called(lambda: given)
    assert (result.content, result.has_next) == (content, has_next)


def test_it_may_be_async_or_return_something_to_wait_for() -> None:
    async def later(func: str) -> dict[str, Any]:
        await asyncio.sleep(0)
        return {"content": func}

    def begun(func: str) -> Any:
        return later(func)

    assert called(later).content == "setZoom"
    assert called(begun).content == "setZoom"


def test_arguments_are_checked_before_it_runs() -> None:
    result = called(lambda: pytest.fail("must not run"), '{"zoom": "far"}')
    assert result.failure is not None
    assert result.failure.issues[0].field == "zoom"


def test_what_it_raises_is_told() -> None:
    def fail() -> None:
        raise ValueError("no map")

    assert called(fail).content == "ValueError: no map"


def test_options_hold_for_all_of_its_tools() -> None:
    agent = FunctionAgent("map", lambda: "", [definition("a")], options=ToolOptions(command=True))
    assert agent.tools()[0].command


def test_under_another_name_its_tools_know_the_agent_that_they_come_from() -> None:
    agent = FunctionAgent("map", lambda: "", [definition("setPin")])
    (renamed,) = ToolsetView(ToolsetView(agent, rename="a"), rename="atlas").tools()
    assert (renamed.name, renamed.original_toolset) == ("atlas--setPin", "map")
    assert renamed.with_options(ToolOptions(toolset="b")).original_toolset == "map"
