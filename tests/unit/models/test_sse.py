"""The data of server-sent events, out of bytes that are cut anywhere."""

from __future__ import annotations

import pytest

from nbagents.models.openai.sse import EventCutter

STREAM = (
    "\ufeffdata: one\n\n"
    ": a comment\nevent: delta\nid: 7\nretry: 10\ndata:two\n\n"
    "data: Zürich 東京 🌍\r\n\r\n"
    "data: first line\ndata: second line\n\n"
    "data\n\ndata:  kept space\n\n\n\n: ping\n\n"
    "data: [DONE]\n\n"
).encode()
EVENTS = [
    b"one",
    b"two",
    "Zürich 東京 🌍".encode(),
    b"first line\nsecond line",
    b"",
    b" kept space",
    b"[DONE]",
]


def cut(pieces: list[bytes]) -> list[bytes]:
    cutter = EventCutter()
    events = [event for piece in pieces for event in cutter.feed(piece)]
    return events + cutter.finish()


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
def test_every_cut_into_two_gives_the_same_events(line_end: bytes) -> None:
    stream = STREAM.replace(b"\r\n", b"\n").replace(b"\n", line_end)
    for at in range(len(stream) + 1):
        assert cut([stream[:at], stream[at:]]) == EVENTS, at


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_small_pieces_give_the_same_events(size: int) -> None:
    pieces = [STREAM[at : at + size] for at in range(0, len(STREAM), size)]
    assert cut(pieces) == EVENTS


def test_an_event_comes_out_as_soon_as_its_blank_line_is_there() -> None:
    cutter = EventCutter()
    assert cutter.feed(b"data: a\n") == []
    assert cutter.feed(b"\ndata: b") == [b"a"]
    assert cutter.feed(b"\r\n\r\n") == [b"b"]


def test_what_lacks_its_blank_line_comes_out_at_the_end() -> None:
    cutter = EventCutter()
    assert cutter.feed(b"data: a\n\ndata: b\r") == [b"a"]
    assert cutter.finish() == [b"b"]
    assert cutter.finish() == []


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
def test_a_line_of_megabytes_in_many_pieces_is_one_event(line_end: bytes) -> None:
    stream = b"data: a" + 2 * line_end + b"data: " + b"x" * 2_000_000 + 2 * line_end
    pieces = [stream[at : at + 1_000] for at in range(0, len(stream), 1_000)]
    assert cut(pieces) == [b"a", b"x" * 2_000_000]
    assert cut([*pieces, b"data: cut", b" off"]) == [b"a", b"x" * 2_000_000, b"cut off"]
