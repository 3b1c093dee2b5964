"""Clauses parted where words begin that only another tool knows: `the mean of …, and the mode`."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from nbagents.models.offline.language import Clause, refers, stems

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nbagents.models.offline.language import Reading, Word
    from nbagents.models.offline.matching.ranking import Entry, Index

_LINK = re.compile(
    r"\s*(?:,\s*(?:followed\s+by|and|or|then|plus|finally|also)\b|,|\bfollowed\s+by\b|"
    r"\bas\s+well\s+as\b|"
    r"\balong\s+with\b|\bplus\b|\bthen\b|\bwhile\b|\band\b|\bor\b|;)",
    re.IGNORECASE,
)


def parted(reading: Reading, index: Index) -> Reading:
    """The reading with its clauses cut between the words of one tool and those of another."""
    clauses = [part for clause in reading.clauses for part in _parts(clause, reading, index)]
    return replace(reading, clauses=tuple(clauses))


def _parts(clause: Clause, reading: Reading, index: Index) -> Iterator[Clause]:
    owned = list(_owned(clause, reading, index))
    cuts = [
        cut
        for (last, one), (following, other) in pairwise(owned)
        if one is not other and (cut := _cut(last, following, reading)) is not None
    ]
    bounds = [clause.start, *cuts, clause.end]
    for start, end in pairwise(bounds):
        words = tuple(word for word in clause.words if start <= word.start < end)
        if words:
            first = start == clause.start
            yield replace(
                clause,
                start=start,
                end=end,
                words=words,
                later=clause.later and first,
                refers=refers(words),
                verb=clause.verb if first or not clause.writes else None,
            )


def _owned(clause: Clause, reading: Reading, index: Index) -> Iterator[tuple[Word, Entry]]:
    """The words that belong to one tool, of the tools whose names are said."""
    owned = [
        (word, owner)
        for word in clause.words
        if not word.is_stop
        for one in stems(word.text)[:1]
        if (owner := index.owner(one)) is not None
        # A capital letter makes no name of a tool's own word.
        and (word.start not in reading.valued or one in owner.name_stems)
    ]
    named = {
        id(owner) for word, owner in owned if not owner.name_stems.isdisjoint(stems(word.text))
    }
    return (pair for pair in owned if id(pair[1]) in named)


def _cut(last: Word, following: Word, reading: Reading) -> int | None:
    """Where the last link between two words ends."""
    links = [
        match.end()
        for match in _LINK.finditer(reading.text, last.end, following.start)
        if not _inside(match.end() - 1, reading)
    ]
    return links[-1] if links else None


def _inside(at: int, reading: Reading) -> bool:
    return any(
        one.start < at < one.end for one in reading.mentions if one.kind not in {"phrase", "unit"}
    )
