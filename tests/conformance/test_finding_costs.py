"""A model that is given sixteen thousand APIs reads little, and calls what it needs."""

from __future__ import annotations

import pytest

from benchmarks.deferral import ANSWER, CATALOGUE, PROMPT, WAYS, is_there, sample, told

pytestmark = pytest.mark.skipif(
    not is_there(),
    reason=f"the catalogue is not there: set NBAGENTS_DATA to its folder (looked in {CATALOGUE})",
)
EACH = 6
"""Queries of each way; `python -m benchmarks --only deferral` takes ten times as many."""


@pytest.mark.parametrize("way", WAYS)
def test_what_a_model_reads_is_short_and_all_that_it_needs_is_called(way: str) -> None:
    for query, gold in sample()[:: max(1, len(sample()) // EACH)]:
        cost = told(way, query, gold)
        assert cost.is_complete, query
        assert cost.tools <= PROMPT
        assert max(cost.answers, default=0) <= ANSWER
