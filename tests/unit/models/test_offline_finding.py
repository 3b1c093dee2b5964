"""The offline model finds its tools by a search, where they are not offered."""

from __future__ import annotations

from typing import Any

import pytest

import nbagents as nba
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.session import Session


def add(first: int, second: int) -> int:
    """Add two numbers."""
    return first + second


def multiply(first: int, second: int) -> int:
    """Multiply two numbers."""
    return first * second


def double(number: int) -> int:
    """Double a number."""
    return 2 * number


def agent(found: Any, *plain: Any) -> nba.Agent:
    catalogue = nba.Catalogue(add, multiply, defer="always", found=found)
    return nba.Agent("planner", tools=[*plain, catalogue], model="offline")


@pytest.mark.parametrize(
    ("found", "looks"),
    [("append", ["search_tools"]), ("bridge", ["search_tools", "describe_tools"])],
)
def test_it_searches_with_the_persons_words_and_calls_what_it_found(
    found: Any, looks: list[str]
) -> None:
    run = agent(found).run("Add 3 and 4", log="memory")
    assert [one.name for one in run.calls] == [*looks, "add"]
    assert run.calls[-1].value == 7
    assert "7" in run.text


def test_it_does_not_search_where_a_plain_tool_fits() -> None:
    run = agent("append", double).run("Double 21", log="memory")
    assert [one.name for one in run.calls] == ["double"]


@pytest.mark.parametrize("found", ["append", "bridge"])
def test_it_says_that_it_found_nothing_and_does_not_search_again(found: Any) -> None:
    run = agent(found).run("Zyxw the vutsr", log="memory")
    assert [one.name for one in run.calls] == ["search_tools"]
    assert "offline planner" in run.text


def test_in_a_chat_each_turn_has_a_search_of_its_own() -> None:
    session = Session(MemoryLog())
    planner = agent("append")
    runs = [
        planner.run(prompt, chat="sums", log=session)
        for prompt in ("Add 3 and 4", "Please multiply 3 and 4")
    ]
    assert [one.calls[-1].value for one in runs] == [7, 12]
    assert [one.calls[0].name for one in runs] == ["search_tools"] * 2
