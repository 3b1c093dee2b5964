"""Arguments from a text: one call, or several where the text gives values for several."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nbagents.models.offline.language import Mention
from nbagents.models.offline.matching.arguments.assignment import Filling, assign, without
from nbagents.models.offline.matching.arguments.fit import is_tool_word, pointing
from nbagents.models.offline.matching.arguments.series import crossed, grouped, listed
from nbagents.models.offline.matching.arguments.texts import commands_of, texts_of
from nbagents.models.offline.matching.choices import choice_mentions, truth

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pydantic import JsonValue

    from nbagents.models.offline.language import Clause, Reading
    from nbagents.models.offline.matching.parameters import Parameter
    from nbagents.models.offline.matching.ranking import Entry

_CALLS_MAX = 12
_FILES = re.compile(r"(?<![\w/])\*?\.?([a-z]\w{1,3})(?= files?\b)")
_WAYS = frozenset({"to", "from", "into"})
_LASTS = re.compile(r"\b(?:duration|how long|length of)\b", re.IGNORECASE)
_PARTS = frozenset({"year", "month", "day", "hour", "minute"})
_DATE_PARTS = re.compile(
    r"(?P<year>\d{4})-(?P<month>\d\d)(?:-(?P<day>\d\d).*)?|(?P<hour>\d\d):(?P<minute>\d\d).*"
)
PARALLEL_MIN = 0.8
"""How clearly both of two values must be pointed at, to be of two calls."""


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
    choices = _choices(entry, reading, span)
    free = [one for one in mentions if not _is_choice(one, choices, entry)]
    texts = commands_of(entry, clauses, reading) or texts_of(entry, free, reading, span)
    free = [*texts, *without(free, texts)]
    own = grouped(entry, [*free, *choices], reading)
    first = assign(entry.parameters, own, reading, entry)
    _add_truths(entry, first, reading, span)
    _add_date_parts(entry, first, own)
    fillings = listed(first, entry, reading) or [first]
    left = without(own, first.used)
    while left and len(fillings) < _CALLS_MAX:
        following = _following(entry, left, fillings, reading)
        if following is None:
            break
        fillings.append(following)
        left = without(left, following.used)
    return sorted(crossed(fillings, own, reading, entry), key=_position)


def _position(filling: Filling) -> int:
    """Where in the text a call's own mentions begin."""
    return min((one.start for one in filling.used), default=0)


def _choices(entry: Entry, reading: Reading, spans: Iterable[tuple[int, int]]) -> list[Mention]:
    found: list[Mention] = []
    for start, end in spans:
        words = [word for word in reading.words if start <= word.start < end]
        for parameter in entry.parameters:
            found += choice_mentions(parameter, words)
            if any("*" in one for one in parameter.shapes):
                found += _patterns(parameter, reading.text, start, end)
    return found


def _patterns(parameter: Parameter, text: str, start: int, end: int) -> list[Mention]:
    """`.txt files`, `the csv files` as `*.txt` for a parameter that takes patterns."""
    return [
        Mention(
            kind="choice",
            value=f"*.{match[1]}",
            text=match.group(),
            start=match.start(),
            end=match.end(),
            owner=parameter.name,
        )
        for match in _FILES.finditer(text, start, end)
    ]


def _is_choice(mention: Mention, choices: Sequence[Mention], entry: Entry) -> bool:
    """Whether a name is just one of the values that a parameter may have."""
    closed = {str(value) for one in entry.parameters for value in one.choices}
    return mention.kind == "name" and any(
        str(one.value) in closed and (one.start, one.end) == (mention.start, mention.end)
        for one in choices
    )


def _add_truths(
    entry: Entry, filling: Filling, reading: Reading, spans: Iterable[tuple[int, int]]
) -> None:
    words = [word for start, end in spans for word in reading.words if start <= word.start < end]
    for parameter in entry.parameters:
        truths = _truths(parameter)
        if not truths or parameter.name in filling.values:
            continue
        said = truth(parameter, reading.text, words)
        if said is not None:
            filling.values[parameter.name] = truths[said]
        elif parameter.required and parameter.only("boolean"):
            # What a wish does not mention, it does not ask for.
            filling.values[parameter.name] = parameter.default is True


