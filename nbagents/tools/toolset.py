"""Named groups of tools, and how what a user hands over becomes tools."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias, cast, runtime_checkable

from nbagents.errors import ToolDefinitionError
from nbagents.tools.tool import Tool, ToolOptions
from nbagents.tools.toolbox import Toolbox, toolbox

__all__ = ["NamedToolset", "ToolLike", "Toolset", "resolve_tools", "toolset_of"]


@runtime_checkable
class Toolset(Protocol):
    """A named group of tools, whose names start with `name--`."""

    @property
    def name(self) -> str:
        """The group."""
        ...

    def tools(self) -> Sequence[Tool]:
        """The tools as they are now."""
        ...


ToolLike: TypeAlias = "Tool | Toolset | Callable[..., object] | str"
"""What an agent takes as a tool; text is a name or a pattern of the toolbox."""


@dataclass(frozen=True, slots=True)
class NamedToolset:
    """A toolset of tools that are there already."""

    name: str
    members: tuple[Tool, ...]

    def tools(self) -> Sequence[Tool]:
        """The tools, in the order in which they were given."""
        return self.members


def toolset_of(name: str, members: object) -> NamedToolset:
    """A toolset of several functions, or of the public methods of one object.

    Args:
        name: The group, which becomes the prefix of every name.
        members: Functions, tools, a mapping of names to functions, or an object.

    Raises:
        ToolDefinitionError: There is nothing to call, or a name is none that models take.

    Example:
        >>> def add(a: int, b: int) -> int: ...
        >>> [tool.name for tool in toolset_of("math", [add]).tools()]
        ['math--add']
    """
    found = tuple(_member(name, own_name, one) for own_name, one in _members(members))
    if not found:
        raise ToolDefinitionError(f"The toolset {name!r} has no public methods or functions.")
    return NamedToolset(name, _without_clashes(found))


def resolve_tools(things: Iterable[ToolLike], *, box: Toolbox = toolbox) -> tuple[Tool, ...]:
    """Tools of whatever was handed over: functions become tools, toolsets and names expand.

    Args:
        things: What an agent may use.
        box: Where names are looked up.

    Raises:
        ToolDefinitionError: Something is no tool, or two tools have the same name.
        ToolNotFoundError: A name means no tool of the toolbox.
    """
    found = (tool for thing in things for tool in _expanded(thing, box))
    return _without_clashes(dict.fromkeys(found))


def _expanded(thing: object, box: Toolbox) -> Sequence[Tool]:
    if isinstance(thing, Tool):
        return (cast("Tool", thing),)
    if isinstance(thing, str):
        return box.select([thing])
    if isinstance(thing, Toolset):
        return thing.tools()
    if callable(thing):
        return (Tool(thing),)
    raise ToolDefinitionError(
        f"{thing!r} is no tool: give a function, a tool, a toolset, or the name of a tool."
    )


def _members(members: object) -> Iterator[tuple[str | None, Callable[..., object]]]:
    if isinstance(members, Mapping):
        yield from cast("Mapping[str, Callable[..., object]]", members).items()
    elif isinstance(members, (list, tuple, set, frozenset, Iterator)):
        for one in cast("Iterable[Callable[..., object]]", members):
            yield None, one
    else:
        yield from _methods(members)


def _methods(thing: object) -> Iterator[tuple[str, Callable[..., object]]]:
    """The public methods in the order of their definition, those of base classes first."""
    names = dict.fromkeys(
        name
        for cls in reversed(type(thing).__mro__[:-1])
        for name in vars(cls)
        if not name.startswith("_")
    )
    for name in names:
        # Looked up on the class first: a property would run its code.
        static = inspect.getattr_static(type(thing), name)
        if isinstance(static, (Tool, staticmethod, classmethod)) or inspect.isfunction(static):
            yield name, getattr(thing, name)


def _member(toolset: str, own_name: str | None, function: Callable[..., object]) -> Tool:
    if isinstance(function, Tool):
        tool = cast("Tool", function)
        return tool.with_options(replace(tool.options, toolset=toolset))
    return Tool(function, ToolOptions(name=own_name, toolset=toolset))


def _without_clashes(tools: Iterable[Tool]) -> tuple[Tool, ...]:
    by_name: dict[str, Tool] = {}
    for tool in tools:
        if tool.name in by_name:
            raise ToolDefinitionError(
                f"Two tools are called {tool.name!r}: give one of them another name, "
                "or put them into toolsets of different names."
            )
        by_name[tool.name] = tool
    return tuple(by_name.values())
