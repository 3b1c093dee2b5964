"""Runs notebooks again, deterministically, and keeps their outputs: `make notebooks`.

Ids and times are fixed, the offline model answers, and no key is used, so a second run changes no
byte. nbval compares these outputs in the tests.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

SETTINGS = {"NBAGENTS_DETERMINISTIC": "1", "NBAGENTS_MODEL": "offline"}
LIMIT_S = 300


def main(paths: list[str]) -> None:
    """Run each notebook and write it back."""
    with tempfile.TemporaryDirectory() as state:
        environment = {**without_keys(), **SETTINGS, "NBAGENTS_STATE_DIR": state}
        for path in map(Path, paths):
            sys.stdout.write(f"{path}\n")
            execute(path, environment)


def without_keys() -> dict[str, str]:
    """The environment, without what would let a model be asked."""
    return {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}


def execute(path: Path, environment: dict[str, str]) -> None:
    """Run one notebook in a new kernel; keep its outputs, but nothing of this machine."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=LIMIT_S,
        record_timing=False,
        kernel_name="python3",
        extra_arguments=["--log-level=ERROR"],
    )
    client.resources["metadata"] = {"path": str(path.parent)}
    with client.setup_kernel(env=environment):
        for index, cell in enumerate(notebook.cells):
            client.execute_cell(cell, index)
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        tidy(cell)
    nbformat.write(notebook, path)


def tidy(cell: Any) -> None:  # Any: nbformat's cells are untyped dictionaries
    """Drop what a front end keeps in a cell's metadata."""
    cell.metadata = {name: cell.metadata[name] for name in ("tags",) if name in cell.metadata}


if __name__ == "__main__":
    main(sys.argv[1:])
