"""What a tool calls, as a value: the same where a person would say that it is the same thing.

A cell that is run again unchanged makes the same target; other code, another object that a method
belongs to, and another value that a function was made with make another one.

What leave for all later calls of a tool is given for is more than that: also its options, its
schema, and the globals that its code names, as they are: those of functions and methods that it
comes to by them, too. Of another module, only what its functions do and its plain constants count,
and of what is installed nothing. A global that the code itself assigns is its state, and counts for
nothing.
"""

from __future__ import annotations

import dataclasses
import dis
import functools
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, TypeGuard, runtime_checkable

from typing_extensions import TypeIs

from nbagents.narrowing import is_dict

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence

    from nbagents.tools.tool import Tool

Target: TypeAlias = "tuple[Hashable, ...]"

PLAIN: Final = (str, bytes, int, float, complex, bool, type(None), type(...))
MANY: Final = 1000
"""Of longer collections it counts which they are; what is in them is not looked at."""


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
    if _is_plain(value):
        return type(value), value
    if id(value) in above:
        return "itself", len(above)
    above |= {id(value)}
    if isinstance(value, FunctionType):
        return _of_function(value, above)
    if isinstance(value, MethodType):
        return _of(value.__func__, above), _of(value.__self__, above)
    if _is_partial(value):
        return _each((value.func, value.args, value.keywords), above)
    return _of_object(value, above)


def _of_object(value: object, above: frozenset[int]) -> Hashable:
    if isinstance(value, HasTarget) and not isinstance(value, type):
        return type(value).__qualname__, _of(value.consent_target(), above)
    kind: type = type(value)
    if kind in SEVERAL and _are_several(value) and len(value) <= MANY:
        items = _each(value, above)
        return kind, items if kind in (list, tuple) else frozenset(items)
    if kind is dict and is_dict(value) and len(value) <= MANY:
        return dict, tuple((_of(key, above), _of(one, above)) for key, one in value.items())
    return _Same(value)


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
            held: Mapping[str, object] = value.__dict__
            yield from ((f"{name}.{one}", held[one]) for one in names.attributes if one in held)


def _is_own(function: FunctionType) -> bool:
    return not is_installed(function.__globals__)


SEVERAL: Final = (list, tuple, set, frozenset)
INSTALLED: Final = tuple(
    Path(sysconfig.get_path(one)).resolve() for one in ("stdlib", "purelib", "platlib")
)
OURS: Final = __name__.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Named:
    """What code names and does not assign itself."""

    globals: tuple[str, ...]
    attributes: tuple[str, ...]


@functools.lru_cache(maxsize=256)
def named_in(code: CodeType) -> Named:
    """The names that code, and code inside of it, may look up."""
    named: dict[str, None] = {}
    attributes: dict[str, None] = {}
    own: set[str] = set()
    left = [code]
    while left:
        one = left.pop()
        left += [inner for inner in one.co_consts if isinstance(inner, CodeType)]
        for step in dis.get_instructions(one):
            name = str(step.argval)
            if step.opname.startswith(("STORE_GLOBAL", "DELETE_GLOBAL", "STORE_ATTR")):
                own.add(name)
            elif step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                named[name] = None
            elif step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
                attributes[name] = None
    return Named(
        tuple(name for name in named if name not in own),
        tuple(name for name in attributes if name not in own),
    )


def functions_in(value: object) -> Sequence[FunctionType]:
    """The plain functions that a value leads to: it is one, is made of them, or has them."""
    found: list[FunctionType] = []
    seen: set[int] = set()
    left = [value]
    while left:
        one = left.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, FunctionType):
            found.append(one)
        left += _parts_of(one)
    return found


def is_installed(namespace: Mapping[str, object]) -> bool:
    """Whether a module is nobody's own: it came with Python, was installed, or is one of ours."""
    name, file = str(namespace.get("__name__")), namespace.get("__file__")
    if name == "__main__":  # a notebook's, whatever its kernel was started from
        return False
    if name in sys.builtin_module_names or name.partition(".")[0] == OURS:
        return True
    return isinstance(file, str) and _is_below(file)


@functools.lru_cache(maxsize=256)
def _is_below(file: str) -> bool:
    return any(Path(file).resolve().is_relative_to(one) for one in INSTALLED)


def _parts_of(value: object) -> Iterator[object]:
    if isinstance(value, FunctionType):
        yield from map(_content, value.__closure__ or ())
    elif isinstance(value, MethodType):
        yield from (value.__func__, value.__self__)
    elif _is_partial(value):
        yield from (value.func, value.args, value.keywords)
    elif _are_several(value):
        yield from value if len(value) <= MANY else ()
    elif is_dict(value):
        yield from value.values() if len(value) <= MANY else ()
    elif isinstance(value, type):
        yield from _methods_of(value)
    elif not isinstance(value, (ModuleType, CellType)):
        yield from (getattr(value, "__wrapped__", None), type(value))


def _is_wrapped(value: object) -> TypeIs[staticmethod[..., Any] | classmethod[Any, ..., Any]]:
    return isinstance(value, (staticmethod, classmethod))


def _is_plain(value: object) -> TypeGuard[Hashable]:
    return type(value) in PLAIN


def _is_partial(value: object) -> TypeIs[functools.partial[Any]]:
    return isinstance(value, functools.partial)


def _are_several(value: object) -> TypeGuard[Collection[object]]:
    return isinstance(value, SEVERAL)


def _methods_of(kind: type) -> Iterator[object]:
    """What a class of a person's own does, with what it has of other such classes."""
    for one in kind.__mro__:
        module = sys.modules.get(one.__module__)
        if module is not None and is_installed(module.__dict__):
            continue
        for held in vars(one).values():
            if _is_wrapped(held):
                yield held.__func__
            elif isinstance(held, property):
                yield from (held.fget, held.fset)
            elif isinstance(held, FunctionType):
                yield held
