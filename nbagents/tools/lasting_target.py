"""What leave for all later calls of a tool is given for: the tool and all that it was defined with.

Beside what `target` compares these are its options, its schema, and the globals that its code
names, as they are: also those of functions and methods that it comes to by them. Of another module,
only what its functions do and its plain constants count, and of what is installed nothing. A global
that the code itself assigns is its state, and counts for nothing.
"""

from __future__ import annotations

import dataclasses
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, cast

from nbagents.tools.reached import functions_in, is_installed, named_in
from nbagents.tools.target import PLAIN, Target, code_target, target_of, value_target

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    from nbagents.tools.tool import Tool

__all__ = ["lasting_target_of"]


def lasting_target_of(tool: Tool) -> Target:
    """What a tool calls, and what that was defined with."""
    options = tool.options
    said = ((one.name, getattr(options, one.name)) for one in dataclasses.fields(options))
    return (
        (tool.name, _place_of(tool.function)),
        target_of(tool),
        value_target(dict(said)),
        tool.description,
        value_target(dict(tool.schema.parameters)),
        tuple(_reached_by(tool.function)),
    )


def _place_of(function: object) -> Hashable:
    """Where a tool is defined, by which it is known again when it has changed."""
    first = next(iter(functions_in(function)), None)
    return None if first is None else (first.__module__, first.__qualname__)


def _reached_by(function: object) -> Iterator[Hashable]:
    """What the code of a tool comes to by the globals that it names, and what that does."""
    left = list(functions_in(function))
    homes = {id(one.__globals__) for one in left}
    seen: set[int] = set()
    while left:
        one = left.pop()
        is_home = id(one.__globals__) in homes
        if id(one.__code__) in seen or not (is_home or _is_own(one)):
            continue
        seen.add(id(one.__code__))
        yield one.__qualname__, code_target(one.__code__)
        for name, value in _globals_of(one):
            if type(value) in PLAIN or (is_home and not isinstance(value, ModuleType)):
                yield name, value_target(value)
            left += functions_in(value)


def _globals_of(function: FunctionType) -> Iterator[tuple[str, object]]:
    """The globals that code names, of modules those of their own that it names."""
    names = named_in(function.__code__)
    for name in names.globals:
        if name not in function.__globals__:  # of a built-in function
            continue
        value: object = function.__globals__[name]
        yield name, value
        if isinstance(value, ModuleType) and not is_installed(value.__dict__):
            held = cast("Mapping[str, object]", value.__dict__)
            yield from ((f"{name}.{one}", held[one]) for one in names.attributes if one in held)


def _is_own(function: FunctionType) -> bool:
    return not is_installed(function.__globals__)
