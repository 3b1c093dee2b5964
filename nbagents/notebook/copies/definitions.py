"""The definition of a function with all that it uses, as source that stands alone."""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
import textwrap
from dataclasses import dataclass, field
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Final

from nbagents.notebook.copies.outer_names import NoDefinitionError, changed_names, outer_names

if TYPE_CHECKING:
    from collections.abc import Collection

LITERALS: Final = (str, int, float, bool, bytes, type(None), list, dict, tuple, set)


TAKEN: Final = frozenset({"dict", "nba", "object", "str"})
"""What a test calls by these names itself."""


@dataclass(slots=True)
class Definitions:
    """Definitions in the order in which they are needed, and the imports before them."""

    imports: dict[str, None] = field(default_factory=dict[str, None])
    sources: dict[str, str] = field(default_factory=dict[str, str])
    """By name."""
    functions: dict[str, None] = field(default_factory=dict[str, None])
    """The names of those that are had, and of the classes."""

    @property
    def names(self) -> set[str]:
        """All that is had by a name: imported, or defined."""
        return {*self.sources, *(line.split()[-1] for line in self.imports)}

    def add(self, function: Any) -> str:
        """Have a function, or a class; the name by which it is had.

        Raises:
            NoDefinitionError: It cannot stand alone.
        """
        name = function.__name__
        if name in TAKEN:
            raise NoDefinitionError(f"the test has something else that is called {name}")
        if _is_importable(function):
            self.imports[f"from {function.__module__} import {name}"] = None
            self.functions[name] = None
            return name
        if name in self.sources:
            return name
        if isinstance(function, FunctionType) and function.__code__.co_freevars:
            held = ", ".join(function.__code__.co_freevars)
            raise NoDefinitionError(f"{name} holds what another function has made ({held})")
        source = _source_of(function)
        space = getattr(function, "__globals__", None) or vars(sys.modules[function.__module__])
        before = dict(self.sources), dict(self.imports), dict(self.functions)
        self.sources[name] = source  # at once: it may call itself
        try:
            changed = changed_names(source)
            for one in outer_names(source, name):
                self._use(one, space, name, changed)
        except NoDefinitionError:
            self.sources, self.imports, self.functions = before
            raise
        self.sources[name] = self.sources.pop(name)  # behind all that it uses
        self.functions[name] = None
        return name

    def add_source(self, source: str | None, name: str) -> str:
        """Have a function of which there is only the source; the name by which it is had.

        Raises:
            NoDefinitionError: There is none, or it uses what is around it.
        """
        if source is None:
            raise NoDefinitionError("no name here leads to it, nor to its source")
        written = _undecorated(source, name)
        if name not in written:
            raise NoDefinitionError(f"the source of {name} is not to be had")
        for one in outer_names(written, name):
            self._use(one, {}, name, set())
        self.sources[name] = written
        self.functions[name] = None
        return name

    def _use(self, name: str, space: dict[str, Any], by: str, changed: Collection[str]) -> None:
        if name not in space and _is_of_python(name):
            return
        if name not in space and not hasattr(builtins, name):
            raise NoDefinitionError(f"{by} uses {name}, which is not defined")
        value: Any = space[name] if name in space else getattr(builtins, name)
        if _is_literal(value) and name in changed:
            raise NoDefinitionError(f"{by} changes {name}, which is no longer what it was")
        if name in TAKEN and getattr(value, "__name__", "") != "nbagents":
            raise NoDefinitionError(f"the test has something else that is called {name}")
        self._have(name, value, by)

    def _have(self, name: str, value: Any, by: str) -> None:
        if isinstance(value, ModuleType):
            whole = value.__name__
            self.imports[f"import {whole}" + ("" if whole == name else f" as {name}")] = None
        elif isinstance(value, FunctionType | type) and value.__name__ == name:
            self.add(value)
        elif _is_literal(value) and _reads_back(value):
            self.sources.setdefault(name, f"{name} = {value!r}")
        elif _is_importable(value, name):
            self.imports[f"from {value.__module__} import {name}"] = None
        else:
            kind = type(value).__name__
            raise NoDefinitionError(f"{by} uses {name}, a {kind} of its notebook")

    def text(self) -> list[str]:
        """The imports, and the definitions."""
        return ["\n".join(sorted(self.imports)), *self.sources.values()]


def _is_of_python(name: str) -> bool:
    """Whether it is a name of Python's own: IPython puts some of its own beside them."""
    value: Any = getattr(builtins, name, builtins)
    module = getattr(value, "__module__", None) or ""
    return value is not builtins and module.partition(".")[0] != "IPython"


def _is_importable(value: Any, name: str = "") -> bool:
    module, own = getattr(value, "__module__", None), name or getattr(value, "__name__", "")
    if module in (None, "__main__") or module not in sys.modules:
        return False
    return getattr(sys.modules[module], own, None) is value


def _source_of(function: Any) -> str:
    try:
        return _undecorated(textwrap.dedent(inspect.getsource(function)), function.__name__)
    except (OSError, TypeError) as error:
        raise NoDefinitionError(f"the source of {function.__name__} is not to be had") from error


def _undecorated(source: str, name: str) -> str:
    """A definition without its decorators: that of a tool would put it into the toolbox."""
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise NoDefinitionError(f"the source of {name} is not to be had") from error
    first = tree.body[0] if tree.body else None
    if isinstance(first, ast.ClassDef):
        return source.strip("\n")
    if not isinstance(first, ast.FunctionDef | ast.AsyncFunctionDef) or first.name != name:
        raise NoDefinitionError(f"{name} is no definition of its own")
    return "\n".join(source.strip("\n").split("\n")[first.lineno - 1 :])


def _is_literal(value: object) -> bool:
    return isinstance(value, LITERALS)


def _reads_back(value: object) -> bool:
    try:
        return ast.literal_eval(repr(value)) == value
    except (ValueError, SyntaxError):
        return False
