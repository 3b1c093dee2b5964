"""Which notebooks are meant by files, folders and patterns, and by words of their names."""

from __future__ import annotations

import ast
import glob
from pathlib import Path
from typing import TYPE_CHECKING

from nbagents.errors import NbagentsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

SUFFIX = ".ipynb"
GLOB = frozenset("*?[")


class SelectionError(NbagentsError):
    """What was given names no notebook."""


def notebooks_in(words: Sequence[str], keyword: str = "") -> list[Path]:
    """The notebooks that are meant, each once, in the order in which they were named.

    Args:
        words: Files, folders (with all below them) and patterns such as `lessons/*.ipynb`.
        keyword: Only those of whose path this is true: `map`, `not map`, `map or tour`.

    Raises:
        SelectionError: One of the words names nothing, or nothing is left.
    """
    found: dict[Path, Path] = {}
    for word in words:
        for path in _meant(word):
            found.setdefault(path.resolve(), path)
    is_wanted = _condition(keyword)
    chosen = [path for path in found.values() if is_wanted(path.as_posix().lower())]
    if not chosen:
        raise SelectionError(f"None of the {len(found)} notebooks is meant by -k {keyword!r}.")
    return chosen


def _meant(word: str) -> Iterable[Path]:
    path = Path(word)
    if path.is_dir():
        inside = sorted(one for one in path.rglob(f"*{SUFFIX}") if _is_own(one, path))
        if not inside:
            raise SelectionError(f"There is no notebook in {word!r}.")
        return inside
    if path.is_file():
        if path.suffix != SUFFIX:
            raise SelectionError(f"{word!r} is no notebook: its name does not end in {SUFFIX}.")
        return [path]
    if not GLOB & set(word):
        raise SelectionError(f"There is no file {word!r}.")
    matches = sorted(Path(one) for one in glob.glob(word, recursive=True))  # noqa: PTH207  as typed
    if not (kept := [one for one in matches if one.suffix == SUFFIX and one.is_file()]):
        raise SelectionError(f"No notebook is called {word!r}.")
    return kept


def _is_own(path: Path, folder: Path) -> bool:
    """Whether a notebook in a folder is a person's own: no copy, and nothing that is hidden."""
    inner = path.relative_to(folder).parts
    return not any(one.startswith(".") or one == "node_modules" for one in inner)


def _condition(keyword: str) -> Callable[[str], bool]:
    """What a keyword says of a path; one that is no expression is a word of it."""
    try:
        tree = ast.parse(keyword.strip().lower(), mode="eval").body
    except SyntaxError:
        return lambda path: keyword.strip().lower() in path
    return lambda path: _holds(tree, path, keyword)


def _holds(node: ast.expr, path: str, keyword: str) -> bool:
    match node:
        case ast.BoolOp(op=ast.And()):
            return all(_holds(one, path, keyword) for one in node.values)
        case ast.BoolOp():
            return any(_holds(one, path, keyword) for one in node.values)
        case ast.UnaryOp(op=ast.Not()):
            return not _holds(node.operand, path, keyword)
        case ast.Name():
            return node.id in path
        case _:
            return keyword.strip().lower() in path
