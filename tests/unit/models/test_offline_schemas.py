"""What the offline model reads from a parameter's schema and description."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from nbagents.messages import UserMessage
from nbagents.models.model import ModelRequest, ModelTurn, ToolSpec
from nbagents.models.offline.matching.parameters import UNSET, Unset, parameters_of
from tests.unit.models.offline_desk import parts_of, spec, typed

if TYPE_CHECKING:
    from pydantic import JsonValue


def arguments(prompt: str, *tools: ToolSpec) -> dict[str, JsonValue] | None:
    turn = parts_of(ModelRequest(messages=[UserMessage(text=prompt)], tools=tools))[-1]
    assert isinstance(turn, ModelTurn)
    return json.loads(turn.calls[0].arguments) if turn.calls else None


def ordered(prompt: str, *optional: str, **properties: dict[str, JsonValue]) -> JsonValue:
    """What a tool to order paint is given."""
    return arguments(prompt, spec("order_paint", "Order paint.", *optional, **properties))


@pytest.mark.parametrize(
    ("description", "default"),
    [
        ("Defaults to 'km'.", "km"),
        ("Default is 2.5", 2.5),
        ("The default value is 7 days.", 7),
        ("Optional. Default 'fast'", "fast"),
        ("Default false.", False),
        ("Kind, with air as default.", "air"),
        ("'warm' by default.", "warm"),
        ("If the user does not specify it, please use 100", 100),
        ("Default is none.", UNSET),
        ("How many.", UNSET),
    ],
)
def test_a_default_is_read_from_the_words(description: str, default: JsonValue | Unset) -> None:
    schema = spec("t", want=typed("string", description)).parameters
    assert parameters_of(schema)[0].default == default


def test_what_would_be_the_same_by_default_is_left_out() -> None:
    unit = typed("string", "Defaults to 'litre'.", enum=["litre", "gallon"])
    count = typed("integer", "How many.")
    assert ordered("Order paint, count 3, unit litre", "unit", count=count, unit=unit) == {
        "count": 3
    }
    assert ordered("Order paint, count 3, unit gallon", "unit", count=count, unit=unit) == {
        "count": 3,
        "unit": "gallon",
    }


def test_a_default_in_the_words_fills_what_must_be_given() -> None:
    assert ordered("Order paint", size=typed("integer", "Size. Default is 52.")) == {"size": 52}
    assert ordered("Order paint", size=typed("integer", "Size. Default is large.")) is None


def test_values_that_a_description_explains_are_known_by_their_meaning() -> None:
    shop = typed("integer", "Which shop: 1 for North Shop, 2 for South Shop.")
    speech = typed("string", "Code such as 'de' for German or 'fr' for French.")
    assert ordered("Order paint from the south shop in German", shop=shop, speech=speech) == {
        "shop": 2,
        "speech": "de",
    }


def test_a_name_is_written_out_as_an_example_has_it() -> None:
    town = typed("string", "Where to, such as 'Salem, OR' or 'New Haven, CT'.")
    assert ordered("Order paint to Salem", town=town) == {"town": "Salem, OR"}
    assert ordered("Order paint to NH", town=town) == {"town": "New Haven, CT"}
    assert ordered("Order paint to Ulm, BW", town=town) == {"town": "Ulm, BW"}


def test_examples_of_one_parameter_serve_another() -> None:
    start = typed("string", "Start, such as 'Salem, OR'.")
    end = typed("string", "End, e.g. Troy, NY")
    assert ordered("Order paint from Troy to Salem", from_town=start, to_town=end) == {
        "from_town": "Troy, NY",
        "to_town": "Salem, OR",
    }


def test_a_name_is_no_more_than_the_parameter_asks_for() -> None:
    assert ordered("Order paint to Ulm, Germany", town=typed("string", "Town.")) == {"town": "Ulm"}


def test_values_listed_after_for_example_are_choices() -> None:
    kind = typed("string", "Kind of paint. E.g. oil, chalk, water")
    assert ordered("Please order chalk paint today", kind=kind) == {"kind": "chalk"}


def test_a_parameter_s_own_word_is_no_part_of_its_value() -> None:
    assert ordered("Order paint in the namespace bandana", namespace=typed("string")) == {
        "namespace": "bandana"
    }


def test_the_words_in_a_value_say_what_it_is() -> None:
    given = ordered(
        "Order paint by Hill Brothers for Orange County",
        company=typed("string"),
        county=typed("string"),
    )
    assert given == {"company": "Hill Brothers", "county": "Orange County"}


def test_truth_in_words_is_a_choice_of_its_own() -> None:
    free = typed("string", "Free.", enum=["True", "False", "dontcare"])
    assert ordered("Order free paint", "free_delivery", free_delivery=free) == {
        "free_delivery": "True"
    }


def test_a_short_form_among_choices_is_known_by_the_long_word() -> None:
    sort = typed("string", enum=["asc", "desc"])
    assert ordered("Order paint sorted in ascending order", sort=sort) == {"sort": "asc"}


def test_one_word_of_a_choice_is_enough_where_no_other_has_it() -> None:
    kind = typed("string", enum=["Family Doctor", "Surgeon"])
    assert ordered("Order paint for my family", kind=kind) == {"kind": "Family Doctor"}


def test_a_choice_is_not_known_by_a_word_that_only_begins_like_it() -> None:
    kind = typed("string", enum=["Action", "Drama"])
    assert ordered("Order paint acted upon", kind=kind) is None


def test_a_number_among_choices_of_text_is_taken() -> None:
    people = typed("string", "For how many.", enum=["1", "2", "3"])
    shop = typed("string", "Name.")
    assert ordered("Order paint at Tolle for two people", "people", people=people, shop=shop) == {
        "people": "2",
        "shop": "Tolle",
    }


def test_a_name_that_is_left_goes_to_the_only_optional_text() -> None:
    shop, artist = typed("string", "Name of the shop."), typed("string", "Whom to name on it.")
    given = ordered("Order paint in the shop Tolle, featuring Ann Lee", "artist", shop=shop,
                    artist=artist)  # fmt: skip
    assert given == {"shop": "Tolle", "artist": "Ann Lee"}


@pytest.mark.parametrize(
    ("prompt", "value"),
    [
        ("Send a note with the text call Ann at nine", "call Ann at nine"),
        ("Send this note: the paint is dry now", "the paint is dry now"),
        ("Send a note with the text 'Hi'", "Hi"),
        ("Send a note: soon", "note: soon"),
    ],
)
def test_free_text_follows_its_parameter_s_name_or_a_colon(prompt: str, value: str) -> None:
    assert arguments(prompt, spec("send_note", "Send a note.", text=typed("string"))) == {
        "text": value
    }


def test_a_formula_is_one_value() -> None:
    tool = spec("derive", "The derivative of a function.", function=typed("string"),
                at=typed("number"))  # fmt: skip
    assert arguments("The derivative of the function 3x^2 + 2x - 1 at 5", tool) == {
        "function": "3x^2 + 2x - 1",
        "at": 5,
    }


def test_a_span_of_time_is_counted_in_the_unit_of_the_parameter() -> None:
    days = typed("integer", "Number of days.")
    assert ordered("Order paint for the next week", days=days) == {"days": 7}
    assert ordered("Order paint for the next month", days=days) == {"days": 30}
    assert ordered(
        "Order paint for the next week", when=typed("string", "Time.", format="time")
    ) == {"when": "next week"}
    assert ordered("Order paint for the next week", weeks=typed("integer", "Weeks.")) is None


def test_a_unit_of_something_else_speaks_against_a_number() -> None:
    given = ordered("Order paint, moved by 100 m at 5 m/s", speed=typed("number"),
                    height=typed("number"))  # fmt: skip
    assert given == {"speed": 5, "height": 100}


def test_a_year_is_known_without_its_word() -> None:
    assert ordered("Order paint of 2020", "year", year=typed("integer")) == {"year": 2020}


def test_a_house_number_belongs_to_its_street() -> None:
    assert ordered(
        "Order paint to 12 Elm Road, Ulm",
        address=typed("string", "As 'street, town', such as 'Ring 1, Bonn'."),
    ) == {"address": "12 Elm Road, Ulm"}
