"""What the offline model reads in a text: words, numbers, dates, mentions, clauses."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest

from nbagents.models.offline.language.clauses import clauses_of
from nbagents.models.offline.language.dates import moments_of
from nbagents.models.offline.language.mentions import mentions_of
from nbagents.models.offline.language.numbers import numbers_of
from nbagents.models.offline.language.units import rescaled
from nbagents.models.offline.language.words import abbreviates, humanise, split_name, stem, words_of
from nbagents.models.offline.matching.choices import choice_mentions, truth
from nbagents.models.offline.matching.parameters import Parameter, parameters_of
from tests.unit.models.offline_desk import spec, typed

if TYPE_CHECKING:
    from pydantic import JsonValue


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("setCenterOfHTTPPage", ("set", "center", "of", "http", "page")),
        ("mapAgent--get_zoom-level2", ("map", "agent", "get", "zoom", "level", "2")),
        ("größeÄndern", ("gr", "öß", "e", "Ä".lower(), "ndern")),
    ],
)
def test_identifiers_are_split_at_case_and_signs(name: str, words: tuple[str, ...]) -> None:
    assert split_name(name) == words


@pytest.mark.parametrize(
    "forms",
    [
        ("center", "centers", "centered", "centering", "centre"),
        ("convert", "converts", "converted", "converting"),
        ("calculate", "calculation", "calculating", "calculator"),
        ("city", "cities"),
        ("color", "colour", "colours"),
        ("run", "running"),
        ("invoice", "invoices", "invoicing"),
        ("normalize", "normalise", "normalising"),
    ],
)
def test_the_forms_of_a_word_share_a_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


def test_different_words_keep_different_stems() -> None:
    assert (
        len({stem(word) for word in ("center", "cent", "number", "mass", "bus", "see", "set")}) == 7
    )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("lon", "longitude", True),
        ("qty", "quantity", True),
        ("temp", "template", True),
        ("cat", "concatenate", False),
        ("ab", "about", False),
        ("name", "number", False),
    ],
)
def test_short_forms_are_known(one: str, other: str, *, same: bool) -> None:
    assert abbreviates(one, other) is same


def test_a_tool_s_name_is_told_to_people_without_its_toolset() -> None:
    assert humanise("deskAgent--openFile_now") == "open file now"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("from -3 to 4.5", [-3, 4.5]),
        ("$1,234,567.89 and 12%", [1234567.89, 12]),
        ("minus five, negative 2", [-5, -2]),
        ("twenty-one, nineteen and one hundred and five", [21, 19, 105]),
        ("two thousand three hundred", [2300]),
        ("3 million, 5k and 2.5 billion", [3_000_000, 5_000, 2_500_000_000]),
        ("a dozen eggs, 1e-6 m", [12, 1e-6]),
        ("6cm by 10kg at 298K", [6, 10, 298]),
        ("which one of these, this one", []),
        ("the 2nd and 3rd", [2, 3]),
        ("10-20 and 4^2", [10, 20, 4]),
        ("a=2, b=-7", [2, -7]),
        ("zero one two three", [0, 1, 2, 3]),
    ],
)
def test_numbers_are_read_as_digits_words_and_scales(text: str, values: list[float]) -> None:
    found = [one.value for one in numbers_of(text)]
    assert found == values
    assert [type(one) for one in found] == [type(one) for one in values]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("on 2024-02-29", ["2024-02-29"]),
        ("2024-02-29T10:30:00Z", ["2024-02-29T10:30:00Z"]),
        ("March 3rd, 2024", ["2024-03-03"]),
        ("the 20th of June 2022", ["2022-06-20"]),
        ("2023 April 4th to April 8th", ["2023-04-04", "2023-04-08"]),
        ("April 4th to April 8th, 2023", ["2023-04-04", "2023-04-08"]),
        ("12/25/2023 at 7 pm", ["2023-12-25", "19:00"]),
        ("at 9:30 am and 12 a.m. and 15:00", ["09:30", "00:00", "15:00"]),
        ("30 February 2023, 25:61", []),
        ("today is 2024-03-06, and tomorrow", ["2024-03-06", "2024-03-07"]),
        ("this Sunday", ["Sunday"]),
    ],
)
def test_dates_and_times_are_read_into_iso(text: str, values: list[str]) -> None:
    assert [one.value for one in moments_of(text)] == values


def test_today_is_the_day_of_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBAGENTS_DETERMINISTIC", "1")
    assert [one.value for one in moments_of("yesterday, today")] == ["2025-12-31", "2026-01-01"]
    assert moments_of("May 5")[0].value == "2026-05-05"
    monkeypatch.delenv("NBAGENTS_DETERMINISTIC")
    assert moments_of("today")[0].value == dt.datetime.now().astimezone().date().isoformat()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('say "hi there" now', [("quoted", "hi there")]),
        ("the book 'It's late'", [("quoted", "It's late")]),
        ("don't say it's", []),
        ("from New York City to San Juan", [("name", "New York City"), ("name", "San Juan")]),
        ("Show Rome", [("name", "Rome")]),
        ("in Bath, England", [("name", "Bath, England")]),
        ("in Bath, York and Rome", [("name", "Bath"), ("name", "York"), ("name", "Rome")]),
        ("mail a.b@c.org", [("email", "a.b@c.org")]),
        ("open https://x.org/a?b=1.", [("url", "https://x.org/a?b=1")]),
        ("order AB-123 in v2.0.1", [("code", "AB-123"), ("code", "v2.0.1")]),
        ("[1, 2.5] and ['a', 'b']", [("list", [1, 2.5]), ("list", ["a", "b"])]),
        ("between (3, 4) and (1,2)", [("list", [3, 4]), ("list", [1, 2])]),
        ("read notes.txt", [("path", "notes.txt")]),
        ("two numbers: 40 and 50", [("number", 40), ("number", 50)]),
    ],
)
def test_mentions_are_found_with_their_kinds(text: str, found: list[tuple[str, object]]) -> None:
    mentions = [one for one in mentions_of(text) if one.kind not in {"phrase", "unit"}]
    assert [(one.kind, one.value) for one in mentions] == found


def _clauses(text: str) -> list[str]:
    found = clauses_of(text, mentions_of(text), {"paint"})
    return [text[one.start : one.end].strip(" ,") for one in found]


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("Find Ann and then call her", ["Find Ann", "and then call her"]),
        ("Open it; close it. Why?", ["Open it;", "close it.", "Why?"]),
        ("Buy salt and pepper", ["Buy salt and pepper"]),
        ("Read the file, and paint the wall", ["Read the file", "and paint the wall"]),
        ("Sum 1.5 and 2.5 at St. Mary", ["Sum 1.5 and 2.5 at St. Mary"]),
        ('Say "open and close. Now" to me', ['Say "open and close. Now" to me']),
        ("What is it and how old is he?", ["What is it", "and how old is he?"]),
    ],
)
def test_clauses_end_where_a_new_wish_begins(text: str, clauses: list[str]) -> None:
    assert _clauses(text) == clauses


def test_a_clause_knows_what_it_is() -> None:
    text = "I live in Rome. Please find a shop and then tell me where it is"
    context, wish, later = clauses_of(text, mentions_of(text), ())
    assert (context.asks, wish.asks, later.asks) == (False, True, True)
    assert (wish.later, later.later) == (False, True)
    assert (wish.refers, later.refers) == (False, True)


def _parameter(name: str, schema: dict[str, JsonValue]) -> Parameter:
    return parameters_of(spec("t", **{name: schema}).parameters)[0]


@pytest.mark.parametrize(
    ("choices", "text", "found"),
    [
        (["celsius", "fahrenheit"], "in Celsius please", ["celsius"]),
        (["celsius", "fahrenheit"], "in fahr", ["fahrenheit"]),
        (["rent", "buy"], "find a rental", ["rent"]),
        (["one-way", "round_trip"], "a round trip", ["round_trip"]),
        (["km", "mi"], "how many miles", ["mi"]),
        (["a", "b"], "a dog and b cats", []),
        (["low", "very low"], "set it very low", ["very low"]),
    ],
)
def test_enum_values_are_known_by_word_stem_and_unit(
    choices: list[str], text: str, found: list[str]
) -> None:
    parameter = _parameter("mode", typed("string", enum=[*choices]))
    assert [one.value for one in choice_mentions(parameter, words_of(text))] == found


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("with tax", True),
        ("without tax", False),
        ("do not include taxes", False),
        ("tax: false", False),
        ("the total", None),
    ],
)
def test_booleans_follow_the_parameter_s_words_and_negation(
    text: str, *, value: bool | None
) -> None:
    parameter = _parameter("include_tax", typed("boolean"))
    assert truth(parameter, text, words_of(text)) is value


@pytest.mark.parametrize(
    ("value", "unit", "described", "scaled"),
    [
        (90, "minutes", "timeout in seconds", 5400),
        (2, "cm", "distance in meters", 0.02),
        (5, "kg", "weight in kg", 5),
        (5, "kg", "distance in meters", 5),
        (5, "apples", "in seconds", 5),
        (5, "hours", "seconds or minutes", 5),
    ],
)
def test_quantities_reach_the_unit_that_a_description_names(
    value: float, unit: str, described: str, scaled: float
) -> None:
    assert rescaled(value, unit, described) == scaled
