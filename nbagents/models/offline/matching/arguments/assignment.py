"""Mentions shared out to parameters: the surest pairs first, then improved."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from nbagents.models.offline.matching.arguments.adjustment import (
    put_in_order,
    refilled,
    set_names,
    unsplit,
)
from nbagents.models.offline.matching.arguments.fit import REQUIRED_MIN, fit
from nbagents.models.offline.matching.parameters import UNSET
from nbagents.models.offline.matching.values import value_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import JsonValue

    from nbagents.models.offline.language import Mention, Reading
    from nbagents.models.offline.matching.parameters import Parameter
    from nbagents.models.offline.matching.ranking import Entry

_DROP_SHARE = 0.8
"""An optional parameter gives its mention to a required one that it fits nearly as well."""


@dataclass(slots=True, kw_only=True)
class Filling:
    """The arguments of one call, as far as they are known."""

    values: dict[str, JsonValue] = field(default_factory=dict[str, "JsonValue"])
    sources: dict[str, Mention] = field(default_factory=dict[str, "Mention"])
    """Which mention gave which argument."""
    used: list[Mention] = field(default_factory=list["Mention"])


def without(mentions: Sequence[Mention], used: Sequence[Mention]) -> list[Mention]:
    """The mentions that do not stand where a used one stands."""
    return [one for one in mentions if not any(one.overlaps(other) for other in used)]


def assign(
    parameters: Sequence[Parameter], mentions: Sequence[Mention], reading: Reading, entry: Entry
) -> Filling:
    """Each parameter its mention, the surest pairs first; an array takes a whole series."""
    pairs = _pairs(parameters, mentions, reading, entry)
    required = frozenset(index for index, one in enumerate(parameters) if one.required)
    scores = {(index, at): score for score, index, at in pairs}
    chosen = _improved(_greedy(pairs, mentions), scores, mentions, required)
    chosen = _completed(chosen, scores, mentions, parameters)
    kept = unsplit(chosen, parameters, mentions, reading)
    chosen = refilled(kept, set(chosen) - set(kept), pairs, mentions, reading)
    set_names(chosen, parameters, mentions, reading, entry)
    put_in_order(chosen, parameters, mentions, reading)
    filling = Filling()
    for index, at in sorted(chosen.items()):
        parameter, mention = parameters[index], mentions[at]
        others = [mentions[one] for one in chosen.values() if one != at]
        _take(filling, parameter, mention, without(mentions, others), reading)
    _add_objects(filling, parameters, mentions, reading, entry)
    return filling


def _pairs(
    parameters: Sequence[Parameter], mentions: Sequence[Mention], reading: Reading, entry: Entry
) -> list[tuple[float, int, int]]:
    found: list[tuple[float, int, int]] = []
    for index, parameter in enumerate(parameters):
        if parameter.only("boolean") or parameter.properties or parameter.handle:
            continue
        target = _element(parameter)
        own = {id(one) for one in mentions if one.kind == "choice"}
        for at, mention in enumerate(mentions):
            if id(mention) in own and not _is_own_choice(parameter, mention):
                continue
            score = fit(parameter if mention.kind == "list" else target, mention, reading, entry)
            if score > REQUIRED_MIN:
                # Early mentions for early parameters, where nothing else decides.
                found.append((score - 0.01 * at + 0.001 * at * index, index, at))
    found.sort(key=lambda pair: (-pair[0], pair[1], pair[2]))
    return found


def _is_own_choice(parameter: Parameter, mention: Mention) -> bool:
    return mention.owner == parameter.name


def _element(parameter: Parameter) -> Parameter:
    """What one mention must fit: an array's items, with the words of the array."""
    if parameter.items is None or not parameter.only("array"):
        return parameter
    return _as_required(parameter.items, parameter)


def _as_required(items: Parameter, array: Parameter) -> Parameter:
    return replace(items, required=array.required, text_stems=array.text_stems | items.text_stems)


def _greedy(pairs: Sequence[tuple[float, int, int]], mentions: Sequence[Mention]) -> dict[int, int]:
    chosen: dict[int, int] = {}
    for _, index, at in pairs:
        if index not in chosen and not any(
            at == one or _says_the_same(mentions[at], mentions[one]) for one in chosen.values()
        ):
            chosen[index] = at
    return chosen


