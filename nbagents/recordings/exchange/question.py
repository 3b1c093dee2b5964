"""What a model is asked, in the form in which it is recorded and found again.

A conversation only grows, so each message is written and hashed once: the key of a request is made
of that of the messages before it.
"""

from __future__ import annotations

import json
import operator
from dataclasses import dataclass, field
from hashlib import blake2b, sha256
from typing import TYPE_CHECKING, Final

from pydantic import JsonValue

from nbagents.recordings.exchange.secrets import scrubbed, scrubbed_json
from nbagents.recordings.exchange.volatile import Moments, Signs
from nbagents.results import ImagePart

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nbagents.messages import AssistantMessage, CallRequest, Message
    from nbagents.models.model import ModelRequest, ModelTurn, ToolSpec
    from nbagents.results import ContentPart

Json = dict[str, JsonValue]
START: Final = b"nbagents"
_WRITER: Final = json.JSONEncoder(ensure_ascii=False)
_SORTER: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def written(value: JsonValue) -> str:
    """JSON as a line of a recording has it."""
    return _WRITER.encode(value)


def digest(*pieces: str | bytes) -> bytes:
    """What stands for these pieces, in this order."""
    made: list[bytes] = []
    for one in pieces:
        data = one.encode("utf-8", "backslashreplace") if isinstance(one, str) else one
        made += (len(data).to_bytes(8, "big"), data)
    return blake2b(b"".join(made), digest_size=12).digest()


def canonical(value: JsonValue) -> str:
    """JSON that is the same for equal values."""
    return _SORTER.encode(value)


def asked_message(kind: str, text: str, **more: JsonValue) -> Json:
    """A message as it is recorded: what is empty is left out."""
    return {"role": kind, "text": text, **{name: one for name, one in more.items() if one}}


def arguments_of(text: str) -> JsonValue:
    """A call's arguments as an object; as text, where they are none."""
    try:
        value: JsonValue = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, dict) else text


def text_of(given: object) -> str:
    """What a file gives as a text.

    Raises:
        TypeError: It is none.
    """
    if not isinstance(given, str):
        raise TypeError(f"{given!r} is no text")
    return given


@dataclass(frozen=True, slots=True)
class Thread:
    """How far a conversation has come: what stands for its messages, and how much they are."""

    mark: bytes = START
    count: int = 0
    calls: int = 0
    """How many calls it holds: they are numbered in order."""

    def after(self, message: Json) -> Thread:
        """The same with another message."""
        calls = message.get("calls")
        more = len(calls) if isinstance(calls, list) else 0
        return Thread(digest(self.mark, canonical(message)), self.count + 1, self.calls + more)


@dataclass(frozen=True, slots=True)
class Offer:
    """What goes along with the messages: tools, settings, form and choice."""

    said: Json
    mark: bytes
    """What stands for it."""

    @classmethod
    def of(cls, said: Json) -> Offer:
        """What goes along, as it is recorded."""
        return cls(said, digest(canonical(said)))