def _truths(parameter: Parameter) -> dict[bool, JsonValue]:
    """What a parameter calls true and false, if it does."""
    if parameter.only("boolean") and not parameter.choices:
        return {True: True, False: False}
    named = {str(one).lower(): one for one in parameter.choices}
    return {True: named["true"], False: named["false"]} if {"true", "false"} <= set(named) else {}


def _add_date_parts(entry: Entry, filling: Filling, mentions: Sequence[Mention]) -> None:
    """Year, month, day, hour and minute as numbers of their own, all from one date and time."""
    for mention in mentions:
        said = str(mention.value)
        parts = _DATE_PARTS.fullmatch(said) if mention.kind in {"date", "time"} else None
        for parameter in entry.parameters if parts else ():
            lasting = parameter.counts or _LASTS.search(parameter.description) is not None
            words = () if lasting else parameter.name_words
            name = next((part for one in words if (part := one.rstrip("s")) in _PARTS), "")
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
    weak = {"phrase", "unit"} - {one.kind for one in first.sources.values() if one.kind == "unit"}
    pool = [
        one
        for one in left
        if one.kind not in weak and not (one.kind == "name" and is_tool_word(one, entry))
    ]
    found = _led_alike(assign(entry.parameters, pool, reading, entry), pool, first, reading, entry)
    parallel = {
        name
        for name, mention in found.sources.items()
        if name in first.sources and _is_parallel(name, mention, fillings, reading, entry)
    }
    required = {one.name for one in entry.required}
    again = {
        name
        for name in required & set(first.sources)
        if first.sources[name].kind not in {"choice", "phrase", "unit"}
    }
    if len(again) > 1 and all(_is_same_kind(name, found, first) for name in again):
        parallel |= again
    parallel |= _repeated(found, fillings[-1])
    chosen = {name for name in parallel if first.sources[name].kind == "choice"}
    if not parallel or (again and not parallel & (required | chosen)):
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


def _led_alike(
    found: Filling, pool: Sequence[Mention], first: Filling, reading: Reading, entry: Entry
) -> Filling:
    """A filling without what another's preposition leads: `from A to B, to C and to D`."""
    led = {name: reading.word_before(one) for name, one in first.sources.items()}
    strange = {
        name
        for name, one in found.sources.items()
        if (before := reading.word_before(one)) in _WAYS
        and led.get(name) != before
        and before in led.values()
    }
    if not strange:
        return found
    kept = [one for one in entry.parameters if one.name not in strange]
    return assign(kept, pool, reading, entry)


def _repeated(found: Filling, last: Filling) -> set[str]:
    """Two and more parameters that are all given anew behind the last ones: `A in B and C in D`."""
    names = {
        name for name in found.sources if name in last.sources and _is_same_kind(name, found, last)
    }
    if len(names) < 2:  # one alone may be anything
        return set()
    kinds = {found.sources[name].kind for name in names}
    if kinds <= {"name", "phrase", "quoted"}:
        return set()
    ended = max(last.sources[name].end for name in names)
    return names if all(found.sources[name].start >= ended for name in names) else set()


def _is_same_kind(name: str, one: Filling, other: Filling) -> bool:
    return name in one.sources and one.sources[name].kind == other.sources[name].kind


def _is_parallel(
    name: str, mention: Mention, fillings: Sequence[Filling], reading: Reading, entry: Entry
) -> bool:
    last = fillings[-1].sources[name]
    parameter = next(one for one in entry.parameters if one.name == name)
    if last.kind != mention.kind and not (last.kind == "choice" and not parameter.choices):
        return False
    if parameter.only("array") and mention.kind != "list":
        return False
    if parameter.only("array") and sum(one.only("array") for one in entry.parameters) == 1:
        return True
    if reading.coordinated(last, mention):
        return True
    return (
        pointing(parameter, last, reading) >= PARALLEL_MIN
        and pointing(parameter, mention, reading) >= PARALLEL_MIN
    )
