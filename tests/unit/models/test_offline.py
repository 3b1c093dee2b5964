"""The offline model in whole turns: calls, chains, failures, questions, answers."""

from __future__ import annotations

import pytest

from nbagents.identity import restart_ids
from nbagents.messages import AssistantMessage, CallRequest, ToolMessage, UserMessage
from nbagents.models.model import CallDelta, ModelRequest, ModelTurn, TextDelta
from nbagents.models.offline import OfflineModel
from nbagents.results import Usage
from tests.unit.models.offline_desk import (
    CONVERT,
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


def test_a_question_becomes_one_call_and_the_answer_is_its_result() -> None:
    played = play("What is the weather in Paris?", WEATHER, *MAP, CONVERT)
    assert played.steps == [[("weather", {"city": "Paris"})]]
    assert played.answer == "It is 5 °C in Paris."


def test_a_later_wish_takes_its_values_from_the_result_of_an_earlier_one() -> None:
    played = play("Find Oslo and show it on the map", WEATHER, *MAP, CONVERT)
    assert played.steps == [
        [("find_place", {"name": "Oslo"})],
        [("mapAgent--setCenter", {"lon": 10.75, "lat": 59.91})],
    ]
    assert played.answer.endswith("The map shows 10.75, 59.91.")


def test_a_tool_that_lacks_values_leads_to_the_tool_that_can_give_them() -> None:
    played = play("Show Paris on the map", WEATHER, *MAP, CONVERT)
    assert [name for name, _ in played.calls] == ["find_place", "mapAgent--setCenter"]
    assert played.answer == "The map shows 2.35, 48.86."


def test_several_values_for_one_parameter_are_calls_together() -> None:
    played = play("Compare the weather in Oslo and Paris", WEATHER, *MAP)
    assert played.steps == [[("weather", {"city": "Oslo"}), ("weather", {"city": "Paris"})]]
    assert played.answer == "It is 5 °C in Oslo. It is 5 °C in Paris."


def test_a_command_is_preferred_to_a_tool_that_reads_where_something_is_set() -> None:
    assert play("Set zoom to 5", *MAP, WEATHER).calls == [("mapAgent--setZoom", {"zoom": 5})]
    assert play("Where is the map centered now?", *MAP, WEATHER).calls == [
        ("mapAgent--getCenter", {})
    ]


def test_a_quantity_goes_to_number_source_and_target_unit() -> None:
    played = play("Convert 3.5 miles to kilometers", WEATHER, CONVERT)
    assert played.calls == [
        ("convert_units", {"value": 3.5, "from_unit": "miles", "to_unit": "kilometers"})
    ]
    assert "5.63" in played.answer


def test_a_failed_tool_is_explained_and_what_needed_it_is_not_called() -> None:
    played = play("Find Atlantis and show it on the map", *MAP)
    assert [name for name, _ in played.calls] == ["find_place"]
    assert "`find_place` could not do it" in played.answer
    assert "Atlantis" in played.answer
    assert "I did not call `mapAgent--" in played.answer


def test_what_is_missing_is_asked_for_and_the_reply_is_used() -> None:
    asked = play("What is the weather?", WEATHER, *MAP)
    assert asked.calls == []
    assert "`city`" in asked.answer
    assert "?" in asked.answer
    assert play("paris", WEATHER, *MAP, history=asked.messages).calls == [
        ("weather", {"city": "paris"})
    ]


def test_a_short_prompt_goes_on_with_the_last_wish() -> None:
    before = play("What is the weather in Paris?", WEATHER, *MAP)
    assert play("And in Oslo?", WEATHER, *MAP, history=before.messages).calls == [
        ("weather", {"city": "Oslo"})
    ]


def test_where_nothing_fits_it_says_what_it_is_and_what_it_has() -> None:
    played = play("Tell me a joke", WEATHER, CONVERT)
    assert played.calls == []
    assert "offline planner, not a language model" in played.answer
    assert "`weather`, `convert_units`" in played.answer
    assert "key" in played.answer


BANK: tuple[Offered, ...] = (
    (
        spec("find_customer", "Look a customer up.", name=typed("string", "Full name.")),
        gives({"customer": {"id": 417, "email": "ann@example.org"}}),
    ),
    (
        spec(
            "list_invoices",
            "List the open invoices of a customer.",
            customer_id=typed("integer", "The customer's id."),
        ),
        gives([{"invoice_id": "A7", "amount": 120.5}, {"invoice_id": "B9", "amount": 80}]),
    ),
    (
        spec(
            "send_mail",
            "Send an e-mail.",
            to=typed("string", "E-mail address of the recipient."),
            text=typed("string", "The message."),
        ),
        says("Sent to {to}."),
    ),
    (
        spec("remind", "Send a reminder of an invoice.", invoice_id=typed("string")),
        says("Reminded of {invoice_id}."),
    ),
)


def test_keys_of_nested_results_join_to_a_parameter_s_name() -> None:
    played = play("Find the customer Ann Lee and list her invoices", *BANK)
    assert played.calls[1] == ("list_invoices", {"customer_id": 417})


def test_a_value_is_known_by_its_shape_where_the_names_differ() -> None:
    played = play('Find the customer Ann Lee and send her the message "Hello Ann"', *BANK)
    assert played.calls[1] == ("send_mail", {"to": "ann@example.org", "text": "Hello Ann"})


def test_a_wish_about_each_row_of_a_result_is_a_call_for_each() -> None:
    played = play("List the invoices of customer 417 and remind each of them", *BANK)
    assert played.steps == [
        [("list_invoices", {"customer_id": 417})],
        [("remind", {"invoice_id": "A7"}), ("remind", {"invoice_id": "B9"})],
    ]


def test_a_producer_is_never_a_tool_that_changes_something() -> None:
    wipe: Offered = (
        spec(
            "delete_customer", "Delete a customer; returns the customer id.", name=typed("string")
        ),
        gives({"customer_id": 1}),
    )
    played = play("List the invoices of Ann Lee", BANK[1], wipe)
    assert played.calls == []
    assert "`customer_id`" in played.answer


def test_values_are_read_from_results_that_are_text() -> None:
    tools: tuple[Offered, ...] = (
        (
            spec("measure", "Measure a tank.", tank=typed("string")),
            says("Tank {tank} has volume 320 litres and depth: 1.5 m."),
        ),
        (
            spec("price_for", "The price of filling a volume.", volume=typed("number")),
            says("{volume} litres cost 640 €."),
        ),
    )
    played = play('Measure tank "T4" and then tell me the price of filling it', *tools)
    assert played.calls[1] == ("price_for", {"volume": 320})


def test_then_waits_for_what_comes_before_and_and_does_not() -> None:
    both = play("Set zoom to 5 and tell me the weather in Paris", *MAP, WEATHER)
    assert [len(step) for step in both.steps] == [2]
    after = play("Set zoom to 5 and then tell me the weather in Paris", *MAP, WEATHER)
    assert [len(step) for step in after.steps] == [1, 1]


def _limited(rounds: object) -> str:
    if not isinstance(rounds, int):
        raise ValueError("The arguments do not fit:\n- rounds: Input should be a valid integer")  # noqa: TRY004  what a validator says
    return f"Played {rounds} rounds."


def test_a_failure_that_says_what_is_wrong_is_corrected_once() -> None:
    tool: Offered = (
        spec("play_game", "Play a game.", rounds={"description": "How many."}),
        _limited,
    )
    played = play("Play the game for 2.6 rounds", tool)
    assert [arguments for _, arguments in played.calls] == [{"rounds": 2.6}, {"rounds": 3}]
    assert played.answer == "Played 3 rounds."


def test_an_offered_value_that_was_meant_is_taken() -> None:
    def paint(color: str) -> str:
        if color != "dark red":
            raise ValueError("color: must be one of 'dark red', 'dark blue'")
        return "Painted."

    tool: Offered = (spec("paint", "Paint the wall.", color=typed("string")), paint)
    played = play('Paint the wall "drak red"', tool)
    assert played.calls[-1] == ("paint", {"color": "dark red"})


def test_a_call_that_failed_is_not_repeated_as_it_was() -> None:
    def divide(a: float, b: float) -> float:
        return a / b

    tool: Offered = (
        spec("divide", "Divide one number by another.", a=typed("number"), b=typed("number")),
        divide,
    )
    played = play("Divide 5 by 0", tool)
    assert played.calls == [("divide", {"a": 5, "b": 0})]
    assert "ZeroDivisionError" in played.answer


def test_without_tools_it_answers_from_the_results() -> None:
    call = CallRequest(id="call-1", name="weather", arguments='{"city": "Oslo"}')
    messages = [
        UserMessage(text="What is the weather in Oslo?"),
        AssistantMessage(text="", calls=(call,)),
        ToolMessage(call_id="call-1", name="weather", content='{"celsius": 4, "windy": true}'),
    ]
    turn = parts_of(ModelRequest(messages=messages))[-1]
    assert turn == ModelTurn(
        text="Weather (city Oslo): celsius 4, windy yes.", usage=Usage(requests=1)
    )


def test_without_tools_and_results_it_still_answers() -> None:
    turn = parts_of(ModelRequest(messages=[UserMessage(text="Hello")]))[-1]
    assert isinstance(turn, ModelTurn)
    assert "offline planner" in turn.text


def test_thoughts_name_the_tool_its_score_and_where_values_come_from() -> None:
    played = play("Find Oslo and show it on the map", WEATHER, *MAP)
    assert "“Find Oslo” → find_place (" in played.thoughts
    assert "lon from the result of find_place" in played.thoughts


def test_text_comes_in_groups_of_words_and_calls_with_their_arguments() -> None:
    request = ModelRequest(messages=[UserMessage(text="Good morning")], tools=(WEATHER[0],))
    pieces = [one for one in parts_of(request) if isinstance(one, TextDelta)]
    assert len(pieces) > 5
    request = ModelRequest(messages=[UserMessage(text="Weather in Rome")], tools=(WEATHER[0],))
    assert [one.text for one in parts_of(request) if isinstance(one, CallDelta)] == [
        '{"city": "Rome"}'
    ]


def test_the_same_request_gives_the_same_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBAGENTS_DETERMINISTIC", "1")
    request = ModelRequest(
        messages=[UserMessage(text="Compare the weather in Oslo and Paris")],
        tools=(WEATHER[0], *(one for one, _ in MAP)),
    )
    restart_ids()
    first = parts_of(request)
    restart_ids()
    assert parts_of(ModelRequest(messages=request.messages, tools=request.tools)) == first
    restart_ids()


def test_a_run_taken_up_again_without_its_memory_goes_on_where_it_was() -> None:
    half = play("Find Oslo and show it on the map", *MAP).messages[:3]
    request = ModelRequest(messages=half, tools=tuple(one for one, _ in MAP))
    turn = parts_of(request)[-1]
    assert isinstance(turn, ModelTurn)
    assert [one.name for one in turn.calls] == ["mapAgent--setCenter"]


def test_tools_that_change_during_a_run_are_read_anew() -> None:
    memo: dict[str, object] = {}
    messages = [UserMessage(text="What is the weather in Oslo?")]
    without = parts_of(ModelRequest(messages=messages, tools=(CONVERT[0],), memo=memo))[-1]
    both = parts_of(ModelRequest(messages=messages, tools=(CONVERT[0], WEATHER[0]), memo=memo))[-1]
    assert isinstance(without, ModelTurn)
    assert isinstance(both, ModelTurn)
    assert [len(without.calls), len(both.calls)] == [0, 1]


def test_two_wishes_about_one_thing_may_take_two_tools() -> None:
    played = play("Find Paris, show it on the map and zoom in to level 3", *MAP, WEATHER)
    assert sorted(name for name, _ in played.calls) == [
        "find_place",
        "mapAgent--setCenter",
        "mapAgent--setZoom",
    ]


def test_its_name_is_offline() -> None:
    assert OfflineModel().name == "offline"


def test_a_failure_beside_a_success_of_the_same_tool_is_told() -> None:
    def find(name: str) -> str:
        if name == "Atlantis":
            raise ValueError("nothing of that name")
        return f"{name} is there."

    tool: Offered = (spec("find_thing", "Find a thing by name.", name=typed("string")), find)
    played = play("Find Atlantis and Quito.", tool)
    assert "nothing of that name" in played.answer
    assert "Quito is there." in played.answer


def test_a_thought_names_the_words_as_they_were_written() -> None:
    tool: Offered = (spec("move_crane", "Move the crane.", to=typed("string")), says("Moved."))
    played = play('Move the crane to "bay 4"', tool)
    assert "by crane, move" in played.thoughts or "by move, crane" in played.thoughts
