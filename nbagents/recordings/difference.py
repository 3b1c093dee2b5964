"""What differs between what is asked and the nearest that was recorded, for people to read."""

from __future__ import annotations

import difflib
import itertools
import json
from typing import TYPE_CHECKING, Final

from nbagents.errors import RecordingMiss
from nbagents.narrowing import list_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pydantic import JsonValue

    from nbagents.recordings.exchange import Exchange, Json, Question
    from nbagents.recordings.index import Recording

LOOKED_AT: Final = 6
"""So many of those that begin alike are compared."""
SHOWN: Final = 24
"""Lines of a difference that are shown."""
LONGEST: Final = 200
COMPARED: Final = 4_000
"""Characters of a text of which it is worked out how alike two are."""
EXTEND: Final = (
    "To ask the model and keep its answer: %agent --record extend …, or "
    'nbagents.recording({path!r}, mode="extend") in Python; to record all anew, "refresh".'
)
CLOSED: Final = (
    'To ask the model without writing anything: %agent --record live …, or mode="live" in Python.'
)


def miss(
    recording: Recording, question: Question, *, model: str | None, only_model: bool
) -> RecordingMiss:
    """The error that says that a recording has no answer, and why.

    Args:
        recording: Where it was looked for.
        question: What is asked.
        model: The model that the agent names; `None`: any will do.
        only_model: Whether it holds answers of other models to the very same.
    """
    path = recording.path
    advice = CLOSED if path is None else EXTEND.format(path=path.name)
    count = len(recording.exchanges())
    begin = f"{recording.name} has no answer to this: {_about(question)}."
    if only_model:
        held = ", ".join(sorted({one.model for one in recording.answers(question.key)}))
        said = f"It has one of {held}, and {model!r} is asked."
        return RecordingMiss(f"{begin} {said} {advice}", recording=recording.name)
    near = _nearest(recording, question)
    if near is None:
        held = f"None of the {count} exchanges in it" if count else "It is empty: nothing in it"
        said = f"{held} was asked anything like it"
        damage = _damage(recording)
        return RecordingMiss(f"{begin} {said}.{damage} {advice}", recording=recording.name)
    exchange, messages = near
    difference = "\n".join(_cut(list(_differences(messages, exchange.offer.said, question))))
    said = f"Nearest is line {exchange.line}, recorded {exchange.day}; there (-) and here (+):"
    text = f"{begin} {said}\n{difference}\n{advice.strip()}{_damage(recording)}"
    return RecordingMiss(text, recording=recording.name, line=exchange.line, difference=difference)


def _damage(recording: Recording) -> str:
    damaged = recording.damaged
    return f" It is damaged: {'; '.join(map(str, damaged[:3]))}." if damaged else ""


def _about(question: Question) -> str:
    """What is asked, in a few words."""
    last = question.messages[-1] if question.messages else {"role": "user", "text": ""}
    text = " ".join(str(last["text"]).split())
    shown = text if len(text) <= 60 else f"{text[:60]}…"  # a line
    of = {"tool": "after the result", "user": "the prompt", "system": "with the instructions"}
    return f"{of.get(str(last['role']), 'after')} {shown!r}"


def conversation_of(recording: Recording, exchange: Exchange) -> list[Json]:
    """All messages of what was asked in an exchange."""
    from nbagents.recordings.exchange import answered

    told = exchange.told()
    asked: list[Json] = told["asked"]
    before = recording.by_id(exchange.before) if exchange.before else None
    if before is None:
        return list(asked)
    above = conversation_of(recording, before)
    if "follows" in told:
        above.append(answered(before.told()["answer"], before.thread.calls + 1))
    return [*above, *asked]


def _nearest(recording: Recording, question: Question) -> tuple[Exchange, list[Json]] | None:
    """The exchange that comes nearest, and its messages."""
    asked = question.messages
    marks = {one.mark: one.count for one in question.threads}
    ranked = sorted(
        recording.exchanges(), key=lambda one: _rough(one, recording, marks, asked), reverse=True
    )
    best: tuple[float, Exchange, list[Json]] | None = None
    for one in ranked[:LOOKED_AT]:
        messages = conversation_of(recording, one)
        score = _likeness(messages, asked)
        if best is None or score > best[0]:
            best = score, one, messages
    return None if best is None or best[0] <= 0 else (best[1], best[2])


