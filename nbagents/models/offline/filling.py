"""Arguments from a text: mentions shared out to parameters, several calls where there are several."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nbagents.models.offline.choices import choice_mentions, truth
from nbagents.models.offline.fitting import REQUIRED_MIN, fit, pointing
from nbagents.models.offline.parameters import UNSET
from nbagents.models.offline.values import value_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pydantic import JsonValue

    from nbagents.models.offline.clauses import Clause
    from nbagents.models.offline.mentions import Mention
    from nbagents.models.offline.parameters import Parameter
    from nbagents.models.offline.ranking import Entry
    from nbagents.models.offline.reading import Reading

__all__ = ["Filling", "fill", "fill_apart", "missing_of"]

_CALLS_MAX = 12
_DATE_PARTS = re.compile(
    r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d).*|(?P<hour>\d\d):(?P<minute>\d\d).*"
)
_PARALLEL_MIN = 0.65
_POINTED_MIN = 0.35


@dataclass(slots=True, kw_only=True)
class Filling:
    """The arguments of one call, as far as they are known."""

    values: dict[str, JsonValue] = field(default_factory=dict[str, "JsonValue"])
    sources: dict[str, Mention] = field(default_factory=dict[str, "Mention"])
    """Which mention gave which argument."""
    used: list[Mention] = field(default_factory=list["Mention"])


def missing_of(entry: Entry, filling: Filling) -> list[Parameter]:
    """The required parameters that have no value yet."""
    return [one for one in entry.required if one.name not in filling.values]


def fill(
    entry: Entry,
    clauses: Sequence[Clause],
    reading: Reading,
    mentions: Sequence[Mention] | None = None,
) -> list[Filling]:
    """The calls of a tool that some clauses of a text describe; at least one, maybe incomplete.

    Args:
        entry: The tool.
        clauses: Where to look.
        reading: The text.
        mentions: Which mentions are free; by default all of the clauses.
    """
    span = [(clause.start, clause.end) for clause in clauses]
    mentions = reading.within(clauses) if mentions is None else mentions
    own = [*mentions, *_choices(entry, reading, span)]
    first = _assign(entry.parameters, own, reading, entry)
    _add_truths(entry, first, reading, span)
    _add_date_parts(entry, first, own)
    fillings = [first]
    left = _without(own, first.used)
    while left and len(fillings) < _CALLS_MAX:
        following = _following(entry, left, fillings, reading)
        if following is None:
            break
        fillings.append(following)
        left = _without(left, following.used)
    return sorted(fillings, key=_place)


def _place(filling: Filling) -> int:
    """Where in the text a call's own mentions begin."""
    return min((one.start for one in filling.used), default=0)


def fill_apart(entry: Entry, clauses: Sequence[Clause], reading: Reading) -> list[Filling]:
    """As `fill`, where a clause that gives the same parameters anew is a call of its own."""
    parts: list[list[Clause]] = []
    given: set[str] = set()
    asking = False  # whether the clause that gave the last values is a wish by its form
    for clause in clauses:
        own = _given(entry, clause, reading)
        if parts and not (own and own <= given and (clause.asks or not asking)):
            parts[-1].append(clause)
            given |= own
            asking = clause.asks if own else asking
        else:
            parts.append([clause])
            given, asking = own, clause.asks
    fillings = [filling for part in parts for filling in fill(entry, part, reading)]
    for filling in fillings[1:]:
        for parameter in missing_of(entry, filling):
            if parameter.name in fillings[0].values:
                filling.values[parameter.name] = fillings[0].values[parameter.name]
    return fillings


def _given(entry: Entry, clause: Clause, reading: Reading) -> set[str]:
    """The required parameters that a clause gives by itself, weak phrases aside."""
    sources = fill(entry, [clause], reading)[0].sources
    required = bool(entry.required)
    return {
        one.name
        for one in entry.parameters
        if (one.required or not required)
        and (mention := sources.get(one.name))
        and mention.kind not in {"phrase", "unit"}
        and (mention.kind != "number" or pointing(one, mention, reading) >= _POINTED_MIN)
    }


