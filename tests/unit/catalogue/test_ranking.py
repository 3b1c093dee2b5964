"""Ranking: what is left out of sight changes nothing, nor does the way a catalogue came to be."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbagents.catalogue import Catalogue
from nbagents.catalogue.index.index import FIELDS, K1, MOST, WEIGHTS, B
from nbagents.catalogue.index.ranking import CATEGORY_SHARE, CLAUSE_SHARE, TOOL_SHARE, clauses_of
from nbagents.catalogue.index.terms import terms_of
from nbagents.catalogue.shelves import Shelves
from nbagents.catalogue.sources.record_file import numbered
from nbagents.catalogue.sources.source import read_source
from tests.thinning import examples
from tests.unit.catalogue.records import RECORDS, Record, catalogues, contents, queries, record


class Plain:
    """The ranking as its formula says it, document by document."""

    def __init__(self, records: list[Record]) -> None:
        self.entries = numbered(read_source(records, {}, None).entries)
        self.counted = [
            [Counter(terms_of(text)) for text in entry.texts()] for entry in self.entries
        ]
        totals = ([one[at].total() for one in self.counted] for at in range(len(FIELDS)))
        self.means = [sum(lengths) / len(lengths) or 1 for lengths in totals]

    def scores(self, query: str) -> dict[tuple[str, ...], float]:
        """Of each entry that has any."""
        final = self.lifted(terms_of(query))
        clauses = clauses_of(query)
        gains = [self.lifted(one) for one in clauses] if len(clauses) > 1 else []
        share = CLAUSE_SHARE * max(final)
        for scores in filter(any, gains):
            final = [
                one + share * (score / max(scores)) ** 3
                for one, score in zip(final, scores, strict=True)
            ]
        listed = zip(self.entries, final, strict=True)
        return {entry.identity: score for entry, score in listed if score}

    def lifted(self, terms: list[str]) -> list[float]:
        """With what neighbours add."""
        summed = map(math.fsum, zip(*map(self.of_term, dict.fromkeys(terms)), strict=True))
        own = list(summed) or [0.0] * len(self.entries)
        most = max(own) or 1
        return [
            score
            and score
            + TOOL_SHARE * self.best(own, entry.key[:2]) ** 2 / most
            + CATEGORY_SHARE * self.best(own, entry.key[:1]) ** 2 / most
            for entry, score in zip(self.entries, own, strict=True)
        ]

    def best(self, own: list[float], place: tuple[str, ...]) -> float:
        """The best score in a place."""
        listed = zip(self.entries, own, strict=True)
        return max(score for entry, score in listed if entry.key[: len(place)] == place)

    def of_term(self, term: str) -> list[float]:
        """BM25F of one term."""
        weights = [
            sum(
                weight * min(one[term], MOST) / (1 - B + B * one.total() / mean)
                for weight, one, mean in zip(WEIGHTS, fields, self.means, strict=True)
            )
            for fields in self.counted
        ]
        having = sum(map(bool, weights))
        rarity = math.log(1 + (len(weights) - having + 0.5) / (having + 0.5))
        return [rarity * weight / (K1 + weight) for weight in weights]


@settings(max_examples=examples(60))
@given(catalogues(), st.lists(queries, min_size=1, max_size=4).map(", ".join), st.integers(1, 14))
def test_the_best_are_those_of_the_plain_formula(records: list[Record], query: str, k: int) -> None:
    shelves = Shelves(tool_share=TOOL_SHARE, category_share=CATEGORY_SHARE)
    shelves.take(read_source(records, {}, None))
    expected = Plain(records).scores(query)
    found = shelves.ranking.best(query, k)
    assert len(found) == min(k, len(expected))
    scores = sorted(expected.values(), reverse=True)
    for at, (score, number) in enumerate(found):
        assert math.isclose(score, scores[at], rel_tol=1e-9)
        assert math.isclose(score, expected[shelves.entry(number).identity], rel_tol=1e-9)


@pytest.mark.medium
@settings(max_examples=examples(60))
@given(catalogues(), catalogues(), queries, st.data())
def test_coming_and_going_in_any_order_equals_a_fresh_build(
    first: list[Record], second: list[Record], query: str, data: st.DataObject
) -> None:
    catalogue = Catalogue(first, cache=False)
    gone = data.draw(st.lists(st.sampled_from(catalogue.names), unique=True, max_size=4))
    for name in gone:
        keys = {api.key for api in catalogue if api.name == name}
        if keys:  # a name may have become another one when its double went
            catalogue.remove(name)
    catalogue.add(*second)
    again = data.draw(st.lists(st.sampled_from(catalogue.names), unique=True, max_size=4))
    kept = [one for one in catalogue if one.name in again]
    catalogue.remove(*again)
    catalogue.add(*kept)
    fresh = Catalogue(list(catalogue), cache=False)
    assert contents(fresh) == contents(catalogue)
    assert list(fresh.search(query, 30)) == list(catalogue.search(query, 30))


@settings(max_examples=examples(30))
@given(queries)
def test_a_search_is_the_same_each_time(query: str) -> None:
    catalogue = Catalogue(RECORDS, cache=False)
    assert catalogue.search(query) == catalogue.search(query)
    assert catalogue.search(query).names == Catalogue(RECORDS, cache=False).search(query).names


def test_what_stands_in_the_same_tool_is_lifted_and_the_share_is_the_users() -> None:
    records = [
        record("A", "Zoo", "open", "When giraffes are shown."),
        record("A", "Zoo", "b price", "What it costs."),
        record("B", "Inn", "a price", "What it costs."),
    ]
    query = "giraffes shown, price"
    assert Catalogue(records, cache=False).search(query).names[1] == "zoo__b_price"
    alone = Catalogue(records, cache=False, tool_share=0, category_share=0)
    assert alone.search(query).names[1] == "inn__a_price"


def test_words_are_found_in_other_forms_and_scripts() -> None:
    records = [record("A", "GitHub", "getUserByID"), record("A", "天気", "予報", "東京の天気予報")]
    catalogue = Catalogue(records, cache=False)
    assert catalogue.search("github users").names[0] == "github__getuserbyid"
    assert catalogue.search("東京").found[0].tool == "天気"
