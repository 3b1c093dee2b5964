"""A call written as Python is the call."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbagents.runs.wording.python_call import argument_words, call_in_python, literal

FIXTURE = Path(__file__).parents[2] / "fixtures/python.json"
CALLS = json.loads(FIXTURE.read_text(encoding="utf8"))["calls"]

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)  # fmt: skip


@pytest.mark.parametrize("call", CALLS, ids=[one["python"] for one in CALLS])
def test_both_languages_write_the_same(call: dict[str, Any]) -> None:
    given_arguments = json.loads(call["arguments"])
    about = call.get("defaults", ()), call.get("objects", {})
    written = call_in_python(call["name"], given_arguments, *about, call.get("taken"))
    assert written == call["python"]
    assert argument_words(given_arguments, *about) == call["words"]


@given(JSON)
def test_a_value_is_read_back_as_it_was(value: object) -> None:
    read = ast.literal_eval(literal(value))
    assert json.dumps(read) == json.dumps(value)


@pytest.mark.medium
@given(st.text(), st.dictionaries(st.text(max_size=6), JSON, max_size=4))
def test_a_call_is_read_back_with_what_was_given(name: str, given_arguments: Any) -> None:
    read = ast.parse(call_in_python(name or "f", given_arguments), mode="eval").body
    assert isinstance(read, ast.Call)
    found: dict[str, Any] = {}
    for one in read.keywords:
        value = ast.literal_eval(one.value)
        found |= value if one.arg is None else {one.arg: value}
    assert json.dumps(found) == json.dumps(given_arguments)


def test_numbers_that_json_has_not_are_written_so_that_python_reads_them() -> None:
    assert literal([float("inf"), float("nan")]) == '[float("inf"), float("nan")]'
