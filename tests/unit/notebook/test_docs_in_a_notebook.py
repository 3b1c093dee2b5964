"""What pages tell one to write into a notebook can be written there, from the top of the page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.unit.notebook.conftest import Notebook

DOCS = Path(__file__).resolve().parents[3] / "docs"
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
MAGIC = re.compile(r"^(\w+ = )?%", re.MULTILINE)
ELSEWHERE = "magics.md"
"""`test_magics_page.py` runs its blocks."""
PAGES = sorted(
    page.name
    for page in DOCS.glob("*.md")
    if page.name != ELSEWHERE and any(map(MAGIC.search, BLOCK.findall(page.read_text("utf-8"))))
)
WEATHER = (
    '%%tool\ndef weather(city: str) -> str:\n    """How warm it is in a city."""\n    return "9"\n'
)


def test_there_are_pages_with_magics() -> None:
    assert PAGES


@pytest.mark.parametrize("page", PAGES)
def test_the_blocks_of_a_page_run_one_after_the_other(
    notebook: Notebook, page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lesson = tmp_path / "notebook.ipynb"
    lesson.write_text(json.dumps({"cells": [], "metadata": {}}))
    monkeypatch.setenv("NBAGENTS_NOTEBOOK", str(lesson))
    if page == "step-mode.md":
        assert notebook.run(WEATHER, cell_id="weather").error is None
    for number, block in enumerate(BLOCK.findall((DOCS / page).read_text("utf-8"))):
        for line in lines_of(block):
            cell = notebook.run(with_ids(line, notebook), cell_id=f"{number} {line}")
            assert cell.error is None, f"{line}\n{cell.stdout}{cell.stderr}{cell.error}"


def lines_of(block: str) -> list[str]:
    """A block as cells: magics of a line each by themselves, so that each is seen to work."""
    only_lines = block.startswith("%") and not block.startswith("%%")
    return block.strip().splitlines() if only_lines else [block]


def with_ids(source: str, notebook: Notebook) -> str:
    """The source with the id of a run that there is, in the place of the page's."""
    return source.replace("run-1a2b", notebook["run"].id) if "run-1a2b" in source else source
