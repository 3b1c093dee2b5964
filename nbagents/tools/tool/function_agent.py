"""A function that serves a whole toolset, by GraphAI's contract. Source: receptron/graphai."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from nbagents.errors import ToolDefinitionError
from nbagents.narrowing import is_mapping
from nbagents.results import Result
from nbagents.tools.context import Context, name_of, runner_of
from nbagents.tools.schema import read_signature
from nbagents.tools.tool.definition import ToolOptions
from nbagents.tools.tool.foreign_definitions import plain_definition, tools_of_definitions
from nbagents.tools.tool.tool_name import SEPARATOR

if TYPE_CHECKING:
    from nbagents.tools.schema import Parameter
    from nbagents.tools.tool.definition import Tool
    from nbagents.tools.tool.sample import Sample

CAMEL_CASE = {"toolCall": "tool_call", "agentName": "agent_name"}
"""GraphAI's own spelling of what a function may take."""

INPUTS = ("arg", "func", "tool_call", "agent_name", "data", "config")

CONTEXT = "ctx: Context"
"""Stands for the context, whatever the parameter is called."""

STARS = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.POSITIONAL_ONLY)


class FunctionAgent:
    """One function behind several tools, called `name--func`.

    The function takes, by name, whatever it needs of these:

    - `arg`: the arguments of the call, checked against the tool's schema
    - `func`: which of the tools is called, without the prefix
    - `tool_call`: the whole call, `{"id", "name", "arguments"}`
    - `agent_name`: this toolset's name
    - `data`: what the caller of the run passes through to this toolset, past the model
    - `config`: what the toolset was made with, e.g. a live widget

    and a `Context` if a parameter is annotated with it; with `**kwargs` all of them. It returns a
    mapping with `content` for the model, `data` for the person and `has_next` (also `hasNext`);
    other keys survive in `run.data.by_name`. Anything else that it returns is content.

    Args:
        name: The toolset's name.
        function: A plain or an async function.
        tools: Chat Completions' form, `{"type": "function", "function": {"name", "description",
            "parameters"}}`, or only what is inside; names with or without the prefix.
        config: What the function gets as `config`.
        samples: Calls that show how it is used; `check_samples` makes them.
        options: What holds for all of its tools, e.g. `ToolOptions(thread=True)`.

    Raises:
        ToolDefinitionError: The function takes something else, or a tool belongs to another name.

    Example:
        >>> def lamp(func, arg, config):
        ...     config["levels"].append(arg["level"])
        ...     return {"content": f"{func} done", "data": arg, "has_next": False}
        >>> dim = {"name": "dim", "parameters": {"properties": {"level": {"type": "integer"}}}}
        >>> [tool.name for tool in FunctionAgent("lamp", lamp, [dim], {"levels": []}).tools()]
        ['lamp--dim']
    """

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        tools: Sequence[Mapping[str, Any]],
        config: Mapping[str, Any] | None = None,
        *,
        samples: Sequence[Sample] = (),
        options: ToolOptions | None = None,
    ) -> None:
        self.name = name
        self.function = function
        self.config: Mapping[str, Any] = {} if config is None else config
        self.samples = tuple(samples)
        self._run, is_async = runner_of(function)
        self._takes = _taken_names(function)
        named = replace(options or ToolOptions(), toolset=name)
        handler: Callable[..., object] = self._later if is_async else self._call
        own = [_without_prefix(one, name) for one in tools]
        self._tools = tools_of_definitions(own, handler, named)

    def __repr__(self) -> str:
        return f"<FunctionAgent {self.name}, {len(self._tools)} tools>"

    def tools(self) -> Sequence[Tool]:
        """The tools, in the order in which they were given."""
        return self._tools

    def _call(self, func: str, arg: dict[str, Any], ctx: Context) -> object:
        given = self._run(**self._inputs(func, arg, ctx))
        if isinstance(given, Awaitable):
            return self._awaited(cast("Awaitable[object]", given))
        return _result(given)

    async def _later(self, func: str, arg: dict[str, Any], ctx: Context) -> object:
        return _result(await self._run(**self._inputs(func, arg, ctx)))

    async def _awaited(self, given: Awaitable[object]) -> object:
        return _result(await given)

    def _inputs(self, func: str, arg: dict[str, Any], ctx: Context) -> dict[str, Any]:
        """What the function takes of all that there is."""
        name = f"{self.name}{SEPARATOR}{func}"
        there = {
            "arg": arg,
            "func": func,
            "tool_call": {"id": ctx.call_id, "name": name, "arguments": arg},
            "agent_name": self.name,
            "data": dict(ctx.passthrough),
            "config": self.config,
            CONTEXT: ctx,
        }
        return {name: there[one] for name, one in self._takes.items()}


def _result(given: object) -> object:
    """GraphAI's result as one of ours; what is none stays as it is."""
    if not is_mapping(given):
        return given
    rest = dict(given)
    content, data = rest.pop("content", None), rest.pop("data", None)
    both = [rest.pop(name, None) for name in ("has_next", "hasNext")]
    has_next = next((bool(one) for one in both if one is not None), None)
    if content is None and rest:
        content = rest
    return Result(content, data, has_next=has_next, extra=rest)


def _taken_names(function: Callable[..., Any]) -> dict[str, str]:
    """Its parameters, and what each of them takes."""
    taken: dict[str, str] = {}
    for one in read_signature(function, name_of(function), {}):
        if one.kind is inspect.Parameter.VAR_KEYWORD:
            taken |= {name: name for name in INPUTS if name not in taken.values()}
            continue
        meant = CONTEXT if one.hidden else CAMEL_CASE.get(one.name, one.name)
        if one.kind in STARS or (meant not in {*INPUTS, CONTEXT} and one.is_required):
            raise _unknown_input(function, one)
        if meant in {*INPUTS, CONTEXT}:
            taken[one.name] = meant
    return taken


def _unknown_input(function: Callable[..., Any], one: Parameter) -> ToolDefinitionError:
    return ToolDefinitionError(
        f"{name_of(function)!r} asks for {one.name!r}, which nobody gives: an agent function takes "
        f"{', '.join(INPUTS)} by name, or a parameter `ctx: Context`."
    )


def _without_prefix(definition: Mapping[str, Any], agent: str) -> Mapping[str, Any]:
    """The definition by the function's own name.

    Raises:
        ToolDefinitionError: Its prefix is the name of another agent.
    """
    plain = dict(plain_definition(definition))
    prefix, separator, own = str(plain.get("name", "")).partition(SEPARATOR)
    if separator and prefix != agent:
        raise ToolDefinitionError(
            f"The tool {plain['name']!r} belongs to the agent {prefix!r}, and this one is called "
            f"{agent!r}: names are split at the first {SEPARATOR!r}."
        )
    return plain | {"name": own} if separator else plain
