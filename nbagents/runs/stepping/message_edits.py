"""What a model is told after a person has edited it, and what of it is other than it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from nbagents.errors import did_you_mean
from nbagents.messages import (
    AssistantMessage,
    Message,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from nbagents.narrowing import is_mapping, is_whole
from nbagents.redaction import MARK, holds_mark
from nbagents.runs.tree import unpaired
from nbagents.tools.context import shown

NEW: Final[Mapping[str, type[SystemMessage | UserMessage | AssistantMessage]]] = {
    "user": UserMessage,
    "system": SystemMessage,
    "assistant": AssistantMessage,
}
ADDED: Final = -1
"""Stands for the place of a message that was none before."""
HOW: Final = (
    'give messages, {"keep": 0} for one that stays (with "text" where its words change), or '
    '{"role": "user", "text": …} for a new one.'
)
MARKED: Final = (
    f"Message {{at}} holds {MARK}, which stands where a secret was left out: leave the message as "
    "it was, or write all of it."
)


@dataclass(frozen=True, slots=True)
class MessageChange:
    """One message that is other than it was; before or after it there may be none."""

    place: int
    """Where it stands among the messages that are told, or stood before it was dropped."""
    before: Message | None
    after: Message | None


@dataclass(frozen=True, slots=True)
class EditedMessages:
    """What the model is told after an edit."""

    messages: tuple[Message, ...]
    origins: tuple[int | None, ...]
    """Of each, which of those before it was; `None`: it is new."""
    changes: tuple[MessageChange, ...]


def edited_messages(
    before: Sequence[Message], given: Sequence[Message | Mapping[str, Any]]
) -> EditedMessages | None:
    """What the model is told; `None`: what it would have been told anyway.

    Args:
        before: What it would be told.
        given: What it is to be told instead; see `Edit.messages`.

    Raises:
        ValueError: It cannot be told so.
    """
    taken = [_taken(one, before) for one in given]
    messages = tuple(message for message, _ in taken)
    origins = _aligned(before, messages, [origin for _, origin in taken])
    changes = tuple(_changes(before, messages, origins))
    if not changes or messages == tuple(before):
        return None
    _refuse_marks(changes)
    _require_whole(messages)
    return EditedMessages(messages, origins, changes)


def with_words(message: Message, text: str) -> Message:
    """The same message with other words."""
    if isinstance(message, ToolMessage):
        return replace(message, content=text)
    if isinstance(message, AssistantMessage):
        return replace(message, text=text, native=(), native_of="")
    if isinstance(message, SystemMessage):
        return replace(message, text=text)
    tail = f"\n\n{message.shared}"
    if message.shared and text.endswith(tail):
        return replace(message, text=text.removesuffix(tail))
    return replace(message, text=text, shared="")


def words_of(message: Message) -> str:
    """The words of a message that can be edited."""
    if isinstance(message, ToolMessage):
        return message.content
    return message.told if isinstance(message, UserMessage) else message.text


def _taken(
    given: Message | Mapping[str, Any], before: Sequence[Message]
) -> tuple[Message, int | None]:
    """A message as it was given, and which one it was, as far as that is said."""
    if isinstance(given, Message):
        return given, None
    fields: object = given
    if not is_mapping(fields):
        raise ValueError(f"One of the messages is {shown(given)}: {HOW}")
    text = fields.get("text", fields.get("content"))
    if text is not None and not isinstance(text, str):
        raise ValueError(f"The text of a message is {shown(text)}: {HOW}")
    if "keep" not in fields:
        return _new(fields.get("role"), text), ADDED
    at = fields["keep"]
    if not is_whole(at) or not 0 <= at < len(before):
        raise ValueError(f"There is no message {shown(at)} here; they are 0 to {len(before) - 1}.")
    kept = before[at]
    return (kept if text is None or text == words_of(kept) else with_words(kept, text)), at


def _new(role: object, text: str | None) -> Message:
    made = NEW.get(role) if isinstance(role, str) else None
    if made is None:
        hint = did_you_mean(str(role), tuple(NEW))
        raise ValueError(f"A new message has a role: 'user', 'system' or 'assistant'.{hint} {HOW}")
    if not (text or "").strip():
        raise ValueError(f"A new message has text: {HOW}")
    return made(text=text or "")


def _aligned(
    before: Sequence[Message], after: Sequence[Message], known: Sequence[int | None]
) -> tuple[int | None, ...]:
    """Which of those before each one was: as it says, else the same, else the one in its place.

    Raises:
        ValueError: One is kept twice, or they are in another order.
    """
    found = list(known)
    least = 0
    for index, message in enumerate(after):
        if found[index] is None:
            said = (one for one in found[index:] if one is not None and one != ADDED)
            found[index] = _same(before, message, range(least, next(said, len(before))))
        origin = found[index]
        if origin is None or origin == ADDED:
            continue
        if origin < least:
            raise ValueError(f"Message {origin} stands twice or in another place: keep the order.")
        least = origin + 1
    return _in_gaps(before, after, found)


def _same(before: Sequence[Message], message: Message, places: range) -> int | None:
    """The very object, or one that is like it."""
    same = (at for at in places if before[at] is message)
    like = (at for at in places if before[at] == message)
    return next(same, next(like, None))


def _in_gaps(
    before: Sequence[Message], after: Sequence[Message], found: list[int | None]
) -> tuple[int | None, ...]:
    """Let each that is like none before it be one of its kind that is like none now.

    From the end, where what is newest stands: that is what is edited.
    """
    end = len(before)
    for index in range(len(after) - 1, -1, -1):
        if found[index] is None:
            earlier = [one for one in found[:index] if one is not None and one != ADDED]
            least = earlier[-1] + 1 if earlier else 0
            places = range(end - 1, least - 1, -1)
            found[index] = next((at for at in places if _is_of(before[at], after[index])), None)
        origin = found[index]
        end = end if origin is None or origin == ADDED else origin
    return tuple(None if one == ADDED else one for one in found)


def _is_of(one: Message, other: Message) -> bool:
    """Whether one can be the other with other words."""
    if isinstance(one, ToolMessage) and isinstance(other, ToolMessage):
        return one.call_id == other.call_id
    if isinstance(one, AssistantMessage) and isinstance(other, AssistantMessage):
        return one.calls == other.calls
    return one.role == other.role


def _changes(
    before: Sequence[Message], after: Sequence[Message], origins: Sequence[int | None]
) -> Iterator[MessageChange]:
    least = 0
    for index, (message, origin) in enumerate(zip(after, origins, strict=True)):
        if origin is None:
            yield MessageChange(index, None, message)
            continue
        for gone in range(least, origin):
            yield MessageChange(gone, before[gone], None)
        least = origin + 1
        if before[origin] is not message and before[origin] != message:
            yield MessageChange(index, before[origin], message)
    for gone in range(least, len(before)):
        yield MessageChange(gone, before[gone], None)


def _refuse_marks(changes: Sequence[MessageChange]) -> None:
    """See that nothing is told of what only stands where a secret was left out.

    Raises:
        ValueError: Something would be.
    """
    for one in changes:
        was = one.before is not None and holds_mark(words_of(one.before))
        if one.after is not None and not was and holds_mark(words_of(one.after)):
            raise ValueError(MARKED.format(at=one.place))


def _require_whole(messages: Sequence[Message]) -> None:
    """See that a provider would take it: each call with its result behind it, and no other.

    Raises:
        ValueError: It would not.
    """
    if not any(isinstance(one, UserMessage) for one in messages):
        raise ValueError("Nothing would be asked: keep a message of the user's, or add one.")
    if (found := unpaired(messages)) is None:
        return
    if found.is_result:
        raise ValueError(
            f"Message {found.place} is the result of a call that no message before it asks for: "
            "drop both, or neither."
        )
    raise ValueError(
        f"Message {found.place} asks for calls, and not all of their results follow it: drop it "
        "with its results, or keep them all."
    )
