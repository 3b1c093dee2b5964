"""Provider names: valid, unique, and the same however a catalogue came to be."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbagents.catalogue import Catalogue
from nbagents.catalogue.records.provider_name import NameBook, hashed_name, wanted_name
from nbagents.tools.tool import FINDERS
from tests.thinning import examples
from tests.unit.catalogue.records import Record, catalogues, contents, record

if TYPE_CHECKING:
    from random import Random

    from nbagents.catalogue.records.provider_name import Identity

VALID = re.compile(r"[A-Za-z0-9_-]{1,64}")


@settings(max_examples=examples(60))
@given(st.text(max_size=80), st.text(min_size=1, max_size=80), st.text(min_size=1, max_size=80))
def test_any_key_and_name_give_a_name_that_models_take(given: str, tool: str, api: str) -> None:
    name = wanted_name(given, ("Any", tool, api))
    assert VALID.fullmatch(name)
    assert VALID.fullmatch(hashed_name(name, ("Any", tool, api)))
    assert name == given or not VALID.fullmatch(given)


@settings(max_examples=examples(40))
@given(catalogues())
def test_names_are_unique_valid_and_lead_back_to_the_key(records: list[Record]) -> None:
    catalogue = Catalogue(records, cache=False)
    assert len(set(catalogue.names)) == len(catalogue)
    for api in catalogue:
        assert VALID.fullmatch(api.name)
        assert catalogue[api.name].key == api.key


@settings(max_examples=examples(40))
@given(catalogues(), st.randoms(use_true_random=False))
def test_names_do_not_depend_on_the_order(records: list[Record], random: Random) -> None:
    unique = list(
        {(r["category"], r["tool"], r["api"], r.get("name")): r for r in records}.values()
    )
    shuffled = unique.copy()
    random.shuffle(shuffled)
    one, other = Catalogue(unique, cache=False), Catalogue(cache=False)
    for each in shuffled:
        other.add(each)
    assert contents(one) == contents(other)


def test_a_valid_name_is_kept_and_one_that_two_want_comes_to_mean_neither() -> None:
    first = record("A", "One", "x", name="mine")
    second = record("B", "Two", "y", name="mine")
    catalogue = Catalogue(first, cache=False)
    assert catalogue.names == ("mine",)
    catalogue.add(second)
    assert "mine" not in catalogue
    assert all(re.fullmatch(r"mine_[0-9a-f]{8}", name) for name in catalogue.names)
    assert catalogue.name_of("A", "One", "x") == catalogue.names[0]
    catalogue.remove(catalogue.name_of("B", "Two", "y"))
    assert catalogue.names == ("mine",)


@pytest.mark.parametrize("finder", sorted(FINDERS))
@pytest.mark.parametrize("tool", ["Zoo", "动物园"])
def test_no_api_is_called_as_what_finds_it(finder: str, tool: str) -> None:
    (name,) = Catalogue(record("A", tool, finder, name=finder), cache=False).names
    assert VALID.fullmatch(name)
    assert name not in FINDERS


@pytest.mark.parametrize("squats_first", [True, False])
def test_who_wants_a_name_that_is_anothers_hash_gets_it(*, squats_first: bool) -> None:
    book: NameBook[str] = NameBook()
    squatted = hashed_name("a", ("1",))
    comes: list[tuple[str, Identity, str]] = [("a", ("1",), "x"), ("a", ("2",), "y")]
    late: tuple[str, Identity, str] = (squatted, ("3",), "z")
    for one in [late, *comes] if squats_first else [*comes, late]:
        book.enter(*one)
    assert book.holders[squatted] == "z"
    assert book.name_of(("1",)) == hashed_name("a", ("1",), 16)
    book.leave(squatted, ("3",))
    assert book.holders == {squatted: "x", hashed_name("a", ("2",)): "y"}
