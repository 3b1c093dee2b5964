"""How much of a conversation a run goes on with: its newest turns, each of them whole.

A turn is what a person said and everything that answers it: calls with their results, notices,
the answer. Part of one would be of no use: providers refuse a result without its call.

When as much is kept as there may be, the older half goes at once, and then nothing for a while: a
provider need not read again what begins as before.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Final

from nbagents.messages import AssistantMessage, SystemMessage, UserMessage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.messages import Message

CHARACTERS_A_TOKEN: Final = 4
"""About how many characters of English, or of JSON, the tokens of today's models stand for."""
TOKENS_A_MESSAGE: Final = 4
"""What says who speaks."""
TOKENS_A_PART: Final = 1_000
"""About what an image costs, or a page of a file."""


def trimmed(
    messages: Sequence[Message], *, keep_turns: int | None = None, keep_tokens: int | None = None
) -> tuple[Message, ...]:
    """The newest turns of a conversation; instructions stay in any case.

    Args:
        messages: The conversation, without what is asked now.
        keep_turns: How many turns at most: where there would be one more, the older half goes.
            `None`: all.
        keep_tokens: How many tokens at most, by `estimated_tokens`: where there would be more, as
            many turns go as leave no more than half, but the newest. A turn that does not fit by
            itself is left out with all before it. `None`: as many as there are.

    Raises:
        ValueError: A number is negative.
    """
    check_trimming(keep_turns, keep_tokens)
    if keep_turns is None and keep_tokens is None:
        return tuple(messages)
    said = itertools.takewhile(lambda one: isinstance(one, SystemMessage), messages)
    instructions = tuple(said)
    turns = turns_of(messages[len(instructions) :])
    kept = turns[_first_kept(turns, keep_turns, keep_tokens) :]
    return (*instructions, *(one for turn in kept for one in turn))


def newest_turn(messages: Sequence[Message]) -> tuple[Message, ...]:
    """What a turn begins with: the prompt, after who is to answer it, where that is said."""
    is_said = len(messages) > 2 and isinstance(messages[-2], SystemMessage)
    return tuple(messages[-2:] if is_said else messages[-1:])


def _first_kept(
    turns: Sequence[Sequence[Message]], keep_turns: int | None, keep_tokens: int | None
) -> int:
    """The first turn that is kept, found from the beginning: what was cut stays cut."""
    first, sizes = 0, [0 if keep_tokens is None else _tokens(turn) for turn in turns]
    for last, size in enumerate(sizes):
        if keep_turns is not None and last + 1 - first > keep_turns:
            first += max(1, math.ceil(keep_turns / 2))
        if keep_tokens is not None and sum(sizes[first : last + 1]) > keep_tokens:
            while first < last and sum(sizes[first : last + 1]) > keep_tokens / 2:
                first += 1
            first += size > keep_tokens
    return first


def _tokens(turn: Sequence[Message]) -> int:
    return sum(map(estimated_tokens, turn))


def check_trimming(keep_turns: int | None, keep_tokens: int | None) -> None:
    """Refuse what cannot be kept.

    Raises:
        ValueError: A number is negative.
    """
    for name, value in (("keep_turns", keep_turns), ("keep_tokens", keep_tokens)):
        if value is not None and value < 0:
            raise ValueError(f"{name} is {value}: give how much to keep, 0 for nothing.")


def turns_of(messages: Sequence[Message]) -> list[list[Message]]:
    """A conversation by its turns; notices belong to the turn that they fall into."""
    turns: list[list[Message]] = []
    for one in messages:
        begins = isinstance(one, UserMessage) and not one.is_notice
        if begins or not turns:
            turns.append([])
        turns[-1].append(one)
    return turns


def estimated_tokens(message: Message) -> int:
    """About how many tokens a message has: a quarter of its characters, and some for its parts.

    It is meant for a budget, not for a bill: for Chinese or Japanese it is too low by half or so.
    """
    if isinstance(message, AssistantMessage):
        said = len(message.text) + sum(len(one.name + one.arguments) for one in message.calls)
        parts = 0
    elif isinstance(message, SystemMessage):
        said, parts = len(message.text), 0
    else:
        said = len(message.told if isinstance(message, UserMessage) else message.content)
        parts = len(message.parts)
    return TOKENS_A_MESSAGE + math.ceil(said / CHARACTERS_A_TOKEN) + TOKENS_A_PART * parts
