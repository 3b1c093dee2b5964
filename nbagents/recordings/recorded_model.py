"""`Recorded`: a model whose answers are kept in a recording, and given again from it."""

from __future__ import annotations

import asyncio
import os
import time
from typing import TYPE_CHECKING, Any, Final

from nbagents.errors import ModelError, RecordingError, RecordingMiss
from nbagents.models.choice import choose_model
from nbagents.models.model import ModelTurn
from nbagents.recordings.difference import miss
from nbagents.recordings.exchange import Hearing, Replay, answered
from nbagents.recordings.frozen_calls import FrozenCalls
from nbagents.recordings.recorded_run import Reading, run_of
from nbagents.recordings.setting import setting_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from nbagents.models.model import Model, ModelPart, ModelRequest, Origin
    from nbagents.recordings.exchange import Exchange, Question
    from nbagents.recordings.index import Recording
    from nbagents.recordings.recorded_run import RecordedRun
    from nbagents.recordings.setting import Mode, Place

STAND_IN: Final = (
    "{name} holds answers of {models}, and without a key the offline model would be asked for what "
    'is missing. Set OPENAI_API_KEY, or name the model, e.g. model="offline".'
)


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
        """What would be sent; `None`: the model does not tell."""
        make = getattr(self.model, "preview", None)
        return None if make is None else make(request)

    def calls_of(self, origin: Origin) -> FrozenCalls | None:
        """The recorded results of a run's calls; `None`: no recording holds."""
        recording = self.setting.recording
        if recording is None or self.setting.mode in ("live", "off"):
            return None
        return FrozenCalls(recording, self.setting, recording.take(origin.root_id), origin)

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelPart]:
        """Answer a request from the recording, or by the model, as the mode says.

        Raises:
            ModelError: The model failed, or had failed when it was recorded.
            RecordingMiss: There is no answer, and the model is not to be asked.
            RecordingError: The recording cannot be read or written.
        """
        setting, recording = self.setting, self.setting.recording
        if recording is None or setting.mode in ("live", "off"):
            return self.model.stream(request)
        run = run_of(request, recording)
        if setting.mode == "refresh":
            return self._asked(request, recording, run)
        return self._answered(request, recording, run)

    async def _answered(
        self, request: ModelRequest, recording: Recording, run: RecordedRun
    ) -> AsyncIterator[ModelPart]:
        found = self._found(request, recording, run)
        if found is None:
            run.take.live.add(self._missed(request, recording, run).key)
            async for part in self._asked(request, recording, run):
                yield part
            return
        replay, error = self._replay(*found, recording, run, request)
        began_s, pace = time.monotonic(), self.setting.pace
        for timed in replay.parts():
            part, ms = timed.part, timed.ms
            if pace is not None:
                await asyncio.sleep(max(0.0, ms / 1000 / pace - (time.monotonic() - began_s)))
            if error and part is replay.turn:
                raise ModelError(error)
            yield part

    async def _asked(
        self, request: ModelRequest, recording: Recording, run: RecordedRun
    ) -> AsyncIterator[ModelPart]:
        self._check_live(request, recording, run)
        run.take.refreshes |= self.setting.mode == "refresh"
        hearing, reading = Hearing(), Reading(lambda: run.question(request, self.model.name))
        try:
            async for part in self.model.stream(request):
                if isinstance(part, ModelTurn):
                    run.write((hearing, part), reading.question(), request.origin)
                else:
                    hearing.hear(part)
                yield part
        except ModelError as error:
            if not isinstance(error, RecordingError):
                said = str(error)
                run.write((hearing, None), reading.question(), request.origin, error=said)
            raise

    def _missed(self, request: ModelRequest, recording: Recording, run: RecordedRun) -> Question:
        """The question that has no answer, if models may be asked.

        Raises:
            RecordingMiss: They may not.
            RecordingError: There is no recording at all.
        """
        self.setting.check()
        question = run.question(request, self.model.name)
        if self.setting.mode == "replay":
            raise self._miss(recording, question)
        return question

    def _found(
        self, request: ModelRequest, recording: Recording, run: RecordedRun
    ) -> tuple[Exchange, Question] | None:
        place = request.origin.place if request.origin else ""
        for question, days in run.questions(request, self.model.name):
            if question.key in run.take.live:  # it is being recorded
                return None
            found = self._next(recording, run, question, place)
            if found is not None and found.has_failed and self.setting.mode == "extend":
                run.take.refreshes = True  # it is asked again, and the failure goes
                run.days = days
                return None
            if found is not None:
                run.days = days
                return found, question
        return None

    def _next(
        self, recording: Recording, run: RecordedRun, question: Question, place: str
    ) -> Exchange | None:
        own = recording.next_answer(run.take, question.key, place, self.name)
        if own is not None or self.is_named:
            return own
        return recording.next_answer(run.take, question.key, place)

    def _replay(
        self,
        exchange: Exchange,
        question: Question,
        recording: Recording,
        run: RecordedRun,
        request: ModelRequest,
    ) -> tuple[Replay, str]:
        """What is said again, and with what the model failed after it, if it did."""
        told = exchange.told()
        try:
            replay = Replay(
                told["answer"],
                told.get("pieces"),
                told.get("usage", {}),
                question.signs.read,
                recorded=exchange.day,
                is_edited="native" in told["answer"] and exchange.is_edited,
            )
        except ValueError as error:
            raise RecordingError(
                f"Line {exchange.line} of {recording.name} cannot be said again: {error}. Mend the "
                'line, or record it anew with mode="refresh".'
            ) from error
        said = answered(told["answer"], exchange.thread.calls + 1)
        run.go_on_from(exchange, question, replay.turn, said, request.origin)
        return replay, question.signs.read(told.get("error", ""))

    def _miss(self, recording: Recording, question: Question) -> RecordingMiss:
        model = self.model.name if self.is_named else None
        only_model = bool(recording.answers(question.key))
        return miss(recording, question, model=model, only_model=only_model)

    # From the model

    def _check_live(self, request: ModelRequest, recording: Recording, run: RecordedRun) -> None:
        """See, once a run, that the model can be asked, and is the one that is meant.

        Raises:
            ModelError: It has no key.
            RecordingMiss: It would be asked in the place of another one that nobody has named.
            RecordingError: What is there cannot be read, so nothing will be written to it.
        """
        if run.is_checked:
            return
        _check(self.model)
        others = [one for one in recording.models() if one != self.model.name]
        if others and self.model.name == "offline" and not self.is_named:
            said = STAND_IN.format(name=recording.name, models=", ".join(others))
            told = self._miss(recording, run.question(request, self.model.name))
            raise RecordingMiss(
                f"{said}\n{told}",
                recording=told.recording,
                line=told.line,
                difference=told.difference,
            )
        run.is_checked = True


def _check(model: Model) -> None:
    check = getattr(model, "check", None)
    if callable(check):
        check()
