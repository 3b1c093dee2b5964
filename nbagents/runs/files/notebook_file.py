"""The runs that a notebook's outputs hold."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbagents.errors import RunError
from nbagents.narrowing import dict_of, is_list, list_of
from nbagents.runs.files.saved_tree import RUN_MIME, whole_tree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from nbagents.runs.tree import Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class NotebookRun:
    """A run in a notebook."""

    run_id: str
    cell: int
    """Which of the notebook's cells shows it, from 1."""
    tree: Tree
    cuts: tuple[str, ...]
    """What the notebook has not of it, a sentence each."""

    @property
    def prompt(self) -> str:
        """What was asked."""
        return self.tree["runs"][self.run_id]["prompt"]


def is_notebook(path: Path) -> bool:
    """Whether a file is a notebook by its name."""
    return path.suffix.lower() == ".ipynb"


def runs_of_notebook(path: Path) -> tuple[NotebookRun, ...]:
    """The runs of a notebook, in the order of its cells; one that is shown again counts once.

    Raises:
        RunError: It cannot be read, or is no notebook, or a run in it has no such form.
    """
    found: dict[str, NotebookRun] = {}
    for number, saved in _outputs(path):
        try:
            run_id, tree, cuts = whole_tree(saved)
        except RunError as error:
            raise RunError(f"Of {path} the run in cell {number} cannot be read: {error}") from error
        found[run_id] = NotebookRun(run_id=run_id, cell=number, tree=tree, cuts=cuts)
    return tuple(found.values())


def _outputs(path: Path) -> Iterator[tuple[int, object]]:
    """What the outputs hold of runs, each with the number of its cell."""
    for number, cell in enumerate(_cells(path), 1):
        for output in list_of(dict_of(cell).get("outputs")):
            data = dict_of(dict_of(output).get("data"))
            if RUN_MIME in data:
                yield number, data[RUN_MIME]


def _cells(path: Path) -> list[object]:
    try:
        notebook: object = json.loads(path.read_bytes())
    except OSError as error:
        raise RunError(f"{path} cannot be read ({error.strerror or error}).") from error
    except (ValueError, RecursionError) as error:
        raise RunError(
            f"{path} is no notebook, or was cut: it is no JSON ({error}). Open it in Jupyter, or "
            "take an older copy of it."
        ) from error
    cells = dict_of(notebook).get("cells")
    if not is_list(cells):
        raise RunError(
            f"{path} is no notebook of version 4: it has no cells. Open and save it in Jupyter."
        )
    return cells
