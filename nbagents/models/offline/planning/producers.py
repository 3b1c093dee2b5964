"""Producers: a tool whose result can give what another tool lacks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nbagents.models.offline.language import VERBS, abbreviates, stem, stems, word_set
from nbagents.models.offline.matching import UNSET, Filling, fill, missing_of
from nbagents.models.offline.planning.leftovers import leftover

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.models.offline.language import Mention
    from nbagents.models.offline.matching import Entry, Index, Parameter
    from nbagents.models.offline.planning.goals import Goal

_SAID_MIN = 0.34
_READS, _TAKES = 0.3, 0.4
_ACCEPTED = 0.6
_FINDING = word_set("find search look lookup locate get fetch retrieve query resolve")
_VALUES = frozenset({"name", "quoted", "code", "email", "url", "path"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Producer:
    """A tool to call first, with the arguments for it."""

    entry: Entry
    filling: Filling
    score: float
    said: bool
    """Whether its description speaks of what is missing."""


def producer_of(
    lacking: Sequence[Parameter], goal: Goal, filling: Filling, index: Index, tried: frozenset[str]
) -> Producer | None:
    """The tool most likely to return the missing values, if its own arguments are at hand.

    Only tools that read are tried: to learn a value, nothing is changed.

    Args:
        lacking: What is missing.
        goal: The wish that misses it.
        filling: What is known already; its mentions are taken.
        index: The offered tools.
        tried: Names of tools that were tried for this goal.
    """
    free = [
        one
        for one in goal.reading.within(goal.clauses)
        if not any(one.overlaps(used) for used in filling.used)
        and not (one.kind in {"phrase", "unit"} and set(stems(one.text)) <= goal.entry.text_stems)
    ]
    named = any(one.kind in _VALUES for one in free) or any(
        not (word.is_stop or word.lower in VERBS or index.knows(word.stem))
        for clause in goal.clauses
        for word in clause.words
    )
    found = [
        producer
        for entry in index.entries
        if entry is not goal.entry and entry.name not in tried and entry.effect == "none"
        if (producer := _producer(entry, lacking, goal, free))
        # What the wish names, a tool that takes nothing would not look at.
        if producer.filling.values or not named
    ]
    return max(found, key=lambda one: one.score, default=None)


def _producer(
    entry: Entry, lacking: Sequence[Parameter], goal: Goal, free: Sequence[Mention]
) -> Producer | None:
    first = fill(entry, goal.clauses, goal.reading, free)[0]
    for parameter in missing_of(entry, first):
        if goal.entry.effect == "some" and "text" not in parameter.roles:
            return None
        value = leftover(parameter, replace(goal, entry=entry), first, goal.entry.text_stems)
        if value is not UNSET:
            first.values[parameter.name] = value
    if missing_of(entry, first):
        return None
    if any(one.kind == "unit" for one in first.sources.values()):
        return None
    said = min(_speaks_of(entry, one) for one in lacking)
    takes = bool(first.values)
    score = said + _READS + (_TAKES if takes else 0.0)
    unnamed = all(one.is_numeric or "id" in one.roles for one in lacking)
    if goal.entry.effect != "none" and any(one.is_numeric or one.choices for one in lacking):
        said = 0.0  # how much of a deed is wished only the person can say
    finds = takes and unnamed and not entry.verbs.isdisjoint(_FINDING)
    if score < _ACCEPTED or (said < _SAID_MIN and not finds):
        return None
    return Producer(entry=entry, filling=first, score=score, said=said >= _SAID_MIN)


def _speaks_of(entry: Entry, parameter: Parameter) -> float:
    """How much a tool's description speaks of a parameter, 0 to 1."""
    words = {*stems(entry.spec.description), *stems(entry.name)}
    own = parameter.name_stems or frozenset({stem(parameter.name.lower())})
    share = sum(any(abbreviates(one, other) for other in words) for one in own) / len(own)
    described = parameter.text_stems
    beside = len(described & words) / len(described) if described else 0.0
    return max(share, min(beside * 1.2, 1.0))
