"""One line of a recording: what was asked, and what was answered, as the file has it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from nbagents.errors import RecordingError
from nbagents.narrowing import is_dict
from nbagents.recordings.exchange.question import (
    Json,
    Offer,
    Thread,
    answer_message,
    digest,
    key_of,
    text_of,
    written,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import JsonValue

    from nbagents.recordings.exchange.question import Question

Raw: TypeAlias = "bytes | memoryview"
"""A line as it stands in a file: on its own, or a part of all that was read."""
NO_OFFER: Final = Offer.of({})
FORM: Final = 1
"""The form of the lines that this version writes, and the newest that it reads."""
HEADER: Final = written({"nbagents_recording": FORM}).encode() + b"\n"
SHOWN: Final = 200
"""Characters of a prompt that are kept beside its line."""
NONE: Final = (
    "{name} is no recording: none of its lines can be read (line {line}: {why}). Move it away, "
    "or name another file."
)
NEWER: Final = (
    "{name} was written by a newer nbagents (form {form!r}; this one reads {own}). Update it: "
    "pip install -U jupyter-nbagents. The recording stays as it is."
)


@dataclass(frozen=True, slots=True)
class Damage:
    """A line that cannot be read; it stays where it is."""

    line: int
    why: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.why}"


def no_recording(name: str, first: Damage) -> str:
    """What is said of a file of which nothing can be read."""
    return NONE.format(name=name, line=first.line, why=first.why)


def read_without(name: str, damaged: Sequence[Damage]) -> str:
    """What is said of a recording of which something cannot be read."""
    shown = "; ".join(str(one) for one in damaged[:3])
    more = f" and {len(damaged) - 3} more" if len(damaged) > 3 else ""
    return (
        f"{name} is read without what is damaged ({shown}{more}). Nothing of it is taken "
        'away; to answer what is missing, run with mode="extend".'
    )


@dataclass(slots=True, kw_only=True, eq=False)
class Exchange:
    """An exchange with a model, by what is needed to find it; the rest is read when it is said."""

    id: str
    key: str
    """What its question is found by."""
    line: int
    """Where it stands now; all else never changes."""
    raw: Raw
    take: str
    """The run that recorded it, with those inside of it."""
    place: str
    """Where in that run it was asked; empty: in the outermost run."""
    model: str
    recorded: str
    """When, in UTC."""
    has_failed: bool
    """Whether the model failed: it is given again by a replay, and not where models are asked."""
    thread: Thread
    """How far the conversation had come when it was asked."""
    then: Thread
    """The same with its answer."""
    offer: Offer
    before: str | None
    """The exchange whose conversation it goes on with."""
    prompt: str
    """How that begins which it was asked newly, for people."""

    def told(self) -> dict[str, Any]:  # Any: of a file
        """All that its line says."""
        return json.loads(bytes(self.raw))

    @property
    def is_edited(self) -> bool:
        """Whether it is not as it was written: its id is made of what is asked and answered."""
        return self.id != id_of(self.key, self.then)

    @property
    def day(self) -> str:
        """When it was recorded, as a date."""
        return self.recorded[:10]


@dataclass(slots=True, kw_only=True, eq=False)
class RecordedResult:
    """What a call gave, by what is needed to find it."""

    of: str
    """The key of the question whose answer asked for the call."""
    name: str
    call: str
    """What stands for its arguments."""
    line: int
    """Where it stands now; all else never changes."""
    raw: Raw
    take: str
    place: str

    def told(self) -> dict[str, Any]:  # Any: of a file
        """What its line says of the result."""
        return json.loads(bytes(self.raw))["result"]


Entry = Exchange | RecordedResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came of a request, as it is recorded."""

    answer: Json
    then: Thread
    """How far the conversation has come with it."""
    pieces: list[JsonValue]
    """How it came."""
    usage: Json
    recorded: str
    """When."""
    error: str = ""
    """What the model failed with, after what the answer says."""


def exchange_of(
    question: Question, before: Exchange | None, reply: Reply, *, take: str, place: str, line: int
) -> Exchange:
    """An exchange with its line, in which stands first what people read first.

    Args:
        question: What was asked.
        before: The exchange that it goes on with: of its messages only those after it are written.
        reply: What came of it.
        take: The run that records it.
        place: Where in that run.
        line: Where it will stand.
    """
    how, since = ("", 0) if before is None else _follows(question, before)
    same = before is not None and how and before.offer.mark == question.offer.mark
    link: Json = {how: before.id} if before is not None and how else {}
    asked, made_id = list(question.messages[since:]), id_of(question.key, reply.then)
    made: Json = {
        "id": made_id,
        **link,
        "asked": [*asked],
        "answer": reply.answer,
        **({"error": reply.error} if reply.error else {}),
        "model": question.model,
        "usage": reply.usage,
        **({} if same else {"offer": question.offer.said}),
        **({"place": place} if place else {}),
        "recorded": reply.recorded,
        "take": take,
        "pieces": reply.pieces,
    }
    return Exchange(
        id=made_id,
        key=question.key,
        line=line,
        raw=as_bytes(written(made)),
        take=take,
        place=place,
        model=question.model,
        recorded=reply.recorded,
        has_failed=bool(reply.error),
        thread=question.thread,
        then=reply.then,
        offer=question.offer,
        before=before.id if before is not None and how else None,
        prompt=_prompt(asked),
    )


