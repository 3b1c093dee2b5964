"""`python -m benchmarks.house [--root PATH]`: the size and the shape of a checkout, as a table.

It reads any commit's `nbagents/` (Python) and `js/src/` (TypeScript), and counts so:

- **Files**: `*.py`, and `*.ts` and `*.tsx` without tests (`*.test.*`) and without generated files:
  those whose first comment or docstring says "generated" and "do not edit". No style sheets.
- **Lines** are all of them; **logical lines** hold code: no blank line, no comment, no docstring.
- **Files in a folder** lie in it directly.
- **Floors**: the modules on the longest chain of imports, with every import counted, also in
  functions and for types only. A name that is imported from a package's `__init__` counts as an
  import of the module that defines it. In TypeScript what is imported for types only is apart.
- **Circles**: groups of files that reach each other by imports (strongly connected components).
- **Functions** are counted from `def` to their last line, docstrings and inner functions included.
- **`noqa`** are comments; in TypeScript `biome-ignore`. **Ignored types**: `pyright: ignore` and
  `type: ignore`; in TypeScript `@ts-expect-error` and `@ts-ignore`. **Casts**: calls of `cast`; in
  TypeScript `as X` (`as unknown as X` is one), but for `as const` and names in imports.
- **Files whose name is no noun** are those whose stem stands in `NO_NOUNS` below, a list by hand of
  adjectives, adverbs, participles, verbs, and of gerunds that are no thing in their field.
- **Small files of one reader**: under 40 lines, and imported by one module only.
- **Rooms on the way** of a prompt: the modules with a function that is called when an agent with
  one tool runs for the second time, without network; **returns**: how often a call leads to a
  module that was entered before, from another one (in each thread for itself; the smallest of
  five runs, as threads meet by chance). `benchmarks/main_path.py` does it in its own process.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from benchmarks.imports import circles, longest_chain
from benchmarks.measure import table
from benchmarks.sources import PythonSource, TypescriptSource

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.imports import Graph
    from benchmarks.sources import Source

__all__ = ["FIGURES", "NO_NOUNS", "main"]

ROOT = Path(__file__).resolve().parents[1]
MAIN_PATH = Path(__file__).with_name("main_path.py")
FULLEST = 4
ROOMY = 15
SMALL = 40
TRACED_RUNS = 5
STEMS = """
adjusting afterwards answering apart as_tool asked asking asking_person by_hand choose cleaning
coerce cut_texts defining displayed earlier effective exact filling find fine fitting
flattening foreign frozen frozen_decided given handing_over heard hosted inline inside invoke
kept known labelled lacking late leave live living more offering opened outgoing parting past
plain planning prepared questioning reached reading rebuild recalling regaining rendered
resumable resuming rich said scripted seen settling sharing show_python spent spoken steering
stepping still stilled strict talking together told took typed unended unmade unserved visible
waiting watch
"""
NO_NOUNS = frozenset(STEMS.split())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.house")
    parser.add_argument("--root", type=Path, default=ROOT, help="a checkout; else this one")
    root = parser.parse_args().root.resolve()
    both = PythonSource(root / "nbagents"), TypescriptSource(root / "js" / "src")
    counted = [[name, *map(count, both)] for name, count in FIGURES.items()]
    walked = [[name, figure, ""] for name, figure in _ways(root).items()]
    print(table("The house", ["", "nbagents", "js/src"], [*counted, *walked]))


def _fullest(source: Source) -> str:
    return ", ".join(f"{name} {count}" for name, count in source.folders.most_common(FULLEST))


def _roomy(source: Source) -> str:
    return str(sum(count > ROOMY for count in source.folders.values()))


def _floors(source: Source) -> str:
    return _with_types(source, lambda graph: str(len(longest_chain(graph))))


def _circles(source: Source) -> str:
    return _with_types(
        source, lambda graph: ", ".join(f"{len(one)} files" for one in circles(graph)) or "none"
    )


def _with_types(source: Source, figure: Callable[[Graph], str]) -> str:
    """A figure of the imports; and without those for types only, where that is another."""
    all_of_them, at_run_time = figure(source.graph), figure(source.graph_at_run_time)
    apart = "" if all_of_them == at_run_time else f" (at run time {at_run_time})"
    return f"{all_of_them}{apart}"


def _functions(source: Source) -> str:
    functions = source.functions
    if not functions:
        return "not counted"
    longest = max(functions, key=lambda name: functions[name])
    p90 = statistics.quantiles(functions.values(), n=10)[-1]
    median = statistics.median(functions.values())
    return f"{median:g}, {p90:g}, {functions[longest]} ({longest})"


def _no_nouns(source: Source) -> str:
    return str(sum(is_no_noun(name) for name in source.files))


def is_no_noun(name: str) -> bool:
    """Whether the stem of a file's name stands in the list."""
    return PurePosixPath(name).stem.replace("-", "_") in NO_NOUNS


FIGURES: dict[str, Callable[[Source], str]] = {
    "files": lambda source: f"{len(source.files):,}",
    "lines": lambda source: f"{source.lines:,}",
    "logical lines": lambda source: f"{source.logical_lines:,}",
    "fullest folders": _fullest,
    f"folders of more than {ROOMY} files": _roomy,
    f"files under {SMALL} lines with one reader": lambda source: str(
        source.small_files_of_one_reader(SMALL)
    ),
    "files whose name is no noun": _no_nouns,
    "floors": _floors,
    "circles": _circles,
    "lines of a function: median, p90, longest": _functions,
    "noqa, biome-ignore": lambda source: str(source.muted_rules),
    "casts": lambda source: str(source.casts),
    "ignored types": lambda source: str(source.muted_types),
}
"""The rows of the table."""


def _ways(root: Path) -> dict[str, str]:
    """Through how many rooms one prompt goes, with each of the two models that need no network."""
    runs = [_traced(root) for _ in range(TRACED_RUNS)]
    fewest = {
        model: (
            min(len(run[model]["rooms"]) for run in runs),
            min(run[model]["returns"] for run in runs),
        )
        for model in runs[0]
    }
    return {
        f"rooms on the way, returns ({model} model)": f"{rooms}, {returns}"
        for model, (rooms, returns) in fewest.items()
    }


def _traced(root: Path) -> dict[str, dict[str, Any]]:
    with tempfile.TemporaryDirectory(prefix="nbagents-house-") as state:
        kept = {name: value for name, value in os.environ.items() if "NBAGENTS" not in name}
        places = os.pathsep.join([str(root), str(root / "widgets")])
        done = subprocess.run(  # noqa: S603  our own script
            [sys.executable, str(MAIN_PATH)],
            env={**kept, "PYTHONPATH": places, "NBAGENTS_STATE_DIR": state},
            cwd=state,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    return json.loads(done.stdout)


if __name__ == "__main__":
    main()
