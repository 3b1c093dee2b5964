"""`nbagents run`: runs a notebook as it would run in Jupyter, and keeps what comes."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from nbagents.cli.progress import GREY, RED, StatusLine, coloured
from nbagents.cli.terminal import complain, missing_packages, seconds_or_none, shown
from nbagents.errors import NbagentsError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from nbagents.execution import Document, KernelChoice, Stop

TEXT = (
    "run a notebook in a fresh kernel, with a line for each cell and each run of an agent; the"
    " notebook stays as it is, unless -o names it"
)
ENDING = (
    "Exit code: 0 if all cells ran, 1 if one failed or it was interrupted (what ran is in OUT all"
    " the same), 2 if it could not be run. A value of -p is JSON, or Python, else a text; it gets"
    " the type that the cell tagged `parameters` declares."
)
MODES = {
    "replay": "answers come from the recording alone; what is not in it fails",
    "live": "models are asked; nothing is recorded",
    "refresh": "models are asked, and the recording is written anew",
}
LINE_WIDTH = 60
KEEP_EVERY_S = 5.0
"""What comes is written after a cell, if it was not written for so long."""


def add_run(commands: Any) -> None:  # Any: argparse keeps the type of its subparsers private
    """Declare `nbagents run`."""
    run = commands.add_parser("run", help=TEXT, description=TEXT, epilog=ENDING)
    run.add_argument("notebook", type=Path, metavar="NOTEBOOK")
    run.add_argument("-o", "--output", type=Path, metavar="OUT", help="write what comes there")
    run.add_argument(
        *("-p", "--parameter"),
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a value for the notebook, in a cell below the one tagged `parameters`",
    )
    modes = run.add_mutually_exclusive_group()
    for name, text in MODES.items():
        modes.add_argument(f"--{name}", dest="mode", action="store_const", const=name, help=text)
    run.add_argument("--kernel", metavar="NAME", help="run it in this kernel, whatever it says")
    run.add_argument("--timeout", type=seconds_or_none, metavar="S", help="for one cell (no limit)")
    run.set_defaults(act=run_notebook)


def run_notebook(options: argparse.Namespace) -> int:
    """Run the notebook that is named; 2 where that cannot be begun."""
    if missing := missing_packages("run"):
        return refused(missing)
    from nbagents.execution import choose_kernel, read, read_assignment, with_parameters

    try:
        if not options.notebook.is_file():
            return refused(f"There is no file {str(options.notebook)!r}.")
        document = read(options.notebook)
        given = [read_assignment(one) for one in options.parameter]
        notes = with_parameters(document.notebook, given)
        kernel = choose_kernel(document.notebook, options.kernel)
        if options.output is not None:
            check_output(options.output)
    except NbagentsError as error:
        return refused(str(error))
    for note in [kernel.note, *notes]:
        if note:
            sys.stderr.write(f"note: {note}\n")
    try:
        return asyncio.run(RunDesk(document, kernel, options).run())
    except KeyboardInterrupt:  # the second
        kept = f" What ran is in {shown(options.output.absolute())}." if options.output else ""
        sys.stderr.write("\n")
        complain("run", f"ended at once.{kept}")
        return 1


def refused(why: str) -> int:
    """Say why nothing is run."""
    complain("run", why)
    return 2


def check_output(path: Path) -> None:
    """See that what comes can be kept, before anything is spent.

    Raises:
        NotebookFileError: There is no such folder, it cannot be written, or something else than a
            notebook is there, which would be lost.
    """
    from nbagents.execution import NotebookFileError, read

    folder = path.resolve().parent
    if not folder.is_dir():
        raise NotebookFileError(f"There is no folder {str(path.parent)!r} for -o: make it first.")
    if path.is_dir():
        raise NotebookFileError(f"{str(path)!r} is a folder: -o names a file.")
    target = path if path.exists() else folder
    if not os.access(target, os.W_OK) or not os.access(folder, os.W_OK):
        raise NotebookFileError(f"{str(path)!r} cannot be written: -o names another file.")
    if path.is_file() and path.stat().st_size:
        try:
            read(path)
        except NotebookFileError as error:
            raise NotebookFileError(
                f"{str(path)!r} is there already and no notebook: it was left as it is. -o names"
                " another file."
            ) from error


class RunDesk:
    """Runs a notebook and shows how far it is."""

    def __init__(
        self, document: Document, kernel: KernelChoice, options: argparse.Namespace
    ) -> None:
        self._document = document
        self._notebook = document.notebook
        self._kernel = kernel
        self._options = options
        self._line = StatusLine()
        self._was = document.digest
        self._kept_s = monotonic()
        self._cells = 0
        self._runs = 0

    async def run(self) -> int:
        """Run it and keep what came, however it ended."""
        from nbagents.execution import Setting, execute, stopping

        began_s = monotonic()
        with tempfile.TemporaryDirectory(prefix="nbagents-", ignore_cleanup_errors=True) as folder:
            setting = Setting(
                kernel=self._kernel.name,
                folder=self._document.path.resolve().parent,
                environment=self._environment(),
                said=Path(folder) / "kernel.log",
                timeout_s=self._options.timeout,
                keeps_widgets=True,
            )
            with stopping() as stop:
                try:
                    stopped = await execute(self._notebook, setting, self, stop)
                finally:
                    is_kept = self._keep()
        self._line.show("")
        self._line.say(self._summary(stopped, monotonic() - began_s))
        return 0 if stopped is None and is_kept else 1

    def _environment(self) -> Mapping[str, str]:
        """The person's own environment, and where the notebook is."""
        path = self._document.path.resolve()
        mode = {"NBAGENTS_RECORD": self._options.mode} if self._options.mode else {}
        return {**os.environ, "NBAGENTS_NOTEBOOK": str(path), **mode}

    def _keep(self) -> bool:
        """Write what there is, for good; whether that went well."""
        try:
            self._write()
        except NbagentsError as error:
            return self._rescue(self._options.output, error)
        return True

    def _keep_meanwhile(self) -> None:
        """Write what there is, in case that this process is killed; an error is said at the end."""
        if monotonic() - self._kept_s >= KEEP_EVERY_S:
            with suppress(NbagentsError):
                self._write()
            self._kept_s = monotonic()

    def _write(self) -> None:
        """Write what there is into the file that `-o` names, if it names one.

        Raises:
            NotebookFileError: It cannot be written.
        """
        from nbagents.execution import digest_of, write

        output = self._options.output
        if output is None:
            return
        is_own = output.resolve() == self._document.path.resolve()
        if write(output, self._notebook, was=self._was if is_own else None) and is_own:
            self._was = digest_of(output)

    def _rescue(self, output: Path, error: Exception) -> bool:
        """Keep beside it what could not be kept where it was meant to be."""
        from nbagents.execution import write

        beside = Path(tempfile.mkdtemp(prefix="nbagents-")) / output.name
        try:
            write(beside, self._notebook)
        except NbagentsError:
            beside = None
        kept = f" What ran is in {beside}." if beside else ""
        complain("run", f"{error}{kept}")
        return False

    def began(self, label: str, cell: Any) -> None:
        """A cell has begun (Any: nbformat's)."""
        self._line.show(f"{label} {self._about(cell)} …")

    def ended(self, label: str, cell: Any, seconds: float) -> None:
        """A cell has ended: a line for it, and one for each of its runs."""
        from nbagents.execution import saved_runs

        self._cells += 1
        errors = [one for one in cell.outputs if one.output_type == "error"]
        failed = coloured(f"  {errors[-1].ename}", RED) if errors else ""
        time = coloured(f"{seconds:.1f} s", GREY)
        lines = [f"{label} {self._about(cell)}  {time}{failed}"]
        for run in saved_runs(cell):
            self._runs += 1
            lines.append(f"    {run.words}")
        self._line.say("\n".join(lines))
        self._keep_meanwhile()

    def _about(self, cell: Any) -> str:
        from nbagents.execution import first_line
        from nbagents.runs.wording import clipped

        return clipped(first_line(cell), LINE_WIDTH)

    def _summary(self, stopped: Stop | None, seconds: float) -> str:
        from nbagents.runs.wording import counted

        figures = f"{counted(self._cells, 'cell')}, {counted(self._runs, 'run')}"
        output = self._options.output
        kept = f"; {shown(output.absolute())}" if output else ""
        if stopped is None:
            return f"done: {figures}, in {seconds:.1f} s{kept}"
        where = f" in {stopped.label}" if stopped.label else ""
        trace = "" if stopped.is_brief else f"{stopped.traceback}\n"
        head = coloured("interrupted" if stopped.kind == "interrupted" else "failed", RED)
        return f"{trace}{head}{where}: {stopped.words}\n{figures}, in {seconds:.1f} s{kept}"
