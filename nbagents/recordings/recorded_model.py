"""`Recorded`: a model whose answers are kept in a recording, and given again from it."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, cast

from nbagents.errors import RecordingError, RecordingMiss
from nbagents.identity import clock, new_id
from nbagents.models.choice import choose_model
from nbagents.models.model import ModelTurn
from nbagents.recordings.difference import miss
from nbagents.recordings.exchange import (
    Hearing,
    Moments,
    Question,
    Reader,
    Replay,
    answered,
    exchange_line,
)
from nbagents.recordings.frozen_calls import FrozenCalls
from nbagents.recordings.index import Point, Take
from nbagents.recordings.setting import setting_of

if TYPE_CHECKING:
    from nbagents.models.model import Model, ModelPart, ModelRequest, Origin
    from nbagents.recordings.exchange import Exchange, Json
    from nbagents.recordings.index import Recording
    from nbagents.recordings.setting import Mode, Place

MEMO: Final = "nbagents.recordings"
DAYS: Final = 30
"""The dates of so many days, at which it was recorded, are tried."""
STAND_IN: Final = (
    "{name} holds answers of {models}, and without a key the offline model would be asked for what "
    'is missing. Set OPENAI_API_KEY, or name the model, e.g. model="offline".'
)


@dataclass(slots=True)
class _Run:
    """What is known of a run, as long as its model is asked."""

    take: Take
    readers: dict[tuple[str, ...], Reader] = field(default_factory=dict[tuple[str, ...], Reader])
    days: tuple[str, ...] = ()
    """The dates beside today's that count as now: those that have led to an answer."""


