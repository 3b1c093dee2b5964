"""Goals: which tool each clause of a wish is for, in the order they were asked."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from nbagents.models.offline.matching import (
    Filling,
    fill,
    fill_apart,
    is_tool_word,
    missing_of,
    parted,
)
from nbagents.models.offline.planning.wishes import (
    CANDIDATES_MAX,
    FEW,
    is_accepted,
    is_given,
    ranked_for,
    shares_of,
    whole_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import JsonValue

    from nbagents.models.offline.language import Clause, Mention, Reading
    from nbagents.models.offline.matching import Entry, Index, Score

_VAGUE = 0.2
"""A goal whose tool's name is said less than this may only go on with the one before it."""
_WISHING = frozenset({"asked", "wished", "leaning", "fragment", "stated"})
_EXTRA_SHARE = 0.2
_AWAITED_SHARE = 0.5
_EXTRA_SURENESS = 0.8
_GIVEN_COVERAGE = 0.45
_REFERRING_SURENESS = 0.5


@dataclass(slots=True, kw_only=True)
class Goal:
    """One wish: a tool, the clauses that ask for it, and the arguments that they give."""

    entry: Entry
    reading: Reading
    clauses: list[Clause]
    score: Score
    others: list[Score]
    """The next best tools, one of which may turn out to fit the results better."""
    antecedents: list[Mention] = field(default_factory=list["Mention"])
    """What its pronouns may stand for."""
    note: str = ""
    """Why the tool was changed."""
    shared: dict[str, JsonValue] = field(default_factory=dict[str, "JsonValue"])
    """What other goals were given, by the names of the parameters."""
    fillings: list[Filling] = field(default_factory=list[Filling])

    @property
    def refers(self) -> bool:
        """Whether it points back at another goal's result, and not at its own first words."""
        first = self.clauses[0]
        own = not first.refers and any(
            one.kind not in {"phrase", "unit"} for one in self.reading.within([first])
        )
        return not own and any(clause.refers for clause in self.clauses)

    @property
    def later(self) -> bool:
        """Whether it must wait for the goals before it."""
        return self.clauses[0].later

    @property
    def sureness(self) -> float:
        """How well the words must fit, where it is not the clearest goal."""
        return _REFERRING_SURENESS if self.refers else _EXTRA_SURENESS

    @property
    def said(self) -> str:
        """The words that asked for it, for people."""
        text = self.reading.text
        return " ".join(text[one.start : one.end].strip(" ,;\n") for one in self.clauses)


def goals_of(reading: Reading, index: Index) -> list[Goal]:
    """What a text asks for, tool by tool; nothing where no tool fits."""
    values = reading.value_stems()
    reading = parted(reading, index)
    whole = whole_of(reading, index, values)
    if not _may_be_asked(whole, reading):
        return []
    goals = _found(reading, index, values, whole)
    if not goals:
        return []
    _attach(goals, reading)
    goals.sort(key=lambda goal: goal.clauses[0].words[-1].lower != "first")
    for goal in goals:
        goal.fillings = fill_apart(goal.entry, goal.clauses, goal.reading)
    goals = _merged(goals)
    for at, goal in enumerate(goals):
        _share(goal, goals)
        goal.antecedents = _antecedents(goals[:at]) if goal.refers else []
    return _worthwhile(goals)


def _may_be_asked(whole: Sequence[Score], reading: Reading) -> bool:
    """Whether a text says anything of some tool, or gives all that one must be given."""
    if any(is_accepted(score, reading.clauses, reading) for score in whole[:2]):
        return True
    few = whole if len(whole) <= FEW else ()
    return any(is_given(one.entry, clause, reading) for one in few for clause in reading.clauses)


def _found(
    reading: Reading, index: Index, values: frozenset[str], whole: list[Score]
) -> list[Goal]:
    """The goals of all clauses; of the text, where no clause has one and some might."""
    shares = shares_of(reading, index, values, whole)
    goals: list[Goal] = []
    about_deeds = not any(clause.mood in _WISHING for clause in reading.clauses)
    for clause in reading.clauses:
        ranked = ranked_for(clause, index, values, shares[clause.section], reading)
        if not ranked:
            about_deeds = about_deeds or ranked is not None
        elif same := _same_goal(goals, ranked[0].entry, clause, reading):
            same.clauses.append(clause)
            same.score = max(same.score, ranked[0], key=lambda score: score.value)
        else:
            goals.append(
                Goal(
                    entry=ranked[0].entry,
                    reading=reading,
                    clauses=[clause],
                    score=ranked[0],
                    others=ranked[1:],
                )
            )
    about_deeds = about_deeds or not any(
        is_accepted(score, reading.clauses, reading) for score in whole[:2]
    )
    return _strong(goals) or ([] if about_deeds else [_single(reading, whole)])


def _same_goal(goals: list[Goal], entry: Entry, clause: Clause, reading: Reading) -> Goal | None:
    """The goal that a clause goes on with: the last one, or one that it only speaks of again."""
    if goals and goals[-1].entry is entry:
        # What a pronoun stands for may yet ask for another tool: it keeps a goal of its own.
        apart = goals[-1].refers and clause.asks and not clause.refers
        apart = apart or (clause.later and clause.refers and clause.asks)
        return None if apart else goals[-1]
    if any(one.kind not in {"phrase", "unit"} for one in reading.within([clause])) or clause.refers:
        return None
    return next((goal for goal in goals if goal.entry is entry), None)


