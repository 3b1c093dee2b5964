"""`nbagents test`: runs notebooks without a network, and compares what their agents did."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from nbagents.cli.progress import GREEN, GREY, RED, StatusLine, coloured
from nbagents.cli.terminal import (
    complain,
    is_other,
    missing_packages,
    seconds_or_none,
    shown,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from nbagents.execution import Verdict

PASSED, FAILED, WRONG_USE = 0, 1, 2
TEXT = (
    "run notebooks in fresh kernels, from their recordings and without a network, and compare the"
    " calls of their agents with those that are saved in the notebooks"
)
ENDING = (
    "Exit code: 0 if all notebooks passed, 1 if one did not, 2 if the tests could not be done or"
    " were interrupted. The tags of a cell say how it is tested: nbagents-loopback (it may reach"
    " this machine by network), nbagents-may-fail, nbagents-names-only (its calls may get other"
    " arguments), nbagents-any-calls (its calls are not compared)."
)


def add_test(commands: Any) -> None:  # Any: argparse keeps the type of its subparsers private
    """Declare `nbagents test`."""
    test = commands.add_parser("test", help=TEXT, description=TEXT, epilog=ENDING)
    add = test.add_argument
    add("notebooks", nargs="+", metavar="NOTEBOOK", help="a file, a folder, or a pattern")
    add("-k", default="", metavar="WORDS", help="only those of whose path this is true: `not map`")
    add("-j", type=jobs, metavar="N", help="how many beside each other (one for each core)")
    add("--timeout", type=seconds_or_none, metavar="S", help="for one cell (300; 0: no limit)")
    add("--kernel", metavar="NAME", help="run them in this kernel, whatever they say")
    add("--names-only", action="store_true", help="calls may get other arguments")
    add("--outputs", action="store_true", help="all outputs must be those that are saved")
    add("--update", action="store_true", help="save what comes, where no cell or run fails")
    add("--junit", type=Path, metavar="FILE", help="write a report for what shows test results")
    test.set_defaults(act=run_test, timeout=300.0)


def jobs(text: str) -> int:
    """How many notebooks run beside each other.

    Raises:
        ValueError: It is no number above 0.
    """
    if (count := int(text)) < 1:
        raise ValueError(text)
    return count


def run_test(options: argparse.Namespace) -> int:
    """Test what is named, and say what came of it."""
    if missing := missing_packages("test"):
        complain("test", missing)
        return WRONG_USE
    from nbagents.execution import SelectionError, notebooks_in

    if options.junit and is_other(options.junit):
        complain(
            "test",
            f"{options.junit} is there already and no report: it was left as it is."
            " --junit names another file.",
        )
        return WRONG_USE
    try:
        paths = notebooks_in(options.notebooks, options.k)
    except SelectionError as error:
        complain("test", str(error))
        return WRONG_USE
    try:
        return test_all(paths, options)
    except KeyboardInterrupt:  # the second
        sys.stderr.write("\n")
        complain("test", "ended at once.")
        return WRONG_USE


def test_all(paths: Sequence[Path], options: argparse.Namespace) -> int:
    """Test notebooks, and close with a line that sums up."""
    from nbagents.execution import Rules, check_all, cores, write_junit

    rules = Rules(
        timeout_s=options.timeout,
        kernel=options.kernel,
        update=options.update,
        outputs=options.outputs,
        names_only=options.names_only,
    )
    desk, began_s = TestDesk(len(paths)), monotonic()
    count = min(options.j or cores(), len(paths))
    verdicts = asyncio.run(check_all(paths, rules, desk, jobs=count))
    desk.line.show("")
    desk.line.say(summary(verdicts, monotonic() - began_s))
    if options.junit:
        try:
            write_junit(verdicts, options.junit)
        except OSError as error:
            complain("test", f"{options.junit} cannot be written: {error}")
            return WRONG_USE
    if any(one.was_interrupted for one in verdicts):
        return WRONG_USE
    return PASSED if all(one.passed for one in verdicts) else FAILED


class TestDesk:
    """Shows how far the tests are."""

    def __init__(self, total: int) -> None:
        self.line = StatusLine()
        self._total = total
        self._done = 0
        self._running: dict[Path, str] = {}

    def watch(self, path: Path) -> TestWatch:
        """What is told of the cells of a notebook."""
        return TestWatch(self, path)

    def at(self, path: Path, label: str) -> None:
        """Say in which cell a notebook is."""
        self._running[path] = label
        running = (f"{one.name} {cell}" for one, cell in self._running.items())
        self.line.show(" · ".join([f"{self._done} of {self._total}", *running]))

    def judged(self, verdict: Verdict) -> None:
        """Say what came of a notebook."""
        self._done += 1
        self._running.pop(verdict.path, None)
        self.line.show("")
        self.line.say("\n".join(verdict_lines(verdict)))


class TestWatch:
    """Is told of the cells of one notebook."""

    def __init__(self, desk: TestDesk, path: Path) -> None:
        self._desk = desk
        self._path = path

    def began(self, label: str, cell: object) -> None:
        """A cell has begun."""
        del cell
        self._desk.at(self._path, label)

    def ended(self, label: str, cell: object, seconds: float) -> None:
        """A cell has ended: the next one is said, or what came of the notebook."""


def verdict_lines(verdict: Verdict) -> list[str]:
    """A notebook in a line, and below it what does not hold."""
    from nbagents.runs.wording import counted

    figures = ", ".join(
        counted(count, noun)
        for count, noun in (
            (verdict.cells, "cell"),
            (verdict.runs, "run"),
            (verdict.calls, "call"),
        )
    )
    updated = ", updated" if verdict.was_updated else ""
    figures = coloured(f"{figures}{updated}  {verdict.seconds:.1f} s", GREY)
    lines = [f"{word(verdict)}  {shown(verdict.path.absolute())}  {figures}"]
    for one in verdict.failures:
        lines += [f"  {one.reason}", *(f"    {painted(line)}" for line in one.details.splitlines())]
    return [*lines, *(f"  note: {one}" for one in verdict.notes)]


def word(verdict: Verdict) -> str:
    """What came of a notebook, in a word."""
    if verdict.passed:
        return coloured("passed", GREEN)
    return coloured("interrupted" if verdict.was_interrupted else "failed", RED)


def painted(line: str) -> str:
    """A line of a diff in its colour."""
    if line.startswith(("---", "+++")):
        return coloured(line, GREY)
    return coloured(line, {"+": GREEN, "-": RED}[line[0]]) if line[:1] in {"+", "-"} else line


def summary(verdicts: Sequence[Verdict], seconds: float) -> str:
    """The last line: how many passed."""
    from nbagents.runs.wording import counted

    failed = sum(1 for one in verdicts if one.failures)
    stopped = sum(1 for one in verdicts if one.was_interrupted)
    parts = [
        f"{sum(1 for one in verdicts if one.passed)} passed",
        f"{failed} failed" if failed else "",
        f"{stopped} interrupted" if stopped else "",
        f"{updated} updated" if (updated := sum(1 for one in verdicts if one.was_updated)) else "",
    ]
    said = ", ".join(one for one in parts if one)
    return f"{counted(len(verdicts), 'notebook')}: {said}, in {seconds:.1f} s"
