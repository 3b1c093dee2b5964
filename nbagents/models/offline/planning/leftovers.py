"""What a wish says beyond the tool's own words: the last resort for a text parameter."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nbagents.models.offline.language import HOW, QUESTION_WORDS, VERBS, word_set
from nbagents.models.offline.matching import UNSET

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.models.offline.language import Word
    from nbagents.models.offline.matching import Filling, MaybeValue, Parameter
    from nbagents.models.offline.planning.goals import Goal

_NEVER = word_set("id email url path date time unit year")
_LEAD = re.compile(
    r"^\s*(?:(?:please|can|could|would|will|you|i|i'd|want|need|like|to|me|us|and|then|also|"
    r"let's|just|kindly|help)\b[\s,]*)*",
    re.IGNORECASE,
)
_AFTER_VERB = re.compile(
    r"^\s*(?:(?:me|us|for|about|on|that|to|the|a|an|with|up|of)\b\s*)*", re.IGNORECASE
)
_SERIES = re.compile(r"\s*(?:,\s*(?:and|or)?|\band\b|\bor\b)\s*")


def leftover(
    parameter: Parameter, goal: Goal, filling: Filling, known: frozenset[str] = frozenset()
) -> MaybeValue:
    """A value for a required text parameter from the words that nothing else explains.

    Args:
        parameter: What lacks a value.
        goal: The wish.
        filling: What is filled already.
        known: Further stems that are no value.
    """
    target = parameter.items if parameter.only("array") else parameter
    if target is None or not target.takes("string") or target.choices or parameter.roles & _NEVER:
        return UNSET
    said = content(goal.said) if "text" in parameter.roles else _rest(goal, filling, known)
    if not said:
        return UNSET
    if parameter.only("array"):
        return [piece for piece in _SERIES.split(said) if piece]
    return said


def content(text: str) -> str:
    """A wish without its opening: `please search for red shoes` is about `red shoes`."""
    text = text[_LEAD.match(text).end() :]  # pyright: ignore[reportOptionalMemberAccess]  it matches nothing too
    first, _, rest = text.partition(" ")
    if first.lower() in VERBS and rest:
        text = rest[_AFTER_VERB.match(rest).end() :]  # pyright: ignore[reportOptionalMemberAccess]  it matches nothing too
    return text.strip(" .!\n") if "?" not in text else text.strip()


def _rest(goal: Goal, filling: Filling, known: frozenset[str]) -> str:
    """The longest run of words that are neither the tool's nor a value's nor grammar."""
    runs: list[list[Word]] = [[]]
    for clause in goal.clauses:
        runs.append([])
        for word in clause.words:
            if word.stem not in known and _is_free(word, goal, filling):
                runs[-1].append(word)
            else:
                runs.append([])
    best: Sequence[Word] = max(runs, key=len)
    return goal.reading.text[best[0].start : best[-1].end] if best else ""


def _is_free(word: Word, goal: Goal, filling: Filling) -> bool:
    if (
        word.is_stop
        or word.lower in HOW
        or word.lower in VERBS
        or word.lower in QUESTION_WORDS
        or word.text.isdigit()
    ):
        return False
    if word.stem in goal.entry.text_stems or any(one.deed == word.lower for one in goal.clauses):
        return False
    return not any(used.start <= word.start < used.end for used in filling.used)
