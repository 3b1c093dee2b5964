"""Each notebook keeps what `make notebooks` writes: under nbval, run again, and as a file.

That all of them give the outputs they were saved with is a step of its own in `make test`:
`nbagents test notebooks --outputs` (`tests/suite.py`).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from nbagents.recordings import recording_beside
from tests.thinning import thinned

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
EVERY = pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
BY_SIZE = sorted(NOTEBOOKS, key=lambda path: path.stat().st_size)
ONE = pytest.mark.parametrize(
    "notebook", thinned(BY_SIZE, one_in=len(BY_SIZE)), ids=lambda path: path.stem
)
MEND = "Outputs changed. If that is meant: `make notebooks`, look at what changed, commit it."
DETERMINISTIC = {"NBAGENTS_DETERMINISTIC": "1", "NBAGENTS_MODEL": "offline"}


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a tool of this Python under the deterministic switch."""
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, **DETERMINISTIC},
        capture_output=True,
        text=True,
        check=False,
    )


def nbval(notebook: Path, report: Path) -> list[ET.Element]:
    """What nbval says of each code cell that does not hold."""
    settings = report.with_suffix(".ini")
    settings.write_text("[pytest]\n", encoding="utf-8")
    done = run(
        *("-m", "pytest", "--nbval", str(notebook), "-c", str(settings), f"--junitxml={report}"),
        *("-p", "no:randomly", "-p", "no:cacheprovider", "--nbval-current-env"),
    )
    assert report.is_file(), done.stdout + done.stderr
    return list(ET.parse(report).iter("testcase"))


def code_cells(notebook: Path) -> list[dict[str, Any]]:
    """A notebook's code cells (Any: nbformat's JSON)."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@ONE
def test_a_notebook_gives_the_outputs_it_was_saved_with_under_nbval(
    notebook: Path, tmp_path: Path
) -> None:
    cases = nbval(notebook, tmp_path / "report.xml")
    failures = [ET.tostring(problem, encoding="unicode") for case in cases for problem in case]
    # a cell that asks for input counts as "expected to fail" with nbval; here it fails
    assert failures == [], MEND
    assert len(cases) == len(code_cells(notebook))


@ONE
def test_running_a_notebook_again_changes_no_byte(notebook: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(notebook, tmp_path))
    if (recording := recording_beside(notebook)).is_file():
        shutil.copy(recording, tmp_path)
    done = run("notebooks/execute.py", str(copy))
    assert done.returncode == 0, done.stdout + done.stderr
    assert copy.read_text(encoding="utf-8") == notebook.read_text(encoding="utf-8"), MEND


@EVERY
def test_a_saved_notebook_holds_no_widget_and_nothing_of_this_machine(notebook: Path) -> None:
    text = notebook.read_text(encoding="utf-8")
    assert "jupyter.widget" not in text
    assert str(Path.home()) not in text
    assert str(ROOT) not in text
