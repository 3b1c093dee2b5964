"""Unserved words: what a wish gives and no call took, so that nobody thinks that all was done."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from nbagents.models.offline.matching import is_tool_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.models.offline.language import Mention, Reading
    from nbagents.models.offline.planning.conversation import Made
    from nbagents.models.offline.planning.goals import Goal

_TELLING = frozenset(
    {"name", "quoted", "code", "email", "url", "path", "date", "time", "number", "list"}
)
_QUIET = frozenset({"refused", "supposed", "told"})
"""Clauses that ask for nothing: what stands in them need not be used."""


def unserved(goals: Sequence[Goal], made: Sequence[Made]) -> tuple[str, ...]:
    """The names, numbers and other values of a text that stand in no call, as they were written.

    Args:
        goals: What was made of the text, at least one.
        made: The calls that were made for it.
    """
    reading = goals[-1].reading
    used = [
        one
        for goal in goals
        for filling in goal.fillings
        for one in (*filling.used, *filling.sources.values())
    ]
    said = " ".join(json.dumps(one.arguments, ensure_ascii=False) for one in made).casefold()
    left = [
        one
        for one in reading.mentions
        if one.kind in _TELLING
        and not any(one.overlaps(other) for other in used)
        and not _is_said(one, said)
        and not _is_quiet(one, reading)
        and not (one.kind == "name" and any(is_tool_word(one, goal.entry) for goal in goals))
    ]
    return tuple(dict.fromkeys(one.text for one in left))


def unserved_note(words: Sequence[str]) -> str:
    """The sentence that names them, or nothing."""
    if not words:
        return ""
    quoted = [f"“{one}”" for one in words]
    listed = " and ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)
    return f"I did not use {listed} of what you wrote."


def _is_said(mention: Mention, said: str) -> bool:
    """Whether a value stands in the arguments of a call, whatever gave it."""
    value = mention.value
    plain = json.dumps(value, ensure_ascii=False).casefold().strip('"')
    return len(plain) > 1 and plain in said


def _is_quiet(mention: Mention, reading: Reading) -> bool:
    moods = {one.mood for one in reading.clauses if one.start <= mention.start < one.end}
    return bool(moods) and moods <= _QUIET
