"""Each notebook runs top to bottom without a key, and gives the outputs that it was saved with."""

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

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
EVERY = pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
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


@EVERY
def test_a_notebook_gives_the_outputs_it_was_saved_with(notebook: Path, tmp_path: Path) -> None:
    cases = nbval(notebook, tmp_path / "report.xml")
    failures = [ET.tostring(problem, encoding="unicode") for case in cases for problem in case]
    # a cell that asks for input counts as "expected to fail" with nbval; here it fails
    assert failures == [], MEND
    assert len(cases) == len(code_cells(notebook))


@EVERY
def test_running_a_notebook_again_changes_no_byte(notebook: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(notebook, tmp_path))
    done = run("notebooks/execute.py", str(copy))
    assert done.returncode == 0, done.stderr
    assert copy.read_text(encoding="utf-8") == notebook.read_text(encoding="utf-8"), MEND


@EVERY
def test_a_changed_output_is_noticed(notebook: Path, tmp_path: Path) -> None:
    content = json.loads(notebook.read_text(encoding="utf-8"))
    outputs = [output for cell in content["cells"] for output in cell.get("outputs", ())]
    shown = next(output for output in outputs if "data" in output)
    shown["data"]["text/plain"] = "something else"
    tampered = tmp_path / notebook.name
    tampered.write_text(json.dumps(content), encoding="utf-8")
    cases = nbval(tampered, tmp_path / "report.xml")
    assert sum(1 for case in cases if case.find("failure") is not None) == 1


@EVERY
def test_a_saved_notebook_holds_no_widget_and_nothing_of_this_machine(notebook: Path) -> None:
    text = notebook.read_text(encoding="utf-8")
    assert "jupyter.widget" not in text
    assert str(Path.home()) not in text
    assert str(ROOT) not in text
