"""How much of a conversation a run goes on with: its newest turns, each of them whole.

A turn is what a person said and everything that answers it: calls with their results, notices,
the answer. Part of one would be of no use: providers refuse a result without its call.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from nbagents.messages import AssistantMessage, SystemMessage, UserMessage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.messages import Message

__all__ = ["check_trimming", "estimated_tokens", "trimmed", "turns_of"]

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
        keep_turns: How many turns at most; `None`: all.
        keep_tokens: How many tokens at most, by `estimated_tokens`; a turn that does not fit is
            left out with all before it. `None`: as many as there are.

    Raises:
        ValueError: A number is negative.
    """
    check_trimming(keep_turns, keep_tokens)
    instructions = [one for one in messages if isinstance(one, SystemMessage)]
    turns = turns_of([one for one in messages if not isinstance(one, SystemMessage)])
    kept: list[Sequence[Message]] = []
    tokens = 0
    for turn in reversed(turns):
        tokens += sum(map(estimated_tokens, turn))
        if len(kept) == keep_turns or (keep_tokens is not None and tokens > keep_tokens):
            break
        kept.insert(0, turn)
    return (*instructions, *(one for turn in kept for one in turn))


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
        said = len(message.text if isinstance(message, UserMessage) else message.content)
        parts = len(message.parts)
    return TOKENS_A_MESSAGE + math.ceil(said / CHARACTERS_A_TOKEN) + TOKENS_A_PART * parts
