"""A search's manners: names first, no five wrong hits for what is not there, a way out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbagents.catalogue import Catalogue
from tests.thinning import examples
from tests.unit.catalogue.records import RECORDS, queries, record

if TYPE_CHECKING:
    from collections.abc import Sequence


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    """Of a few services."""
    return Catalogue(RECORDS, cache=False)


NAMES = Catalogue(RECORDS, cache=False).names


@settings(max_examples=examples(40))
@given(
    st.lists(st.sampled_from(NAMES), min_size=1, unique=True), st.sampled_from([", ", " ", "\n"])
)
def test_names_come_first_in_the_order_in_which_they_are_called(
    names: list[str], between: str
) -> None:
    catalogue = Catalogue(RECORDS, cache=False)
    for query in (between.join(names), f"select:{','.join(names)}"):
        assert catalogue.search(query, k=20).names[: len(names)] == tuple(names)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("daily_forecast", "open_meteo__daily_forecast"),
        ("Daily forecast", "open_meteo__daily_forecast"),
        ("DAILY FORECAST", "open_meteo__daily_forecast"),
        ("get_song", "tunes__get_song"),
        ("getTides", "stormglass__gettides"),
        ("please call `create_card` with the title Milk", "taskly_boards__create_card"),
        ("taskly_boards__create", "taskly_boards__create_card"),
        ("select:list_cards", "taskly_boards__list_cards"),
        ("Taskly Boards list_cards", "taskly_boards__list_cards"),
    ],
)
def test_an_unprefixed_or_begun_name_is_found(catalogue: Catalogue, query: str, first: str) -> None:
    assert catalogue.search(query).names[0] == first


def test_a_selection_holds_nothing_else_and_says_what_is_not_there(catalogue: Catalogue) -> None:
    hits = catalogue.search("select:songs, create_cart, send")
    assert hits.names == ("songs", "mailer__send")
    assert "'create_cart'" in hits.hint
    assert "taskly_boards__create_card" in hits.hint
    assert hits.hint in hits.text
    assert catalogue.search("select:").hint


@pytest.mark.parametrize("query", ["x" * 5_000, "select:" + "y" * 5_000])
def test_a_hint_is_short_however_long_the_name(query: str) -> None:
    catalogue = Catalogue([record("C", "T", f"word{at}") for at in range(1_000)], cache=False)
    hits = catalogue.search(query)
    assert not hits
    assert 0 < len(hits.hint) < 500


def test_what_is_selected_and_stands_elsewhere_is_said(catalogue: Catalogue) -> None:
    hits = catalogue.search("select:songs,send", category="Music")
    assert hits.names == ("songs",)
    assert hits.hint == "mailer__send stands elsewhere: in Mailer (Office)."


@pytest.mark.parametrize(
    ("tool", "queries"),
    [
        (
            "Taskly Boards",
            [
                "Taskly Boards",
                "Taskly Boards API",
                "Taskly Boards: put a card on the board for the weather in Rome",
                "Put a card on my board using the Taskly Boards API, please.",
                "Use Taskly Boards to send a card",
            ],
        ),
        ("StormGlass", ["StormGlass", "StormGlass weather"]),
    ],
)
def test_a_service_that_is_not_there_gives_nothing_and_a_hint(
    tool: str, queries: Sequence[str]
) -> None:
    catalogue = Catalogue(RECORDS, cache=False)
    for query in queries:
        assert catalogue.search(query), query
    catalogue.remove(tool=tool)
    for query in queries:
        hits = catalogue.search(query)
        assert not hits, query
        assert tool.split(maxsplit=1)[0].lower() in hits.hint.lower()


@pytest.mark.parametrize(
    "query",
    [
        "weather in Timbuktu",
        "rainy weather",
        "Song Cards",
        "天気 songs",
        "I love Taylor Swift. Can you find her songs, and tell me where her band plays?",
        "Send a mail to Bob@example.com about GPT-9",
        "Weather forecast for the next days",
        "Open Meteo",
        "Meteo air quality",
        "Remind me: what is the weather like?",
    ],
)
def test_unknown_values_do_not_empty_an_answer(catalogue: Catalogue, query: str) -> None:
    assert catalogue.search(query)


def test_the_hint_names_what_is_near() -> None:
    catalogue = Catalogue(RECORDS, cache=False)
    assert "Open Meteo (Weather)" in catalogue.search("Closed Meteo").hint
    assert "browse" in catalogue.search("zzz qqq yyy xxx").hint
    assert "select:" in catalogue.search("  ").hint
    assert "'Weather'" in catalogue.search("songs", category="Whether").hint
    assert "'Tunes'" in catalogue.search("songs", category="Music", tool="Tune").hint
    assert "Mailer" in catalogue.search("songs", tool="Mailer").hint


def test_a_place_narrows_a_search(catalogue: Catalogue) -> None:
    hits = catalogue.search("weather", category="Music")
    assert {hit.category for hit in hits} == {"Music"}
    assert catalogue.search("weather", tool="BandBook").names == ("bandbook__concerts",)
    assert not catalogue.search("songs", category="Office")


def test_a_hit_says_which_words_stand_where(catalogue: Catalogue) -> None:
    (hit, *_) = catalogue.search("Create cards, on Boards")
    assert hit.why["name"] == ("Create", "cards")
    assert hit.why["tool"] == ("Boards",)
    assert hit.why["description"] == ("cards", "Boards")
    assert hit.line == "taskly_boards__create_card: Put a card on a board"


@settings(max_examples=examples(40))
@given(queries, st.integers(0, 12))
def test_scores_fall_and_no_more_come_than_were_asked_for(query: str, k: int) -> None:
    hits = Catalogue(RECORDS, cache=False).search(query, k)
    scores = [hit.score for hit in hits]
    assert len(hits) <= k
    assert scores == sorted(scores, reverse=True)
    assert bool(hits) != bool(hits.hint)


def test_an_embedder_finds_what_no_word_tells() -> None:
    meanings = {"ocean": (1.0, 0.0), "tide": (0.9, 0.1), "song": (0.0, 1.0)}

    def embed(texts: list[str]) -> list[tuple[float, float]]:
        asked.extend(texts)
        return [
            next((one for word, one in meanings.items() if word in text.lower()), (0.5, 0.5))
            for text in texts
        ]

    asked: list[str] = []
    catalogue = Catalogue(RECORDS, cache=False, embedder=embed)
    assert catalogue.search("high ocean level").names[0] == "stormglass__gettides"
    assert len(asked) == len(RECORDS) + 1
    catalogue.add(record("Sea", "Buoys", "ocean height"))
    assert catalogue.search("high ocean level", category="Sea").names == ("buoys__ocean_height",)
    assert len(asked) == len(RECORDS) + 3  # the new one, and each query
    assert not catalogue.search("Neptune API")


def test_in_a_large_catalogue_an_unknown_word_alone_is_a_service() -> None:
    many = [record("Many", f"Tool {n}", f"list cards {n}", "Lists weather.") for n in range(1_000)]
    catalogue = Catalogue(many, cache=False)
    for query in ("taskly", "taskly cards", "Taskly list cards"):
        assert not catalogue.search(query)
        assert "askly" in catalogue.search(query).hint
    for query in ("cards", "list weather in taskly", "list all the cards that taskly likes"):
        assert catalogue.search(query)


@pytest.mark.parametrize("query", ["Multiply 3 and 4", "Weather in Oslo", "Weather for Ulan Bator"])
def test_a_known_word_that_begins_a_sentence_is_no_name_of_a_service(query: str) -> None:
    def multiply(a: int, b: int) -> int:
        """Multiply two numbers."""
        return a * b

    def forecast(city: str) -> str:
        """Tell the weather in a city."""
        return city

    found = Catalogue(multiply, forecast).search(query)
    assert len(found) == 1
    assert not Catalogue(multiply, forecast).search(re.sub(r"^\w+", "Netflix", query))
