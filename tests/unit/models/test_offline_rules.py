"""Single rules of the offline model: dates, names, what goes on and what begins anew."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from nbagents.messages import UserMessage
from nbagents.models.model import ModelRequest, ModelTurn, ToolSpec
from nbagents.models.offline.language.dates import moments_of
from nbagents.models.offline.language.prompt import read
from tests.unit.models.offline_desk import Call, Offered, gives, parts_of, play, spec, typed

if TYPE_CHECKING:
    from pydantic import JsonValue


@pytest.fixture(autouse=True)
def _fixed_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBAGENTS_DETERMINISTIC", "1")


def calls(prompt: str, *tools: ToolSpec) -> list[Call]:
    turn = parts_of(ModelRequest(messages=[UserMessage(text=prompt)], tools=tools))[-1]
    assert isinstance(turn, ModelTurn)
    return [(one.name, json.loads(one.arguments)) for one in turn.calls]


def given(prompt: str, tool: ToolSpec) -> list[dict[str, JsonValue]]:
    return [arguments for _, arguments in calls(prompt, tool)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("22/3/2024", ["2024-03-22"]),
        ("in February 2022", ["2022-02"]),
        ("Apr the 5th, 2023", ["2023-04-05"]),
        ("May 3rd next year", ["2027-05-03"]),
        ("May 3rd of last year", ["2025-05-03"]),
        ("today is 2023-09-29, and this Sunday", ["2023-09-29", "2023-10-01"]),
        ("next Friday", ["2026-01-02"]),
        ("next Friday, June 30th 2023", ["2023-06-30"]),
        ("this Sunday 2023.10.1", ["2023-10-01"]),
        ("Sunday, 2023-10-01", ["2023-10-01"]),
        ("tomorrow, June 1 2023", ["2023-06-01"]),
        ("on Friday and on 2023-10-01", ["Friday", "2023-10-01"]),
        ("today and the day before yesterday", ["2026-01-01", "2025-12-30"]),
        ("at 2 in the afternoon or 9 in the morning", ["14:00", "09:00"]),
    ],
)
def test_moments_count_from_the_day_that_is_said_or_fixed(text: str, values: list[str]) -> None:
    assert [one.value for one in moments_of(text)] == values


def test_the_day_that_the_others_count_from_is_no_argument() -> None:
    tool = spec("book_seat", "Book a seat.", day=typed("string", "Date."))
    assert given("Book a seat for tomorrow, today is 2023-10-01", tool) == [{"day": "2023-10-02"}]


def test_a_month_with_its_year_fills_both() -> None:
    tool = spec("count_guests", "Count guests.", year=typed("integer"), month=typed("integer"))
    assert given("Count the guests of February 2022", tool) == [{"year": 2022, "month": 2}]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("from Salem, OR to Troy, NY", ["Salem, OR", "Troy, NY"]),
        ("near Bath in England", ["Bath, England"]),
        ("Bath and Ulm, Bonn and Rome", ["Bath", "Ulm", "Bonn", "Rome"]),
        ("in Bath, England and Ulm, Germany", ["Bath, England", "Ulm, Germany"]),
        ("to Salem, OR, Troy, NY and Gary, IN", ["Salem, OR", "Troy, NY", "Gary, IN"]),
        ("the L.A Lakers and Tolle Inc. now", ["L.A Lakers", "Tolle Inc."]),
        ("Don't wait. Furthermore, ask Ann", ["Ann"]),
        ("to 12 Elm Road in spring", ["12 Elm Road"]),
        ("warm to 300 Kelvin with Ann", ["Ann"]),
    ],
)
def test_names_are_read_whole(text: str, names: list[str]) -> None:
    assert [one.value for one in read(text).mentions if one.kind == "name"] == names


def test_a_number_word_is_no_code() -> None:
    assert [one.kind for one in read("a two-bed room").mentions if one.kind == "code"] == []


def test_braces_that_hold_no_json_are_words() -> None:
    assert [one.kind for one in read("as {this}").mentions if one.kind == "list"] == []


def test_of_two_values_in_one_wish_the_better_kind_is_taken() -> None:
    tool = spec("get_policy", "Get the policy of a tenant.", tenant_id=typed("string"))
    prompt = "Can you check the policy for Ann Lee? I need it for the tenant 'T-12'."
    assert given(prompt, tool) == [{"tenant_id": "T-12"}]


def test_a_detail_of_the_same_thing_is_no_new_call() -> None:
    tool = spec("show_statue", "Show a statue.", title=typed("string", "Title of the statue."))
    prompt = "Show the statue titled 'Thinker'. I want to know its 'material'."
    assert given(prompt, tool) == [{"title": "Thinker"}]


def test_plain_words_in_sections_are_calls_too() -> None:
    tool = spec("find_bird", "Find a bird.", color=typed("string"), home=typed("string", "Where."))
    prompt = (
        "Find the birds that I saw. The first bird had blue color and lives in forest. "
        "The second bird had black color and lives near lakes."
    )
    assert [sorted(one) for one in given(prompt, tool)] == [["color", "home"]] * 2


def test_a_second_section_without_all_values_has_those_of_the_first() -> None:
    tool = spec("price", "The price of a seat.", row=typed("integer"), hall=typed("string"))
    prompt = "What is the price of row 3 in the hall 'Nord'? And what is the price of row 4?"
    assert given(prompt, tool) == [{"row": 3, "hall": "Nord"}, {"row": 4, "hall": "Nord"}]


def test_a_wish_with_all_its_values_counts_beside_a_clearer_one() -> None:
    tools = (
        spec("walk_steps", "How many steps it takes to lose calories.", calories=typed("number")),
        spec("drink_plan", "How much water a body needs for exercise.", hours=typed("number")),
    )
    prompt = "How many steps do I walk to lose 500 calories and how much water if I run 2 hours?"
    assert [name for name, _ in calls(prompt, *tools)] == ["walk_steps", "drink_plan"]


def test_a_statement_goes_on_from_a_statement() -> None:
    tools = (
        spec("savings", "Savings in a fund over years.", amount=typed("number"),
             years=typed("integer")),
        spec("circle", "The area of a circle.", radius=typed("number")),
    )  # fmt: skip
    prompt = (
        "Ann has a fund for her savings. She begins with an amount of 5000. She keeps it 10 years. "
        "The radius of the circle is 5. What are the savings and what is the area of the circle?"
    )
    assert calls(prompt, *tools) == [
        ("savings", {"amount": 5000, "years": 10}),
        ("circle", {"radius": 5}),
    ]


def test_a_fund_s_pronoun_does_not_wait_for_a_result() -> None:
    tool = spec("weigh", "Weigh a parcel.", parcel=typed("string", "Name of the parcel."))
    assert given("The parcel 'A7' is here. Weigh it.", tool) == [{"parcel": "A7"}]


def test_a_clause_between_two_tools_is_cut_at_its_last_link() -> None:
    tools = (
        spec("invest", "Put money into a company.", company=typed("string"),
             amount=typed("number")),
        spec("withdraw", "Take money out of a company.", company=typed("string"),
             amount=typed("number")),
    )  # fmt: skip
    assert calls("Invest $2000 in Tolle and withdraw $1000 from Nord", *tools) == [
        ("invest", {"company": "Tolle", "amount": 2000}),
        ("withdraw", {"company": "Nord", "amount": 1000}),
    ]


def test_words_of_two_tools_without_a_link_stay_together() -> None:
    tools = (
        spec("open_gate", "Open the gate.", number=typed("integer")),
        spec("paint_fence", "Paint the fence."),
    )
    assert calls("Open the gate beside fence 3", *tools) == [("open_gate", {"number": 3})]


def test_what_is_enumerated_stops_at_a_verb() -> None:
    tool = spec("cook", "Cook a dish.", dish=typed("string"))
    assert given("Cook the dish for rice and show all", tool) == [{"dish": "rice"}]


def test_a_choice_of_one_letter_is_known_by_its_case() -> None:
    tool = spec("copy_part", "Copy a part.", part=typed("string", enum=["A", "B"]))
    assert given("Copy the part of a wheel, part B", tool) == [{"part": "B"}]


def test_joined_names_of_parameters_take_joined_values_in_order() -> None:
    tool = spec("frame", "Make a frame.", width=typed("number"), depth=typed("number"))
    assert given("Make a frame given its width and depth as 6cm and 10cm", tool) == [
        {"width": 6, "depth": 10}
    ]


def test_a_tool_s_own_word_is_no_optional_value() -> None:
    tool = spec("add_server", "Add a Postgres server.", "nickname", nickname=typed("string"))
    assert given("Add a Postgres server", tool) == [{}]


def test_a_free_text_list_takes_what_is_left() -> None:
    tool = spec("ask_all", "Ask questions.", questions=typed("array", items={"type": "string"}))
    assert len(given("Ask who comes and who goes", tool)) == 1


def test_a_list_of_mixed_things_stays_one_value() -> None:
    tool = spec("send_signal", "Send a signal.", x=typed("integer"))
    assert given('Send the signal ["a", "b"] at 3', tool) == [{"x": 3}]


def test_a_missing_tool_result_is_looked_for_in_the_only_list() -> None:
    tools: tuple[Offered, ...] = (
        (spec("list_rooms", "List the rooms."), gives({"rooms": [{"room_id": 1}, {"room_id": 2}]})),
        (spec("clean_room", "Clean a room.", room_id=typed("integer")), gives("Clean.")),
    )
    played = play("List the rooms and clean each of them", *tools)
    assert played.steps[1] == [("clean_room", {"room_id": 1}), ("clean_room", {"room_id": 2})]


def test_a_faint_clause_about_another_tool_completes_the_wish_before_it() -> None:
    tools = (
        spec("find_movie_shows", "Find movie shows by town and genre.", town=typed("string")),
        spec("list_dance_halls", "List the halls for a dance evening.", town=typed("string")),
    )
    prompt = "Could you find movie shows for me? I like an evening in Ulm."
    assert calls(prompt, *tools) == [("find_movie_shows", {"town": "Ulm"})]


def test_a_faint_wish_without_values_is_dropped() -> None:
    tools = (
        spec("set_clock", "Set the clock of the tower.", hour=typed("integer")),
        spec("ring_bell", "Ring the big bell when visitors come.", count=typed("integer")),
    )
    prompt = "Set the tower clock to hour 7 and show me some visitors"
    assert calls(prompt, *tools) == [("set_clock", {"hour": 7})]


def test_a_percentage_is_a_fraction_where_the_description_shows_one() -> None:
    tool = spec("tax", "Compute a tax.", rate=typed("number", "In percent, e.g. 0.2 for 20%."))
    assert given("Compute the tax at a rate of 20%", tool) == [{"rate": 0.2}]


def test_a_name_after_in_suits_what_says_where() -> None:
    tool = spec("plant", "Plant a tree.", tree=typed("string"), spot=typed("string", "Where."))
    assert given("Plant the tree Oak in Ulm", tool) == [{"tree": "Oak", "spot": "Ulm"}]


def test_a_single_letter_is_a_weak_name() -> None:
    tool = spec("call_group", "Call a group.", group=typed("string"))
    assert given("Call the group A of Tolle", tool) == [{"group": "Tolle"}]


def test_an_empty_quotation_is_nothing() -> None:
    assert [one.kind for one in read("say ' ' now").mentions if one.kind == "quoted"] == []
