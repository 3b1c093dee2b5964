"""`nbagents test`: runs a notebook without a network, and compares what its agents did."""

from __future__ import annotations

import asyncio
import copy
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from nbagents.execution.document import Document, NotebookFileError, read, write
from nbagents.execution.execution import Setting, Stop, execute, first_line, labels_of
from nbagents.execution.kernel_choice import choose_kernel
from nbagents.execution.marks import ANY_CALLS, LOOPBACK, MAY_FAIL, NAMES_ONLY, marks_of
from nbagents.execution.outputs import changed_outputs
from nbagents.execution.sequence import SavedRun, difference, lines_of, saved_runs
from nbagents.execution.surroundings import Scratch, enter_cell, put_up_guard
from nbagents.execution.verdict import Failure, Verdict
from nbagents.runs.logs import newest_runs, read_line
from nbagents.runs.state import open_log
from nbagents.runs.wording import counted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from nbagents.execution.execution import Watch
    from nbagents.execution.surroundings import Refusal
    from nbagents.runs.logs import Log, RunEntry

CELL_LIMIT_S: Final = 300.0
FAILED: Final = frozenset({"failed", "unknown"})
"""How a run ends that fails its notebook."""
TRACEBACK_LINES: Final = 30
MOST: Final = 100_000
"""More runs than a notebook makes."""
NO_CARD: Final = (
    "{runs} without a card, in {cells}: what was called there is compared with nothing;"
    " %load_ext nbagents shows cards."
)
NOT_PYTHON: Final = (
    "its kernel {name!r} is no Python, so its network cannot be blocked; `nbagents run` runs it"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How notebooks are tested."""

    timeout_s: float | None = CELL_LIMIT_S
    """How long one cell may take."""
    kernel: str | None = None
    """`None`: what each notebook says."""
    update: bool = False
    """Whether what was saved is replaced by what came this time."""
    outputs: bool = False
    """Whether all outputs must be those that were saved, not only the calls."""
    names_only: bool = False
    """Whether calls may get other arguments."""


async def check_notebook(
    path: Path, rules: Rules, watch: Watch, stop: asyncio.Event | None = None
) -> Verdict:
    """Test a notebook; never raises for what it holds.

    Args:
        path: The notebook's file. It is changed only where the rules say `update`.
        rules: How it is tested.
        watch: Is told of each cell.
        stop: Interrupts it, once it is set.
    """
    began_s = monotonic()
    try:
        document = read(path)
        return await _Check(document, rules, began_s).verdict(watch, stop)
    except NotebookFileError as error:
        failure = Failure(reason=str(error))
        return Verdict(path=path, failures=(failure,), seconds=monotonic() - began_s)


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


class _Check:
    """One notebook, as it was saved and as it comes this time (Any: nbformat's notebooks)."""

    def __init__(self, document: Document, rules: Rules, began_s: float) -> None:
        self._document = document
        self._rules = rules
        self._began_s = began_s
        self._saved = document.notebook
        self._now: Any = copy.deepcopy(document.notebook)
        self._labels = labels_of(self._saved)
        self._notes: list[str] = []
        self._unshown: list[LoggedRun] = []
        """The runs that no card shows."""

    @property
    def _runs(self) -> list[SavedRun]:
        """The runs that cards show."""
        return [run for cell in self._now.cells for run in saved_runs(cell)]

    async def verdict(self, watch: Watch, stop: asyncio.Event | None) -> Verdict:
        """Run it and say what came of it.

        Raises:
            NotebookFileError: It cannot be run, or not be written.
        """
        chosen = choose_kernel(self._now, self._rules.kernel)
        if not chosen.is_python:
            raise NotebookFileError(NOT_PYTHON.format(name=chosen.name))
        self._notes += [chosen.note] if chosen.note else []
        with tempfile.TemporaryDirectory(prefix="nbagents-", ignore_cleanup_errors=True) as folder:
            scratch = Scratch(Path(folder))
            logged = LoggedRuns(scratch.log, watch)
            stopped = await execute(self._now, self._setting(chosen.name, scratch), logged, stop)
            self._unshown = logged.besides({run.id for run in self._runs})
            refusals = scratch.refusals()
        if stopped is not None and stopped.kind == "interrupted":
            return self._ended((), was_interrupted=True)
        return self._judged(stopped, refusals)

    def _setting(self, kernel: str, scratch: Scratch) -> Setting:
        path = self._document.path
        return Setting(
            kernel=kernel,
            folder=path.resolve().parent,
            environment=scratch.environment(path),
            said=scratch.said,
            timeout_s=self._rules.timeout_s,
            first=put_up_guard(),
            before=lambda label, cell: enter_cell(label, loopback=LOOPBACK in marks_of(cell)),
        )

    def _judged(self, stopped: Stop | None, refusals: list[Refusal]) -> Verdict:
        wanted = _by_cell(refusals)
        broken = [*self._failed_runs(stopped, wanted)]
        if stopped is not None:
            broken.append(_stopped(stopped, wanted))
        told = {label for label in wanted for one in broken if one.reason.startswith(label)}
        self._notes += [
            f"{label} wanted {', '.join(addresses)}, and tests have no network."
            for label, addresses in wanted.items()
            if label not in told
        ]
        if self._unshown:
            cells = ", ".join(dict.fromkeys(one.label for one in self._unshown))
            self._notes.append(NO_CARD.format(runs=counted(len(self._unshown), "run"), cells=cells))
        changed = [*self._changes(stopped)]
        if broken or not self._rules.update:
            return self._ended((*broken, *changed))
        was_updated = write(self._document.path, self._now, was=self._document.digest)
        return self._ended((), was_updated=was_updated)

    def _ended(
        self,
        failures: tuple[Failure, ...],
        *,
        was_updated: bool = False,
        was_interrupted: bool = False,
    ) -> Verdict:
        runs = [*self._runs, *self._unshown]
        return Verdict(
            path=self._document.path,
            failures=failures,
            notes=tuple(self._notes),
            seconds=monotonic() - self._began_s,
            cells=sum(1 for cell in self._now.cells if cell.get("execution_count")),
            runs=len(runs),
            calls=sum(run.call_count for run in runs),
            was_updated=was_updated,
            was_interrupted=was_interrupted,
        )

    def _ran(self, stopped: Stop | None) -> Iterator[tuple[str, Any, Any]]:
        """The cells that ran to their end: what they are called, as saved, and now."""
        for place, label in self._labels.items():
            if stopped is not None and label == stopped.label:
                return
            yield label, self._saved.cells[place], self._now.cells[place]

    def _failed_runs(
        self, stopped: Stop | None, wanted: Mapping[str, list[str]]
    ) -> Iterator[Failure]:
        """Runs that failed, also those whose cell caught that."""
        for label, _, cell in self._ran(stopped):
            if MAY_FAIL in marks_of(cell):
                continue
            for run in saved_runs(cell):
                if run.status in FAILED:
                    yield _failed(run, label, first_line(cell), wanted.get(label, []))
        for one in self._unshown:
            has_stopped = stopped is not None and one.label == stopped.label
            if one.status in FAILED and not has_stopped and MAY_FAIL not in marks_of(one.cell):
                addresses = wanted.get(one.label, [])
                yield _failed(one, one.label, first_line(one.cell), addresses)

    def _changes(self, stopped: Stop | None) -> Iterator[Failure]:
        if stopped is not None and not stopped.label:
            return
        if not any(cell.get("outputs") for cell in self._saved.cells):
            if not self._rules.update and any(map(saved_runs, self._now.cells)):
                self._notes.append(
                    "It is saved without outputs, so there are no calls to compare with;"
                    " --update writes them."
                )
            return
        for label, before, now in self._ran(stopped):
            marks = marks_of(now)
            names_only = self._rules.names_only or NAMES_ONLY in marks
            calls = "" if ANY_CALLS in marks else _changed_calls(before, now, names_only=names_only)
            if calls:
                yield Failure(
                    reason=f"{label} {first_line(now)!r}: its calls are not those that are saved",
                    details=calls,
                )
            elif self._rules.outputs and (outputs := changed_outputs(before, now)):
                yield Failure(
                    reason=f"{label} {first_line(now)!r}: its outputs are not those that are saved",
                    details=outputs,
                )


def _changed_calls(before: Any, now: Any, *, names_only: bool) -> str:
    was, is_now = lines_of(saved_runs(before)), lines_of(saved_runs(now))
    return difference(was, is_now, names_only=names_only)


def _by_cell(refusals: list[Refusal]) -> dict[str, list[str]]:
    """What each cell wanted of the network."""
    wanted: dict[str, list[str]] = {}
    for one in refusals:
        wanted.setdefault(one.cell, []).append(one.address)
    return wanted


def _failed(run: SavedRun | LoggedRun, label: str, line: str, addresses: list[str]) -> Failure:
    brief, _, rest = run.failure.partition("\n")
    return Failure(
        reason=f"{label} {line!r}: its run failed: {brief or 'it does not say why'}",
        details="\n".join([*_network(addresses), rest]).strip("\n"),
    )


def _stopped(stopped: Stop, wanted: Mapping[str, list[str]]) -> Failure:
    """Why a notebook ended before its last cell."""
    brief, _, rest = stopped.words.partition("\n")
    where = f"{stopped.label} {stopped.line!r}: " if stopped.label else ""
    network = _network(wanted.get(stopped.label, []))
    trace = rest.splitlines() if stopped.is_brief else stopped.traceback.splitlines()
    kept = trace if stopped.is_brief else trace[-TRACEBACK_LINES:]
    cut = ["…"] if len(kept) < len(trace) else []
    return Failure(reason=f"{where}{brief}", details="\n".join([*network, *cut, *kept]))


def _network(addresses: list[str]) -> list[str]:
    """What a cell wanted of the network, where something of it failed."""
    return [f"It wanted {', '.join(addresses)}, and tests have no network."] if addresses else []
