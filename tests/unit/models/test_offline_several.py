"""The offline model and several of something: calls for one wish, values for one tool, lists."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from nbagents.messages import UserMessage
from nbagents.models.model import ModelRequest, ModelTurn, ToolSpec
from tests.unit.models.offline_desk import Call, parts_of, spec, typed

if TYPE_CHECKING:
    from pydantic import JsonValue


def calls(prompt: str, *tools: ToolSpec) -> list[Call]:
    turn = parts_of(ModelRequest(messages=[UserMessage(text=prompt)], tools=tools))[-1]
    assert isinstance(turn, ModelTurn)
    return [(one.name, json.loads(one.arguments)) for one in turn.calls]


def given(prompt: str, tool: ToolSpec) -> list[dict[str, JsonValue]]:
    return [arguments for _, arguments in calls(prompt, tool)]


FACTORIAL = spec("factorial", "The factorial of a number.", number=typed("integer"))
SHELF = spec(
    "find_book",
    "Find a book in a shop.",
    title=typed("string", "Title of the book."),
    shop=typed("string", "Name of the shop."),
)
DRINK = spec(
    "brew", "Brew a drink for a guest.", drink=typed("string"), guest=typed("string", "Who.")
)
MOUSE = spec("weigh", "Weigh an animal.", animal=typed("string"))


@pytest.mark.parametrize(
    ("prompt", "tool", "expected"),
    [
        (
            "What is the factorial of 5, the factorial of 7, and the factorial of 9?",
            FACTORIAL,
            [{"number": 5}, {"number": 7}, {"number": 9}],
        ),
        ("Factorial of 1,5 and 10", FACTORIAL, [{"number": 1}, {"number": 5}, {"number": 10}]),
        (
            "Weigh the mouse, rabbit and hamster",
            MOUSE,
            [{"animal": "mouse"}, {"animal": "rabbit"}, {"animal": "hamster"}],
        ),
        (
            "Find the book 'Emma' in the shop Tolle, and 'Kim' in the shop Nord",
            SHELF,
            [{"title": "Emma", "shop": "Tolle"}, {"title": "Kim", "shop": "Nord"}],
        ),
        (
            "Brew 'tea' and 'milk' for Ann and Bob",
            DRINK,
            [
                {"drink": "tea", "guest": "Ann"},
                {"drink": "tea", "guest": "Bob"},
                {"drink": "milk", "guest": "Ann"},
                {"drink": "milk", "guest": "Bob"},
            ],
        ),
        (
            "Brew 'tea' and 'milk' for Ann and Bob respectively",
            DRINK,
            [{"drink": "tea", "guest": "Ann"}, {"drink": "milk", "guest": "Bob"}],
        ),
    ],
)
def test_values_beside_each_other_are_calls_of_their_own(
    prompt: str, tool: ToolSpec, expected: list[dict[str, JsonValue]]
) -> None:
    assert given(prompt, tool) == expected


MEAN = spec(
    "mean", "The mean of a set of numbers.", numbers=typed("array", items={"type": "number"})
)
GROUPS = spec(
    "compare_groups",
    "Compare two groups.",
    group1=typed("array", items={"type": "number"}),
    group2=typed("array", items={"type": "number"}),
)


@pytest.mark.parametrize(
    ("prompt", "tool", "expected"),
    [
        (
            "Mean of each set of numbers: the first is [1, 2], the second is [3, 4]",
            MEAN,
            [{"numbers": [1, 2]}, {"numbers": [3, 4]}],
        ),
        (
            "Compare group1 (e.g., 1.5, 2, 3) and group2 (e.g., 4, 5.5)",
            GROUPS,
            [{"group1": [1.5, 2, 3], "group2": [4, 5.5]}],
        ),
        ("Mean of the numbers 3,4,5,2", MEAN, [{"numbers": [3, 4, 5, 2]}]),
    ],
)
def test_lists_stay_together(
    prompt: str, tool: ToolSpec, expected: list[dict[str, JsonValue]]
) -> None:
    assert given(prompt, tool) == expected


def test_both_ends_of_a_range_make_a_list() -> None:
    tool = spec("count_primes", "Count the primes of a range.", limits=typed("array"))
    assert given("Count the primes from 10 to 50", tool) == [{"limits": [10, 50]}]


def test_a_point_in_brackets_fills_parameters_that_take_no_list() -> None:
    tool = spec("norm", "The norm of a point.", x=typed("number"), y=typed("number"))
    assert given("The norm of the point (3, 4)", tool) == [{"x": 3, "y": 4}]


def test_coordinates_carry_their_side() -> None:
    tool = spec(
        "distance",
        "The distance between two points.",
        point1=typed("array", items={"type": "number"}),
        point2=typed("array", items={"type": "number"}),
    )
    prompt = "Distance between the two points (33.4 N, 112.1 W) and (34.0 S, 118.2 E)"
    assert given(prompt, tool) == [{"point1": [33.4, -112.1], "point2": [-34.0, 118.2]}]


def test_words_of_two_tools_in_one_sentence_are_two_wishes() -> None:
    tools = (
        spec("gcd", "The greatest common divisor.", a=typed("integer"), b=typed("integer")),
        spec("lcm", "The least common multiple.", a=typed("integer"), b=typed("integer")),
    )
    prompt = "Calculate the GCD of 96 and 128, and the LCM of 15 and 25"
    assert calls(prompt, *tools) == [("gcd", {"a": 96, "b": 128}), ("lcm", {"a": 15, "b": 25})]


def test_two_tools_share_the_values_that_only_one_clause_has() -> None:
    numbers = typed("array", items={"type": "number"})
    tools = (
        spec("median", "The median of numbers.", data=numbers),
        spec("variance", "The variance of numbers.", data=numbers),
    )
    assert calls("Determine the median and the variance of 3, 4 and 5", *tools) == [
        ("median", {"data": [3, 4, 5]}),
        ("variance", {"data": [3, 4, 5]}),
    ]


def test_context_stays_in_its_section() -> None:
    tools = (
        spec("gcd", "The greatest common divisor.", a=typed("integer"), b=typed("integer")),
        spec("find_lyrics", "Find the lyrics of a song.", title=typed("string")),
    )
    prompt = (
        "First, I want to find the lyrics of the song 'Hey Jude'. Second, I have two numbers, 36 "
        "and 48, and I need to find the greatest common divisor."
    )
    assert calls(prompt, *tools) == [
        ("find_lyrics", {"title": "Hey Jude"}),
        ("gcd", {"a": 36, "b": 48}),
    ]


def test_each_section_that_says_all_is_a_call() -> None:
    tool = spec("area", "The area of a field.", width=typed("number"), length=typed("number"))
    prompt = (
        "What is the area of two fields? The first field has a width of 2 and a length of 3. "
        "The second field has a width of 4 and a length of 5."
    )
    assert given(prompt, tool) == [{"width": 2, "length": 3}, {"width": 4, "length": 5}]


def test_where_the_wish_comes_from_gives_no_call() -> None:
    tool = spec("forecast", "The forecast for a town.", town=typed("string"))
    assert given("I am at Ulm. Tell me the forecast in Bonn?", tool) == [{"town": "Bonn"}]


def test_a_clause_may_only_say_what_the_wish_before_it_lacks() -> None:
    tools = (
        spec("search_trips", "Search for trips.", from_town=typed("string"),
             to_town=typed("string")),
        spec("cancel_ticket", "Cancel a ticket.", number=typed("integer")),
    )  # fmt: skip
    prompt = "Could you search for trips for me? I need to go from Ulm to Bonn."
    assert calls(prompt, *tools) == [("search_trips", {"from_town": "Ulm", "to_town": "Bonn"})]


def test_numbered_parameters_take_their_values_in_order() -> None:
    tool = spec("compare", "Compare two words.", word1=typed("string"), word2=typed("string"))
    assert given("Compare 'tea' with 'milk'", tool) == [{"word1": "tea", "word2": "milk"}]


def test_names_that_only_say_the_tool_again_make_no_call() -> None:
    tool = spec("get_api_tokens", "Get the API tokens of a user.", user_id=typed("string"))
    assert given('Get the API tokens. My user is "user123".', tool) == [{"user_id": "user123"}]
