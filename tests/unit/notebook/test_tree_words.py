"""Figures and calls in words."""

from __future__ import annotations

from typing import Any, cast, get_args

import pytest
from trees import call

from nbagents.events import CallStatus, RunStatus
from nbagents.results import FailureKind, Recovery
from nbagents.runs.wording import size, words


@pytest.mark.parametrize(
    ("ms", "said"),
    [
        (None, ""),
        (0.0, ""),
        (-1.0, ""),
        (0.04, "0.1 ms"),
        (3.14, "3.1 ms"),
        (812.4, "812 ms"),
        (999.6, "1.0 s"),
        (4200, "4.2 s"),
        (59_960, "1 min 0 s"),
        (80_000, "1 min 20 s"),
        (119_900, "2 min 0 s"),
    ],
)
def test_a_duration(ms: float | None, said: str) -> None:
    assert words.duration(ms) == said


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (0, "0"),
        (940, "940"),
        (1900, "1.9k"),
        (9_949, "9.9k"),
        (9_960, "10k"),
        (12_400, "12k"),
        (999_499, "999k"),
        (999_500, "1.0M"),
        (3_400_000, "3.4M"),
    ],
)
def test_a_large_count(count: int, said: str) -> None:
    assert words.thousands(count) == said


@pytest.mark.parametrize(
    ("size_bytes", "said"),
    [
        (1, "1 byte"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (45_230, "45.2 kB"),
        (999_960, "1.0 MB"),
        (3_100_000, "3.1 MB"),
    ],
)
def test_a_size(size_bytes: int, said: str) -> None:
    assert size(size_bytes) == said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"city": "Paris", "days": 3}, 'weather(city="Paris", days=3)'),
        (
            {"deep": True, "at": None, "of": [1, "a"], "by": {"k": False}},
            'weather(deep=True, at=None, of=[1, "a"], by={"k": False})',
        ),
        ({}, "weather()"),
        (None, "weather()"),
        ('{"city": ', 'weather("{\\"city\\": ")'),
        ([1, 2], "weather([1, 2])"),
        ({"text": "word " * 50}, 'weather(text="word word word word word word word wor…)'),
    ],
)
def test_a_call_is_written_as_one_would_call_it(arguments: Any, said: str) -> None:
    assert words.call_in_words(cast("Any", call(arguments=arguments))) == said


@pytest.mark.parametrize("limit", [20, 44, 60])
@pytest.mark.parametrize("name", ["a", "n" * 30, "n" * 64])
def test_a_call_is_never_longer_than_it_may_be(name: str, limit: int) -> None:
    long = cast("Any", call(name=name, arguments={"text": "x" * 500, "more": "y" * 500}))
    assert len(words.call_in_words(long, limit)) <= limit


def test_a_long_name_without_arguments_hides_none() -> None:
    assert words.call_in_words(cast("Any", call(name="n" * 57, arguments={})), 60).endswith("n()")


def test_the_preview_is_the_error_else_the_tools_own_else_the_result() -> None:
    failed = call(failure={"message": "no"}, preview="9 °C")
    assert words.preview(cast("Any", failed)) == "no"
    assert words.preview(cast("Any", call())) == "9 °C"
    assert words.preview(cast("Any", call(preview=None))) == "9 °C, wind from the west"
    assert words.preview(cast("Any", call(preview=None, content=None))) == ""
    assert (
        words.preview(cast("Any", call(preview=None, content="", child_run_ids=["a"]))) == "1 run"
    )


def test_every_status_and_failure_has_its_words() -> None:
    assert set(words.RUN_STATUS) == set(get_args(RunStatus))
    assert set(words.CALL_STATUS) == set(get_args(CallStatus))
    assert set(words.FAILURE_KINDS) == set(get_args(FailureKind))
    assert set(words.RECOVERIES) == set(get_args(Recovery))


def test_a_value_nested_without_end_is_said_to_be_so() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    assert words.as_json(deep) == "(nested too deeply to show)"
    assert words.call_in_words(cast("Any", call(arguments={"a": deep}))) == "weather(a=…)"
