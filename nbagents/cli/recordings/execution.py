"""Runs a notebook for the sake of its recording: what it shows is not kept."""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from nbagents.cli.progress import StatusLine
from nbagents.cli.terminal import missing_packages, say
from nbagents.errors import RecordingError
from nbagents.execution import NotebookFileError, Setting, choose_kernel, execute, read

if TYPE_CHECKING:
    import argparse

OF_A_SERVER: Final = "JPY_SESSION_NAME"


def run_for(options: argparse.Namespace, mode: str, after: str = "") -> Any:
    """Run the notebook that a command line names.

    Args:
        options: What stands there.
        mode: What is done with its recording.
        after: Code that is run after all cells.

    Returns:
        The notebook with its outputs, and a cell for the code (Any: nbformat has no types).

    Raises:
        RecordingError: It was not run to its end; says why.
        NotebookFileError: It is no notebook that can be run.
    """
    if missing := missing_packages(f"recording {options.kind}"):
        raise RecordingError(missing)
    path: Path = options.notebook
    try:
        notebook = read(path).notebook
        kernel = choose_kernel(notebook, options.kernel)
    except NotebookFileError as error:
        raise NotebookFileError(f"{path}: {error}") from error
    if kernel.note:
        say(kernel.note)
    if after:
        notebook.cells.append(_cell(notebook, after))
    watch = _Watch()
    with tempfile.TemporaryDirectory(prefix="nbagents-", ignore_cleanup_errors=True) as folder:
        setting = Setting(
            kernel=kernel.name,
            folder=path.resolve().parent,
            environment=_environment(path, mode, Path(folder)),
            said=Path(folder) / "kernel.log",
            timeout_s=options.timeout,
        )
        stopped = asyncio.run(execute(notebook, setting, watch))
    watch.line.show("")
    if stopped is not None:
        where = f"{stopped.label}, {stopped.line}: " if stopped.label else ""
        raise RecordingError(f"{path} was not run to its end. {where}{stopped.words}")
    return notebook


def _environment(path: Path, mode: str, folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != OF_A_SERVER}
    return {
        **kept,
        "NBAGENTS_NOTEBOOK": str(path.resolve()),
        "NBAGENTS_RECORD": mode,
        "NBAGENTS_STATE_DIR": str(folder / "state"),
    }


def _cell(notebook: Any, source: str) -> Any:
    """A code cell, of the class that the notebook's own are of."""
    made: dict[str, Any] = {"cell_type": "code", "metadata": {}, "source": source}
    return type(notebook)({**made, "outputs": [], "execution_count": None, "id": "nbagents-last"})


class _Watch:
    def __init__(self) -> None:
        self.line = StatusLine()

    def began(self, label: str, cell: object) -> None:
        del cell
        self.line.show(label)

    def ended(self, label: str, cell: object, seconds: float) -> None:
        """A cell has ended: the next one is said."""
