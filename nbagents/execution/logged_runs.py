"""The runs of a notebook under test that no card shows: what its kernel has logged of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from nbagents.runs.logs import newest_runs, read_line
from nbagents.runs.state import open_log

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from nbagents.execution.execution import Watch
    from nbagents.runs.logs import Log, RunEntry

__all__ = ["LoggedRun", "LoggedRuns"]

MOST: Final = 100_000
"""More runs than a notebook makes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedRun:
    """A run that no cell shows."""

    label: str
    """The cell that had begun it: `In [3]`."""
    cell: Any
    """That cell (Any: nbformat's)."""
    status: str
    failure: str
    call_count: int


class LoggedRuns:
    """Notes in which cell each run is logged, and passes on how far the notebook is.

    Args:
        log: The file of the log.
        watch: Is told of each cell.
    """

    def __init__(self, log: Path, watch: Watch) -> None:
        self._log = log
        self._watch = watch
        self._cells: dict[str, tuple[str, Any]] = {}

    def began(self, label: str, cell: Any) -> None:
        """A cell has begun (Any: nbformat's)."""
        self._watch.began(label, cell)

    def ended(self, label: str, cell: Any, seconds: float) -> None:
        """A cell has ended: what is new in the log is its own."""
        for entry, _ in self._entries():
            self._cells.setdefault(entry.run_id, (label, cell))
        self._watch.ended(label, cell, seconds)

    def besides(self, shown: Collection[str]) -> list[LoggedRun]:
        """The runs that are not among those that are shown, by id, the oldest first."""
        found: list[LoggedRun] = []
        for entry, log in self._entries():
            if entry.run_id in self._cells and entry.run_id not in shown:
                label, cell = self._cells[entry.run_id]
                found.append(
                    LoggedRun(
                        label=label,
                        cell=cell,
                        status=entry.status,
                        failure=_failure(log, entry),
                        call_count=entry.calls,
                    )
                )
        return found[::-1]

    def _entries(self) -> Iterator[tuple[RunEntry, Log]]:
        """What the log lists now; nothing where no run was logged."""
        if not self._log.is_file():
            return
        log = open_log("sqlite", path=self._log)
        try:
            for entry in newest_runs(log, limit=MOST):
                yield entry, log
        finally:
            log.close()


def _failure(log: Log, entry: RunEntry) -> str:
    if entry.status != "failed":
        return ""
    said = read_line(log, entry.run_id)["runs"][entry.run_id]["failure"]
    return "" if said is None else str(said["message"])
