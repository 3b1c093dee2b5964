"""What a stream costs grows with its length: each id and each piece is looked at once."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbagents.identity import FreshIds
from nbagents.models.chat.stream import ChatStream
from nbagents.models.openai.nesting import Nesting
from nbagents.models.responses.stream import ResponsesStream
from tests.unit.models.provider import delta
from tests.unit.runs.desk import agent, request, turn

FEW = 300


def steps(work: Callable[[], object]) -> int:
    """How many calls of functions, also of those written in C, some work takes."""
    count = 0

    def count_one(_frame: object, event: str, _what: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count_one)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def chat(pieces: list[dict[str, Any]]) -> Callable[[], object]:
    events = [json.dumps(delta(tool_calls=[one])).encode() for one in pieces]

    def work() -> None:
        stream = ChatStream()
        for event in events:
            stream.read(event)
            stream.drain()
        assert stream.turn().calls

    return work


def piece(**said: Any) -> dict[str, Any]:
    return {"function": {"name": "f", "arguments": "{}"}, **said}


def response(ids: list[str]) -> Callable[[], object]:
    def work() -> None:
        stream = ResponsesStream()
        for nth, call_id in enumerate(ids):
            item = {"type": "function_call", "id": f"i{nth}", "call_id": call_id, "name": "f"}
            item["arguments"] = "{}"
            event = {"type": "response.output_item.done", "item": item, "output_index": nth}
            stream.read(json.dumps(event).encode())
            stream.drain()
        assert len(stream.turn().calls) == len(ids)

    return work


GROWING: dict[str, Callable[[int], Callable[[], object]]] = {
    "one-id": lambda many: chat([piece(id="same", index=nth) for nth in range(many)]),
    "one-id-without-index": lambda many: chat([piece(id="same")] * many),
    "no-index": lambda many: chat([piece(id=f"c{nth}") for nth in range(many)]),
    "no-id-and-no-index": lambda many: chat([piece()] * many),
    "index-zero": lambda many: chat([piece(id=f"c{nth}", index=0) for nth in range(many)]),
    "one-call-in-pieces": lambda many: chat(
        [
            piece(id="c", function={"name": "f", "arguments": '{"a": "'}),
            *[piece(id="c", function={"name": "f", "arguments": "x}"})] * many,
        ]
    ),
    "responses": lambda many: response([f"c{nth}" for nth in range(many)]),
    "responses-one-id": lambda many: response(["same"] * many),
}


@pytest.mark.parametrize("what", GROWING)
def test_twice_as_many_calls_take_twice_the_steps(what: str) -> None:
    make = GROWING[what]
    steps(make(10))  # loads what the first one loads
    once, twice = steps(make(FEW)), steps(make(2 * FEW))
    assert twice <= 2.2 * once


@pytest.mark.medium
def test_a_turn_of_twice_as_many_calls_takes_twice_the_steps() -> None:
    async def it(number: int) -> int:
        """Give it back."""
        return number

    def run(many: int, *, same: bool) -> Callable[[], object]:
        calls = [request("c" if same else f"c{nth}", "it", number=nth) for nth in range(many)]
        made = agent([turn(*calls), "done"], [it])

        def work() -> None:
            ended = made.run("Go", log="memory")
            assert len(ended.calls) == many

        return work

    import threading  # the steps of the loop's own thread count, too

    for same in (True, False):
        threading.setprofile(None)
        run(10, same=same)()
        counts = [steps(run(many, same=same)) for many in (FEW, 2 * FEW)]
        assert counts[1] <= 2.2 * counts[0]


def test_each_id_is_given_once() -> None:
    ids = FreshIds({"b"})
    given_ids = [ids.give(one) for one in ("a", "a", "a-2", "a", "b", "b", "a-2")]
    assert len(set(given_ids)) == len(given_ids)
    assert given_ids[:2] == ["a", "a-2"]
    assert "b" not in given_ids


@given(st.dictionaries(st.text(), st.text() | st.lists(st.text())), st.integers(1, 9))
def test_a_value_in_pieces_is_over_with_its_last_character(value: object, size: int) -> None:
    text = json.dumps(value, ensure_ascii=False)
    nesting = Nesting()
    closed: list[bool] = []
    for at in range(0, len(text), size):
        nesting.read(text[at : at + size])
        closed.append(nesting.is_closed)
    assert closed == [*[False] * (len(closed) - 1), True]
