"""Numbers come back from a page as they went."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbagents.tools.values.exact_number import for_page, from_page

NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
KEYS = st.text(max_size=4) | st.from_regex(r"\A\$*number\Z")
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=4),
    lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner),
    max_leaves=12,
)


def as_javascript(value: Any) -> Any:
    """What `JSON.parse` and `JSON.stringify` make of a value: all numbers are doubles."""

    def read(number: str) -> float | int:
        double = float(number)
        return int(double) if double.is_integer() else double

    return json.loads(json.dumps(value), parse_int=read, parse_float=read)


@pytest.mark.medium
@given(JSON)
def test_any_value_survives_a_page_that_knows_only_doubles(value: Any) -> None:
    back = from_page(as_javascript(for_page(value)))
    assert json.dumps(back) == json.dumps(value)


@pytest.mark.medium
@given(JSON)
def test_results_keep_their_whole_numbers_and_stay_plain_otherwise(value: Any) -> None:
    sent = for_page(value, floats=False)
    back = from_page(as_javascript(sent))
    assert back == value


@pytest.mark.parametrize("text", ["", "x", "NaN", "Infinity", "1e999", "true", "[1]", None, 7])
def test_what_is_no_number_is_refused(text: object) -> None:
    if text == 7:
        assert from_page({"$number": text}) == text
        return
    with pytest.raises(ValueError, match="is no number"):
        from_page({"a": [{"$number": text}]})
