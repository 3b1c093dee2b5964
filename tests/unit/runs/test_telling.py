"""Which arguments tell calls apart: the page says the same, by the same cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nbagents.runs.wording.rows.telling import telling_arguments, telling_words

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "fixtures" / "telling.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", CASES, ids=[one["about"] for one in CASES])
def test_calls_are_told_apart(case: dict[str, Any]) -> None:
    """By what differs, then by what was given, in a few words."""
    telling = telling_arguments(case["calls"])
    assert {name: list(names) for name, names in telling.items()} == case["telling"]
    words = [telling_words(one, telling.get(one["name"], ())) for one in case["calls"]]
    assert words == case["words"]
