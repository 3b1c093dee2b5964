"""Series: values that stand beside each other as one list, or one call for each."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from nbagents.models.offline.mentions import Mention
from nbagents.models.offline.numbers import numbers_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.models.offline.assignment import Filling
    from nbagents.models.offline.ranking import Entry
    from nbagents.models.offline.reading import Reading

__all__ = ["crossed", "grouped"]

_LISTED_KINDS = frozenset({"number", "quoted", "name", "code", "date"})
_PAIRWISE = re.compile(r"\brespectively\b", re.IGNORECASE)
_CALLS_MAX = 12


def grouped(entry: Entry, mentions: Sequence[Mention], reading: Reading) -> list[Mention]:
    """The mentions, with lists of those beside each other where the tool takes lists.

    Where it takes none, a list of numbers is its numbers: `the point (3, 4)`.
    """
    if any(one.takes("array") for one in entry.parameters):
        return [*_lists(mentions, reading), *mentions]
    return [piece for one in mentions for piece in _pieces(one)]


def _lists(mentions: Sequence[Mention], reading: Reading) -> list[Mention]:
    found: list[Mention] = []
    pool = [one for one in mentions if one.kind in _LISTED_KINDS]
    for first in pool:
        if any(first.overlaps(one) for one in found):
            continue
        series = reading.series(first, pool)
        if len(series) > 1:
            start, end = series[0].start, series[-1].end
            found.append(
                Mention(
                    kind="list",
                    value=[one.value for one in series],
                    text=reading.text[start:end],
                    start=start,
                    end=end,
                )
            )
    return found


def _pieces(mention: Mention) -> list[Mention]:
    if mention.kind != "list" or not isinstance(mention.value, list):
        return [mention]
    numbers = numbers_of(mention.text)
    if len(numbers) != len(mention.value):
        return [mention]
    return [
        Mention(
            kind="number",
            value=one.value,
            text=mention.text[one.start : one.end],
            start=mention.start + one.start,
            end=mention.start + one.end,
        )
        for one in numbers
    ]


def crossed(
    fillings: list[Filling], own: Sequence[Mention], reading: Reading, entry: Entry
) -> list[Filling]:
    """Each value of one series with each of another: `tea and milk in Rome and Bath`.

    Values that are given `respectively`, or in pairs, stay in pairs.
    """
    first = fillings[0]
    if _PAIRWISE.search(reading.text):
        return fillings
    scalar = {one.name for one in entry.parameters if not one.only("array")}
    runs = {
        name: [one for one in reading.series(mention, own) if one.kind == mention.kind]
        for name, mention in first.sources.items()
        if name in scalar and mention.kind != "list"
    }
    given = {id(one) for filling in fillings for one in filling.sources.values()}
    runs = {
        name: run
        for name, run in runs.items()
        if len(run) > 1 and all(id(one) in given for one in run) and _is_own(name, run, first)
    }
    count = 1
    for run in runs.values():
        count *= len(run)
    if len(runs) < 2 or len(fillings) >= count or count > _CALLS_MAX:  # noqa: PLR2004  two series
        return fillings
    values = {
        (name, id(mention)): filling.values[name]
        for filling in fillings
        for name, mention in filling.sources.items()
        if name in filling.values
    }
    combined: list[Filling] = []
    for choice in itertools.product(*runs.values()):
        picked = dict(zip(runs, choice, strict=True))
        combined.append(
            replace(
                first,
                values={**first.values, **{name: values[name, id(one)] for name, one in picked.items()}},
                sources={**first.sources, **picked},
                used=[*first.used, *choice],
            )
        )
    return combined


def _is_own(name: str, run: Sequence[Mention], first: Filling) -> bool:
    """Whether no other parameter has one of the series."""
    others = [mention for other, mention in first.sources.items() if other != name]
    return not any(one.overlaps(mention) for one in run for mention in others)
