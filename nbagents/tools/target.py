"""What a tool calls, as a value: the same where a person would say that it is the same thing.

A cell that is run again unchanged makes the same target; other code, another object that a method
belongs to, and another value that a function was made with make another one.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from types import CellType, CodeType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, cast, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from nbagents.tools.tool import Tool

__all__ = ["PLAIN", "HasTarget", "Target", "code_target", "target_of", "value_target"]

Target: TypeAlias = "tuple[Hashable, ...]"

PLAIN: Final = (str, bytes, int, float, complex, bool, type(None), type(...))
MANY: Final = 1000
"""Of longer collections it counts which they are, not what is in them."""


@runtime_checkable
class HasTarget(Protocol):
    """An object with a method that is a tool, which says itself what is called."""

    def consent_target(self) -> object:
        """What makes it the same as another."""
        ...


def target_of(tool: Tool) -> Target:
    """What a tool calls, by its name, its source and all that its function was made with."""
    return tool.name, tool.source_hash, _of(tool.function, frozenset())


def value_target(value: object) -> Hashable:
    """A value as something that equals only its like."""
    return _of(value, frozenset())


class _Same:
    """An object that is the same as itself only; it is held, so that its id stays its own."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other._value is self._value

    def __hash__(self) -> int:
        return id(self._value)


def _of(value: object, above: frozenset[int]) -> Hashable:
    """A value as something that equals only its like.

    Args:
        value: The value.
        above: The objects that it is found in, by id: some contain themselves.
    """
    if type(value) in PLAIN:
        return type(value), cast("Hashable", value)
    if id(value) in above:
        return "itself", len(above)
    above |= {id(value)}
    if isinstance(value, FunctionType):
        return _of_function(value, above)
    if isinstance(value, MethodType):
        return _of(value.__func__, above), _of(value.__self__, above)
    if isinstance(value, functools.partial):
        made = cast("functools.partial[Any]", value)
        return tuple(_of(one, above) for one in (made.func, made.args, made.keywords))
    return _of_object(value, above)


def _of_object(value: object, above: frozenset[int]) -> Hashable:
    if isinstance(value, HasTarget) and not isinstance(value, type):
        return type(value).__qualname__, _of(value.consent_target(), above)
    if type(value) in (list, tuple) and len(cast("list[object]", value)) <= MANY:
        return type(value), _each(cast("list[object]", value), above)
    if type(value) in (set, frozenset) and len(cast("set[object]", value)) <= MANY:
        return type(value), frozenset(_each(cast("set[object]", value), above))
    if type(value) is dict and len(cast("dict[object, object]", value)) <= MANY:
        items = cast("dict[object, object]", value).items()
        return dict, tuple((_of(key, above), _of(one, above)) for key, one in items)
    return _Same(cast("object", value))


def _of_function(function: FunctionType, above: frozenset[int]) -> Hashable:
    held = (*(function.__defaults__ or ()), *_named(function.__kwdefaults__))
    cells = tuple(map(_content, function.__closure__ or ()))
    return (
        function.__module__,
        function.__qualname__,
        code_target(function.__code__),
        _each(held, above),
        _each(cells, above),
    )


def code_target(code: CodeType) -> Hashable:
    """Code by what it does, wherever it stands."""
    held = (code_target(one) if isinstance(one, CodeType) else repr(one) for one in code.co_consts)
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, tuple(held)


def _named(given: Mapping[str, object] | None) -> Iterable[object]:
    for name, value in (given or {}).items():
        yield from (name, value)


def _content(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # nothing was put there yet
        return CellType


def _each(values: Iterable[object], above: frozenset[int]) -> tuple[Hashable, ...]:
    return tuple(_of(one, above) for one in values)
