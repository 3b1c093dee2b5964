"""Runs as notebooks hold them that were saved before today: a saved run is a promise.

`tests/fixtures/saved` was written by the version before the tree became a run's only state, from
the shipped notebooks and from runs with all that can stand in one. These files never change.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nbagents.notebook.saved.bundle import RUN_MIME, frozen_bundle
from nbagents.notebook.saved.text import text_tree
from nbagents.runs.wording import is_by_hand

SAVED = sorted((Path(__file__).parents[2] / "fixtures" / "saved").glob("*.json"))


def test_there_are_runs_of_before() -> None:
    """A folder that was lost must not pass for one in which all is well."""
    assert len(SAVED) >= 30


@pytest.mark.parametrize("path", SAVED, ids=lambda path: path.stem)
def test_a_run_of_before_can_be_read_and_saved_again(path: Path) -> None:
    """Its text says what it said, and its bundle holds the same runs and calls."""
    saved: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    kept = saved[RUN_MIME]
    text = text_tree(kept["tree"], kept["root_id"])
    before = saved["text/plain"].splitlines()[1:]
    if is_by_hand(kept["tree"]["runs"][kept["root_id"]]):  # it says its call, and no prompt
        before = [line for line in before if not line.startswith("  asked: ")]
    assert text.splitlines()[1:2] == before[:1]
    again: Any = frozen_bundle(kept["tree"], kept["root_id"])[RUN_MIME]
    for run_id, run in kept["tree"]["runs"].items():
        assert again["tree"]["runs"][run_id]["calls"].keys() == run["calls"].keys()
