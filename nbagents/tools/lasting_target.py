"""What leave for all later calls of a tool is given for: the tool and all that it was defined with.

Beside what `target` compares these are its options, its schema, and the globals that its code
names, as they are: also those of functions of the same module that it calls. A global that the code
itself assigns is its state, and counts for nothing.
"""

from __future__ import annotations

import dataclasses
import dis
import functools
from types import CodeType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, cast

from nbagents.tools.target import Target, target_of, value_target

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

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
        tuple(_globals_of(tool.function)),
    )


def _place_of(function: object) -> Hashable:
    """Where a tool is defined, by which it is known again when it has changed."""
    first = next(_functions_in(function), None)
    return None if first is None else (first.__module__, first.__qualname__)


def _globals_of(function: object) -> Iterator[Hashable]:
    """The globals that the code of a tool names, and what they are."""
    seen: set[int] = set()
    left = list(_functions_in(function))
    while left:
        one = left.pop()
        if id(one.__code__) in seen:
            continue
        seen.add(id(one.__code__))
        for name in _named_in(one.__code__):
            value: object = one.__globals__.get(name, _globals_of)
            if value is _globals_of:  # an attribute's name, or of a built-in function
                continue
            yield name, value_target(value)
            left += [
                inner for inner in _functions_in(value) if inner.__globals__ is one.__globals__
            ]


def _functions_in(value: object) -> Iterator[FunctionType]:
    """The plain functions that a callable is made of."""
    if isinstance(value, FunctionType):
        yield value
        for cell in value.__closure__ or ():
            try:
                held: object = cell.cell_contents
            except ValueError:  # nothing was put there yet
                continue
            if held is not value:
                yield from _functions_in(held)
    elif isinstance(value, MethodType):
        yield from _functions_in(value.__func__)
    elif isinstance(value, functools.partial):
        made = cast("functools.partial[Any]", value)
        yield from _functions_in(made.func)
    elif callable(value) and not isinstance(value, type):
        yield from _functions_in(getattr(type(value), "__call__", None))  # noqa: B004  what a call runs


@functools.lru_cache(maxsize=256)
def _named_in(code: CodeType) -> tuple[str, ...]:
    """The names that code, and code inside of it, may look up among its globals."""
    named: dict[str, None] = {}
    own: set[str] = set()
    left = [code]
    while left:
        one = left.pop()
        left += [inner for inner in one.co_consts if isinstance(inner, CodeType)]
        for step in dis.get_instructions(one):
            if step.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"):
                own.add(str(step.argval))
            elif step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                named[str(step.argval)] = None
    return tuple(name for name in named if name not in own)
