"""Runs pages of the docs and notebooks, and prints what is found in the tools that they define.

A program, so that each page has a process of its own: a fork of one that has imported everything.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from nbagents.tools.lint import lint_together
from nbagents.tools.tool import Tool
from tests.unit.test_docs import BLOCK

MADE: dict[str, Tool] = {}


def remember() -> None:
    """Keep every tool of a person's function that is made from now on."""
    first = Tool.__init__

    def made(self: Any, function: Any, options: Any = None, **more: Any) -> None:
        first(self, function, options, **more)
        if getattr(function, "__module__", "") == "__main__":
            MADE.setdefault(f"{self.name} {len(MADE)}", self)

    Tool.__init__ = made  # type: ignore[method-assign]


def run_page(text: str) -> None:
    """Run the blocks of a page as cells, those with magics, too."""
    run_cells([one["code"] for one in BLOCK.finditer(text)])


def run_cells(cells: list[str]) -> None:
    """Run cells in a shell."""
    shell: Any = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    shell.run_line_magic("load_ext", "nbagents")
    for cell in cells:
        shell.run_cell(cell, store_history=True)


def main(paths: list[Path]) -> int:
    """Print a line for each finding, and after those of a page how many tools there were."""
    remember()
    for path in paths:
        sys.stdout.flush()
        child = os.fork()
        if not child:
            look_at(path)
            sys.stdout.flush()
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status:
            return 1
    return 0


def look_at(path: Path) -> None:
    """Run a page, and print what is found in its tools."""
    text = path.read_text(encoding="utf-8")
    os.chdir(os.environ["NBAGENTS_STATE_DIR"])  # pages write files
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        if path.suffix == ".ipynb":
            cells = [one for one in json.loads(text)["cells"] if one["cell_type"] == "code"]
            run_cells(["".join(one["source"]) for one in cells])
        else:
            run_page(text)
    newest = {tool.name: tool.linted for tool in MADE.values() if tool.options.hosted is None}
    for one in lint_together(list(newest.values())):
        sys.stdout.write(f"{one.tool} {one.rule} {one.parameter}: {one.what}\n")
    sys.stdout.write(f"{path.name}: {len(newest)} tools\n")


if __name__ == "__main__":
    sys.exit(main([*map(Path, sys.argv[1:])]))