def _choices(
    entry: Entry, reading: Reading, spans: Iterable[tuple[int, int]]
) -> list[Mention]:
    found: list[Mention] = []
    for start, end in spans:
        words = [word for word in reading.words if start <= word.start < end]
        for parameter in entry.parameters:
            for one in choice_mentions(parameter, words):
                if one not in found:
                    found.append(one)
    return found


def _without(mentions: Sequence[Mention], used: Sequence[Mention]) -> list[Mention]:
    return [one for one in mentions if not any(one.overlaps(other) for other in used)]


def _assign(
    parameters: Sequence[Parameter], mentions: Sequence[Mention], reading: Reading, entry: Entry
) -> Filling:
    """Each parameter its mention, the surest pairs first; an array takes a whole series."""
    pairs = _pairs(parameters, mentions, reading, entry)
    scores = {(index, at): score for score, index, at in pairs}
    chosen = _improved(_greedy(pairs), scores, mentions)
    chosen = _completed(chosen, scores, mentions, parameters)
    filling = Filling()
    for index, at in sorted(chosen.items()):
        parameter, mention = parameters[index], mentions[at]
        others = [mentions[one] for one in chosen.values() if one != at]
        _take(filling, parameter, mention, _without(mentions, others), reading)
    _add_objects(filling, parameters, mentions, reading, entry)
    return filling


def _pairs(
    parameters: Sequence[Parameter], mentions: Sequence[Mention], reading: Reading, entry: Entry
) -> list[tuple[float, int, int]]:
    found: list[tuple[float, int, int]] = []
    for index, parameter in enumerate(parameters):
        if parameter.types == {"boolean"} or parameter.properties:
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
    values = parameter.choices or (parameter.items.choices if parameter.items else ())
    return mention.value in (values or parameter.hints)


def _element(parameter: Parameter) -> Parameter:
    """What one mention must fit: an array's items, with the words of the array."""
    if parameter.items is None or parameter.types != {"array"}:
        return parameter
    return _as_required(parameter.items, parameter)


def _as_required(items: Parameter, array: Parameter) -> Parameter:
    from dataclasses import replace  # noqa: PLC0415  rare: arrays only

    return replace(items, required=array.required, text_stems=array.text_stems | items.text_stems)


def _greedy(pairs: Sequence[tuple[float, int, int]]) -> dict[int, int]:
    chosen: dict[int, int] = {}
    for _, index, at in pairs:
        if index not in chosen and at not in chosen.values():
            chosen[index] = at
    return chosen