def _says_the_same(one: Mention, other: Mention) -> bool:
    """Whether two mentions that stand apart are of one thing: it is no second value."""
    return one.value == other.value and one.kind == other.kind == "name" and not one.overlaps(other)


def _improved(
    chosen: dict[int, int],
    scores: dict[tuple[int, int], float],
    mentions: Sequence[Mention],
    required: frozenset[int],
) -> dict[int, int]:
    """Exchange two parameters' mentions where that fits better; drop what overlaps the better."""
    indexes = sorted(chosen)
    for one in indexes:
        for other in indexes:
            now = scores[one, chosen[one]] + scores[other, chosen[other]]
            swapped = (scores.get((one, chosen[other])), scores.get((other, chosen[one])))
            if None not in swapped and sum(score or 0 for score in swapped) > now + 1e-6:
                chosen[one], chosen[other] = chosen[other], chosen[one]
    # One of few values that must be given is no part of a longer name.
    firm = {one for one in indexes if one in required and mentions[chosen[one]].kind == "choice"}
    kept: dict[int, int] = {}
    for index in sorted(indexes, key=lambda one: (one not in firm, -scores[one, chosen[one]])):
        mention = mentions[chosen[index]]
        if not any(mention.overlaps(mentions[at]) for at in kept.values()):
            kept[index] = chosen[index]
    return kept


def _completed(
    chosen: dict[int, int],
    scores: dict[tuple[int, int], float],
    mentions: Sequence[Mention],
    parameters: Sequence[Parameter],
) -> dict[int, int]:
    """Let a required parameter without a mention have another's, if that one can move on."""
    for index, parameter in enumerate(parameters):
        if index in chosen or not parameter.required or parameter.handle:
            continue
        moves = [
            (scores[index, at] + scores[holder, other] - scores[holder, at], holder, at, other)
            for holder, at in chosen.items()
            if (index, at) in scores
            for other in range(len(mentions))
            if (holder, other) in scores
            and not any(
                mentions[other].overlaps(mentions[used])
                or _says_the_same(mentions[other], mentions[used])
                for used in chosen.values()
            )
        ]
        drops = [
            (scores[index, at], holder, at, None)
            for holder, at in chosen.items()
            if (index, at) in scores
            and not parameters[holder].required
            and scores[index, at] >= scores[holder, at] * _DROP_SHARE
        ]
        best = max(moves or drops, default=None, key=lambda move: move[0])
        if best is not None:
            _, holder, at, other = best
            chosen[index] = at
            if other is None:
                del chosen[holder]
            else:
                chosen[holder] = other
    return chosen


def _series(
    parameter: Parameter, mention: Mention, pool: Sequence[Mention], reading: Reading
) -> list[Mention]:
    """What an array takes along with a mention."""
    closed = parameter.choices or (parameter.items is not None and parameter.items.choices)
    if mention.kind == "choice" and not closed:
        return reading.listed(mention)
    if mention.kind == "choice":
        return [one for one in pool if one.kind == "choice" and _is_own_choice(parameter, one)]
    return reading.listed(mention) if mention.kind == "phrase" else reading.series(mention, pool)


def _take(
    filling: Filling,
    parameter: Parameter,
    mention: Mention,
    pool: Sequence[Mention],
    reading: Reading,
) -> None:
    filling.sources[parameter.name] = mention
    if not parameter.only("array") or mention.kind == "list":
        value = value_of(parameter, mention)
        if value is not UNSET:
            filling.values[parameter.name] = value
            filling.used.append(mention)
        return
    target = _element(parameter)
    series = _series(parameter, mention, pool, reading)
    values = [value for one in series if (value := value_of(target, one)) is not UNSET]
    if values:
        filling.values[parameter.name] = values
        filling.used += series


def _add_objects(
    filling: Filling,
    parameters: Sequence[Parameter],
    mentions: Sequence[Mention],
    reading: Reading,
    entry: Entry,
) -> None:
    """Fill a parameter that is an object from what the others left."""
    for parameter in parameters:
        if not parameter.properties or parameter.takes("array"):
            continue
        inner = assign(parameter.properties, without(mentions, filling.used), reading, entry)
        complete = all(one.name in inner.values for one in parameter.properties if one.required)
        if inner.values and complete:
            filling.values[parameter.name] = dict(inner.values)
            filling.used += inner.used
