"""Series: values that stand beside each other as one list, or one call for each."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from nbagents.models.offline.language import Mention, numbers_of
from nbagents.models.offline.matching.values import value_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import JsonValue

    from nbagents.models.offline.language import Reading
    from nbagents.models.offline.matching.arguments.assignment import Filling
    from nbagents.models.offline.matching.ranking import Entry

_LISTED_KINDS = frozenset({"number", "quoted", "name", "code", "date"})
_FROM = re.compile(r"\b(?:from|between)\s+(?:\w+\s*=\s*)?[$€£]?$", re.IGNORECASE)
_TO = re.compile(r"\s*(?:to|and|until|-|–)\s*(?:\w+\s*=\s*)?[$€£]?", re.IGNORECASE)
_ENUMERATED = re.compile(r"\b(?:and|or)\b", re.IGNORECASE)
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
    for first, other in pairwise(sorted(pool, key=lambda one: one.start)):
        if first.kind == other.kind == "number" and _is_range(first, other, reading):
            found.append(_list([first, other], reading))
    for first in pool:
        if any(first.overlaps(one) for one in found):
            continue
        series = _in_brackets(first, reading.series(first, pool), reading)
        if len(series) > 1:
            found.append(_list(series, reading))
    return found


def _in_brackets(first: Mention, series: list[Mention], reading: Reading) -> list[Mention]:
    """The part of a series up to where a bracket closes: `(1, 2) and (3, 4)` are two."""
    kept: list[Mention] = []
    for one in series:
        if kept and ")" in reading.text[kept[-1].end : one.start]:
            if first in kept:
                break
            kept = []
        kept.append(one)
    return kept


def _is_range(first: Mention, other: Mention, reading: Reading) -> bool:
    """Whether two numbers are both ends: `from 5 to 10`, `between x = 1 and x = 2`."""
    lead = _FROM.search(reading.text[: first.start])
    return lead is not None and bool(_TO.fullmatch(reading.text, first.end, other.start))


def _list(series: Sequence[Mention], reading: Reading) -> Mention:
    start, end = series[0].start, series[-1].end
    values: list[JsonValue] = [one.value for one in series]
    return Mention(kind="list", value=values, text=reading.text[start:end], start=start, end=end)


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


def listed(first: Filling, entry: Entry, reading: Reading) -> list[Filling]:
    """A call for each of several plain words: `the size of mice, cats and dogs`."""
    for parameter in entry.required:
        mention = first.sources.get(parameter.name)
        if mention is None or mention.kind != "phrase" or not parameter.only("string"):
            continue
        run = [] if "text" in parameter.roles else reading.listed(mention)
        if len(run) > 1 and _ENUMERATED.search(reading.text, run[-2].end, run[-1].start):
            return [
                replace(
                    first,
                    values={**first.values, parameter.name: value_of(parameter, one)},
                    sources={**first.sources, parameter.name: one},
                    used=[*first.used, one],
                )
                for one in run
            ]
    return []


def crossed(
    fillings: list[Filling], own: Sequence[Mention], reading: Reading, entry: Entry
) -> list[Filling]:
    """Each value of one series with each of another: `tea and milk in Rome and Bath`.

    Values that are given `respectively`, or in pairs, stay in pairs.
    """
    first = fillings[0]
    if _PAIRWISE.search(reading.text):
        return fillings
    values = {
        (name, id(mention)): filling.values[name]
        for filling in fillings
        for name, mention in filling.sources.items()
        if name in filling.values
    }
    runs: dict[str, list[Mention]] = {}
    for parameter in entry.parameters:
        name, mention = parameter.name, first.sources.get(parameter.name)
        if mention is None or mention.kind == "list" or parameter.only("array"):
            continue
        run = [one for one in reading.series(mention, own) if one.kind == mention.kind]
        known = all((name, id(one)) in values for one in run)
        if len(run) > 1 and known and _is_own(name, run, first):
            runs[name] = run
    count = math.prod(len(run) for run in runs.values())
    if len(runs) < 2 or len(fillings) >= count or count > _CALLS_MAX:  # two series
        return fillings
    combined: list[Filling] = []
    for choice in itertools.product(*runs.values()):
        picked = dict(zip(runs, choice, strict=True))
        combined.append(
            replace(
                first,
                values={
                    **first.values,
                    **{name: values[name, id(one)] for name, one in picked.items()},
                },
                sources={**first.sources, **picked},
                used=[*first.used, *choice],
            )
        )
    return combined


def _is_own(name: str, run: Sequence[Mention], first: Filling) -> bool:
    """Whether no other parameter has one of the series."""
    others = [mention for other, mention in first.sources.items() if other != name]
    return not any(one.overlaps(mention) for one in run for mention in others)
