"""The text of arguments, as models write it."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from nbagents.tools.json_schema.arguments_text import read_arguments

READ: list[tuple[str, Any]] = [
    ("", {}),
    ("  \n", {}),
    ("null", {}),
    ('{"a": 1}', {"a": 1}),
    ('{"a": 1,}', {"a": 1}),
    ('{"a": [1, 2,\n ], "b": {"c": null, }, }', {"a": [1, 2], "b": {"c": None}}),
    ('{"a": "x, }"}', {"a": "x, }"}),
    ('{"a": "x, }", }', {"a": "x, }"}),
    ("{'a': True, 'b': None, 'c': [False]}", {"a": True, "b": None, "c": [False]}),
    ("""{'a': "it's", 'b': 'say "x"\\n\\x1b'}""", {"a": "it's", "b": 'say "x"\n\x1b'}),
    ('{"a": "None, True, \'x\'",}', {"a": "None, True, 'x'"}),
    ('```json\n{"a": 1}\n```', {"a": 1}),
    ('\n```\n{"a": 1,}\n```\n', {"a": 1}),
    ('"{\\"a\\": 1}"', {"a": 1}),
    ("\"{'a': 1,}\"", {"a": 1}),
    ('{"a": "two\nlines\t"}', {"a": "two\nlines\t"}),
    ('{"a": "1e999"}', {"a": "1e999"}),
]


@pytest.mark.parametrize(("text", "value"), READ)
def test_what_can_be_meant_in_one_way_is_read(text: str, value: Any) -> None:
    assert read_arguments(text) == (value, None)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": ',
        '{"a": 1',
        '{"a": tru',
        '```json\n{"a": 1}',
        '{"a": 1} and more',
        '{"a": 1}{"a": 2}',
        "{,}",
        '{"a": 1,,}',
        '{"a": ,}',
        "{a: 1}",
        "{1: 2}",
        '{"a": NaN}',
        '{"a": 1e999}',
        "{'a': 'it''s'}",
        "{'a': 'two\nlines'}",
        "{'a': '\\d'}",
        "{'a': b'x'}",
        "{'a': {1, 2}}",
        "{'a': __import__('os')}",
        "hello",
        '"hello"',
    ],
)
def test_what_was_cut_off_or_could_mean_something_else_is_refused(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        value, problem = read_arguments(text)
    assert value == text
    assert problem is not None
    assert "no valid JSON" in problem


@pytest.mark.parametrize("text", ["[1]", '[{"a": 1}]', "3", '"\\"{}\\""', "true"])
def test_other_values_are_no_arguments(text: str) -> None:
    assert read_arguments(text)[1] == "they are no JSON object"


@pytest.mark.parametrize(
    "text", ['{"a":' * 300 + "1" + "}" * 300, "[" * 5000, "{'a':" * 500 + "1" + "}" * 500]
)
def test_what_nests_without_end_is_refused(text: str) -> None:
    assert read_arguments(text)[1]


def test_half_a_character_does_no_harm() -> None:
    assert read_arguments('{"a": "\ud83d"}')[1] is None


def test_a_number_that_is_too_large_is_named_by_its_path() -> None:
    _, problem = read_arguments('{"a": {"b": [1, -1e999]}}')
    assert problem == "they are no valid JSON (the number at 'a.b.1' is too large)"