def _follows(question: Question, before: Exchange) -> tuple[str, int]:
    """How a question goes on with an exchange, if it does; and with which of its messages."""
    then, thread, known = before.then, before.thread, question.threads
    if then.count < len(known) and known[then.count] == then:
        return "follows", then.count
    if thread.count < len(known) and known[thread.count] == thread:
        return "after", thread.count
    return "", 0


def id_of(key: str, then: Thread) -> str:
    """What an exchange is called by those that go on with it."""
    return digest(key, then.mark).hex()[:12]


def result_of(
    of: str, name: str, arguments: JsonValue, result: Json, *, take: str, place: str, line: int
) -> RecordedResult:
    """What a call gave, with its line."""
    made: Json = {
        "call": name,
        "arguments": arguments,
        "result": result,
        "of": of,
        **({"place": place} if place else {}),
        "take": take,
    }
    return RecordedResult(
        of=of,
        name=name,
        call=call_mark(name, arguments),
        line=line,
        raw=as_bytes(written(made)),
        take=take,
        place=place,
    )


def call_mark(name: str, arguments: JsonValue) -> str:
    """What a call is found by, among those of one answer."""
    return digest(name, json.dumps(arguments, sort_keys=True)).hex()


def as_bytes(line: str) -> bytes:
    """A line as it stands in a file; a half character is written as its escape."""
    return line.encode("utf-8", "backslashreplace")


def read_line(raw: Raw, line: int, known: Mapping[str, Exchange], name: str) -> Entry | None:
    """What a line says; `None` of the first one, which says only the form.

    Args:
        raw: The line.
        line: Its number, from 1.
        known: Exchanges of earlier lines, by id.
        name: What people call the recording.

    Raises:
        RecordingError: It was written by a newer nbagents.
        ValueError: It cannot be read; says why.
    """
    try:
        said: Any = json.loads(bytes(raw))  # Any: of a file; what is wrong raises below
    except (ValueError, RecursionError) as error:
        raise ValueError(_why_no_json(bytes(raw))) from error
    if not is_dict(said):
        raise ValueError("it is no JSON object")
    told = said
    form = told.get("nbagents_recording")
    if form is not None:
        if not isinstance(form, int) or form > FORM:
            raise RecordingError(NEWER.format(name=name, form=form, own=FORM))
        return None
    try:
        return _result(told, raw, line) if "result" in told else _exchange(told, raw, line, known)
    except (KeyError, TypeError, AttributeError) as error:
        missing = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise ValueError(f"it is not as a recording has it ({missing})") from error


def _why_no_json(raw: bytes) -> str:
    if raw.startswith((b"<<<<<<<", b"=======", b">>>>>>>")):
        return "a conflict of git stands there, which is not resolved"
    if raw.startswith(b"{") and not raw.rstrip().endswith(b"}"):
        return "it is cut off"
    return "it is no JSON"


def _result(told: dict[str, Any], raw: Raw, line: int) -> RecordedResult:
    name: str = told["call"]
    return RecordedResult(
        of=text_of(told["of"]),
        name=text_of(name),
        call=call_mark(name, told["arguments"]),
        line=line,
        raw=raw,
        take=text_of(told["take"]),
        place=text_of(told.get("place", "")),
    )


def _exchange(told: dict[str, Any], raw: Raw, line: int, known: Mapping[str, Exchange]) -> Exchange:
    before = told.get("follows") or told.get("after")
    thread, offer = Thread(), NO_OFFER
    if before is not None:
        if before not in known:
            raise ValueError(f"it goes on with {before!r}, which is not before it in the recording")
        thread = known[before].then if "follows" in told else known[before].thread
        offer = known[before].offer
    if "offer" in told:
        offer = Offer.of(told["offer"])
    asked: list[Json] = told["asked"]
    for one in asked:
        text_of(one["role"])
        text_of(one["text"])
        thread = thread.after(one)
    return Exchange(
        id=text_of(told["id"]),
        key=key_of(thread, offer),
        line=line,
        raw=raw,
        take=text_of(told.get("take", "")),
        place=text_of(told.get("place", "")),
        model=text_of(told.get("model", "")),
        recorded=text_of(told.get("recorded", "")),
        has_failed=bool(text_of(told.get("error", ""))),
        thread=thread,
        then=thread.after(answered(told["answer"], thread.calls + 1)),
        offer=offer,
        before=before,
        prompt=_prompt(asked),
    )


def answered(answer: Mapping[str, Any], first: int) -> Json:
    """What was answered, as the model is told it again: its calls numbered from `first`."""
    calls = [(text_of(one["name"]), one["arguments"]) for one in answer.get("calls", ())]
    return answer_message(text_of(answer.get("text", "")), calls, first)


def _prompt(asked: Sequence[Json]) -> str:
    said = [one for one in asked if one["role"] == "user"] or list(asked)
    return str(said[-1]["text"])[:SHOWN] if said else ""
