"""Runs notebooks again and keeps their outputs: `make notebooks`.

`nbagents test --update` does it: ids and times are fixed, there is no key and no network, so a
second run changes no byte. Of what front ends keep in metadata only `KEPT` stays.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from nbagents.cli.test import TestDesk
from nbagents.execution import Rules, check_all, cores, read, write

RULES = Rules(update=True, kernel="python3")
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
METADATA = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
KEPT = ("tags", "nbgrader")  # a teacher's marks


def main(paths: list[Path]) -> int:
    """Run notebooks and write them back; 1 if one of them failed, which stays as it was."""
    verdicts = asyncio.run(check_all(paths, RULES, TestDesk(len(paths)), jobs=cores()))
    for one in verdicts:
        if one.passed:
            tidy(one.path)
    return 0 if all(one.passed for one in verdicts) else 1


def tidy(path: Path) -> None:
    """Drop what a front end keeps in metadata; recordings, tags and grades of a lesson stay."""
    notebook: Any = read(path).notebook  # Any: nbformat's notebooks are untyped dictionaries
    kept = {name: notebook.metadata[name] for name in ("nbagents",) if name in notebook.metadata}
    notebook.metadata = {**METADATA, **kept}
    for cell in notebook.cells:
        cell.metadata = {name: cell.metadata[name] for name in KEPT if name in cell.metadata}
    write(path, notebook)


if __name__ == "__main__":
    sys.exit(main([*map(Path, sys.argv[1:])]))
