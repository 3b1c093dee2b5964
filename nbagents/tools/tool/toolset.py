"""Named groups of tools, and how what a user hands over becomes tools."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any, Protocol, TypeAlias, cast, runtime_checkable

from nbagents.errors import ToolDefinitionError
from nbagents.narrowing import is_mapping
from nbagents.tools.context import takes
from nbagents.tools.tool.definition import Tool, ToolOptions, is_tool
from nbagents.tools.tool.registry import Toolbox, toolbox


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


ToolLike: TypeAlias = "Tool | Toolset | Callable[..., object] | ModuleType | object | str"
"""What an agent takes as a tool. Text is a name or a pattern of the toolbox, a module a toolset of
its functions, and any other object a toolset of its methods."""


@dataclass(frozen=True, slots=True)
class NamedToolset:
    """A toolset of tools that are there already."""

    name: str
    members: tuple[Tool, ...]

    def tools(self) -> Sequence[Tool]:
        """The tools, in the order in which they were given."""
        return self.members


@dataclass(frozen=True, slots=True)
class ToolsetView:
    """A toolset by another name, or a part of it; its tools are asked for anew each time.

    Args:
        inner: The toolset.
        keep: Which of its tools are offered.
        rename: The name of the group, which becomes the prefix of every name.

    Example:
        >>> def add(a: int, b: int) -> int: ...
        >>> def wipe() -> None: ...
        >>> maths = toolset_of("maths", [add, wipe])
        >>> safe = ToolsetView(maths, keep=lambda tool: "wipe" not in tool.name, rename="sums")
        >>> [tool.name for tool in safe.tools()]
        ['sums--add']
    """

    inner: Toolset
    keep: Callable[[Tool], bool] = lambda _: True
    rename: str | None = None

    @property
    def name(self) -> str:
        """The group."""
        return self.inner.name if self.rename is None else self.rename

    def tools(self) -> Sequence[Tool]:
        """The tools that are kept, as they are now."""
        kept = [tool for tool in self.inner.tools() if self.keep(tool)]
        if self.rename is None:
            return kept
        return [one.with_options(replace(one.options, toolset=self.rename)) for one in kept]


def toolset_of(name: str, members: object) -> NamedToolset:
    """A toolset of several functions, of a module's, or of the public methods of one object.

    Args:
        name: The group, which becomes the prefix of every name.
        members: Functions, tools, a mapping of names to functions, a module, or an object.

    Raises:
        ToolDefinitionError: There is nothing to call, or a name is none that models take.

    Example:
        >>> def add(a: int, b: int) -> int: ...
        >>> [tool.name for tool in toolset_of("math", [add]).tools()]
        ['math--add']
    """
    _refuse_class(members)
    if _hook(members) is not None:
        members = [members]
    found = tuple(_member(name, own_name, one) for own_name, one in _members(members))
    if not found:
        raise ToolDefinitionError(f"The toolset {name!r} has no public methods or functions.")
    return NamedToolset(name, _without_clashes(found))


def resolve_tools(things: Iterable[ToolLike], *, box: Toolbox = toolbox) -> tuple[Tool, ...]:
    """Tools of whatever was handed over: functions become tools, toolsets and names expand.

    What is not enabled is left out: that is asked here, as a run begins.

    Args:
        things: What an agent may use.
        box: Where names are looked up.

    Raises:
        ToolDefinitionError: Something is no tool, or two tools have the same name.
        ToolNotFoundError: A name means no tool of the toolbox.
    """
    found = (tool for thing in things for tool in _expanded(thing, box))
    return _without_clashes(tool for tool in _once(found) if _is_enabled(tool))


def _expanded(thing: object, box: Toolbox) -> Sequence[Tool]:  # noqa: PLR0911  of each kind
    if is_tool(thing):
        return (thing,)
    if isinstance(thing, str):
        return box.select([thing])
    _refuse_class(thing)
    if isinstance(thing, ModuleType):
        return toolset_of(thing.__name__.rpartition(".")[2].strip("_"), thing).tools()
    if isinstance(thing, Toolset) and callable(thing.tools):
        return thing.tools()
    as_tool = _hook(thing)
    if as_tool is not None:
        return (as_tool(),)
    if not callable(thing):
        return _of_object(thing)
    return (_known(thing, box) or Tool(thing),)


def _known(function: Callable[..., object], box: Toolbox) -> Tool | None:
    """The tool that a cell made of a function, with all that was said of it there."""
    return next((tool for tool in box.values() if tool.function is function), None)


def _of_object(thing: object) -> Sequence[Tool]:
    if type(thing).__module__ == "builtins" or not any(_methods(thing)):
        raise ToolDefinitionError(
            f"{thing!r} is no tool: give a function, a tool, a toolset, the name of a tool, "
            "a module, or an object with public methods."
        )
    return toolset_of(type(thing).__name__.strip("_"), thing).tools()


def _is_enabled(tool: Tool) -> bool:
    enabled: Any = tool.options.enabled
    if callable(enabled):
        return not takes(enabled, 0) or bool(enabled())  # the others are asked at each step
    return bool(enabled)


def _refuse_class(thing: object) -> None:
    if inspect.isclass(thing):
        name = thing.__name__
        raise ToolDefinitionError(
            f"{name} is a class, whose methods need an object: give an instance, e.g. {name}()."
        )


def _hook(thing: object) -> Callable[[], Tool] | None:
    """How a thing that is no tool becomes one, if it says so: an agent does."""
    return None if inspect.isclass(thing) else getattr(thing, "__nbagents_tool__", None)


def _members(members: object) -> Iterator[tuple[str | None, Callable[..., object]]]:
    if is_mapping(members):
        yield from members.items()
    elif isinstance(members, (list, tuple, set, frozenset, Iterator)):
        for one in cast("Iterable[Callable[..., object]]", members):
            yield None, one
    elif isinstance(members, ModuleType):
        yield from _functions(members)
    else:
        yield from _methods(members)


def _functions(module: ModuleType) -> Iterator[tuple[str | None, Callable[..., object]]]:
    """What the module says is public, else what is defined there and has a public name."""
    listed: Sequence[str] | None = getattr(module, "__all__", None)
    for name in vars(module) if listed is None else listed:
        one = getattr(module, name, None)
        is_own = listed is not None or getattr(one, "__module__", None) == module.__name__
        if callable(one) and is_own and not inspect.isclass(one) and not name.startswith("_"):
            yield (None if isinstance(one, Tool) else name), one


def _methods(thing: object) -> Iterator[tuple[str, Callable[..., object]]]:
    """The public methods in the order of their definition, those of base classes first."""
    names = dict.fromkeys(
        name
        for cls in reversed(type(thing).__mro__[:-1])
        for name in vars(cls)
        if not name.startswith("_") and (cls is type(thing) or not _is_foundation(cls))
    )
    for name in names:
        # Looked up on the class first: a property would run its code.
        static = inspect.getattr_static(type(thing), name)
        if isinstance(static, (Tool, staticmethod, classmethod)) or inspect.isfunction(static):
            yield name, getattr(thing, name)


def _is_foundation(cls: type) -> bool:
    """Whether a base class only makes an object work: Python's own, and pydantic's."""
    return cls.__module__.partition(".")[0] in {*sys.stdlib_module_names, "pydantic"}


def _member(toolset: str, own_name: str | None, function: Callable[..., object]) -> Tool:
    if is_tool(function):
        return function.with_options(replace(function.options, toolset=toolset))
    if (as_tool := _hook(function)) is not None:
        tool = as_tool()
        return tool.with_options(replace(tool.options, toolset=toolset))
    return Tool(function, ToolOptions(name=own_name, toolset=toolset))


def _once(tools: Iterable[Tool]) -> Iterator[Tool]:
    """Each tool once, also where a method was named twice: each time it is another object."""
    by_name: dict[str, list[Tool]] = {}
    for tool in tools:
        known = by_name.setdefault(tool.name, [])
        if not any(one is tool or one.is_same(tool) for one in known):
            known.append(tool)
            yield tool


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