def _rough(
    one: Exchange, recording: Recording, marks: dict[bytes, int], asked: Sequence[Json]
) -> tuple[int, int, int, int]:
    """How near an exchange may be, by what is known of it without reading it."""
    common, above = marks.get(one.thread.mark, 0), one
    while not common and above.before is not None:
        known = recording.by_id(above.before)
        if known is None:
            break
        above = known
        common = marks.get(above.then.mark, 0) or marks.get(above.thread.mark, 0)
    prompts = {str(message["text"]) for message in asked if message["role"] == "user"}
    far = abs(one.thread.count - len(asked))
    return common, int(one.prompt in prompts), -far, one.line


def _likeness(messages: Sequence[Json], asked: Sequence[Json]) -> float:
    """How alike two conversations are: 1 for each message that is the same, less for others."""
    score, alone = 0.0, 0
    for one, other in _beside(messages, asked):
        if one is None or other is None:
            alone += 1
        elif one == other:
            score += 1.0
        elif one["role"] == other["role"]:
            pair = str(one["text"])[:COMPARED], str(other["text"])[:COMPARED]
            ratio = difflib.SequenceMatcher(None, *pair, autojunk=True).quick_ratio()
            score += ratio if ratio > 0.5 or score else 0.0  # else unlike
    return score - 0.1 * alone if score else 0.0


def _beside(
    messages: Sequence[Json], asked: Sequence[Json]
) -> list[tuple[Json | None, Json | None]]:
    """Messages beside each other: instructions that only one of both has stand alone."""
    there: list[Json | None] = list(messages)
    here: list[Json | None] = list(asked)
    for mine, others in ((messages, here), (asked, there)):
        if mine and mine[0]["role"] == "system" and _begins_otherwise(others):
            others.insert(0, None)
    return list(itertools.zip_longest(there, here))


def _begins_otherwise(messages: Sequence[Json | None]) -> bool:
    first = messages[0] if messages else None
    return first is not None and first["role"] != "system"


def _differences(messages: Sequence[Json], offer: Json, question: Question) -> Iterator[str]:
    there = here = 0
    for one, other in _beside(messages, question.messages):
        there, here = there + (one is not None), here + (other is not None)
        if other is None and one is not None:
            yield f"message {there}, {_who(one)}, was only there:"
            yield from (f"  - {line}" for line in _as_lines(one))
        elif one is None and other is not None:
            yield f"message {here}, {_who(other)}, is only here:"
            yield from (f"  + {line}" for line in _as_lines(other))
        elif one is not None and other is not None and one != other:
            yield f"message {here}, {_who(other)}:"
            yield from _changed(_as_lines(one), _as_lines(other))
    yield from _offers(offer, question.offer.said)


def _offers(there: Json, here: Json) -> Iterator[str]:
    before, now = _tools(there), _tools(here)
    for name in [*before, *(one for one in now if one not in before)]:
        if name not in now:
            yield f"tool {name}: is not offered any more"
        elif name not in before:
            yield f"tool {name}: is new"
        elif before[name] != now[name]:
            yield f"tool {name}:"
            yield from _changed(_as_lines(before[name]), _as_lines(now[name]))
    if list(before) != list(now) and sorted(before) == sorted(now):
        yield f"tools: in the order {', '.join(before)}; now {', '.join(now)}"
    for name in ("settings", "output", "tool_choice", "one_by_one"):
        if there.get(name) != here.get(name):
            yield f"{name.replace('_', ' ')}:"
            yield from _changed(_lines_of(there.get(name)), _lines_of(here.get(name)))


def _tools(offer: Json) -> dict[str, Json]:
    return {str(one["name"]): one for one in list_of(offer.get("tools"))}


def _who(message: Json) -> str:
    role = str(message["role"])
    return f"the result of {message['call']}" if "call" in message else f"of the {role}"


def _as_lines(value: Json) -> list[str]:
    text, rest = (
        value.get("text", ""),
        {k: v for k, v in value.items() if k not in ("role", "text")},
    )
    made = str(text).splitlines()
    return [*made, *(f"{name}: {line}" for name, one in rest.items() for line in _lines_of(one))]


def _lines_of(value: JsonValue) -> list[str]:
    if value is None:
        return []
    if isinstance(value, str):
        return value.splitlines() or [""]
    return json.dumps(value, ensure_ascii=False, indent=1).splitlines()


def _changed(before: Sequence[str], now: Sequence[str]) -> Iterator[str]:
    for line in difflib.unified_diff(before, now, lineterm="", n=1):
        if not line.startswith(("---", "+++", "@@")):
            yield f"  {line[0]} {_short(line[1:])}"


def _short(line: str) -> str:
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"


def _cut(lines: list[str]) -> list[str]:
    if len(lines) <= SHOWN:
        return lines
    return [*lines[:SHOWN], f"… and {len(lines) - SHOWN} more lines"]
