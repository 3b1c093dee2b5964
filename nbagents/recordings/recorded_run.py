"""A run whose model is recorded: how its requests are read, and what came of them is written."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Final, cast

from nbagents.identity import clock, new_id
from nbagents.recordings.exchange import (
    Exchange,
    Moments,
    Reader,
    Reply,
    answered,
    exchange_of,
    scrubbed,
)
from nbagents.recordings.take import Point, Take
from nbagents.results import Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from nbagents.models.model import ModelRequest, ModelTurn, Origin
    from nbagents.recordings.exchange import Hearing, Json, Question
    from nbagents.recordings.index import Recording

MEMO: Final = "nbagents.recordings"
DAYS: Final = 30
"""The dates of so many days, at which it was recorded, are tried."""


@dataclass(slots=True)
class RecordedRun:
    """What is known of a run, as long as its model is asked."""

    recording: Recording
    take: Take
    readers: dict[tuple[str, ...], Reader] = field(default_factory=dict[tuple[str, ...], Reader])
    is_checked: bool = False
    """Whether its model can be asked."""
    days: tuple[str, ...] = ()
    """The dates beside today's that count as now: those that have led to an answer."""

    def question(self, request: ModelRequest, model: str) -> Question:
        """The request as it is recorded."""
        return self.readers[self.days].read(request, model)

    def questions(
        self, request: ModelRequest, model: str
    ) -> Iterator[tuple[Question, tuple[str, ...]]]:
        """The request as it may have been recorded: today, or with the dates of another day."""
        yield self.question(request, model), self.days
        known = self.recording.days()[-DAYS:]
        for days in ((), *((one,) for one in known), tuple(known)):
            if days == self.days:
                continue
            reader = self.readers.get(days)
            if reader is None:
                moments = Moments.now(and_days=map(_noon, filter(_is_day, days)))
                reader = self.readers[days] = Reader(moments)
            yield reader.read(request, model), days

    def go_on_from(
        self,
        exchange: Exchange,
        question: Question,
        turn: ModelTurn,
        said: Json,
        origin: Origin | None,
    ) -> None:
        """Know how far it has come, and what its model will be told that it said."""
        self.take.points[origin.run_id if origin else ""] = Point(exchange, question.signs)
        self.readers[self.days].expect(turn, said, exchange.then)

    def write(
        self,
        heard: tuple[Hearing, ModelTurn | None],
        question: Question,
        origin: Origin | None,
        *,
        error: str = "",
    ) -> None:
        """Write what came of a request.

        Args:
            heard: What was heard, and all of it as a whole; `None`: the model failed.
            question: The request.
            origin: Who asks.
            error: What the model failed with.

        Raises:
            RecordingError: It cannot be written.
        """
        hearing, turn = heard
        self.take.live.add(question.key)
        answer, pieces = hearing.written(turn, question.signs.answered)
        run_id, place = ("", "") if origin is None else (origin.run_id, origin.place)
        before = self.take.points.get(run_id)
        said = answered(answer, question.thread.calls + 1)
        reply = Reply(
            answer=answer,
            then=question.thread.after(said),
            pieces=pieces,
            usage=_usage(turn),
            recorded=_now(),
            error=scrubbed(question.signs.answered(error)),
        )

        def made(take: str, line: int) -> Exchange:
            above = before and before.exchange
            return exchange_of(question, above, reply, take=take, place=place, line=line)

        exchange = cast("Exchange", self.recording.write(self.take, made))
        if turn is not None:
            self.go_on_from(exchange, question, turn, said, origin)


def run_of(request: ModelRequest, recording: Recording) -> RecordedRun:
    """What is known of the run that asks."""
    known = cast("RecordedRun | None", request.memo.get(MEMO))
    if known is None:
        origin = request.origin
        take = recording.take(origin.root_id) if origin else Take(new_id("take"))
        known = RecordedRun(recording, take, {(): Reader(Moments.now())})
        request.memo[MEMO] = known
    return known


class Reading:
    """Reads a request while its model thinks; at the latest, when it is wanted."""

    def __init__(self, read: Callable[[], Question]) -> None:
        self._read = read
        self._question: Question | None = None
        self._handle = asyncio.get_running_loop().call_soon(self._read_now)

    def _read_now(self) -> None:
        with contextlib.suppress(Exception):  # it is read again where it is wanted, which says so
            self._question = self._read()

    def question(self) -> Question:
        """The request as it is recorded."""
        self._handle.cancel()
        return self._question or self._read()


def _usage(turn: ModelTurn | None) -> Json:
    """What an answer used, but for money; that it was one request needs no word."""
    used = Usage(requests=1) if turn is None else turn.usage
    made: Json = {
        "input_tokens": used.input_tokens,
        "output_tokens": used.output_tokens,
        "cached_tokens": used.cached_tokens,
    }
    made = {name: count for name, count in made.items() if count}
    return made if used.requests == 1 else {**made, "requests": used.requests}


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(clock()()))


def _is_day(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _noon(day: str) -> float:
    return datetime.fromisoformat(f"{day}T12:00:00+00:00").timestamp()
