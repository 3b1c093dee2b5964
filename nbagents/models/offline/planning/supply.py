"""Supply: what a goal still lacks, from results, another tool, or the rest of the text."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nbagents.models.offline.language import stems
from nbagents.models.offline.matching import (
    UNSET,
    Filling,
    Unset,
    fill,
    fits,
    handle_of,
    meant_choice,
    missing_of,
    same,
    value_of,
)
from nbagents.models.offline.planning.evidence import look_up, rows_of
from nbagents.models.offline.planning.leftovers import leftover
from nbagents.models.offline.planning.producers import producer_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import JsonValue

    from nbagents.models.offline.matching import Entry, Index, MaybeValue, Parameter
    from nbagents.models.offline.planning.conversation import Arguments, Conversation, Made
    from nbagents.models.offline.planning.goals import Goal

_PRODUCERS_MAX = 3
_FANOUT_MAX = 12
_PERSONS = frozenset({"him", "her"})
_EACH = re.compile(r"\b(?:each|every|all|them|these|those|both)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A call to make, and why."""

    entry: Entry
    arguments: Arguments
    why: str = ""
    repairs: str | None = None
    """The id of the failed call that it mends."""


def supplied(
    goal: Goal, index: Index, conversation: Conversation
) -> tuple[list[Planned], list[Parameter]]:
    """The calls of a goal, or the call that must come first, or what it lacks.

    Args:
        goal: What is wanted.
        index: The offered tools.
        conversation: What was said, and the results that the goal may use.
    """
    _choose_by_results(goal, conversation)
    fillings = _per_row(goal, conversation) or [_copy(one) for one in goal.fillings]
    reasons = [_complete(goal, filling, conversation) for filling in fillings]
    for filling in fillings:
        for one in missing_of(goal.entry, filling):
            if one.name in goal.shared:
                filling.values[one.name] = goal.shared[one.name]
    lacking = missing_of(goal.entry, fillings[0])
    if lacking:
        producer = _producer(lacking, goal, fillings[0], index, conversation)
        if producer is not None:
            return [producer], []
        for filling in fillings:
            _last_resort(goal, filling)
        lacking = missing_of(goal.entry, fillings[0])
    lacking = [*lacking, *_add_handles(goal, fillings, conversation)]
    if lacking:
        return [], lacking
    planned = [
        Planned(entry=goal.entry, arguments=_arguments(goal.entry, filling), why=why)
        for filling, why in zip(fillings, reasons, strict=True)
        if not missing_of(goal.entry, filling)
    ]
    return planned, []


def _add_handles(
    goal: Goal, fillings: Sequence[Filling], conversation: Conversation
) -> list[Parameter]:
    """Give each parameter that takes an object one; those that must have one and get none."""
    lacking: list[Parameter] = []
    taken: list[JsonValue] = []
    for parameter in goal.entry.handled:
        value = handle_of(parameter, conversation.handles, goal.said, taken)
        if value is not UNSET and (parameter.required or _is_told(value, goal.said)):
            taken += value if isinstance(value, list) else [value]
            for filling in fillings:
                filling.values[parameter.name] = value
        elif parameter.required:
            lacking.append(parameter)
    return lacking


def _is_told(value: JsonValue, said: str) -> bool:
    names = value if isinstance(value, list) else [value]
    return any(re.search(rf"(?<!\w){re.escape(str(one))}(?!\w)", said) for one in names)


def _choose_by_results(goal: Goal, conversation: Conversation) -> None:
    """Change to the next best tool, if the results have its values and not the best one's."""
    ready = [made for made in conversation.made if not made.failed]
    if not ready or _named_values(goal.entry, goal.fillings[0], ready) is not None:
        return
    for other in goal.others:
        filling = fill(other.entry, goal.clauses, goal.reading)[0]
        if _named_values(other.entry, filling, ready):
            goal.entry, goal.score, goal.fillings = other.entry, other, [filling]
            goal.note = "the results have what it needs"
            return


def _named_values(entry: Entry, filling: Filling, ready: list[Made]) -> int | None:
    """How many missing values the results give by name; nothing if they do not give all."""
    lacking = missing_of(entry, filling)
    found = [look_up(parameter, ready) for parameter in lacking]
    return None if None in found else len(found)


def _copy(filling: Filling) -> Filling:
    return replace(
        filling,
        values=dict(filling.values),
        sources=dict(filling.sources),
        used=list(filling.used),
    )


