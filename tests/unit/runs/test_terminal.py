"""Text as a terminal shows it, against a terminal that moves its cursor character by character."""

from __future__ import annotations

from itertools import product

import pytest

from nbagents.runs.tree.terminal import Output, add_output, shown, written

TEXTS = ["".join(one) for size in range(7) for one in product("ab\r\n", repeat=size)]


def terminal(text: str) -> str:
    """What stands there when all of it was written, one character after another."""
    lines: list[list[str]] = [[]]
    column = 0
    for character in text:
        if character == "\n":
            lines.append([])
        elif character != "\r":
            lines[-1][column : column + 1] = character
        column = 0 if character in "\r\n" else column + 1
    return "\n".join("".join(line) for line in lines)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("10 %\r20 %", "20 %"),
        ("\r 10 %\r 20 %\n", " 20 %\n"),
        ("10 %\r", "10 %"),
        ("one\r\ntwo\r\r\n", "one\ntwo\n"),
        ("[ ] load\r[x]", "[x] load"),
        ("🌍🌍\r🌍a", "🌍a"),
        ("a\n10 %\r20 %\r\nb\r", "a\n20 %\nb"),
        ("nothing to see\n", "nothing to see\n"),
    ],
)
def test_what_follows_a_carriage_return_overwrites_what_stands_before_it(
    text: str, said: str
) -> None:
    assert shown(text) == said


def test_any_short_text_is_shown_as_a_terminal_shows_it() -> None:
    assert {text: shown(text) for text in TEXTS} == {text: terminal(text) for text in TEXTS}


def test_however_a_text_is_cut_the_same_is_kept() -> None:
    for text in TEXTS:
        whole = written("", text)
        assert written("", whole) == whole
        for place in range(len(text)):
            assert written(written("", text[:place]), text[place:]) == whole


def test_of_many_updates_the_last_is_kept() -> None:
    kept = ""
    for done in range(3_000):
        kept = written(kept, f"\r{done:4} of 3000")
    assert kept == "2999 of 3000"


def test_a_long_line_may_be_overwritten_often() -> None:
    line = "x" * 100_000
    assert written("", line + "\ra" * 50_000) == f"a{line[1:]}\ra"


def test_output_of_one_stream_is_joined_and_another_begins_anew() -> None:
    output: list[Output] = []
    add_output(output, "stdout", "1\r")
    add_output(output, "stdout", "2")
    add_output(output, "stderr", "\rhm")
    add_output(output, "stdout", "3")
    assert output == [
        {"stream": "stdout", "text": "2"},
        {"stream": "stderr", "text": "hm"},
        {"stream": "stdout", "text": "3"},
    ]
