"""Short replies: the answer to a question, or the last wish with another value."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nbagents.models.offline.answers import ASKED
from nbagents.models.offline.language import numbers_of, read
from nbagents.models.offline.matching import Filling, fill, fits, missing_of
from nbagents.models.offline.planning import goals_of

if TYPE_CHECKING:
    from nbagents.models.offline.language import Reading
    from nbagents.models.offline.matching import Index, Parameter
    from nbagents.models.offline.planning import Conversation, Goal

_SHORT_WORDS = 7


def goals_for(conversation: Conversation, index: Index) -> list[Goal]:
    """The goals of the newest prompt, with the prompt before it where it is a reply to that."""
    handles = [one.name for one in conversation.handles]
    reading = read(conversation.prompt, index.verbs, index.words, handles, index.shapes)
    if not reading.words:
        return []
    goals = goals_of(reading, index)
    if not conversation.previous or len(reading.words) > _SHORT_WORDS:
        return goals
    if goals and not any(missing_of(goal.entry, goal.fillings[0]) for goal in goals):
        return goals
    before = goals_of(
        read(conversation.previous, index.verbs, index.words, (), index.shapes), index
    )
    if not before:
        return goals
    if ASKED in conversation.replied:
        return _answered(before, reading) or goals
    return goals or _with_other_value(before[-1], reading, conversation)


def _answered(goals: list[Goal], reading: Reading) -> list[Goal]:
    """The goals that lacked something, with what the reply says."""
    open_goals = [goal for goal in goals if missing_of(goal.entry, goal.fillings[0])]
    for goal in open_goals:
        lacking = missing_of(goal.entry, goal.fillings[0])
        said = fill(replace(goal.entry, parameters=tuple(lacking)), reading.clauses, reading)[0]
        for parameter in lacking:
            for filling in goal.fillings:
                _add(filling, parameter, said, reading.text, alone=len(lacking) == 1)
    return open_goals


def _add(filling: Filling, parameter: Parameter, said: Filling, text: str, *, alone: bool) -> None:
    if parameter.name in said.values:
        filling.values[parameter.name] = said.values[parameter.name]
        return
    bare = text.strip(" .!")
    numbers = numbers_of(bare)
    values = [numbers[0].value] if numbers and not parameter.takes("string") else [bare]
    if alone and fits(parameter, values[0]):
        filling.values[parameter.name] = values[0]


def _with_other_value(goal: Goal, reading: Reading, conversation: Conversation) -> list[Goal]:
    """The last wish again, with the values of the new prompt for the old ones."""
    fillings = fill(goal.entry, reading.clauses, reading)
    if not any(filling.sources for filling in fillings):
        return []
    calls = [made for made in conversation.before if made.name == goal.entry.name]
    known = calls[-1].arguments if calls else goal.fillings[0].values
    for filling in fillings:
        for name, value in known.items():
            if value is not None:
                filling.values.setdefault(name, value)
    return [replace(goal, reading=reading, clauses=list(reading.clauses), fillings=fillings)]
