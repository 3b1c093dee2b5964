"""JSON that no server refuses."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from nbagents.models.openai.json_body import body_json, call_arguments, call_name, mend


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ({"ort": "Zürich"}, '{"ort":"Zürich"}'),
        (MappingProxyType({"a": (1, 2)}), '{"a":[1,2]}'),
        ("a\ud83c", '"a\ufffd"'),
        ([{"\ud83c": ["\ud83c\udf0d", None, 1]}], '[{"\ufffd":["🌍",null,1]}]'),
    ],
)
def test_whatever_is_of_plain_types_becomes_utf_8(value: object, written: str) -> None:
    assert body_json(value).decode() == written


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ('{"a": 1}', '{"a": 1}'),
        ("", "{}"),
        (" \n", "{}"),
        ("{oops", '{"invalid_json":"{oops"}'),
    ],
)
def test_arguments_are_json_though_the_model_wrote_none(given: str, sent: str) -> None:
    assert call_arguments(given) == sent


@pytest.mark.parametrize(
    ("given", "sent"),
    [("crm--find", "crm--find"), ("a b.c", "a_b_c"), ("", "unknown"), ("x" * 70, "x" * 64)],
)
def test_a_name_is_one_that_the_api_takes(given: str, sent: str) -> None:
    assert call_name(given) == sent


def test_the_halves_of_a_pair_are_joined() -> None:
    assert mend("\ud83c\udf0d \udf0d") == "🌍 \ufffd"
