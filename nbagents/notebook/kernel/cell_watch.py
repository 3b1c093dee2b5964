"""Which cell is being executed, and which cells are gone; said to the toolbox before each cell."""

from __future__ import annotations

import hashlib
import inspect
import sys
from typing import TYPE_CHECKING, Any

from nbagents.narrowing import is_list
from nbagents.notebook.kernel.shell import request_metadata
from nbagents.tools.context import Origin, set_defining

if TYPE_CHECKING:
    from nbagents.notebook.kernel.shell import Shell


class CellWatch:
    """IPython's `pre_run_cell` hook."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell

    def __call__(self, info: Any) -> None:  # Any: IPython's ExecutionInfo is untyped
        """Look at the request before the cell runs."""
        source = str(info.raw_cell or "")
        first = next((line.strip() for line in source.splitlines() if line.strip()), "")
        label = f"In [{input_number(self._shell) + 1}]: {first}"
        set_defining(Origin(cell_id_of(self._shell, source), label))
        deleted = request_metadata(self._shell).get("deletedCells")
        if is_list(deleted) and deleted:
            _free(deleted)


def cell_id_of(shell: Shell, source: str) -> str:
    """The id that the front end sent with the request, else the hash of the source."""
    cell_id = request_metadata(shell).get("cellId")
    if isinstance(cell_id, str):
        return cell_id
    return "source:" + hashlib.sha256(inspect.cleandoc(source).encode()).hexdigest()[:16]


def input_number(shell: Shell) -> int:
    """The number of the newest input; when `execution_count` grows depends on IPython's version."""
    inputs: list[str] = shell.user_ns.get("In", [])
    return max(len(inputs), 1) - 1


def _free(cell_ids: list[object]) -> None:
    """Take out what the cells had defined; without a toolbox there is nothing to take out."""
    module = sys.modules.get("nbagents.tools.tool.registry")
    if module is not None:
        for cell_id in cell_ids:
            module.toolbox.remove_cell(str(cell_id))