class Recorded:
    """A model whose answers are kept in a file, and given again from it.

    Args:
        model: The model, or its name; `None`: the one that is asked by default. Where a recording
            is only replayed, it is never asked and needs no key.
        path: The file, e.g. "lesson.recording.jsonl".
        mode: `replay`, `extend`, `refresh`, `live` or `off`; see `nbagents.recording`.
        pace: At which speed answers come: 1.0 as they were recorded; `None`: at once.
        frozen_tools: Whether tools do not run, and their recorded results are given instead.

    Raises:
        ValueError: Something that was given cannot be used; says what to give.

    Example:
        >>> import tempfile, pathlib
        >>> from nbagents import Agent, ScriptedModel
        >>> path = pathlib.Path(tempfile.mkdtemp(), "hello.recording.jsonl")
        >>> Agent(model=Recorded(ScriptedModel(["Hello."]), path, "extend")).run(
        ...     "Hi", log="memory"
        ... ).text
        'Hello.'
        >>> Agent(model=Recorded(None, path)).run("Hi", log="memory").text
        'Hello.'
    """

    def __init__(
        self,
        model: Model | str | None,
        path: Place | None,
        mode: Mode = "replay",
        *,
        pace: float | None = None,
        frozen_tools: bool = False,
    ) -> None:
        setting = setting_of(path, mode, pace=pace, frozen_tools=frozen_tools)
        if isinstance(model, Recorded):
            model = model.model
        if (
            model is not None
            and not isinstance(model, str)
            and not callable(getattr(model, "stream", None))
        ):
            raise ValueError(f"model is {model!r}: give a model, or the name of one.")
        base = choose_model(model, environ=os.environ, is_sent=setting.asks_first)
        self.model = base
        """The model itself."""
        self.setting = setting
        """The recording, and how it is used."""
        self.is_named = model is not None
        """Whether only answers of this very model will do."""

    def __repr__(self) -> str:
        where = self.setting.recording.name if self.setting.recording else "nowhere"
        return f"<Recorded {self.model!r}, {self.setting.mode} in {where}>"

    @property
    def name(self) -> str:
        """Which model answers, or had answered when it was recorded."""
        recording = self.setting.recording
        if self.is_named or self.setting.mode != "replay" or recording is None:
            return self.model.name
        try:
            models = recording.models()
        except RecordingError:  # the first request says so
            return self.model.name
        return models[0] if models and self.model.name not in models else self.model.name

    @property
    def api_key(self) -> object:
        """The key of the model, which is written nowhere."""
        return getattr(self.model, "api_key", None)

    @property
    def runs_hosted(self) -> bool:
        """Whether tools may run at the provider: of what is replayed they have."""
        return self.setting.mode == "replay" or getattr(self.model, "runs_hosted", True)

    def check(self) -> None:
        """Say now what would be wrong with the first request.

        Raises:
            ModelError: There is no key where one is needed.
            RecordingError: There is nothing to replay.
        """
        self.setting.check()
        if self.setting.asks_first:
            _check(self.model)

    def preview(self, request: ModelRequest) -> Any:  # Any: JSON of the model's own
        """What would be sent, where the model tells."""
        make = getattr(self.model, "preview", None)
        return None if make is None else make(request)

    def calls_of(self, origin: Origin) -> FrozenCalls | None:
        """The recorded results of a run's calls; `None`: no recording holds."""
        recording = self.setting.recording
        if recording is None or self.setting.mode in ("live", "off"):
            return None
        return FrozenCalls(recording, self.setting, recording.take(origin.root_id), origin)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        """Answer a request from the recording, or by the model, as the mode says.

        Raises:
            ModelError: The model failed.
            RecordingMiss: There is no answer, and the model is not to be asked.
            RecordingError: The recording cannot be read or written.
        """
        setting, recording = self.setting, self.setting.recording
        if recording is None or setting.mode in ("live", "off"):
            async for part in self.model.stream(request):
                yield part
            return
        run = _run_of(request, recording)
        found = None if setting.mode == "refresh" else self._found(request, recording, run)
        if found is not None:
            async for part in self._said_again(*found, recording, run, request):
                yield part
            return
        setting.check()
        question = run.readers[run.days].read(request, self.model.name)
        if setting.mode == "replay":
            raise self._miss(recording, question)
        self._check_live(recording, question)
        run.take.live.add(question.key)
        run.take.refreshes = setting.mode == "refresh"
        async for part in self._asked(request, question, recording, run):
            yield part

    # From the recording

    def _found(
        self, request: ModelRequest, recording: Recording, run: _Run
    ) -> tuple[Exchange, Question] | None:
        place = request.origin.place if request.origin else ""
        for question, days in self._read(request, recording, run):
            if question.key in run.take.live:  # it is being recorded
                return None
            found = self._next(recording, run, question, place)
            if found is not None:
                run.days = days
                return found, question
        return None

    def _next(
        self, recording: Recording, run: _Run, question: Question, place: str
    ) -> Exchange | None:
        own = recording.next_answer(run.take, question.key, place, self.name)
        if own is not None or self.is_named:
            return own
        return recording.next_answer(run.take, question.key, place)

    def _read(
        self, request: ModelRequest, recording: Recording, run: _Run
    ) -> Iterator[tuple[Question, tuple[str, ...]]]:
        """The request as it may have been recorded: today, or with the dates of another day."""
        model = self.model.name
        yield run.readers[run.days].read(request, model), run.days
        known = recording.days()[-DAYS:]
        for days in ((), *((one,) for one in known), tuple(known)):
            if days == run.days:
                continue
            reader = run.readers.get(days)
            if reader is None:
                moments = Moments.now(and_days=map(_noon, filter(_is_day, days)))
                reader = run.readers[days] = Reader(moments)
            yield reader.read(request, model), days

    async def _said_again(
        self,
        exchange: Exchange,
        question: Question,
        recording: Recording,
        run: _Run,
        request: ModelRequest,
    ) -> AsyncIterator[ModelPart]:
        run.take.points[_run_id(request)] = Point(exchange, question.signs)
        told = cast("dict[str, Any]", exchange.told())  # Any: of a file; `Replay` checks it
        try:
            replay = Replay(
                told["answer"],
                told.get("pieces"),
                told.get("usage", {}),
                question.signs.read,
                recorded=exchange.day,
            )
        except ValueError as error:
            raise RecordingError(
                f"Line {exchange.line} of {recording.name} cannot be said again: {error}. Mend the "
                'line, or record it anew with mode="refresh".'
            ) from error
        said = answered(told["answer"], exchange.thread.calls + 1)
        run.readers[run.days].expect(replay.turn, said, exchange.then)
        began_s, pace = time.monotonic(), self.setting.pace
        for timed in replay.parts():
            part, ms = timed.part, timed.ms
            if pace is not None:
                await asyncio.sleep(max(0.0, ms / 1000 / pace - (time.monotonic() - began_s)))
            yield part

    def _miss(self, recording: Recording, question: Question) -> RecordingMiss:
        model = self.model.name if self.is_named else None
        only_model = bool(recording.answers(question.key))
        return miss(recording, question, model=model, only_model=only_model)

    # From the model

    def _check_live(self, recording: Recording, question: Question) -> None:
        """See that the model can be asked, and is the one that is meant.

        Raises:
            ModelError: It has no key.
            RecordingMiss: It would be asked in the place of another one that nobody has named.
        """
        _check(self.model)
        others = [one for one in recording.models() if one != self.model.name]
        if others and self.model.name == "offline" and not self.is_named:
            said = STAND_IN.format(name=recording.name, models=", ".join(others))
            told = self._miss(recording, question)
            raise RecordingMiss(
                f"{said}\n{told}",
                recording=told.recording,
                line=told.line,
                difference=told.difference,
            )

    async def _asked(
        self, request: ModelRequest, question: Question, recording: Recording, run: _Run
    ) -> AsyncIterator[ModelPart]:
        hearing = Hearing()
        async for part in self.model.stream(request):
            if isinstance(part, ModelTurn):
                self._write(hearing, part, request, question, recording, run)
            else:
                hearing.hear(part)
            yield part

    def _write(
        self,
        hearing: Hearing,
        turn: ModelTurn,
        request: ModelRequest,
        question: Question,
        recording: Recording,
        run: _Run,
    ) -> None:
        answer, pieces = hearing.written(turn, question.signs.answered)
        points, run_id = run.take.points, _run_id(request)
        before = points.get(run_id)
        usage = _usage(turn)
        place = request.origin.place if request.origin else ""

        def line(name: str) -> str:
            return exchange_line(
                question,
                before and before.exchange,
                answer=answer,
                pieces=pieces,
                usage=usage,
                take=name,
                place=place,
                recorded=_now(),
            )

        recording.write(run.take, line)
        known = recording.answers(question.key, question.model)
        if known:
            points[run_id] = Point(known[-1], question.signs)
            said = answered(answer, known[-1].thread.calls + 1)
            run.readers[run.days].expect(turn, said, known[-1].then)


def _check(model: Model) -> None:
    check = getattr(model, "check", None)
    if callable(check):
        check()


def _run_of(request: ModelRequest, recording: Recording) -> _Run:
    """What is known of the run that asks."""
    known = cast("_Run | None", request.memo.get(MEMO))
    if known is None:
        origin = request.origin
        take = recording.take(origin.root_id) if origin else Take(new_id("take"))
        known = _Run(take, {(): Reader(Moments.now())})
        request.memo[MEMO] = known
    return known


def _usage(turn: ModelTurn) -> Json:
    """What an answer used, but for money; that it was one request needs no word."""
    made = turn.usage.model_dump(exclude={"cost"}, exclude_defaults=True)
    made.pop("requests", None)
    if turn.usage.requests != 1:
        made["requests"] = turn.usage.requests
    return cast("Json", made)


def _run_id(request: ModelRequest) -> str:
    return request.origin.run_id if request.origin else ""


def _now() -> str:
    return datetime.fromtimestamp(clock()(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _is_day(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _noon(day: str) -> float:
    return datetime.fromisoformat(f"{day}T12:00:00+00:00").timestamp()
