"""How long `nbagents test` takes for all notebooks of the repository, in a new process."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from benchmarks.report import Report

__all__ = ["report_time"]

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = ROOT / "notebooks"
BAR_S = 180.0
"""On two cores."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotebookTime:
    """What a test of all notebooks took."""

    notebooks: int
    cells: int
    seconds: float
    one_by_one_s: float
    """The sum of what each took: the tests ran beside each other."""


def report_time(report: Report) -> None:
    """Test all notebooks, and print what that took."""
    took = notebook_time()
    title = f"nbagents test, {took.notebooks} notebooks of {took.cells} cells"
    verdict = report.verdict(title, took.seconds, BAR_S)
    rows = [["", f"{took.seconds:.1f}", f"{took.one_by_one_s:.1f}", verdict]]
    report.show(title, ["", "wall s", "s of each, summed", "bar (s)"], rows)


def notebook_time() -> NotebookTime:
    """Test all notebooks once.

    Raises:
        RuntimeError: One of them failed: how long that took says nothing.
    """
    with tempfile.TemporaryDirectory(prefix="nbagents-benchmarks-") as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "nbagents.cli", "test", str(NOTEBOOKS)]
        began_s = time.perf_counter()
        done = subprocess.run(  # noqa: S603  our own
            [*command, "--junit", str(report)],
            cwd=ROOT,
            check=False,
            capture_output=True,
            text=True,
        )
        seconds = time.perf_counter() - began_s
        if done.returncode:
            raise RuntimeError(done.stdout + done.stderr)
        cases = list(ET.parse(report).iter("testcase"))  # noqa: S314  our own
    return NotebookTime(
        notebooks=len(cases),
        cells=sum(map(code_cells, NOTEBOOKS.glob("*.ipynb"))),
        seconds=seconds,
        one_by_one_s=sum(float(case.attrib["time"]) for case in cases),
    )


def code_cells(path: Path) -> int:
    """How many cells of code a notebook has."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return sum(1 for cell in cells if cell["cell_type"] == "code")
