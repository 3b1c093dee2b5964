"""What a saved run says of its requests, its limits and its chat."""

from __future__ import annotations

import pytest
from lab_sanitizer import refused
from trees import Json, Page, call, html_of, leaving, message, plain_of, request, run, schema, tree

from nbagents.notebook.saved.bundle import frozen_bundle
from nbagents.notebook.saved.requests import limits_in_words

TOLD = request(
    1,
    message("system", "You are brief."),
    message("user", "How warm is it in Oslo?"),
    schemas=[schema("weather"), schema("rain")],
)


def page(*runs: Json) -> Page:
    drawn = Page(html_of(frozen_bundle(tree(*runs), "run-1")))
    assert refused(drawn.elements) == []
    return drawn


def test_each_step_says_how_much_the_model_saw_which_tools_and_what_was_new() -> None:
    again = request(2, schemas=None, message_count=4)
    words = page(run(call(), requests=[TOLD, again])).text
    assert "What the model saw" in words
    assert "Step 1: 2 messages; tools: weather, rain" in words
    assert "system · 14 bytes: You are brief." in words
    assert "user · 23 bytes: How warm is it in Oslo?" in words
    assert "Step 2: 4 messages" in words
    assert words.count("tools:") == 1, "the tools are said again only where they are others"


def test_a_message_is_one_line_with_what_went_along() -> None:
    asked = {"id": "c1", "name": "weather", "arguments": "{}"}
    long = message("user", "word " * 200, parts=["map.png, 3 kB"], calls=[asked])
    words = page(run(call(), requests=[request(1, long)])).text
    assert "user · 1.0 kB: " in words
    assert "… · calls weather · map.png, 3 kB" in words


def test_of_very_many_steps_and_messages_the_first_are_listed_and_the_rest_counted() -> None:
    many = [request(1, *(message("user", f"m{n}") for n in range(30)))]
    many += [request(step, message_count=step) for step in range(2, 60)]
    words = page(run(call(), requests=many)).text
    assert "18 more messages, in the saved JSON" in words
    assert "19 more steps, in the saved JSON" in words


def test_a_run_that_asked_nothing_says_nothing_of_it() -> None:
    assert "What the model saw" not in page(run(call())).text


def test_what_a_message_says_is_never_markup() -> None:
    evil = "<img src=x onerror=alert(1)>"
    told = request(1, message("user", evil, parts=[evil]), schemas=[schema(evil)])
    assert page(run(call(), requests=[told])).named("img") == []


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"max_steps": 10, "max_calls": None, "max_tokens": None, "timeout_s": None}, "10 steps"),
        (
            {"max_steps": 1, "max_calls": 5, "max_tokens": 20_000, "timeout_s": 2.5},
            "1 step, 5 calls, 20,000 tokens, 2.5 s",
        ),
        ({}, ""),
    ],
)
def test_limits_are_said_in_words(limits: Json, words: str) -> None:
    assert limits_in_words(limits) == words


def test_a_run_says_its_limits_and_that_it_reached_one() -> None:
    words = page(run(call(), status="limit")).text
    assert "stopped at a limit" in words
    assert "Limits10 steps" in words


def test_a_chat_and_a_branch_are_said_in_the_first_line() -> None:
    talk = run(call(), chat="trip", forked_from=leaving("run-0"))
    assert "chat trip · forked at step 2" in page(talk).text
    assert "chat trip" in plain_of(frozen_bundle(tree(talk), "run-1")).split("\n")[0]
