"""The sources of a checkout, in Python and in TypeScript, and what can be counted in them."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from benchmarks.imports import python_imports, typescript_imports

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.imports import Graph

__all__ = ["PythonSource", "Source", "TypescriptSource", "is_generated"]

OPENING = re.compile(r'\s*(/\*.*?\*/|""".*?"""|(?:(?://|#)[^\n]*\n)+)', re.DOTALL)
GENERATED = re.compile(r"\bgenerated\b.*\bdo not edit\b", re.IGNORECASE | re.DOTALL)
SILENT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
SPOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`""",
    re.DOTALL,
)
"""The comments and the strings of TypeScript; an expression within a template is text, too."""
IMPORTING = re.compile(r"^(?:import|export)\b[^;]*?\bfrom\b[^;]*;", re.MULTILINE)
CAST = re.compile(r"[\w)\]}>] as (?:typeof |keyof |(?:unknown|string|number)\b|[{[A-Z])")
"""`x as X`, where X is written as a type: prose between two tags has no capital there."""


def is_generated(text: str) -> bool:
    """Whether what a file begins with, a comment or a docstring, says so and forbids to edit it."""
    opening = OPENING.match(text)
    return bool(opening and GENERATED.search(opening[1]))


class Source:
    """The files of one language in one folder, without tests and without generated ones."""

    patterns: ClassVar[tuple[str, ...]]

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        found = sorted(path for pattern in self.patterns for path in folder.rglob(pattern))
        texts = {
            path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
            for path in found
            if ".test." not in path.name
        }
        self.files = {name: text for name, text in texts.items() if not is_generated(text)}

    @property
    def lines(self) -> int:
        """All of them."""
        return sum(len(text.splitlines()) for text in self.files.values())

    @property
    def folders(self) -> Counter[str]:
        """How many files lie in each folder itself."""
        return Counter(name.rpartition("/")[0] or "." for name in self.files)

    def small_files_of_one_reader(self, lines: int) -> int:
        """How many files have fewer lines, and are imported by one module only."""
        readers = Counter(of for found in self.graph.values() for of in found)
        small = [name for name, text in self.files.items() if len(text.splitlines()) < lines]
        return sum(readers[name] == 1 for name in small)

    @cached_property
    def graph(self) -> Graph:
        """With every import."""
        raise NotImplementedError

    @cached_property
    def graph_at_run_time(self) -> Graph:
        """Without what is imported for types only, where the two are told apart."""
        return self.graph

    @property
    def logical_lines(self) -> int:
        """Those that hold code."""
        raise NotImplementedError

    @property
    def casts(self) -> int:
        """How often a type is asserted."""
        raise NotImplementedError

    @property
    def muted_rules(self) -> int:
        """How often the linter is told to be silent."""
        raise NotImplementedError

    @property
    def muted_types(self) -> int:
        """How often the type checker is."""
        raise NotImplementedError

    @property
    def functions(self) -> dict[str, int]:
        """The lines of each function."""
        return {}


class PythonSource(Source):
    """A package."""

    patterns = ("*.py",)

    @cached_property
    def _trees(self) -> dict[str, ast.Module]:
        return {name: ast.parse(text) for name, text in self.files.items()}

    @cached_property
    def _tokens(self) -> dict[str, list[tokenize.TokenInfo]]:
        return {
            name: list(tokenize.generate_tokens(io.StringIO(text).readline))
            for name, text in self.files.items()
        }

    @cached_property
    def _comments(self) -> list[str]:
        each = [one for tokens in self._tokens.values() for one in tokens]
        return [one.string for one in each if one.type == tokenize.COMMENT]

    @cached_property
    def graph(self) -> Graph:
        """With every import, those in functions and for types included."""
        return python_imports(self.folder)

    @property
    def logical_lines(self) -> int:
        """Those that hold something else than a comment or a docstring."""
        return sum(
            len(_held(self._tokens[name]) - _documented(tree)) for name, tree in self._trees.items()
        )

    @property
    def casts(self) -> int:
        """How often `cast` is called."""
        calls = [
            ast.unparse(node.func).rpartition(".")[2]
            for tree in self._trees.values()
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
        ]
        return calls.count("cast")

    @property
    def muted_rules(self) -> int:
        """Comments with `noqa`."""
        return sum("noqa" in one for one in self._comments)

    @property
    def muted_types(self) -> int:
        """Comments with `pyright: ignore` or `type: ignore`."""
        return sum(bool(re.search(r"(?:pyright|type): ignore", one)) for one in self._comments)

    @property
    def functions(self) -> dict[str, int]:
        """From `def` to the last line."""
        return {
            f"{name}:{node.lineno} {node.name}": (node.end_lineno or 0) - node.lineno + 1
            for name, tree in self._trees.items()
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        }


def _held(tokens: list[tokenize.TokenInfo]) -> set[int]:
    said = [one for one in tokens if one.type not in SILENT and one.type != tokenize.ENDMARKER]
    return {line for one in said for line in range(one.start[0], one.end[0] + 1)}


def _documented(tree: ast.Module) -> set[int]:
    return {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or 0) + 1)
    }


class TypescriptSource(Source):
    """A folder of TypeScript; functions are not counted, for nothing here parses it."""

    patterns = ("*.ts", "*.tsx")

    @cached_property
    def graph(self) -> Graph:
        """With every import, those for types only included."""
        return typescript_imports(self.folder, with_types=True)

    @cached_property
    def graph_at_run_time(self) -> Graph:
        """What is left of the imports when it runs."""
        return typescript_imports(self.folder, with_types=False)

    @property
    def logical_lines(self) -> int:
        """Those that hold something else than a comment."""
        bare = [SPOKEN.sub(_without_comment, text) for text in self.files.values()]
        return sum(bool(line.strip()) for text in bare for line in text.splitlines())

    @property
    def casts(self) -> int:
        """How often there is `as` with a type, but for `as const` and for names in imports."""
        silent = [IMPORTING.sub("", SPOKEN.sub('""', text)) for text in self.files.values()]
        return sum(len(CAST.findall(text)) for text in silent)

    @property
    def muted_rules(self) -> int:
        """Comments with `biome-ignore`."""
        return sum(text.count("biome-ignore") for text in self.files.values())

    @property
    def muted_types(self) -> int:
        """Comments with `@ts-expect-error` or `@ts-ignore`."""
        each = [re.findall(r"@ts-(?:expect-error|ignore)", text) for text in self.files.values()]
        return sum(map(len, each))


def _without_comment(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n") if found["comment"] else found[0]
