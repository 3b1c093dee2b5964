"""Amounts, sizes and times are called the same in Python and on the page: both pass one fixture.

`python -m tests.unit.runs.test_amounts` writes `tests/fixtures/amounts.json` anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nbagents.runs.wording import counted, duration, money, size, thousands

FIXTURE = Path(__file__).parents[2] / "fixtures" / "amounts.json"


def calls(count: int) -> str:
    """So many calls."""
    return counted(count, "call")


GIGABYTES = (999_949_999, 999_950_000, 2_000_000_000)
WAYS: dict[str, tuple[Callable[[Any], str], tuple[float, ...]]] = {
    "counted": (calls, (0, 1, 2, 999, 1000, 1234, 1_234_567)),
    "duration": (duration, (0, 0.04, 3.2, 9.99, 10, 85.2, 999.6, 1000, 59_940, 59_960, 65_000)),
    "money": (money, (0, 1e-7, 0.00001, 0.0031, 0.0052, 0.0999, 0.5, 1, 12.5, 12345.678)),
    "size": (size, (0, 1, 312, 999, 1000, 45_200, 999_949, 999_950, 3_100_000, *GIGABYTES)),
    "thousands": (thousands, (0, 950, 999, 1000, 1910, 9940, 9960, 12_000, 999_499, 1_230_000)),
}


def words() -> dict[str, list[list[object]]]:
    """Each way of saying something, with values and what is said of them."""
    pairs: dict[str, list[list[object]]] = {}
    for way, (say, values) in WAYS.items():
        pairs[way] = [[one, say(one)] for one in values]
    return pairs


def test_the_fixture_that_the_page_is_held_to_is_what_python_says() -> None:
    assert json.loads(FIXTURE.read_text(encoding="utf-8")) == words()


@pytest.mark.parametrize(("cost", "said"), [(0.00001, "0.00001"), (0.0052, "0.0052"), (0, "0")])
def test_no_cost_is_said_to_be_nothing_that_is_something(cost: float, said: str) -> None:
    assert money(cost) == said


if __name__ == "__main__":
    FIXTURE.write_text(json.dumps(words(), indent=1) + "\n", encoding="utf-8")
