"""The lesson as a teacher has it, and as a student gets it: graded by nbgrader's rules.

Source: nbgrader 0.9.6, `ClearSolutions`, `ClearHiddenTests` and `determine_grade`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

LESSON = Path(__file__).resolve().parents[2] / "notebooks" / "lesson.ipynb"
STUB = r"\1# YOUR CODE HERE\n\1raise NotImplementedError()"
SOLUTION = re.compile(r"^( *)### BEGIN SOLUTION$.*?^ *### END SOLUTION$", re.DOTALL | re.MULTILINE)
HIDDEN = re.compile(
    r"^### BEGIN HIDDEN TESTS$.*?^### END HIDDEN TESTS$", re.DOTALL | re.MULTILINE
)

# Any in this file: nbformat's JSON.


@pytest.fixture
def lesson(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    monkeypatch.setenv("NBAGENTS_STATE_DIR", str(tmp_path))
    monkeypatch.setenv("NBAGENTS_MODEL", "offline")
    untyped: Any = nbformat
    return untyped.read(LESSON, as_version=4)


def points(notebook: Any) -> list[tuple[float, float]]:
    """What each graded cell gives, and what it may give."""
    NotebookClient(notebook, allow_errors=True).execute()
    graded = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]
    return [(_earned(cell), cell.metadata.nbgrader.points) for cell in graded]


def _earned(cell: Any) -> float:
    is_wrong = any(
        one.output_type == "error" or one.get("name") == "stderr" for one in cell.outputs
    )
    return 0 if is_wrong else cell.metadata.nbgrader.points


def _released(notebook: Any) -> Any:
    for cell in notebook.cells:
        cell.source = HIDDEN.sub("", SOLUTION.sub(STUB, cell.source))
        assert not re.search("(BEGIN|END) (SOLUTION|HIDDEN)", cell.source)  # also none in the text
    return notebook


def test_the_teachers_notebook_gives_all_points(lesson: Any) -> None:
    assert points(lesson) == [(2, 2), (2, 2), (2, 2)]


def test_one_that_nobody_has_done_gives_none_and_says_one_line_each(lesson: Any) -> None:
    released = _released(lesson)
    assert points(released) == [(0, 2), (0, 2), (0, 2)]
    errors = [
        one
        for cell in released.cells
        if cell.metadata.get("nbgrader", {}).get("grade")
        for one in cell.outputs
        if one.output_type == "error"
    ]
    assert [one.ename for one in errors] == ["CheckError"] * 3
    assert all(one.traceback == [one.evalue] and "\n" not in one.evalue for one in errors)


def test_each_graded_cell_has_its_points_and_an_id_of_its_own(lesson: Any) -> None:
    marked = [cell.metadata.nbgrader for cell in lesson.cells if "nbgrader" in cell.metadata]
    assert len({one.grade_id for one in marked}) == len(marked) == 5
    for cell in lesson.cells:
        given = [int(one) for one in re.findall(r"points=(\d+)", cell.source)]
        assert sum(given) == cell.metadata.get("nbgrader", {}).get("points", 0)
