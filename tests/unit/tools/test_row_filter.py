"""The words of a filter, as `js/src/table/rows/row-filter.test.ts` reads them, too."""

from __future__ import annotations

import json
import math
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from nbagents.tools.values import Arrangement, FramePages

FIXTURE = Path(__file__).parents[2] / "fixtures" / "table-filters.json"
SAID: dict[str, Any] = json.loads(FIXTURE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", SAID["cases"], ids=lambda case: case["query"] or "nothing")
def test_a_filter_finds_the_rows_that_meet_all_its_conditions(case: Any) -> None:
    rows = [dict(zip(SAID["columns"], row, strict=True)) for row in SAID["rows"]]
    pages = FramePages(rows)
    wanted = Arrangement(query=case["query"])
    assert pages.page(0, 99, wanted) == [SAID["rows"][at] for at in case["kept"]]


def test_days_are_compared_as_they_are_written() -> None:
    pages = FramePages([{"day": date(2024, month, 1)} for month in range(1, 13)])
    assert pages.count(Arrangement(query="day>=2024-03 day<2024-06")) == 3


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ("n=9007199254740992", []),
        ("n=9007199254740993", [1]),
        ("n=1", [0]),
        ("x=∞", [1]),
        ("x>-∞", [0, 1, 3]),
        ("x=1e22", [3]),
    ],
)
def test_numbers_that_no_double_tells_apart_are_not_taken_for_each_other(
    query: str, kept: list[int]
) -> None:
    whole, fractions = [1, 2**53 + 1, -(2**60), 3], [1.5, math.inf, -math.inf, 1e22]
    pages = FramePages([{"n": n, "x": x} for n, x in zip(whole, fractions, strict=True)])
    found = pages.page(0, 9, Arrangement(query=query))
    assert [cells[0] for cells in found] == [
        cells[0] for cells in (pages.page(0, 9)[at] for at in kept)
    ]
