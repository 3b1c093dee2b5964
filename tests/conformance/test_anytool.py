"""AnyTool with a model that picks what is right wherever it sees it, over the public catalogue.

Another folder of the same form is named by `NBAGENTS_DATA`.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from benchmarks import anytool
from nbagents.catalogue import Catalogue

needs_data = pytest.mark.skipif(
    not anytool.queries(),
    reason=f"the catalogue is not there: set NBAGENTS_DATA (looked in {anytool.FOLDER})",
)
pytestmark = needs_data

FEW = 20
SOME = 150
BY_SEARCH = 0.65
"""The search alone puts all gold APIs into the pool for so many queries."""
BUDGET = 200_000
SEAL = anytool.FOLDER / "seal"


def played(rows: Any, over: Catalogue | None = None, **said: Any) -> anytool.Figures:
    return asyncio.run(anytool.play(rows, over or anytool.catalogue(), **said))


def check(figures: anytool.Figures) -> None:
    """What must hold of any larger number of queries."""
    missed = [one.query_id for one in figures.played if not one.is_complete]
    assert len(missed) <= (1 - anytool.COMPLETE) * len(figures.played), missed
    assert figures.calls <= anytool.CALLS
    assert figures.tokens <= anytool.TOKENS
    assert figures.most_tokens <= BUDGET
    assert all(one.is_solved for one in figures.played if one.is_complete)


@pytest.mark.medium
def test_pools_are_complete_with_few_calls_for_a_sample() -> None:
    check(played(anytool.sample(anytool.queries(), FEW)))


@pytest.mark.slow
def test_pools_are_complete_with_few_calls_for_every_public_query() -> None:
    figures = played(anytool.queries())
    check(figures)
    assert figures.by_search >= BY_SEARCH


@pytest.mark.slow
@pytest.mark.parametrize(
    "said",
    [{"seed": 0}, {"careful": True}, {"pages": False}],
    ids=["published", "careful", "of the first page"],
)
def test_so_they_are_without_the_search_and_for_a_model_that_takes_its_time(said: Any) -> None:
    figures = played(anytool.sample(anytool.queries(), SOME), **said)
    missed = [one.query_id for one in figures.played if not one.is_complete]
    assert len(missed) <= (1 - anytool.COMPLETE) * len(figures.played), missed
    assert figures.tokens <= anytool.TOKENS
    assert figures.calls <= (43 if said.get("seed") == 0 else anytool.CALLS)


@pytest.mark.slow
def test_so_they_are_over_another_catalogue() -> None:
    rows = anytool.queries(SEAL / "queries.public.jsonl")
    check(played(anytool.sample(rows, SOME), Catalogue(SEAL / "tools.jsonl", cache=False)))
