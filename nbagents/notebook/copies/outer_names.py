"""The names that a definition takes from around it, and those of which it changes the value."""

from __future__ import annotations

import ast
import symtable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

LIST: Final = ("append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort")
DICT: Final = ("popitem", "setdefault", "update")
SET: Final = ("add", "difference_update", "discard", "intersection_update")
CHANGING: Final = {*LIST, *DICT, *SET, "symmetric_difference_update"}
"""The methods by which a list, a dictionary or a set is changed."""


class NoDefinitionError(Exception):
    """It cannot stand alone; says why."""


def outer_names(source: str, name: str) -> set[str]:
    """The names that a definition takes from around it.

    Args:
        source: The definition, without decorators.
        name: What it defines.

    Raises:
        NoDefinitionError: It sets one of them: elsewhere that would be another.
    """
    whole = symtable.symtable(source, f"<{name}>", "exec")
    made = {one.get_name() for one in whole.get_symbols() if one.is_assigned()}
    used = {one.get_name() for one in whole.get_symbols() if one.is_referenced()}
    for table in _inner(whole):
        for one in table.get_symbols():
            if one.is_global() and one.is_assigned():
                raise NoDefinitionError(f"{name} sets {one.get_name()}, which is outside of it")
            if one.is_global() and one.is_referenced():
                used.add(one.get_name())
    return used - made


def changed_names(source: str) -> set[str]:
    """The names of what a definition changes in place: `NAME.append(1)`, `NAME["a"] = 1`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute | ast.Subscript):
            is_set = not isinstance(node.ctx, ast.Load)
            if is_set or (isinstance(node, ast.Attribute) and node.attr in CHANGING):
                found.add(_base(node))
    return found


def _inner(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    for one in table.get_children():
        yield one
        yield from _inner(one)


def _base(node: ast.expr) -> str:
    """The name that `name[0].part` begins with; empty where it begins with none."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
