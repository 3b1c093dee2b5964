"""Retrieval over 16,464 APIs: the labelled queries' public half, names, absent services."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from nbagents.tools.json_schema import fault_of
from tests.conformance.retrieval import (
    CATALOGUE,
    QUERIES,
    SEAL,
    SEAL_QUERIES,
    absent_share,
    answer_tokens,
    catalogue_of,
    distinctive_tools,
    emptied,
    misnamed,
    recall,
)
from tests.conformance.shared_data import needs, read_lines

if TYPE_CHECKING:
    from nbagents.catalogue import Catalogue

pytestmark = needs(CATALOGUE)

BARS = {"R@10": 0.693, "nDCG@10": 0.610, "C@20": 0.643}
"""The reference's 0.703, 0.620 and 0.653, less 0.01 each."""
MOST_TOKENS = 500


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    """Of all the data's APIs."""
    return catalogue_of(CATALOGUE)


def test_every_record_is_there_and_keeps_its_name(catalogue: Catalogue) -> None:
    rows = read_lines(CATALOGUE)
    assert catalogue.faults == ()
    assert set(catalogue.names) == {row["name"] for row in rows}
    for row in rows[::97]:
        api = catalogue[row["name"]]
        assert api.key == (row["category"], row["tool"], row["api"])
        assert (api.description, api.method) == (row["description"], row.get("method"))


@pytest.mark.slow
def test_every_definition_is_json_schema(catalogue: Catalogue) -> None:
    schemas = {one.name: one.parameters for one in catalogue}
    assert [name for name, one in schemas.items() if fault_of(one)] == []
    unread = [name for name, one in schemas.items() if "cannot be read" in str(one)]
    assert unread == []


def test_a_part_of_the_public_queries_finds_what_all_must(catalogue: Catalogue) -> None:
    found = recall(catalogue, read_lines(QUERIES)[::8])["ALL"]
    assert all(found[measure] >= bar - 0.08 for measure, bar in BARS.items()), found


@pytest.mark.slow
def test_the_public_queries_find_what_they_must(catalogue: Catalogue) -> None:
    found = recall(catalogue, read_lines(QUERIES))["ALL"]
    assert all(found[measure] >= bar for measure, bar in BARS.items()), found


@pytest.mark.slow
def test_a_second_corpus_finds_what_it_must() -> None:
    seal = catalogue_of(SEAL)
    queries = read_lines(SEAL_QUERIES)
    assert recall(seal, queries)["ALL"]["R@10"] >= 0.93
    assert len(emptied(seal, queries)) <= 0.02 * len(queries)


def test_some_names_come_first(catalogue: Catalogue) -> None:
    assert list(misnamed(catalogue, random.Random(1).sample(catalogue.names, 100))) == []


@pytest.mark.slow
def test_every_name_comes_first(catalogue: Catalogue) -> None:
    assert list(misnamed(catalogue, catalogue.names)) == []


@pytest.mark.parametrize("sample", [20, pytest.param(300, marks=pytest.mark.slow)])
def test_a_service_that_is_not_there_is_not_answered_with_others(
    catalogue: Catalogue, sample: int
) -> None:
    before = catalogue.search("weather forecast").names
    share = absent_share(catalogue, distinctive_tools(read_lines(CATALOGUE)), sample)
    assert share >= 0.95
    assert catalogue.search("weather forecast").names == before


@pytest.mark.slow
def test_what_can_be_answered_is_answered(catalogue: Catalogue) -> None:
    queries = read_lines(QUERIES)
    assert len(emptied(catalogue, queries)) <= 0.02 * len(queries)


def test_an_answer_is_short_to_read(catalogue: Catalogue) -> None:
    assert answer_tokens(catalogue, read_lines(QUERIES)[::10])[-1] <= MOST_TOKENS
