"""How the offline model fills arguments by schema and type, over tools of many subjects."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from nbagents.messages import UserMessage
from nbagents.models.model import ModelRequest, ModelTurn, ToolSpec
from nbagents.models.offline.matching.parameters import parameters_of
from nbagents.models.offline.matching.ranking import Index
from nbagents.models.offline.planning.conversation import Made
from nbagents.models.offline.planning.evidence import look_up
from nbagents.models.offline.planning.repairs import repaired
from tests.unit.models.offline_desk import Call, parts_of, spec, typed

if TYPE_CHECKING:
    from pydantic import JsonValue


def calls(prompt: str, *tools: ToolSpec) -> list[Call]:
    """The calls of the first step."""
    turn = parts_of(ModelRequest(messages=[UserMessage(text=prompt)], tools=tools))[-1]
    assert isinstance(turn, ModelTurn)
    return [(one.name, json.loads(one.arguments)) for one in turn.calls]


def arguments(prompt: str, tool: ToolSpec) -> list[dict[str, JsonValue]]:
    return [given for _, given in calls(prompt, tool)]


TRIANGLE = spec(
    "triangle_area",
    "The area of a triangle.",
    base=typed("number", "Length of the base."),
    height=typed("number", "Height over the base."),
)
FLIGHT = spec(
    "book_flight",
    "Book a flight.",
    "seat",
    "passengers",
    "refundable",
    origin=typed("string"),
    destination=typed("string"),
    date=typed("string", format="date"),
    seat=typed("string", "Seat class.", enum=["economy", "business"]),
    passengers=typed("integer", "Number of passengers.", minimum=1, maximum=9),
    refundable=typed("boolean", "Whether the ticket is refundable."),
)


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("Area of a triangle with base 10 and height 5", [{"base": 10, "height": 5}]),
        ("Area of a triangle of height 5 and base 10", [{"base": 10, "height": 5}]),
        (
            "Area of the triangle whose base and height are 6cm and 10cm",
            [{"base": 6, "height": 10}],
        ),
        (
            "Area of a triangle with base 1 and height 2, and one with base 3 and height 4",
            [{"base": 1, "height": 2}, {"base": 3, "height": 4}],
        ),
    ],
)
def test_numbers_go_to_the_parameter_that_is_named_beside_them(
    prompt: str, expected: list[dict[str, JsonValue]]
) -> None:
    assert arguments(prompt, TRIANGLE) == expected


def test_directions_dates_enums_counts_and_booleans_in_one_wish() -> None:
    prompt = (
        "Book a refundable business flight from New York to San Juan on March 3rd, 2027 "
        "for two passengers"
    )
    assert arguments(prompt, FLIGHT) == [
        {
            "origin": "New York",
            "destination": "San Juan",
            "date": "2027-03-03",
            "seat": "business",
            "passengers": 2,
            "refundable": True,
        }
    ]


def test_what_is_optional_and_not_said_is_left_out() -> None:
    assert arguments("Book a flight to Rome from Bath on 2027-01-05", FLIGHT) == [
        {"origin": "Bath", "destination": "Rome", "date": "2027-01-05"}
    ]


def test_what_strict_mode_wants_said_is_null_where_it_is_not_known() -> None:
    tool = spec(
        "make_note",
        "Make a note.",
        text=typed("string"),
        color={"anyOf": [{"type": "string"}, {"type": "null"}]},
        size={"type": ["integer", "null"]},
    )
    assert arguments('Make a note "Buy milk"', tool) == [
        {"text": "Buy milk", "color": None, "size": None}
    ]


def test_a_number_out_of_range_is_not_taken() -> None:
    tool = spec("set_level", "Set the level.", level=typed("integer", minimum=0, maximum=10))
    assert arguments("Set the level to 7", tool) == [{"level": 7}]
    assert arguments("Set the level to 70", tool) == []
    assert arguments("Set the level to 7.5", tool) == []


ALARM = spec("set_alarm", "Set an alarm.", time=typed("string"), day=typed("string", "Date."))
TAG = spec(
    "tag_ticket",
    "Tag a ticket.",
    ticket_id=typed("string"),
    tags=typed("array", items={"type": "string"}),
)
MEAN = spec("mean", "The mean of numbers.", numbers=typed("array", items={"type": "number"}))


@pytest.mark.parametrize(
    ("prompt", "tool", "expected"),
    [
        ("Set an alarm on 5 May 2027 at 7 pm", ALARM, {"time": "19:00", "day": "2027-05-05"}),
        ("Tag ticket AB-12 'red' and 'old'", TAG, {"ticket_id": "AB-12", "tags": ["red", "old"]}),
        ("The mean of [1, 2.5, -3]", MEAN, {"numbers": [1, 2.5, -3]}),
        ("The mean of 4, 5 and 6.5", MEAN, {"numbers": [4, 5, 6.5]}),
        ("The mean of twenty and minus three", MEAN, {"numbers": [20, -3]}),
    ],
)
def test_times_codes_and_arrays(
    prompt: str, tool: ToolSpec, expected: dict[str, JsonValue]
) -> None:
    assert arguments(prompt, tool) == [expected]


def test_a_quantity_is_given_in_the_unit_of_the_parameter() -> None:
    tool = spec("set_timer", "Set a timer.", duration=typed("number", "How long, in seconds."))
    assert arguments("Set a timer of 3 minutes", tool) == [{"duration": 180}]


def test_a_percentage_is_a_fraction_unless_the_description_counts_in_percent() -> None:
    rate = spec("interest", "Compute interest.", rate=typed("number", "Yearly rate."))
    percent = spec("interest", "Compute interest.", rate=typed("number", "Rate in percent."))
    assert arguments("Compute the interest at a rate of 5%", rate) == [{"rate": 0.05}]
    assert arguments("Compute the interest at a rate of 5%", percent) == [{"rate": 5}]


def test_the_parts_of_a_date_are_numbers_of_their_own() -> None:
    tool = spec(
        "sunrise", "When the sun rises.", year=typed("integer"), month=typed("integer"),
        day=typed("integer"),
    )  # fmt: skip
    assert arguments("Sunrise on 2027-03-09?", tool) == [{"year": 2027, "month": 3, "day": 9}]


def test_objects_are_filled_from_the_same_words() -> None:
    tool = spec(
        "draw_box",
        "Draw a box.",
        size={
            "type": "object",
            "properties": {"width": typed("number"), "depth": typed("number")},
            "required": ["width", "depth"],
        },
    )
    assert arguments("Draw a box of width 3 and depth 4", tool) == [
        {"size": {"width": 3, "depth": 4}}
    ]


def test_references_in_a_schema_are_followed() -> None:
    schema: dict[str, JsonValue] = {
        "type": "object",
        "properties": {"tone": {"$ref": "#/$defs/Tone"}},
        "required": ["tone"],
        "$defs": {"Tone": {"enum": ["warm", "cold"]}},
    }
    tool = ToolSpec(name="set_light", description="Set the light.", parameters=schema)
    assert arguments("Make the light cold", tool) == [{"tone": "cold"}]


def test_a_required_boolean_that_is_not_mentioned_is_false() -> None:
    tool = spec("publish", "Publish a page.", page=typed("string"), notify_readers=typed("boolean"))
    assert arguments('Publish the page "News"', tool) == [{"page": "News", "notify_readers": False}]
    assert arguments('Publish the page "News" and notify the readers', tool) == [
        {"page": "News", "notify_readers": True}
    ]


def test_a_search_takes_what_follows_its_verb() -> None:
    tool = spec("search_notes", "Search the notes.", query=typed("string"))
    assert arguments("Please search for old boots of leather", tool) == [
        {"query": "old boots of leather"}
    ]


def test_an_enum_is_known_by_a_word_of_the_same_meaning() -> None:
    tool = spec("todo", "Change the todo list.", action=typed("string", enum=["add", "delete"]),
                text=typed("string"))  # fmt: skip
    assert arguments('Create the todo "Sleep"', tool) == [{"action": "add", "text": "Sleep"}]


@pytest.mark.parametrize(
    ("prompt", "name"),
    [
        ("How many open orders are there?", "count_orders"),
        ("Cancel order 7", "cancel_order"),
        ("What does order 7 contain?", "get_order"),
        ("Who wrote 'Emma'?", "find_author"),
    ],
)
def test_tools_are_ranked_by_their_words(prompt: str, name: str) -> None:
    tools = (
        spec("get_order", "Read what an order contains.", order=typed("integer")),
        spec("cancel_order", "Cancel an order.", order=typed("integer")),
        spec("count_orders", "Count the open orders."),
        spec("find_author", "The author who wrote a book.", title=typed("string")),
    )
    assert [one for one, _ in calls(prompt, *tools)] == [name]


def test_two_tools_of_one_wish_are_called_together() -> None:
    tools = (TRIANGLE, MEAN)
    prompt = "Compute the mean of 1 and 2 and find the area of a triangle of base 3 and height 4"
    assert calls(prompt, *tools) == [
        ("mean", {"numbers": [1, 2]}),
        ("triangle_area", {"base": 3, "height": 4}),
    ]


def _made(content: JsonValue) -> Made:
    text = content if isinstance(content, str) else json.dumps(content)
    return Made(id="call-1", name="read_order", arguments={}, content=text)


@pytest.mark.parametrize(
    ("parameter", "content", "value"),
    [
        (("lng", "number"), {"longitude": 3.5, "other": 1}, 3.5),
        (("order_id", "integer"), {"order": {"id": 7}}, 7),
        (("order_id", "string"), {"id": 7}, "7"),
        (("total", "number"), "The total is 1,250.5 €.", 1250.5),
        (("ids", "array"), {"ids": [1, 2]}, [1, 2]),
        (("total", "number"), {"total": "much"}, None),
        (("size", "number"), {"width": 1, "height": 2}, None),
    ],
)
def test_a_value_is_looked_up_in_results_by_key_and_type(
    parameter: tuple[str, str], content: JsonValue, value: JsonValue
) -> None:
    name, kind = parameter
    wanted = parameters_of(spec("t", **{name: typed(kind)}).parameters)[0]
    found = look_up(wanted, [_made(content)])
    assert (found and found.value) == value


def test_the_newest_result_comes_first() -> None:
    wanted = parameters_of(spec("t", total=typed("number")).parameters)[0]
    found = look_up(wanted, [_made({"total": 1}), _made({"total": 2})])
    assert found is not None
    assert found.value == 2


@pytest.mark.parametrize(
    ("content", "again"),
    [
        ("- size: Input should be a valid integer", {"size": 3, "mode": "fast"}),
        ("- mode: Extra inputs are not permitted", {"size": 2.6}),
        ("- mode: Input should be 'quick' or 'faster'", {"size": 2.6, "mode": "faster"}),
        ("The disk is full.", None),
    ],
)
def test_a_failed_call_is_mended_by_what_the_failure_says(
    content: str, again: dict[str, JsonValue] | None
) -> None:
    tool = spec("t", "", "mode", size=typed("number"), mode=typed("string"))
    given: dict[str, JsonValue] = {"size": 2.6, "mode": "fast"}
    made = Made(id="call-1", name="t", arguments=given, content=content)
    assert repaired(Index([tool]).entries[0], made, "go") == again


def one_argument(prompt: str, /, **schema: JsonValue) -> JsonValue:
    """What one parameter of a tool receives, or nothing where no call is made."""
    given = arguments(prompt, spec("order_paint", "Order paint.", want={**schema}))
    return given[0].get("want") if given else None


@pytest.mark.parametrize(
    ("prompt", "schema", "value"),
    [
        (
            "Order paint on 2027-03-09",
            {"type": "string", "description": "Date as MM/DD/YYYY."},
            "03/09/2027",
        ),
        (
            "Order paint on Sunday",
            {"type": "string", "description": "Day as DD-MM-YYYY."},
            "Sunday",
        ),
        ("Order paint for 2027-03-09", {"type": "integer", "description": "The year."}, None),
        ('Order paint {"tone": "red"}', {"type": "object"}, {"tone": "red"}),
        (
            "Order paint [[1, 2], [3, 4]]",
            {"type": "array", "items": {"type": "array"}},
            [[1, 2], [3, 4]],
        ),
        ("Order paint ['a', 'b']", {"type": "array", "items": {"type": "number"}}, None),
        ("Order paint [red, blue]", {"type": "array"}, ["red", "blue"]),
        ("Order paint '42'", {"type": "integer"}, 42),
        ("Order paint 'Deep Red'", {"enum": ["Deep Red", "Pale"]}, "Deep Red"),
        ("Order paint 3.0", {"type": "integer"}, 3),
        ("Order paint number 7", {"type": "string", "description": "Paint number"}, "7"),
        ("Order paint without gloss", {"type": "boolean", "description": "Glossy"}, False),
    ],
)
def test_a_value_takes_the_shape_that_the_schema_asks_for(
    prompt: str, schema: dict[str, JsonValue], value: JsonValue
) -> None:
    assert one_argument(prompt, **schema) == value


def test_year_and_id_are_given_as_text_where_text_is_asked_for() -> None:
    tool = spec("open_case", "Open a case.", case_id=typed("string"), year=typed("string"))
    assert arguments("Open the case 417 of the year 1999", tool) == [
        {"case_id": "417", "year": "1999"}
    ]


def test_letters_with_an_equals_sign_name_their_numbers() -> None:
    tool = spec("solve", "Solve a quadratic equation.", a=typed("number"), b=typed("number"),
                c=typed("number"))  # fmt: skip
    assert arguments("Solve the quadratic equation with b = -3, a=2 and c is 1", tool) == [
        {"a": 2, "b": -3, "c": 1}
    ]
