"""A provider that sends too much, or too slowly: bounded, said with real numbers, and in time."""

from __future__ import annotations

import gzip
import json
import zlib
from typing import Any

import pytest

from nbagents import bounds
from nbagents.agents import Agent
from nbagents.errors import ModelError
from nbagents.models.openai.sse import EventCutter
from nbagents.runs.state.session import Session
from tests.faults.bad_server import Answer, BadServer, Pause, chunks, head, page
from tests.faults.leaving import Ended, run_to_the_end
from tests.faults.wire_words import TEXT, Api, answer
from tests.unit.models.provider import delta, sse
from tests.unit.runs.desk import agent, request, turn

SILENCE_S = 0.3
DRIPS = 400
"""Bytes that drip, each a while after the other; together far longer than the silence."""


def ended_after(
    api: Api, session: Session, *script: Answer, run_s: float | None = None, **options: Any
) -> tuple[Ended, BadServer]:
    """How a run ends at this server; the next run must work."""
    with BadServer(*script, otherwise=answer(api.text())) as server:
        made = Agent(model=api.model(server.url, **options), timeout_s=run_s)
        ended = run_to_the_end(made, session)
    with BadServer(otherwise=answer(api.text())) as fine:
        assert run_to_the_end(Agent(model=api.model(fine.url)), session).run.text == TEXT
    return ended, server


def packed(text: bytes, times: int, coding: str) -> bytes:
    """A text, so many times, packed as small as it goes."""
    bits = {"gzip": 31, "deflate": 15, "bare-deflate": -15}[coding]
    packer = zlib.compressobj(9, zlib.DEFLATED, bits)
    return b"".join([*(packer.compress(text) for _ in range(times)), packer.flush()])


BOMBS = {
    "zeros": bytes(1_000_000),
    "blank-lines": b"\n" * 1_000_000,
    "comments": b": wait\n\n" * 125_000,
    "one-line": b"data: " + b"x" * 999_994,
    "events-that-say-nothing": b"data: {}\n\n" * 10_000,
}


@pytest.mark.parametrize("coding", ["gzip", "deflate", "bare-deflate"])
@pytest.mark.parametrize("what", BOMBS)
def test_a_small_body_that_unpacks_without_end_is_one_error(
    api: Api, session: Session, monkeypatch: pytest.MonkeyPatch, what: str, coding: str
) -> None:
    monkeypatch.setattr(bounds, "MAX_ANSWER_BYTES", 3_000_000)
    monkeypatch.setattr(bounds, "MAX_LINE_BYTES", 2_000_000)
    bomb = packed(BOMBS[what], 6, coding)
    assert len(bomb) < 200_000
    name = coding.removeprefix("bare-")
    kind = "application/json" if what == "zeros" else "text/event-stream"
    script = [head(kind=kind, content_encoding=name), *chunks(bomb)]
    ended, server = ended_after(api, session, script, max_retries=0)
    assert ended.run.status == "failed"
    assert isinstance(ended.error, ModelError)
    if what != "events-that-say-nothing" or "bytes" in ended.said:
        assert "sent more than " in ended.said
        assert any(f"{one:,} bytes" in ended.said for one in (3_000_000, 2_000_000))
    assert len(server.asked) == 1


