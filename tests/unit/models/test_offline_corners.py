"""Corners of the offline model: long results, odd replies, loose values, shared arguments."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from nbagents.messages import AssistantMessage, CallRequest, ToolMessage, UserMessage
from nbagents.models.model import ModelRequest, ModelTurn
from nbagents.models.offline.language.prompt import read
from nbagents.models.offline.matching.parameters import parameters_of
from nbagents.models.offline.matching.ranking import Index
from nbagents.models.offline.planning.conversation import Made
from nbagents.models.offline.planning.evidence import look_up
from nbagents.models.offline.planning.repairs import repaired
from tests.unit.models.offline_desk import (
    MAP,
    WEATHER,
    Offered,
    gives,
    parts_of,
    play,
    says,
    spec,
    typed,
)

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.messages import Message


def answer_to(content: JsonValue, arguments: dict[str, JsonValue] | None = None) -> str:
    """What a finaliser says of one result."""
    call = CallRequest(id="call-1", name="read_list", arguments=json.dumps(arguments or {}))
    text = content if isinstance(content, str) else json.dumps(content)
    messages: list[Message] = [
        UserMessage(text="Go"),
        AssistantMessage(text="", calls=(call,)),
        ToolMessage(call_id="call-1", name="read_list", content=text),
    ]
    turn = parts_of(ModelRequest(messages=messages))[-1]
    assert isinstance(turn, ModelTurn)
    return turn.text


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"a": 1}, {"a": 2}], "Read list:\n- a 1\n- a 2"),
        ([{"n": n} for n in range(12)], "- n 9\n- … and 2 more"),
        (list(range(12)), "8, 9 and 2 more."),
        ([], "Read list: nothing."),
        ({"a": {"b": None}, "c": False}, "a (b nothing), c no."),
        ("", "read list: done."),
        ("x" * 2000, "x …"),
        ({"error": "no such list"}, "`read_list` could not do it: no such list."),
        ({"ok": False, "message": "busy"}, "could not do it: busy."),
    ],
)
def test_results_are_told_in_plain_words(content: JsonValue, text: str) -> None:
    assert text in answer_to(content)


def test_more_than_a_dozen_tools_are_counted() -> None:
    tools = tuple((spec(f"tool_{n}"), gives(None)) for n in range(15))
    assert "`tool_11` and 3 more" in play("Sing a song", *tools).answer


def test_several_long_results_are_paragraphs() -> None:
    long: Offered = (
        spec("story", "Tell a story.", title=typed("string")),
        says("A story of {title}. " + "And so on. " * 20),
    )
    assert "\n\nA story of Two." in play("Tell the story 'One' and 'Two'", long).answer


LETTER: Offered = (
    spec(
        "letter",
        "Write a letter.",
        to=typed("string"),
        pages=typed("integer", "How many pages.", minimum=1, maximum=9),
    ),
    says("Wrote {pages} pages to {to}."),
)


def test_a_reply_may_give_several_missing_values() -> None:
    asked = play("Write a letter", LETTER)
    assert "`to` and `pages`" in asked.answer
    assert "needs them" in asked.answer
    again = play("to Ann, 3 pages", LETTER, history=asked.messages)
    assert again.calls == [("letter", {"to": "Ann", "pages": 3})]


def test_a_number_is_taken_from_a_reply_in_words() -> None:
    asked = play("Write a letter to Ann", LETTER)
    again = play("maybe four", LETTER, history=asked.messages)
    assert again.calls == [("letter", {"to": "Ann", "pages": 4})]


def test_a_reply_that_does_not_fit_is_asked_about_again() -> None:
    asked = play("Write a letter to Ann", LETTER)
    again = play("many", LETTER, history=asked.messages)
    assert again.calls == []
    assert "`pages`" in again.answer


def test_a_short_prompt_without_a_value_goes_on_with_nothing() -> None:
    before = play("What is the weather in Paris?", WEATHER)
    assert "offline planner" in play("why?", WEATHER, history=before.messages).answer


def test_a_prompt_that_is_only_signs_is_answered_honestly() -> None:
    assert "offline planner" in play("…?", WEATHER).answer


def test_a_reply_to_an_answer_of_nothing_is_a_prompt_of_its_own() -> None:
    before = play("Sing!", WEATHER)
    assert "offline planner" in play("louder", WEATHER, history=before.messages).answer


def test_two_wishes_share_an_argument_that_one_of_them_names() -> None:
    speed: Offered = (
        spec("final_speed", "The final speed.", start=typed("number"), time=typed("number")),
        gives(20),
    )
    distance: Offered = (
        spec("distance", "Compute the distance.", start=typed("number"), time=typed("number")),
        gives(50),
    )
    played = play("Compute the final speed with start 5 and time 3. Also compute the distance.",
                  speed, distance)  # fmt: skip
    assert played.calls == [
        ("final_speed", {"start": 5, "time": 3}),
        ("distance", {"start": 5, "time": 3}),
    ]


def test_context_before_a_wish_belongs_to_it() -> None:
    greet: Offered = (
        spec("greet", "Greet someone.", name=typed("string"), age=typed("integer", "In years.")),
        gives("Hello."),
    )
    played = play('My neighbour is "Ann". She is aged 40. Please greet her.', greet, WEATHER)
    assert played.calls == [("greet", {"name": "Ann", "age": 40})]


def test_a_pronoun_may_stand_for_a_name_of_the_wish_before() -> None:
    tools: tuple[Offered, ...] = (
        (spec("ring", "Ring the bell of somebody.", who=typed("string")), says("Rang.")),
        (spec("praise", "Praise somebody.", person=typed("string")), says("Praised {person}.")),
    )
    played = play("Ring the bell of Ann and then praise her", *tools)
    assert played.calls == [("ring", {"who": "Ann"}), ("praise", {"person": "Ann"})]


def test_a_pronoun_may_point_to_a_result_of_an_earlier_turn() -> None:
    before = play("Find Oslo", *MAP)
    played = play("Put a pin there", *MAP, history=before.messages)
    assert played.calls == [("mapAgent--setPin", {"lon": 10.75, "lat": 59.91})]


def test_the_whole_text_of_a_result_is_free_text_for_the_next_tool() -> None:
    tools: tuple[Offered, ...] = (
        (spec("read_page", "Read a page.", page=typed("string")), says("Once upon a time.")),
        (spec("summarise", "Summarise a text.", text=typed("string")), says("{text}")),
    )
    played = play('Read the page "Home" and then summarise it', *tools)
    assert played.calls[1] == ("summarise", {"text": "Once upon a time."})


def test_a_bare_number_fills_the_only_number_that_is_missing() -> None:
    tools: tuple[Offered, ...] = (
        (spec("count_guests", "Count the guests."), gives(12)),
        (spec("lay_table", "Lay the table.", seats=typed("integer")), says("Laid for {seats}.")),
    )
    assert play("Count the guests and then lay the table for them", *tools).answer.endswith(
        "Laid for 12."
    )


def _looked_up(kind: str, content: JsonValue, *, loosely: bool = False) -> JsonValue:
    made = Made(id="call-1", name="t", arguments={}, content=json.dumps(content))
    wanted = parameters_of(spec("t", size=typed(kind, items={"type": "number"})).parameters)[0]
    found = look_up(wanted, [made], loosely=loosely)
    return found and found.value


def test_a_list_in_a_result_is_taken_if_its_items_fit() -> None:
    assert _looked_up("array", {"size": [1, 2]}) == [1, 2]
    assert _looked_up("array", {"size": ["a"]}) is None


def test_of_two_numbers_without_a_name_none_is_taken() -> None:
    assert _looked_up("number", [1, 2], loosely=True) is None
    assert _looked_up("number", 7, loosely=True) == 7


def test_a_result_too_deep_to_be_read_gives_nothing() -> None:
    deep: JsonValue = {"size": 1}
    for _ in range(9):
        deep = {"inner": deep}
    assert _looked_up("number", deep) is None


def test_values_beside_a_key_in_text_are_read() -> None:
    wanted = parameters_of(spec("t", owner=typed("string")).parameters)[0]
    made = Made(id="call-1", name="t", arguments={}, content="owner: Ann Lee, size: 3")
    found = look_up(wanted, [made])
    assert found is not None
    assert found.value == "Ann Lee"


@pytest.mark.parametrize(
    ("given", "line", "again"),
    [
        (3, "size: Input should be a valid string", "3"),
        ("3 pieces", "size: Input should be a valid integer", 3),
        ("2.5 m", "size: Input should be a valid number", 2.5),
        ("big", "size: must be a list", ["big"]),
        ("lrge", "size: one of 'small', 'large'", "large"),
    ],
)
def test_arguments_are_mended_by_type_and_offered_value(
    given: JsonValue, line: str, again: JsonValue
) -> None:
    entry = Index([spec("t", size=typed("string"))]).entries[0]
    made = Made(id="call-1", name="t", arguments={"size": given}, content=line)
    assert repaired(entry, made, "go") == {"size": again}


def test_an_optional_argument_that_failed_is_left_out_or_null() -> None:
    loose = Index([spec("t", "", "size", size=typed("number", maximum=3))]).entries[0]
    strict = Index([spec("t", size={"type": ["number", "null"]})]).entries[0]
    made = Made(id="call-1", name="t", arguments={"size": 9}, content="size: at most 3, please")
    assert repaired(loose, made, "go") == {}
    assert repaired(strict, made, "go") == {"size": None}


def test_what_cannot_be_mended_is_left() -> None:
    entry = Index([spec("t", size=typed("number"))]).entries[0]
    made = Made(id="call-1", name="t", arguments={"size": 9}, content="size: the tank is empty")
    assert repaired(entry, made, "go") is None


def test_quotes_around_a_whole_prompt_quote_nothing() -> None:
    reading = read("\"Say 'hi' to Ann\"")
    assert [one.value for one in reading.mentions if one.kind == "quoted"] == ["hi"]


def test_a_list_of_phrases_fills_an_array() -> None:
    cook: Offered = (
        spec("cook", "Cook with ingredients.",
             ingredients=typed("array", items={"type": "string"})),
        says("Cooked."),
    )  # fmt: skip
    assert play("Cook with brown rice, beans and salt", cook).calls == [
        ("cook", {"ingredients": ["brown rice", "beans", "salt"]})
    ]
