"""What an agent lets others use: tools that it answers itself, and functions past its model."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, cast, get_type_hints

from nbagents.agents.specification.agent_tool import APART, Asking
from nbagents.errors import ToolDefinitionError
from nbagents.tools.context import Context, is_function, is_several, require_named, shown
from nbagents.tools.schema import Bound
from nbagents.tools.tool import Tool, ToolOptions, is_tool

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.agents.specification.specification import Specification
    from nbagents.tools.schema import Issues, Schema

NO_OUTPUT: Final = (None, type(None), str, Any, object)
"""What a declaration may give that is text."""

HOW: Final = 'give functions by the toolset\'s name, e.g. exports={"planning": [make_plan]}.'


@dataclass(frozen=True, slots=True)
class Passthrough:
    """A function that others call past the model of the agent that exports it."""

    target: Callable[..., Any]


def passthrough(target: Callable[..., Any]) -> Passthrough:
    """Let an exported tool call a function itself, without the model of the agent that exports it.

    It costs no tokens, gives the same each time, and stands in the tree of runs like any call.

    Args:
        target: A function, a method of an object, or a tool.

    Raises:
        ToolDefinitionError: It cannot be called.
    """
    given: object = target
    if not is_function(given):
        raise ToolDefinitionError(
            f"{shown(given)} is no function, so nothing can be passed to it: give a function, a "
            "method of an object, or a tool, e.g. nbagents.passthrough(log_message)."
        )
    return Passthrough(target)


@dataclass(frozen=True, slots=True)
class Exports:
    """A toolset that an agent exports, for other agents to take among their tools.

    Args:
        name: The group, which becomes the prefix of every name.
        given: Functions that declare what the agent can be asked, and `passthrough`s.
        with_output: The agent whose answer has a type; by that type.
    """

    name: str
    given: tuple[object, ...]
    with_output: Callable[[Any], Specification]

    def tools(self) -> Sequence[Tool]:
        """The tools, in the order in which they were given."""
        return tuple(self._tool(one) for one in self.given)

    def _tool(self, one: object) -> Tool:
        if isinstance(one, Passthrough):
            return self._passed(one.target)
        if is_tool(one):
            return self._asked(one.function, one.options)
        return self._asked(cast("Callable[..., Any]", one), ToolOptions())

    def _passed(self, target: Callable[..., Any]) -> Tool:
        tool = target if is_tool(target) else Tool(target)
        title = f"{tool.title or tool.name} ({self.with_output(None).name}, past its model)"
        return tool.with_options(replace(tool.options, toolset=self.name, title=title))

    def _asked(self, function: Callable[..., Any], options: ToolOptions) -> Tool:
        """A tool that has the agent answer what a function declares."""
        declared = Tool(function, options)
        agent = self.with_output(_output_of(function))
        schema = _Declared(declared.schema, declared.description, function)
        said = declared.description or declared.name
        ask = Asking(agent=agent, prompt=_Words.prompt, otherwise=said)
        named = replace(
            options,
            name=options.name or declared.name,
            toolset=self.name,
            note=APART,
            resumable=True,  # the function only declares: what is called asks the agent
        )
        return Tool.of_schema(schema, ask.__call__, named)


class _Words(dict[str, Any]):
    """The arguments of a call by name, and the prompt that its declaration makes of them."""

    def __init__(self, function: Callable[..., Any], bound: Bound) -> None:
        signature = inspect.signature(function).bind(*bound.args, **bound.kwargs)
        signature.apply_defaults()
        given = signature.arguments.items()
        super().__init__({name: one for name, one in given if not isinstance(one, Context)})
        self._make = lambda: function(*bound.args, **bound.kwargs)

    def prompt(self) -> object:
        """What the agent is asked; `None`: the arguments say it."""
        return self._make()


@dataclass(frozen=True, slots=True)
class _Declared:
    """The schema of a function, which is called for the prompt."""

    inner: Schema
    description: str
    function: Callable[..., Any]

    @property
    def parameters(self) -> dict[str, JsonValue]:
        """A JSON Schema of type object."""
        return self.inner.parameters

    @property
    def handles(self) -> Mapping[str, str]:
        """The parameters that take the name of a live object."""
        return self.inner.handles

    def bind(self, arguments: JsonValue, context: Context) -> Bound | Issues:
        """The arguments and the context, or what does not fit."""
        bound = self.inner.bind(arguments, context)
        if not isinstance(bound, Bound):
            return bound
        return Bound([_Words(self.function, bound), context], {}, bound.named)


def exports_of(
    given: Mapping[str, Any], with_output: Callable[[Any], Specification]
) -> Mapping[str, Exports]:
    """The toolsets that an agent exports, by name.

    Args:
        given: What the person gave, or what this gave before for an agent like it.
        with_output: The agent whose answer has a type; by that type.

    Raises:
        ValueError: They are not given by name.
        ToolDefinitionError: One is no function, no tool and no `passthrough`.
    """
    named = require_named("exports", given, HOW, key="A toolset of exports")
    return {name: Exports(name, _members(name, one), with_output) for name, one in named.items()}


def _members(name: str, given: object) -> tuple[object, ...]:
    if isinstance(given, Exports):  # of the agent that this one is made of
        return given.given
    members = tuple(given) if is_several(given) else (given,)
    for one in members:
        if not isinstance(one, (Passthrough, Tool)) and not is_function(one):
            raise ToolDefinitionError(
                f"{shown(one)} cannot be exported in {name!r}: give functions that declare what "
                "the agent can be asked, or nbagents.passthrough(function)."
            )
    return members


def _output_of(function: Callable[..., Any]) -> Any:  # a type form
    """The type that a declaration says the answer has; `None`: text."""
    try:
        given = get_type_hints(function, include_extras=True).get("return")
    except (NameError, TypeError) as error:
        raise ToolDefinitionError(
            f"What {getattr(function, '__name__', function)!r} gives cannot be read ({error}): use "
            "a type that is known where it is defined."
        ) from error
    return None if given in NO_OUTPUT else given
