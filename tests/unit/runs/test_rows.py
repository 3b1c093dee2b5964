"""What Python says of a run as rows is what the fixture says, which the page reads, too."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.unit.runs.row_cases import FIXTURE, cases, said_of, ticks

TOLD: dict[str, Any] = json.loads(FIXTURE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", TOLD["cases"], ids=lambda case: case["name"])
def test_python_says_it(case: dict[str, Any]) -> None:
    assert said_of(case["runs"], case["alone"]) == case["says"]


def test_the_axis_has_the_same_ticks() -> None:
    assert ticks() == TOLD["ticks"]


def test_the_fixture_has_every_case() -> None:
    """Renew it with `python -m tests.unit.runs.row_cases`, and read what has changed."""
    kept = [{key: one[key] for key in ("name", "runs", "alone")} for one in TOLD["cases"]]
    assert kept == json.loads(json.dumps(list(cases())))