def key_of(thread: Thread, offer: Offer) -> str:
    """What a request is found by."""
    return digest(thread.mark, offer.mark).hex()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A request as it is recorded: as long as its reader reads no other one."""

    key: str
    messages: Sequence[Json]
    threads: Sequence[Thread]
    """How far it has come before each message, and at its end."""
    offer: Offer
    model: str
    signs: Signs = field(repr=False)

    @property
    def thread(self) -> Thread:
        """How far it has come."""
        return self.threads[-1]


class Reader:
    """Reads the requests of one run, which grow.

    Args:
        moments: The times that count as now.
    """

    def __init__(self, moments: Moments) -> None:
        self._moments = moments
        self._tools: tuple[Sequence[ToolSpec], list[JsonValue]] = ((), [])
        self._offered: tuple[tuple[object, ...], Offer] = ((), Offer.of({}))
        self._expected: tuple[ModelTurn, Json, Thread] | None = None
        self._begin()

    def _begin(self) -> None:
        self._signs = Signs(self._moments)
        self._seen: list[Message] = []
        self._messages: list[Json] = []
        self._threads: list[Thread] = [Thread()]
        self._calls: dict[str, str] = {}

    def read(self, request: ModelRequest, model: str) -> Question:
        """A request as it is recorded."""
        messages = request.messages
        if not self._is_continued(messages):
            self._begin()
        if request.handles:
            self._signs.handles = frozenset(one.name for one in request.handles)
        for one in messages[len(self._seen) :]:
            self._take(one)
        offer = self._offer(request)
        return Question(
            key=key_of(self._threads[-1], offer),
            messages=self._messages,
            threads=self._threads,
            offer=offer,
            model=model,
            signs=self._signs,
        )

    def expect(self, turn: ModelTurn, message: Json, then: Thread) -> None:
        """Know what is said now: most likely it is the next message.

        Args:
            turn: What is said.
            message: The same as it is recorded.
            then: How far the conversation has come with it.
        """
        self._expected = turn, message, then

    def _take(self, message: Message) -> None:
        self._seen.append(message)
        expected, self._expected = self._expected, None
        if expected is not None and message.role == "assistant" and _is_said(message, expected[0]):
            _, made, then = expected
            self._number(message)
        else:
            made = self._message(message)
            then = self._threads[-1].after(made)
        self._messages.append(made)
        self._threads.append(then)

    def _number(self, message: AssistantMessage) -> int:
        """Number the calls of an answer; the number of the first."""
        first = self._threads[-1].calls + 1
        for at, call in enumerate(message.calls):
            self._calls[call.id] = f"call {first + at}"
        return first

    def _is_continued(self, messages: Sequence[Message]) -> bool:
        seen = self._seen
        if len(messages) < len(seen):
            return False
        return all(map(operator.is_, seen, messages))

    def _message(self, message: Message) -> Json:
        signs = self._signs
        if message.role == "system":
            return asked_message("system", scrubbed(signs.told(message.text)))
        if message.role == "user":
            text = signs.told(message.text) if message.is_notice else signs.asked(message.text)
            shared, parts = scrubbed(signs.told(message.shared)), _parts(message.parts)
            return asked_message("user", scrubbed(text), shared=shared, parts=parts)
        if message.role == "assistant":
            return self._answer(message)
        return asked_message(
            "tool",
            scrubbed(signs.told(message.content)),
            call=self._calls.get(message.call_id, message.call_id),
            failed=message.failed,
            parts=_parts(message.parts),
        )

    def _answer(self, message: AssistantMessage) -> Json:
        first = self._number(message)
        return answer_message(
            scrubbed(self._signs.answered(message.text)),
            [(one.name, self.arguments(one)) for one in message.calls],
            first,
        )

    def arguments(self, call: CallRequest) -> JsonValue:
        """The arguments of a call as they are recorded."""
        return scrubbed_json(arguments_of(self._signs.answered(call.arguments)))

    def _offer(self, request: ModelRequest) -> Offer:
        now = request.tools, request.settings, request.output, request.tool_choice, request.parallel
        known, offer = self._offered
        if len(known) != len(now) or not all(map(operator.is_, known, now)):
            offer = Offer.of(self._offer_anew(request))
            self._offered = now, offer
        return offer

    def _offer_anew(self, request: ModelRequest) -> Json:
        output, choice = request.output, request.tool_choice
        if choice == "auto" and "tool_choice" not in request.settings:
            choice = None  # which says the same
        made: Json = {
            "tools": self._specs(request.tools),
            "settings": scrubbed_json(_plain(request.settings)),
            "output": output and {"name": output.name, "schema": _plain(output.schema)},
            "tool_choice": scrubbed_json(_plain(choice)),
            "one_by_one": bool(request.tools) and not request.parallel,
        }
        return {name: one for name, one in made.items() if one}

    def _specs(self, tools: Sequence[ToolSpec]) -> list[JsonValue]:
        if tools is not self._tools[0]:
            self._tools = tools, [_spec(one) for one in tools]
        return self._tools[1]


def _is_said(message: AssistantMessage, turn: ModelTurn) -> bool:
    calls = [(one.name, one.arguments) for one in message.calls]
    return message.text == turn.text and calls == [(one.name, one.arguments) for one in turn.calls]


def answer_message(text: str, calls: Sequence[tuple[str, JsonValue]], first: int) -> Json:
    """What a model answered, as it is told it again: the calls numbered from `first`."""
    made: list[JsonValue] = [
        {"id": f"call {first + at}", "name": name, "arguments": given}
        for at, (name, given) in enumerate(calls)
    ]
    return asked_message("assistant", text, calls=made)


def _spec(spec: ToolSpec) -> JsonValue:
    made: Json = {"name": spec.name, "description": scrubbed(spec.description)}
    if spec.hosted is not None:
        return {**made, "hosted": scrubbed_json(_plain(spec.hosted))}
    strict: Json = {"strict": True} if spec.strict else {}
    return {**made, **strict, "parameters": scrubbed_json(_plain(spec.parameters))}


def _parts(parts: Sequence[ContentPart]) -> list[JsonValue]:
    return [_part(one) for one in parts]


def _part(part: ContentPart) -> JsonValue:
    known = None if part.data is None else sha256(part.data).hexdigest()[:24]
    if isinstance(part, ImagePart):
        of = {"sha256": known} if known else {"url": scrubbed(part.url or "")}
        return {"image": part.media_type, **of, "detail": part.detail, "name": scrubbed(part.name)}
    of = {"sha256": known} if known else {"file_id": scrubbed(part.file_id or "")}
    return {"file": scrubbed(part.name), "type": part.media_type, **of}


def _plain(value: Mapping[str, JsonValue] | JsonValue | None) -> JsonValue:
    return json.loads(json.dumps(value, default=dict))