def _improved(
    chosen: dict[int, int], scores: dict[tuple[int, int], float], mentions: Sequence[Mention]
) -> dict[int, int]:
    """Exchange two parameters' mentions where that fits better; drop what overlaps the better."""
    indexes = sorted(chosen)
    for one in indexes:
        for other in indexes:
            now = scores[one, chosen[one]] + scores[other, chosen[other]]
            swapped = (scores.get((one, chosen[other])), scores.get((other, chosen[one])))
            if None not in swapped and sum(score or 0 for score in swapped) > now + 1e-6:  # noqa: PLR2004
                chosen[one], chosen[other] = chosen[other], chosen[one]
    kept: dict[int, int] = {}
    for index in sorted(indexes, key=lambda one: -scores[one, chosen[one]]):
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
        if index in chosen or not parameter.required:
            continue
        moves = [
            (scores[index, at] + scores[holder, other] - scores[holder, at], holder, at, other)
            for holder, at in chosen.items()
            if (index, at) in scores
            for other in range(len(mentions))
            if (holder, other) in scores
            and not any(mentions[other].overlaps(mentions[used]) for used in chosen.values())
        ]
        drops = [
            (scores[index, at], holder, at, None)
            for holder, at in chosen.items()
            if (index, at) in scores and not parameters[holder].required
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


def _take(
    filling: Filling,
    parameter: Parameter,
    mention: Mention,
    pool: Sequence[Mention],
    reading: Reading,
) -> None:
    filling.sources[parameter.name] = mention
    if parameter.types != {"array"} or mention.kind == "list":
        value = value_of(parameter, mention)
        if value is not UNSET:
            filling.values[parameter.name] = value  # pyright: ignore[reportArgumentType]  UNSET is gone
            filling.used.append(mention)
        return
    target = _element(parameter)
    series = reading.series(mention, pool)
    values = [value_of(target, one) for one in series]
    filling.values[parameter.name] = [one for one in values if one is not UNSET]  # pyright: ignore[reportArgumentType]  UNSET is gone
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
        inner = _assign(parameter.properties, _without(mentions, filling.used), reading, entry)
        complete = all(one.name in inner.values for one in parameter.properties if one.required)
        if inner.values and complete:
            filling.values[parameter.name] = dict(inner.values)
            filling.used += inner.used


def _add_truths(
    entry: Entry, filling: Filling, reading: Reading, spans: Iterable[tuple[int, int]]
) -> None:
    words = [
        word for start, end in spans for word in reading.words if start <= word.start < end
    ]
    for parameter in entry.parameters:
        if parameter.types != {"boolean"} or parameter.choices:
            continue
        said = truth(parameter, reading.text, words)
        if said is not None:
            filling.values[parameter.name] = said
        elif parameter.required:
            # What a wish does not mention, it does not ask for.
            filling.values[parameter.name] = parameter.default is True


def _add_date_parts(entry: Entry, filling: Filling, mentions: Sequence[Mention]) -> None:
    """Year, month, day, hour and minute as numbers of their own, all from one date and time."""
    for mention in mentions:
        said = str(mention.value)
        parts = _DATE_PARTS.fullmatch(said) if mention.kind in {"date", "time"} else None
        for parameter in entry.parameters if parts else ():
            name = next((one.rstrip("s") for one in parameter.name_words if "part" in parameter.roles), "")
            part = parts.groupdict().get(name) if parts else None
            if part and parameter.is_numeric and parameter.name not in filling.values:
                filling.values[parameter.name] = int(part)
                filling.sources[parameter.name] = mention


def _following(
    entry: Entry, left: Sequence[Mention], fillings: Sequence[Filling], reading: Reading
) -> Filling | None:
    """One more call, where mentions are left that stand beside those of the calls before."""
    first = fillings[0]
    # A weak phrase is no second value.
    pool = [one for one in left if one.kind not in {"phrase", "unit"}]
    found = _assign(entry.parameters, pool, reading, entry)
    parallel = {
        name
        for name, mention in found.sources.items()
        if name in first.sources and _is_parallel(name, mention, fillings, reading, entry)
    }
    required = {one.name for one in entry.required}
    again = required & set(first.sources)
    if len(again) > 1 and all(_is_same_kind(name, found, first) for name in again):
        parallel |= again
    if not parallel or (again and not parallel & required):
        return None
    following = Filling(values=dict(first.values), sources=dict(first.sources))
    for name in found.sources:
        if name in parallel or name in required:
            following.values[name] = found.values[name]
            following.sources[name] = found.sources[name]
            following.used.append(found.sources[name])
    if all(following.values == other.values for other in fillings[-1:]):
        return None
    return following


def _is_same_kind(name: str, one: Filling, other: Filling) -> bool:
    return name in one.sources and one.sources[name].kind == other.sources[name].kind


def _is_parallel(
    name: str, mention: Mention, fillings: Sequence[Filling], reading: Reading, entry: Entry
) -> bool:
    last = fillings[-1].sources[name]
    if last.kind != mention.kind:
        return False
    parameter = next(one for one in entry.parameters if one.name == name)
    if parameter.types == {"array"} and mention.kind != "list":
        return False
    if reading.coordinated(last, mention):
        return True
    return (
        pointing(parameter, last, reading) >= _PARALLEL_MIN
        and pointing(parameter, mention, reading) >= _PARALLEL_MIN
    )
