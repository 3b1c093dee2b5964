"""Results that are no single plain value: endless, nested, unreadable, or with data that is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from nbagents.results import Result
from nbagents.tools.tool.definition import ToolOptions
from tests.unit.tools.trials import performed


def endless() -> Iterator[int]:
    number = 0
    while True:
        yield number
        number += 1


async def endless_async() -> AsyncIterator[int]:
    for number in endless():
        yield number


def returned() -> Iterator[int]:
    return endless()


def returned_async() -> AsyncIterator[int]:
    return endless_async()


@pytest.mark.parametrize("tool", [endless, endless_async, returned, returned_async])
def test_an_iterator_without_end_is_cut_and_that_is_said(tool: Any) -> None:
    result = performed(tool).result
    assert result.status == "done"
    assert result.bounds is not None
    assert (result.bounds.returned, result.bounds.truncated) == (10_000, True)
    assert "these are the first 10,000 items; there are more" in result.content


def test_a_generator_that_never_waits_can_be_given_up() -> None:
    result = performed(endless_async, options=ToolOptions(timeout_s=0.001)).result
    assert result.status == "timed_out"


def test_a_result_that_a_generator_yields_last_is_the_result() -> None:
    async def search() -> AsyncIterator[object]:
        yield "working"
        yield Result("found", data={"place": "here"})

    result = performed(search).result
    assert (result.content, result.data) == ("found", {"place": "here"})


def test_data_of_several_results_stays_with_the_person() -> None:
    def both() -> list[Result]:
        return [Result("one", data={"a": 1}), Result("two"), Result("three", data={"c": 3})]

    result = performed(both).result
    assert result.content == '["one","two","three"]'
    assert result.data == [{"a": 1}, {"c": 3}]


def test_a_result_around_a_result_is_one() -> None:
    def twice() -> Result:
        return Result(Result("inner", data={"a": 1}, extra={"x": 1}), extra={"y": 2})

    result = performed(twice).result
    assert (result.content, result.data) == ("inner", {"a": 1})
    assert result.extra == {"x": 1, "y": 2}


def test_data_that_cannot_be_written_does_not_lose_the_result() -> None:
    def circular() -> Result:
        data: dict[str, object] = {}
        data["me"] = data
        return Result("fine", data=data)

    result = performed(circular).result
    assert (result.status, result.content) == ("done", "fine")
    (payload,) = result.payloads
    assert payload.kind == "cut"


def test_what_no_words_can_be_made_of_is_kept_all_the_same() -> None:
    class Mute:
        def __str__(self) -> str:
            raise ValueError("no text")

    def make() -> Mute:
        return Mute()

    result = performed(make).result
    assert result.failure is not None
    assert result.failure.kind == "malformed_result"
    assert isinstance(result.value, Mute)
    assert result.handle is not None
    assert f"It is kept as {result.handle}" in result.content