def _per_row(goal: Goal, conversation: Conversation) -> list[Filling]:
    """One filling for each row of a result, where the wish is about each of them."""
    done = [made for made in conversation.made if not made.failed]
    lacking = missing_of(goal.entry, goal.fillings[0])
    if not (goal.refers and lacking and done and _EACH.search(goal.said)):
        return []
    fillings: list[Filling] = []
    for row in rows_of(done[-1])[:_FANOUT_MAX]:
        single = replace(done[-1], content=json.dumps(row))
        filling = _copy(goal.fillings[0])
        for parameter in lacking:
            if found := look_up(parameter, [single], loosely=True):
                filling.values[parameter.name] = found.value
        fillings.append(filling)
    return [one for one in fillings if not missing_of(goal.entry, one)]


def _complete(goal: Goal, filling: Filling, conversation: Conversation) -> str:
    """Fill from results what the text did not say, and tell from where."""
    notes: list[str] = []
    for parameter in missing_of(goal.entry, filling):
        if not goal.refers and (value := leftover(parameter, goal, filling)) is not UNSET:
            filling.values[parameter.name] = value
            continue
        if _means_somebody(goal) and parameter.name in goal.shared:
            filling.values[parameter.name] = goal.shared[parameter.name]
            continue
        ready = [one for one in conversation.made if not one.failed]
        told = parameter.is_numeric and any(
            not parameter.name_stems.isdisjoint(stems(one.name)) for one in ready
        )
        found = look_up(parameter, ready, loosely=goal.refers or goal.later or told)
        if found is None and goal.refers and not ready:
            found = look_up(parameter, [one for one in conversation.before if not one.failed])
        if found is not None:
            filling.values[parameter.name] = found.value
            notes.append(f"{parameter.name} from the result of {found.fact.call.name}")
    return "; ".join([*notes, goal.note] if goal.note else notes)


def _means_somebody(goal: Goal) -> bool:
    """Whether it says `him` or `her`: somebody who was named, and no result."""
    return any(word.lower in _PERSONS for clause in goal.clauses for word in clause.words)


def _last_resort(goal: Goal, filling: Filling) -> None:
    for parameter in missing_of(goal.entry, filling):
        values = [value_of(parameter, one) for one in goal.antecedents]
        value = next((one for one in values if one is not UNSET), UNSET)
        if value is UNSET and _is_given(parameter):
            value = parameter.default
        if value is UNSET:
            value = leftover(parameter, goal, filling)
        if value is UNSET and parameter.choices:
            words = [
                word
                for clause in goal.clauses
                for word in clause.words
                if not any(one.start <= word.start < one.end for one in filling.used)
            ]
            meant = meant_choice(parameter, words)
            value = parameter.choices[0] if len(parameter.choices) == 1 else meant or UNSET
            value = _spoken_of(parameter, goal, filling) if value is UNSET else value
        if value is not UNSET:
            filling.values[parameter.name] = value


def _spoken_of(parameter: Parameter, goal: Goal, filling: Filling) -> MaybeValue:
    """The one of its choices that another goal was given, where this one points back at it."""
    taken = filling.values.values()
    known = [one for one in goal.shared.values() if one in parameter.choices and one not in taken]
    return known[0] if known else UNSET


def _is_given(parameter: Parameter) -> bool:
    """Whether its default is a value of its type: a description may name one in other words."""
    default = parameter.default
    if isinstance(default, Unset) or default is None:
        return False
    return isinstance(default, (list, dict)) or fits(parameter, default)


def _producer(
    lacking: list[Parameter],
    goal: Goal,
    filling: Filling,
    index: Index,
    conversation: Conversation,
) -> Planned | None:
    tried = frozenset(made.name for made in conversation.made)
    if len(tried) >= _PRODUCERS_MAX + 1:
        return None
    producer = producer_of(lacking, goal, filling, index, tried)
    if producer is None:
        return None
    names = " and ".join(one.name for one in lacking)
    how = "speaks of that" if producer.said else "may find that"
    return Planned(
        entry=producer.entry,
        arguments=_arguments(producer.entry, producer.filling),
        why=f"{goal.entry.name} needs {names}; {producer.entry.name} {how}",
    )


def _arguments(entry: Entry, filling: Filling) -> Arguments:
    """In the order of the parameters; what strict mode wants said is said as null.

    What need not be given, and would be the same by default, is left out.
    """
    arguments: Arguments = {}
    for parameter in entry.parameters:
        if parameter.name in filling.values:
            value = filling.values[parameter.name]
            if parameter.listed or not same(value, parameter.default):
                arguments[parameter.name] = value
        elif parameter.listed and parameter.nullable and not entry.spec.strict:
            arguments[parameter.name] = None
    return arguments
