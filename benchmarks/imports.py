"""Who imports whom in a checkout, in Python and in TypeScript, and how high that stacks up."""

from __future__ import annotations

import ast
import re
from functools import cache
from os.path import normpath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = ["Graph", "circles", "longest_chain", "python_imports", "typescript_imports"]

Graph = dict[str, set[str]]
"""The files that each file imports, without itself; all by their paths within the folder."""

Doors = dict[str, dict[str, tuple[str, str]]]
"""What each door exports: the name, and from which module under which name it took it."""

COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", re.DOTALL)
STATEMENT = re.compile(
    r"""^(?:import|export)\b(?P<what>[^;"'()=]*?)["'](?P<of>\.[^"']*)["']""", re.MULTILINE
)
LATE = re.compile(r"""(?P<type>typeof\s+)?\bimport\(\s*["'](?P<of>\.[^"']*)["']\s*\)""")
DECLARED = re.compile(
    r"^export (?:abstract |async )*(?:const|class|function|interface|type|enum) (\w+)", re.MULTILINE
)
ENDINGS = (".ts", ".tsx", "/index.ts", "/index.tsx")


def python_imports(package: Path) -> Graph:
    """The graph of a package: a name that comes through a door is its module's, not the door's."""
    files = {_module_name(path, package): path for path in package.rglob("*.py")}
    named = {
        name: list(_named(ast.parse(path.read_bytes()), name, path.name == "__init__.py"))
        for name, path in files.items()
    }
    doors: Doors = {
        name: {alias: (base, of) for base, of, alias in named[name]}
        for name, path in files.items()
        if path.name == "__init__.py"
    }
    paths = {name: path.relative_to(package).as_posix() for name, path in files.items()}
    graph: Graph = {}
    for name, path in paths.items():
        homes = {_home(base, of, files, doors) for base, of, _ in named[name]}
        graph[path] = {paths[home] for home in homes if home} - {path}
    return graph


def _module_name(path: Path, package: Path) -> str:
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _named(tree: ast.Module, name: str, is_door: bool) -> Iterator[tuple[str, str, str]]:  # noqa: FBT001
    """Of each imported name: from where, which (none: the module itself), and under which name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((one.name, "", one.asname or one.name) for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = name.split(".")
            above = parts[: len(parts) - node.level + is_door] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from ((base, one.name, one.asname or one.name) for one in node.names)


def _home(base: str, of: str, files: Mapping[str, Path], doors: Doors) -> str | None:
    """The module of ours that an imported name is defined in."""
    if of and f"{base}.{of}" in files:
        return f"{base}.{of}"
    behind = doors.get(base, {}).get(of)
    if of and behind and behind != (base, of):
        return _home(*behind, files, doors) or base
    return base if base in files else None


def typescript_imports(source: Path, *, with_types: bool) -> Graph:
    """The graph of a folder of TypeScript, without its tests; doors are seen through, as above."""
    files = {
        path.relative_to(source).as_posix(): path
        for path in source.rglob("*.ts*")
        if ".test." not in path.name
    }
    codes = {name: COMMENT.sub("", path.read_text("utf-8")) for name, path in files.items()}
    named = {
        name: [
            (place, of, alias)
            for spec, of, alias, is_type in _taken(code)
            if (place := _place(name, spec, files)) and (with_types or not is_type)
        ]
        for name, code in codes.items()
    }
    doors: Doors = {
        name: {
            alias: (place, of)
            for place, one, other in named[name]
            for of, alias in ([(one, other)] if one else _declared(codes[place]))
        }
        for name in files
        if name.rpartition("/")[2].startswith("index.")
    }
    return {
        name: {_behind(place, of, doors) for place, of, _ in taken} - {name}
        for name, taken in named.items()
    }


def _place(name: str, spec: str, files: Mapping[str, Path]) -> str | None:
    """The file that another one means by such a path."""
    place = normpath(f"{name}/../{spec}")
    whole = ("index.ts", "index.tsx") if place == "." else (place + one for one in ENDINGS)
    return next((one for one in whole if one in files), None)


def _behind(place: str, of: str, doors: Doors) -> str:
    """The file that a name is taken from through a door; what no door names is its own."""
    behind = doors.get(place, {}).get(of)
    return _behind(*behind, doors) if behind else place


def _declared(code: str) -> Iterator[tuple[str, str]]:
    """What a file gives to a door that exports all of it, each under its own name."""
    return ((name, name) for name in DECLARED.findall(code))


def _taken(code: str) -> Iterator[tuple[str, str, str, bool]]:
    """Of each imported name: from where, which, under which name, and whether it is a type.

    What is imported whole, or for what it does, has no name.
    """
    for found in STATEMENT.finditer(code):
        what = found["what"].strip().removesuffix("from").strip()
        is_type = what.startswith("type ")
        inner = what.removeprefix("type ").strip()
        for one in inner.strip("{}").split(",") if inner.startswith("{") else [""]:
            of, _, alias = one.strip().removeprefix("type ").partition(" as ")
            if of or not inner.startswith("{"):
                yield found["of"], of, alias or of, is_type or one.strip().startswith("type ")
    for found in LATE.finditer(code):
        yield found["of"], "", "", bool(found["type"])


def circles(graph: Graph) -> list[list[str]]:
    """The modules that reach each other, where they are more than one, the largest circle first."""
    found = [sorted(one) for one in _components(graph) if len(one) > 1]
    return sorted(found, key=lambda one: (-len(one), one))


def longest_chain(graph: Graph) -> list[str]:
    """The longest way down; a circle is passed once, through all that are in it."""
    home = {name: group for group in _components(graph) for name in group}

    @cache
    def below(group: frozenset[str]) -> list[str]:
        others = {home[to] for name in group for to in graph[name]} - {group}
        ways = sorted((below(one) for one in others), key=lambda way: (-len(way), way))
        return [*sorted(group), *(ways[0] if ways else [])]

    return min((below(one) for one in set(home.values())), key=lambda way: (-len(way), way))


def _components(graph: Graph) -> list[frozenset[str]]:
    """Tarjan's strongly connected components."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found: list[frozenset[str]] = []

    def visit(name: str) -> None:
        number[name] = lowest[name] = len(number)
        stack.append(name)
        for to in sorted(graph[name]):
            if to not in number:
                visit(to)
            if to in stack:
                lowest[name] = min(lowest[name], lowest[to])
        if lowest[name] == number[name]:
            at = stack.index(name)
            found.append(frozenset(stack[at:]))
            del stack[at:]

    for name in sorted(graph):
        if name not in number:
            visit(name)
    return found
