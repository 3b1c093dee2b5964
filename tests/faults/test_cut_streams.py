"""Streams that are cut at each place: asked for again where nothing was shown, else one error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from nbagents.agents import Agent
from nbagents.errors import ModelError
from tests.faults.bad_server import BadServer, End
from tests.faults.leaving import Ended, assert_sound, logged, run_to_the_end
from tests.faults.wire_words import TEXT, Api, Asked, answer, stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from nbagents.runs.state.session import Session

ENDS = pytest.mark.parametrize("end", [End.CLOSE, End.RESET, None], ids=["closed", "reset", "over"])
"""How a stream stops: the connection is gone, or the server says properly that this was all."""

WHERE = '{"where": "Zürich"}'


def go_to(where: str) -> str:
    """Go somewhere."""
    raise AssertionError(f"called with {where}")


def first_with(events: list[bytes], piece: bytes) -> int:
    """Which event is the first that holds a piece."""
    return next(nth for nth, event in enumerate(events) if piece in event)


def joined_until(events: list[bytes], piece: bytes, at: int) -> bytes:
    """All before the first event that holds a piece, and of that one so much of the piece."""
    nth = first_with(events, piece)
    return b"".join(events[:nth]) + events[nth][: events[nth].index(piece) + at]


@dataclass(frozen=True)
class Cut:
    """A place to cut a stream at."""

    of: Callable[[Api], bytes]
    is_shown: bool
    """Whether the person has seen something by then."""


def text(api: Api) -> list[bytes]:
    return api.text()


def call(api: Api) -> list[bytes]:
    return api.calls(Asked("go_to", WHERE))


LETTERS = b"Gr"
UMLAUT = "üße".encode()

CUTS = {
    "after-headers": Cut(lambda _: b"", is_shown=False),
    "after-an-event-that-shows-nothing": Cut(lambda api: text(api)[0], is_shown=False),
    "mid-line-before-anything": Cut(lambda api: text(api)[0] + text(api)[1][:9], is_shown=False),
    "inside-the-first-character": Cut(
        lambda api: joined_until(text(api), UMLAUT, 1), is_shown=False
    ),
    "before-the-blank-line": Cut(
        lambda api: joined_until(text(api), LETTERS, 0).rpartition(b"\n\n")[0] + b"\n",
        is_shown=False,
    ),
    "mid-line": Cut(lambda api: joined_until(text(api), "京".encode(), -9), is_shown=True),
    "inside-a-character": Cut(lambda api: joined_until(text(api), "京".encode(), 1), is_shown=True),
    "between-two-events": Cut(
        lambda api: joined_until(text(api), "京".encode(), 0).rpartition(b"\n\n")[0] + b"\n\n",
        is_shown=True,
    ),
    "inside-arguments": Cut(
        lambda api: joined_until(call(api), "ürich".encode(), 1), is_shown=True
    ),
    "after-half-of-the-arguments": Cut(
        lambda api: joined_until(call(api), b"rich", 0).rpartition(b"\n\n")[0] + b"\n\n",
        is_shown=True,
    ),
}


def ended_after(
    api: Api, session: Session, body: bytes, end: End | None, *, pieces: int = 1
) -> tuple[Ended, int]:
    """How a run ends whose first stream is cut, and how often was asked."""
    size = max(1, -(-len(body) // pieces))
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    cut = [*stream(*parts, end=end is None), *([] if end is None else [end])]
    with BadServer(cut, otherwise=answer(api.text())) as server:
        agent = Agent(model=api.model(server.url), tools=[go_to])
        ended = run_to_the_end(agent, session)
        asked = len(server.asked)
        assert run_to_the_end(agent, session).run.text == TEXT  # the process has taken no harm
    return ended, asked


@ENDS
@pytest.mark.parametrize("where", [name for name, cut in CUTS.items() if not cut.is_shown])
def test_what_breaks_off_before_anything_was_shown_is_asked_for_again(
    api: Api, session: Session, where: str, end: End | None
) -> None:
    ended, asked = ended_after(api, session, CUTS[where].of(api), end)
    assert (ended.run.status, ended.run.text, asked) == ("completed", TEXT, 2)


@ENDS
@pytest.mark.parametrize("where", [name for name, cut in CUTS.items() if cut.is_shown])
def test_what_breaks_off_after_something_was_shown_is_one_error_and_no_call(
    api: Api, session: Session, where: str, end: End | None
) -> None:
    ended, asked = ended_after(api, session, CUTS[where].of(api), end)
    if end is End.RESET and asked == 2:  # a reset may overtake what was sent before it
        assert ended.run.text == TEXT
        return
    assert (ended.run.status, asked) == ("failed", 1)
    assert isinstance(ended.error, ModelError)
    assert "broke off before its end" in ended.said
    assert "try again" in ended.said.lower()
    types = [event.type for event in logged(ended.run)]
    assert "tool_start" not in types
    assert "assistant_turn" not in types


@ENDS
def test_what_was_not_said_to_be_over_is_not_taken_for_an_answer(
    api: Api, session: Session, end: End | None
) -> None:
    """After the last piece, before the provider says that this was the last."""
    events = api.text()
    last = max(
        nth for nth, event in enumerate(events) if "京".encode() in event and b"delta" in event
    )
    ended, asked = ended_after(api, session, b"".join(events[: last + 1]), end)
    if not (end is End.RESET and asked == 2):
        assert (ended.run.status, asked) == ("failed", 1)


@ENDS
def test_an_answer_that_is_over_counts_though_the_stream_is_not(
    api: Api, session: Session, end: End | None
) -> None:
    """After the finish, before `[DONE]` or the end of the body."""
    events = api.text()
    over = next(
        nth for nth, one in enumerate(events) if b'"stop"' in one or b'"response.completed"' in one
    )
    ended, asked = ended_after(api, session, b"".join(events[: over + 1]), end)
    assert (ended.run.status, ended.run.text) == ("completed", TEXT)
    assert asked == 1 or end is End.RESET


def test_a_stream_in_single_bytes_is_one_answer(api: Api, session: Session) -> None:
    body = b"".join(api.text())
    ended, asked = ended_after(api, session, body, None, pieces=len(body))
    assert (ended.run.status, ended.run.text, asked) == ("completed", TEXT, 1)


@pytest.mark.slow
def test_a_stream_that_is_cut_anywhere_leaves_a_sound_run(api: Api, session: Session) -> None:
    body = b"".join(call(api))
    for at in range(0, len(body), 13):
        ended, _ = ended_after(api, session, body[:at], End.CLOSE)
        assert_sound(ended.run)
        assert ended.run.status in ("failed", "completed")
