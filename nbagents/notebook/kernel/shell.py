"""IPython's shell, as far as we use it: IPython itself leaves most of it untyped."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from nbagents.narrowing import dict_of

# Any in this file: what IPython, ipykernel and traitlets leave untyped.


class Compiler(Protocol):
    """The shell's compiler, which knows each cell's name and source."""

    flags: int

    def cache(self, transformed_code: str, number: int = 0, raw_code: str | None = None) -> str:
        """Name a cell and keep its source for tracebacks."""
        ...

    def ast_parse(self, source: str, filename: str = "", symbol: str = "exec") -> ast.Module:
        """Parse with IPython's flags."""
        ...


class Shell(Protocol):
    """An `InteractiveShell`, of a kernel or of a terminal."""

    user_ns: dict[str, Any]
    execution_count: int
    compile: Compiler
    display_pub: Any
    display_formatter: Any
    events: Any
    Completer: Any
    magics_manager: Any
    configurables: list[Any]
    input_transformers_cleanup: list[Callable[[list[str]], list[str]]]

    def transform_cell(self, raw_cell: str) -> str:
        """Turn IPython's own syntax into Python."""
        ...

    def find_line_magic(self, magic_name: str) -> Callable[..., Any] | None:
        """A line magic, loaded if it was not yet."""
        ...

    def register_magics(self, *magics: Any) -> None:
        """Register magics."""
        ...


def say(text: str) -> None:
    """Say it in the cell that runs."""
    print(text)  # noqa: T201  what a line answers stands below it


def kernel_of(shell: Shell) -> Any:
    """The kernel behind a shell; `None` in a terminal."""
    return getattr(shell, "kernel", None)


def parent_of(shell: Shell) -> Mapping[str, Any]:
    """The request that runs, as far as there is one."""
    get_parent = getattr(shell, "get_parent", None)
    return dict_of(get_parent() if get_parent is not None else None)


def request_metadata(shell: Shell) -> Mapping[str, Any]:
    """What the front end said beside the code: its cell's id, and which cells are gone."""
    return dict_of(parent_of(shell).get("metadata"))