def _strong(goals: list[Goal]) -> list[Goal]:
    """Without the goals that are faint beside the strongest."""
    best = max((goal.score.value for goal in goals), default=0.0)
    return [
        goal
        for at, goal in enumerate(goals)
        if goal.score.value == best
        or _is_strong(goal, best, awaited=any(one.refers for one in goals[at + 1 :]))
    ]


def _is_strong(goal: Goal, best: float, *, awaited: bool) -> bool:
    """Whether it is wished for: its words say most of the tool, or give all that it takes.

    One that a later goal points back at may be fainter.
    """
    said = goal.score.coverage + goal.score.named
    least = best * _EXTRA_SHARE * (_AWAITED_SHARE if awaited else 1.0)
    if goal.score.value < least or not any(one.asks for one in goal.clauses):
        return False
    if said >= goal.sureness:
        return True
    filling = fill(goal.entry, goal.clauses, goal.reading)[0]
    given = bool(filling.sources) and not missing_of(goal.entry, filling)
    return given and goal.score.coverage >= _GIVEN_COVERAGE


def _single(reading: Reading, whole: list[Score]) -> Goal:
    return Goal(
        entry=whole[0].entry,
        reading=reading,
        clauses=list(reading.clauses),
        score=whole[0],
        others=[one for one in whole[1:CANDIDATES_MAX] if one.value > 0],
    )


def _attach(goals: list[Goal], reading: Reading) -> None:
    """Give each clause without a tool to the goal that it speaks of, by where it stands."""
    owners = {id(clause): goal for goal in goals for clause in goal.clauses}
    for at, clause in enumerate(reading.clauses):
        if id(clause) in owners:
            continue
        before = [one for one in reading.clauses[:at] if id(one) in owners]
        after = [one for one in reading.clauses[at:] if id(one) in owners]
        target = owners[id(_nearest(clause, before, after))]
        owners[id(clause)] = target
        target.clauses.append(clause)
        target.clauses.sort(key=lambda one: one.start)


def _nearest(clause: Clause, before: Sequence[Clause], after: Sequence[Clause]) -> Clause:
    """Which owned clause an unowned one belongs to.

    It stays in its section; there a statement goes on from a statement, but after a wish it
    leads to the next one.
    """
    here = [one for one in before if one.section == clause.section]
    ahead = [one for one in after if one.section == clause.section]
    if here and (not ahead or not here[-1].asks or clause.asks):
        return here[-1]
    return (ahead or after or before[-1:])[0]


def _merged(goals: list[Goal]) -> list[Goal]:
    """Goals of which the next only says what the one before it lacks, made one."""
    kept = goals[:1]
    for goal in goals[1:]:
        last = kept[-1]
        faint = goal.score.named < _VAGUE and goal.score.value < last.score.value
        vague = (goal.entry is last.entry or faint) and (not last.refers or goal.refers)
        if not (vague and not _is_sound(last) and _completes(goal, last)):
            kept.append(goal)
    return kept


def _is_sound(goal: Goal) -> bool:
    """Whether all that must be given was given by more than a word of the tool's own."""
    sources = goal.fillings[0].sources
    return all(
        one.name in goal.fillings[0].values
        and not (
            one.name in sources
            and (sources[one.name].kind == "phrase" or is_tool_word(sources[one.name], goal.entry))
        )
        for one in goal.entry.required
    )


def _completes(goal: Goal, last: Goal) -> bool:
    """Let the goal before have a goal's clauses, if they give all that it lacks."""
    clauses = [*last.clauses, *goal.clauses]
    whole = replace(last, clauses=clauses, fillings=fill(last.entry, clauses, last.reading)[:1])
    if not _is_sound(whole):
        return False
    last.clauses, last.fillings = whole.clauses, whole.fillings
    return True


def _share(goal: Goal, goals: list[Goal]) -> None:
    """Fill what is missing from what another goal says of the same.

    Where a goal refers back, its result comes first: the rest is kept for later.
    """
    lacking = missing_of(goal.entry, goal.fillings[0])
    others = [other.fillings[0].values for other in goals if other is not goal]
    if goal.refers:
        for known in others:
            goal.shared |= known
        return
    for parameter in lacking:
        known = [one[parameter.name] for one in others if parameter.name in one]
        for filling in goal.fillings if known else ():
            filling.values.setdefault(parameter.name, known[0])


def _antecedents(before: list[Goal]) -> list[Mention]:
    """What a pronoun may stand for, the nearest first."""
    return [
        mention
        for goal in reversed(before)
        for filling in goal.fillings
        for mention in filling.sources.values()
        if mention.kind in {"name", "quoted", "code", "path", "email", "url"}
    ]


def _worthwhile(goals: list[Goal]) -> list[Goal]:
    """Without goals that nothing was said for, where another goal has its arguments."""
    ready = [goal for goal in goals if not missing_of(goal.entry, goal.fillings[0])]
    if not ready:
        return goals
    best = max(goal.score.value for goal in ready)
    return [
        goal
        for goal in goals
        if goal in ready
        or goal.refers
        or goal.later
        or goal.fillings[0].sources
        or goal.score.value >= best * 0.8
    ]
