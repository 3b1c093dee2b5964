"""Which functions a value leads to, and what their code names."""

from __future__ import annotations

import dis
import functools
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Named", "functions_in", "is_installed", "named_in"]

SEVERAL: Final = (list, tuple, set, frozenset)
MANY: Final = 1000
"""Of longer collections nothing is looked at."""
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


def _parts_of(value: Any) -> Iterator[object]:  # Any: whatever a person's code holds
    if isinstance(value, FunctionType):
        yield from map(_content, value.__closure__ or ())
    elif isinstance(value, MethodType):
        yield from (value.__func__, value.__self__)
    elif isinstance(value, functools.partial):
        made = cast("functools.partial[Any]", value)
        yield from (made.func, made.args, made.keywords)
    elif isinstance(value, SEVERAL):
        yield from cast("list[object]", value) if len(cast("list[object]", value)) <= MANY else ()
    elif isinstance(value, dict):
        held = cast("dict[object, object]", value)
        yield from held.values() if len(held) <= MANY else ()
    elif isinstance(value, type):
        yield from _methods_of(value)
    elif not isinstance(value, (ModuleType, CellType)):
        yield from (getattr(value, "__wrapped__", None), type(cast("object", value)))


def _methods_of(kind: type) -> Iterator[object]:
    """What a class of a person's own does, with what it has of other such classes."""
    for one in kind.__mro__:
        module = sys.modules.get(one.__module__)
        if module is not None and is_installed(module.__dict__):
            continue
        for held in vars(one).values():
            if isinstance(held, (staticmethod, classmethod)):
                yield cast("staticmethod[Any, Any]", held).__func__
            elif isinstance(held, property):
                yield from (held.fget, held.fset)
            elif isinstance(held, FunctionType):
                yield held


def _content(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # nothing was put there yet
        return None
