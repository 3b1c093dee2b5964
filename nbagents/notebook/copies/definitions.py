"""The definition of a function with all that it uses, as source that stands alone."""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
import textwrap
from dataclasses import dataclass, field
from types import FunctionType, ModuleType
from typing import Any, Final, cast

LITERALS: Final = (str, int, float, bool, bytes, type(None), list, dict, tuple, set)


class NoDefinition(Exception):  # noqa: N818  never seen outside of this room
    """It cannot stand alone; says why."""


@dataclass(slots=True)
class Definitions:
    """Definitions in the order in which they are needed, and the imports before them."""

    imports: dict[str, None] = field(default_factory=dict[str, None])
    sources: dict[str, str] = field(default_factory=dict[str, str])
    """By name."""

    def add(self, function: Any) -> str:
        """Have a function, or a class; the name by which it is had.

        Raises:
            NoDefinition: It cannot stand alone.
        """
        name = function.__name__
        if _is_importable(function):
            self.imports[f"from {function.__module__} import {name}"] = None
            return name
        if name in self.sources:
            return name
        if isinstance(function, FunctionType) and function.__code__.co_freevars:
            held = ", ".join(function.__code__.co_freevars)
            raise NoDefinition(f"{name} holds what another function has made ({held})")
        source = _source_of(function)
        space = getattr(function, "__globals__", None) or vars(sys.modules[function.__module__])
        before = dict(self.sources), dict(self.imports)
        self.sources[name] = source  # at once: it may call itself
        try:
            for one in _free_names(source) - {name}:
                self._use(one, space, name)
        except NoDefinition:
            self.sources, self.imports = before
            raise
        self.sources[name] = self.sources.pop(name)  # behind all that it uses
        return name

    def add_source(self, source: str | None, name: str) -> str:
        """Have a function of which there is only the source; the name by which it is had.

        Raises:
            NoDefinition: There is none, or it uses what is around it.
        """
        if source is None:
            raise NoDefinition("no name here leads to it, nor to its source")
        written = _undecorated(source, name)
        if name not in written:
            raise NoDefinition(f"the source of {name} is not to be had")
        for one in _free_names(written):
            self._use(one, {}, name)
        self.sources[name] = written
        return name

    def _use(self, name: str, space: dict[str, Any], by: str) -> None:
        if name not in space:
            if hasattr(builtins, name):
                return
            raise NoDefinition(f"{by} uses {name}, which is not defined")
        value: Any = space[name]
        if isinstance(value, ModuleType):
            whole = value.__name__
            self.imports[f"import {whole}" + ("" if whole == name else f" as {name}")] = None
        elif isinstance(value, FunctionType | type) and value.__name__ == name:
            self.add(value)
        elif isinstance(value, LITERALS) and _reads_back(cast("object", value)):
            self.sources.setdefault(name, f"{name} = {value!r}")
        elif _is_importable(value, name):
            self.imports[f"from {value.__module__} import {name}"] = None
        else:
            raise NoDefinition(
                f"{by} uses {name}, a {type(cast('object', value)).__name__} of its notebook"
            )

    def text(self) -> list[str]:
        """The imports, and the definitions."""
        return ["\n".join(sorted(self.imports)), *self.sources.values()]


def _is_importable(value: Any, name: str = "") -> bool:
    module, own = getattr(value, "__module__", None), name or getattr(value, "__name__", "")
    if module in (None, "__main__") or module not in sys.modules:
        return False
    return getattr(sys.modules[module], own, None) is value


def _source_of(function: Any) -> str:
    try:
        return _undecorated(textwrap.dedent(inspect.getsource(function)), function.__name__)
    except (OSError, TypeError) as error:
        raise NoDefinition(f"the source of {function.__name__} is not to be had") from error


def _undecorated(source: str, name: str) -> str:
    """A definition without its decorators: that of a tool would put it into the toolbox."""
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise NoDefinition(f"the source of {name} is not to be had") from error
    first = tree.body[0] if tree.body else None
    if isinstance(first, ast.ClassDef):
        return source.strip("\n")
    if not isinstance(first, ast.FunctionDef | ast.AsyncFunctionDef) or first.name != name:
        raise NoDefinition(f"{name} is no definition of its own")
    return "\n".join(source.strip("\n").split("\n")[first.lineno - 1 :])


def _free_names(source: str) -> set[str]:
    """The names that a definition takes from around it."""
    used: set[str] = set()
    own: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else own).add(node.id)
        elif isinstance(node, ast.arg):
            own.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            own.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            own |= {(one.asname or one.name).partition(".")[0] for one in node.names}
        elif isinstance(node, ast.ExceptHandler) and node.name:
            own.add(node.name)
    return used - own


def _reads_back(value: object) -> bool:
    try:
        return ast.literal_eval(repr(value)) == value
    except (ValueError, SyntaxError):
        return False