def test_no_more_is_unpacked_than_is_taken(
    api: Api, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpacked: list[int] = []
    make = zlib.decompressobj

    class Counting:
        def __init__(self, *given: Any) -> None:
            self._made = make(*given)

        def decompress(self, data: bytes, most: int) -> bytes:
            unpacked.append(len(piece := self._made.decompress(data, most)))
            return piece

        @property
        def unconsumed_tail(self) -> bytes:
            return self._made.unconsumed_tail

    monkeypatch.setattr("nbagents.models.openai.transport.zlib.decompressobj", Counting)
    monkeypatch.setattr(bounds, "MAX_ANSWER_BYTES", 1_000_000)
    bomb = gzip.compress(b": wait\n\n" * 1_000_000)
    ended, _ = ended_after(api, session, [head(content_encoding="gzip"), *chunks(bomb)])
    assert ended.run.status == "failed"
    assert max(unpacked) <= bounds.STEP_BYTES
    assert sum(unpacked) <= 1_000_000 + bounds.STEP_BYTES


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_a_packed_answer_is_an_answer(api: Api, session: Session, coding: str) -> None:
    body = b"".join(api.text())
    small = gzip.compress(body) if coding == "gzip" else zlib.compress(body)
    pieces = [small[at : at + 7] for at in range(0, len(small), 7)]
    ended, _ = ended_after(api, session, [head(content_encoding=coding), *chunks(*pieces)])
    assert (ended.run.status, ended.run.text) == ("completed", TEXT)


@pytest.mark.parametrize("status", [400, 503])
def test_a_refusal_without_end_is_not_heard_out(
    api: Api, session: Session, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setattr(bounds, "MAX_REFUSAL_BYTES", 100_000)
    words = json.dumps({"error": {"message": "x" * 5_000_000}}).encode()
    long = page(status, gzip.compress(words), "application/json", content_encoding="gzip")
    ended, _ = ended_after(api, session, long, max_retries=0)
    assert ended.run.status == "failed"
    assert f"({status})" in ended.said
    assert "It says more than " in ended.said
    assert "was not heard out" in ended.said


def dripping(*pieces: bytes) -> list[bytes | Pause]:
    """Pieces, each a while after the other: never silent, never at an end."""
    return [part for piece in pieces for part in (Pause(SILENCE_S / 10), piece)]  # type: ignore[return-value]


def drips(what: str) -> Answer:
    """An answer that drips."""
    if what == "head":
        return dripping(b"HTTP/1.1 200 OK\r\n", *(b"x-%d: 1\r\n" % nth for nth in range(DRIPS)))
    if what == "comments":
        return [head(), *dripping(*(b"8\r\n: wait\n\n\r\n" for _ in range(DRIPS)))]
    if what == "line":
        return [head(), *dripping(*(b"1\r\nx\r\n" for _ in range(DRIPS)))]
    if what == "refusal":
        return [head(500, "application/json"), *dripping(*(b"1\r\nx\r\n" for _ in range(DRIPS)))]
    return [head(kind="application/json"), *dripping(*(b"1\r\n \r\n" for _ in range(DRIPS)))]


@pytest.mark.parametrize("what", ["head", "comments", "line", "whole"])
def test_an_answer_that_drips_is_given_up_after_its_time(
    api: Api, session: Session, what: str
) -> None:
    ended, server = ended_after(api, session, drips(what), timeout_s=SILENCE_S, max_retries=0)
    assert ended.run.status == "failed"
    assert f"did not answer within {SILENCE_S:g} s" in ended.said
    assert len(server.asked) == 1


def test_a_refusal_that_drips_is_given_up_after_its_time(api: Api, session: Session) -> None:
    ended, _ = ended_after(api, session, drips("refusal"), timeout_s=SILENCE_S, max_retries=0)
    assert ended.run.status == "failed"
    assert "failed (500)" in ended.said


@pytest.mark.parametrize("what", ["head", "comments", "line", "whole"])
def test_the_time_of_the_run_holds_against_a_drip(api: Api, session: Session, what: str) -> None:
    ended, _ = ended_after(api, session, drips(what), run_s=0.2)
    assert ended.run.status == "limit"
    assert "timeout_s" in str(ended.run.tree()["runs"][ended.run.id]["failure"])


def test_an_answer_that_says_something_now_and_then_is_waited_for(session: Session) -> None:
    from tests.faults.wire_words import APIS  # one of the two is enough

    words = [sse(delta(content="so ")) for _ in range(20)]
    framed = [b"%x\r\n%b\r\n" % (len(one), one) for one in words]
    end = chunks(sse(delta("stop")), sse("data: [DONE]"))
    slow = [head(), *dripping(*framed), *end]
    ended, _ = ended_after(APIS["chat"], session, slow, timeout_s=SILENCE_S)
    assert (ended.run.status, ended.run.text) == ("completed", "so " * 20)


def test_one_event_is_bounded_however_it_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MAX_LINE_BYTES", 100)
    for size in (1, 7, 50, 101):
        cutter = EventCutter("host")
        while_below = [cutter.feed(b"x" * size) for _ in range(100 // size)]
        assert not any(while_below)
        with pytest.raises(ModelError, match="host sent more than 100 bytes in one event"):
            cutter.feed(b"x" * size)
    cutter = EventCutter("host")
    assert sum(len(cutter.feed(b"data: x\n\n")) for _ in range(1_000)) == 1_000


# What a model asks for


def double(number: int) -> int:
    """Double a number."""
    return 2 * number


def test_more_calls_than_an_answer_may_ask_for_are_not_made_and_each_is_told(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "MAX_CALLS_A_TURN", 3)
    calls = [request(f"c{nth}", "double", number=nth) for nth in range(5)]
    ended = run_to_the_end(agent([turn(*calls), "Well."], [double]), session)
    assert ended.run.status == "completed"
    assert [one.status for one in ended.run.calls] == ["done"] * 3 + ["skipped"] * 2
    said = "Not called: one answer asked for 5 calls, and the first 3 are made."
    assert (ended.run.calls[4].content or "").startswith(said)


def test_arguments_that_are_too_long_are_refused_with_their_length(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "MAX_ARGUMENTS", 2_000)
    call = request("c", "double", number="9" * 3_000)
    ended = run_to_the_end(agent([turn(call), "Well."], [double]), session)
    (made,) = ended.run.calls
    assert (ended.run.status, made.status) == ("completed", "failed")
    assert f"{len(call.arguments):,} characters long, and at most 2,000 are taken" in str(
        made.content
    )
    assert len(str(made.arguments)) < 1_100
