"""What was edited in step mode is said in the same words by Python and by the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nbagents.runs.wording import edit_in_words

FIXTURE = Path(__file__).parents[2] / "fixtures" / "edits.json"
CASES: list[dict[str, Any]] = json.loads(FIXTURE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["words"][:40])
def test_an_edit_is_said_as_on_the_page(case: dict[str, Any]) -> None:
    edit: Any = {**case["edit"], "written": None}
    assert edit_in_words(edit) == case["words"]
