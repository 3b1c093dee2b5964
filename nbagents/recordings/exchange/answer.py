"""What a model answered, as a recording holds it: the whole first, then its pieces and their times.

The pieces are lengths of the whole, so that a person may edit the text: what is longer then comes
with the last piece.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from nbagents.identity import is_deterministic, new_id
from nbagents.messages import CallRequest
from nbagents.models.model import (
    CallDelta,
    HostedCall,
    ModelPart,
    ModelTurn,
    TextDelta,
    ThoughtDelta,
)
from nbagents.narrowing import list_of
from nbagents.recordings.exchange.call_result import read_result, written_result
from nbagents.recordings.exchange.question import arguments_of, text_of
from nbagents.recordings.exchange.secrets import scrubbed, scrubbed_json
from nbagents.recordings.exchange.volatile import SIGN
from nbagents.results import Citation, Usage

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.recordings.exchange.question import Json

ONE_REQUEST: Final = Usage(requests=1)
Sign = Callable[[str], str]
Piece = list["float | str | int"]
"""When it came, in milliseconds; of what it is one; how many characters, and of which call."""

TOGETHER_MS: Final = 20.0
"""Pieces that come so soon after one another are recorded as one."""
STYLES: Final = {
    "compact": json.JSONEncoder(separators=(",", ":"), ensure_ascii=False),
    "spaced": json.JSONEncoder(),
    "compact_ascii": json.JSONEncoder(separators=(",", ":")),
    "spaced_unicode": json.JSONEncoder(ensure_ascii=False),
}
"""How models write JSON, so that arguments can be read as JSON and said again as they stood."""


class Hearing:
    """Hears an answer, as it comes, for a recording."""

    def __init__(self) -> None:
        self._began_s = time.perf_counter()
        self._heard: list[tuple[float, ModelPart]] = []
        self._pieces: list[Piece] = []
        self._texts: dict[str, str] = {"text": "", "thought": ""}
        self._calls: dict[str, CallRequest] = {}
        self._hosted: list[HostedCall] = []

    def hear(self, part: ModelPart) -> None:
        """A part comes: what it is, is seen at the end."""
        self._heard.append((time.perf_counter(), part))

    def _sort(self) -> None:
        is_timed = not is_deterministic()
        heard, self._heard = self._heard, []
        for at_s, part in heard:
            ms = round((at_s - self._began_s) * 1000, 1) if is_timed else 0.0
            if isinstance(part, TextDelta):
                self._texts["text"] += part.text
                self._add(ms, "text", part.text)
            elif isinstance(part, ThoughtDelta):
                self._texts["thought"] += part.text
                self._add(ms, "thought", part.text)
            elif isinstance(part, CallDelta):
                self._hear_call(ms, part)
            elif isinstance(part, HostedCall):
                self._pieces.append([ms, "hosted", len(self._hosted)])
                self._hosted.append(part)
        ms = round((time.perf_counter() - self._began_s) * 1000, 1) if is_timed else 0.0
        self._pieces.append([ms, "end", 0])

    def _hear_call(self, ms: float, part: CallDelta) -> None:
        so_far = self._calls.get(part.id)
        text = part.text if so_far is None else so_far.arguments + part.text
        self._calls[part.id] = CallRequest(id=part.id, name=part.name, arguments=text)
        self._add(ms, "call", part.text, list(self._calls).index(part.id))

    def _add(self, ms: float, kind: str, text: str, *of: int) -> None:
        last = self._pieces[-1] if self._pieces else None
        is_same = last is not None and last[1] == kind and last[3:] == [*of]
        if last is not None and is_same and ms - float(last[0]) < TOGETHER_MS:
            last[2] = int(last[2]) + len(text)
        else:
            self._pieces.append([ms, kind, len(text), *of])

    def written(self, turn: ModelTurn | None, sign: Sign) -> tuple[Json, list[JsonValue]]:
        """The answer and its pieces as they are recorded.

        Args:
            turn: The whole of it; `None`: it broke off.
            sign: Writes what is volatile in a text.
        """
        self._sort()
        if turn is None:
            turn = ModelTurn(text=self._texts["text"], calls=tuple(self._calls.values()))
        made: dict[str, Any] = {}  # Any: JSON in the making
        for name, text in (("thought", self._texts["thought"]), ("text", turn.text)):
            if text:
                made[name] = scrubbed(sign(text))
        if self._texts["text"] != turn.text:
            made["said"] = scrubbed(sign(self._texts["text"]))
        made["calls"] = [_written_call(one, sign) for one in turn.calls]
        made["hosted"] = [self._written_hosted(one, sign) for one in self._hosted]
        made |= {"refused": turn.refused, "cut": turn.is_cut}
        made["unmet"] = [scrubbed(one) for one in turn.unmet]
        made["citations"] = _written_citations(turn)
        if turn.native:
            made |= {"native": _written_native(turn, sign), "native_of": turn.native_of}
        kept = {name: one for name, one in made.items() if one or name == "said"}
        return kept if turn.calls else {"text": "", **kept}, _fitted(self._pieces)

    def _written_hosted(self, part: HostedCall, sign: Sign) -> JsonValue:
        ids = list(dict.fromkeys(one.id for one in self._hosted))
        made: Json = {"id": ids.index(part.id) + 1, "name": part.name}
        if part.arguments is not None:
            made["arguments"] = scrubbed_json(part.arguments)
        if part.result is not None:
            made["result"] = written_result(part.result, sign)
        return made


def _fitted(pieces: list[Piece]) -> list[JsonValue]:
    """The pieces, in whole milliseconds where that is what they are."""
    return [[int(ms) if float(ms).is_integer() else ms, *rest] for ms, *rest in pieces]


def _written_call(call: CallRequest, sign: Sign) -> JsonValue:
    text = scrubbed(sign(call.arguments))
    value = arguments_of(text)
    style = _style_of(value, text)
    made: Json = {"name": call.name, "arguments": text if style is None else value}
    if style is not None and style != "compact":
        made["style"] = style
    if call.is_cut:
        made["cut"] = True
    return made


def _style_of(value: JsonValue, text: str) -> str | None:
    """How an object was written as JSON; `None` if in no way that is known, or if it is none."""
    if not isinstance(value, dict):
        return None
    return next((name for name, one in STYLES.items() if one.encode(value) == text), None)


def _written_citations(turn: ModelTurn) -> list[JsonValue]:
    return [scrubbed_json(one.model_dump(exclude_none=True)) for one in turn.citations]


def _written_native(turn: ModelTurn, sign: Sign) -> JsonValue:
    """The turn as its provider wrote it, its calls by their numbers."""
    numbers = {one.id: f"[call {at}]" for at, one in enumerate(turn.calls, start=1)}
    return scrubbed_json(each_text(list(turn.native), lambda text: numbers.get(text) or sign(text)))


def each_text(value: JsonValue, make: Callable[[str], str]) -> JsonValue:
    """A value with its texts made other ones, but for names."""
    if isinstance(value, str):
        return make(value)
    if isinstance(value, dict):
        return {name: each_text(one, make) for name, one in value.items()}
    if isinstance(value, list):
        return [each_text(one, make) for one in value]
    return value


@dataclass(frozen=True, slots=True)
class Timed:
    """A part of an answer, and when it came, in milliseconds."""

    ms: float
    part: ModelPart


class Replay:
    """An answer that was recorded, said again.

    Args:
        answer: What the recording holds.
        pieces: How it came.
        usage: What it had used.
        read: Puts what is volatile now into a text.
        recorded: When it was recorded, as a date.
        is_edited: Whether a person has changed it, so that it is not what its provider wrote.

    Raises:
        ValueError: It is no answer; says what is wrong with it.
    """

    def __init__(
        self,
        answer: Mapping[str, JsonValue],
        pieces: JsonValue,
        usage: Mapping[str, JsonValue],
        read: Sign,
        *,
        recorded: str = "",
        is_edited: bool = False,
    ) -> None:
        said: Mapping[str, Any] = answer  # Any: of a file; what is wrong raises below
        try:
            self._calls = tuple(_read_call(one, read) for one in said.get("calls", ()))
            self._hosted = [_read_hosted(one, read) for one in said.get("hosted", ())]
            text = text_of(said.get("text", ""))
            self._whole = {
                "text": text_of(said.get("said", text)),
                "thought": text_of(said.get("thought", "")),
            }
            self._turn = ModelTurn(
                text=read(text),
                calls=self._calls,
                usage=_usage(usage),
                refused=said.get("refused") is True,
                is_cut=said.get("cut") is True,
                unmet=tuple(map(text_of, said.get("unmet", ()))),
                citations=tuple(map(Citation.model_validate, said.get("citations", ()))),
                native=() if is_edited else _read_native(said, self._calls, read),
                native_of=text_of(said.get("native_of", "")),
                recorded=recorded,
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"its answer cannot be read ({error!r})") from error
        self._pieces = _checked_pieces(pieces)
        self._read = read

    @property
    def turn(self) -> ModelTurn:
        """The whole of it."""
        return self._turn

    def parts(self) -> Iterator[Timed]:
        """Its parts in order; the whole comes last."""
        left = {**self._whole, **{str(at): one.arguments for at, one in enumerate(self._calls)}}
        last = {_slot(kind, of): index for index, (_, kind, _, of) in enumerate(self._pieces)}
        for index, (ms, kind, length, of) in enumerate(self._pieces):
            slot = _slot(kind, of)
            if kind == "hosted":
                yield from (Timed(ms, one) for one in self._hosted[length : length + 1])
            elif slot in left:
                end = len(left[slot]) if last[slot] == index else length  # whatever was edited
                piece, left[slot] = _cut(left[slot], end)
                yield from (Timed(ms, self._part(kind, one, of)) for one in (piece,) if one)
        end_ms = self._pieces[-1][0] if self._pieces else 0.0
        yield from self._unsaid(left, end_ms)
        yield Timed(end_ms, self._turn)

    def _unsaid(self, left: Mapping[str, str], ms: float) -> Iterator[Timed]:
        """What no piece was of: a person has added it."""
        for kind in ("thought", "text"):
            if left[kind]:
                yield Timed(ms, self._part(kind, left[kind], 0))
        for at in range(len(self._calls)):
            if left[str(at)]:
                yield Timed(ms, self._part("call", left[str(at)], at))

    def _part(self, kind: str, piece: str, of: int) -> ModelPart:
        if kind == "text":
            return TextDelta(self._read(piece))
        if kind == "thought":
            return ThoughtDelta(self._read(piece))
        return CallDelta(self._calls[of].id, self._calls[of].name, piece)


def _slot(kind: str, of: int) -> str:
    """Of what whole a piece is one."""
    return str(of) if kind == "call" else kind


def _cut(text: str, length: int) -> tuple[str, str]:
    """The next piece of a text, not ending within a sign, and the rest."""
    for found in SIGN.finditer(text):
        if found.start() < length < found.end():
            length = found.end()
    return text[:length], text[length:]


def _checked_pieces(given: JsonValue) -> list[tuple[float, str, int, int]]:
    made: list[tuple[float, str, int, int]] = []
    for one in list_of(given):
        try:
            ms, kind, length, *rest = one
            made.append(
                (float(ms), text_of(kind), max(int(length), 0), int(rest[0]) if rest else 0)
            )
        except (TypeError, ValueError):
            raise ValueError(f"{one!r} is no piece of an answer") from None
    return made


def _usage(given: Mapping[str, JsonValue]) -> Usage:
    return Usage.model_validate({"requests": 1, **given}) if given else ONE_REQUEST


def _read_call(given: dict[str, Any], read: Sign) -> CallRequest:
    value = given["arguments"]
    style = STYLES.get(given.get("style", "compact"), STYLES["compact"])
    text = value if isinstance(value, str) else style.encode(value)
    is_cut = given.get("cut") is True
    return CallRequest(
        id=new_id("call"), name=text_of(given["name"]), arguments=read(text), is_cut=is_cut
    )


def _read_native(
    given: Mapping[str, Any], calls: Sequence[CallRequest], read: Sign
) -> tuple[JsonValue, ...]:
    ids = {f"[call {at}]": one.id for at, one in enumerate(calls, start=1)}
    items: list[JsonValue] = list(given.get("native", ()))
    return tuple(each_text(one, lambda text: ids.get(text) or read(text)) for one in items)


def _read_hosted(given: dict[str, Any], read: Sign) -> HostedCall:
    result = given.get("result")
    return HostedCall(
        id=f"hosted-{given['id']}",
        name=text_of(given["name"]),
        arguments=given.get("arguments"),
        result=None if result is None else read_result(result, read),
    )
