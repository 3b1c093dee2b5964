"""Goals: which tool each clause of a wish is for, in the order they were asked."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from nbagents.models.offline.apart import fill_apart
from nbagents.models.offline.effects import agrees, permits
from nbagents.models.offline.filling import Filling, fill, missing_of
from nbagents.models.offline.fitting import is_tool_word
from nbagents.models.offline.lexicon import HOW, QUESTION_WORDS, READING_VERBS
from nbagents.models.offline.parting import parted
from nbagents.models.offline.words import stem, stems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import JsonValue

    from nbagents.models.offline.clauses import Clause
    from nbagents.models.offline.mention import Mention
    from nbagents.models.offline.moods import Mood
    from nbagents.models.offline.ranking import Entry, Index, Score
    from nbagents.models.offline.reading import Reading

__all__ = ["Goal", "goals_of"]

_CONTEXT_SHARE = 0.3
_SECTION_SHARE, _TEXT_SHARE = 0.5, 0.1
"""The same in a text of several sections: more of the section's score, less of the text's."""
_COVERAGE_MIN = 0.15
_NAMED_MIN = 0.5
_CANDIDATES_MAX = 4
_CANDIDATE_SHARE = 0.55
_VAGUE = 0.2
"""A goal whose tool's name is said less than this may only go on with the one before it."""
_ASKING = frozenset({"where", "when", "who"})
_EXTRA_SHARE = 0.2
_EXTRA_SURENESS = 0.8
_GIVEN_COVERAGE = 0.45
_REFERRING_SURENESS = 0.5
_FIT_WEIGHT = 0.5
_AGREED = 1.0
"""What a tool gains whose verb is the wish's."""
_ABOUT, _ABOUT_SURELY = 0.35, 0.5
"""A clause is about a deed where no other tool has this part of its score; `what` may ask more."""
_OTHER_KIND = 0.75
"""What is left of a tool that changes things, where the clause asks to read, and the reverse."""


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
    whole = [
        score
        for score in index.rank(_stems(reading.clauses), ignore=values)
        if any(permits(score.entry, clause, _moods(clause, reading)) for clause in reading.clauses)
    ]
    if not whole or not any(_is_accepted(score, reading.clauses, reading) for score in whole[:2]):
        return []
    shares = _shares(reading, index, values, whole)
    goals: list[Goal] = []
    about_deeds = False
    for clause in reading.clauses:
        ranked = _ranked(clause, index, values, shares[clause.section], reading)
        if not ranked:
            about_deeds = about_deeds or ranked is not None
            continue  # it goes with another, once all goals are known
        if same := _same_goal(goals, ranked[0].entry, clause, reading):
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
    goals = _strong(goals)
    if not goals:
        spoken = {clause.mood for clause in reading.clauses} & {
            "asked",
            "wished",
            "leaning",
            "fragment",
            "stated",
        }
        if about_deeds or not spoken:
            return []
        goals = [_single(reading, whole)]
    _attach(goals, reading)
    for goal in goals:
        goal.fillings = fill_apart(goal.entry, goal.clauses, goal.reading)
    goals = _merged(goals)
    for at, goal in enumerate(goals):
        _share(goal, goals)
        goal.antecedents = _antecedents(goals[:at]) if goal.refers else []
    return _worthwhile(goals)


def _shares(
    reading: Reading, index: Index, values: frozenset[str], whole: Sequence[Score]
) -> dict[int, dict[str, float]]:
    """What each tool's score for the text adds to that for a clause, by section."""
    sections = {clause.section for clause in reading.clauses}
    if len(sections) == 1:
        share = {score.entry.name: score.value * _CONTEXT_SHARE for score in whole}
        return dict.fromkeys(sections, share)
    shares: dict[int, dict[str, float]] = {}
    for section in sections:
        own = [clause for clause in reading.clauses if clause.section == section]
        scores = index.rank(_stems(own), ignore=values)
        shares[section] = {one.entry.name: one.value * _SECTION_SHARE for one in scores}
        for score in whole:
            own_share = shares[section].get(score.entry.name, 0.0)
            shares[section][score.entry.name] = own_share + score.value * _TEXT_SHARE
    return shares


def _moods(clause: Clause, reading: Reading) -> list[Mood]:
    """What the clauses do that stand in one section with a clause."""
    return [one.mood for one in reading.clauses if one.section == clause.section]


def _stems(clauses: Sequence[Clause]) -> list[str]:
    further = [stem(clause.phrasal) for clause in clauses if clause.phrasal]
    further += [one for clause in clauses for one in _how(clause)]
    return further + [
        one
        for clause in clauses
        for word in clause.words
        for one in ((word.stem,) if word.lower in _ASKING else stems(word.text))
    ]


def _how(clause: Clause) -> tuple[str, ...]:
    """The stems of what a question with `how` asks for: `how far` is the distance."""
    return tuple(
        one
        for word, following in pairwise(clause.words)
        if word.lower == "how"
        for one in stems(HOW.get(following.lower, ""))
    )


def _is_accepted(score: Score, clauses: Sequence[Clause], reading: Reading) -> bool:
    """Whether they share enough telling words; or a verb, where the text has all arguments."""
    if score.value <= 0 or (score.coverage < _COVERAGE_MIN and score.named < _NAMED_MIN):
        return False
    if score.telling:
        return True
    filling = fill(score.entry, clauses, reading)[0]
    # Free text can be had from the rest of the words.
    lacking = [one for one in missing_of(score.entry, filling) if "text" not in one.roles]
    return (bool(filling.sources) or score.entry.takes_text) and not lacking


def _ranked(
    clause: Clause,
    index: Index,
    values: frozenset[str],
    shares: dict[str, float],
    reading: Reading,
) -> list[Score] | None:
    """The tools for one clause, best first.

    Nothing if it is no wish of its own; no tools if it only speaks of what one does.
    """
    moods = _moods(clause, reading)
    told = _told_before(clause, reading)
    ranked = index.rank(_stems([*told, clause]), ignore=values)
    if clause.mood == "wished":
        ranked = [_agreed(one, clause) for one in ranked]
        ranked.sort(key=lambda score: -score.value)
    ranked = [one for one in ranked if one.value > 0]
    scores = [one for one in ranked if permits(one.entry, clause, moods)]
    if not _is_for_reading(clause, moods, reading):
        scores = [one for one in scores if one.entry.effect != "none"]
    if len(scores) < len(ranked) and _is_about_another(ranked, scores, clause, reading):
        return []
    if not scores or not (clause.asks or _is_accepted(scores[0], [clause], reading)):
        return None
    scores = [replace(one, value=one.value + shares.get(one.entry.name, 0.0)) for one in scores]
    scores.sort(key=lambda score: -score.value)
    near = [
        one for one in scores[:_CANDIDATES_MAX] if one.value >= scores[0].value * _CANDIDATE_SHARE
    ]
    unknown = any(not word.is_stop and not index.knows(word.stem) for word in clause.words)
    near = [_weighed(one, clause, reading, unknown=unknown) for one in near]
    near.sort(key=lambda score: -score.value)
    return near if clause.refers or _is_accepted(near[0], [clause], reading) else None


def _agreed(score: Score, clause: Clause) -> Score:
    """A score raised where the wish's verb is the tool's: it may be all that they share."""
    if score.entry.effect != "some" or not agrees(clause, score.entry):
        return score
    return replace(
        score, value=score.value + _AGREED, telling=True, coverage=max(score.coverage, 0.5)
    )


def _told_before(clause: Clause, reading: Reading) -> list[Clause]:
    """The statement that a wish points back at: `I slept well. Note that.`"""
    at = reading.clauses.index(clause)
    before = reading.clauses[at - 1] if at else None
    speaks = clause.refers and clause.mood == "wished" and before is not None
    return [before] if speaks and before and before.mood in {"stated", "told"} else []


def _is_told_for(clause: Clause, reading: Reading) -> bool:
    """Whether a statement only says what a wish after it is about: `Please add them.`"""
    after = reading.clauses[reading.clauses.index(clause) + 1 :]
    return any(one.mood == "wished" and one.refers for one in after[:1])


def _is_for_reading(clause: Clause, moods: Sequence[Mood], reading: Reading) -> bool:
    """Whether anything is to be found out for a clause: not for what is refused or only told."""
    if clause.mood in {"told", "stated", "supposed"}:
        return not _is_told_for(clause, reading) and (clause.mood == "stated" or "asked" in moods)
    return clause.mood != "refused"


def _is_about_another(
    ranked: Sequence[Score], permitted: Sequence[Score], clause: Clause, reading: Reading
) -> bool:
    """Whether a clause speaks of a deed that it does not ask for, far more than of all others."""
    names = {one.entry.name for one in permitted}
    barred = [one for one in ranked if one.entry.name not in names][:_CANDIDATES_MAX]
    weigh = [_weighed(one, clause, reading, unknown=False).value for one in barred]
    kept = [
        _weighed(one, clause, reading, unknown=False).value for one in permitted[:_CANDIDATES_MAX]
    ]
    about = _ABOUT if clause.words[0].lower in QUESTION_WORDS else _ABOUT_SURELY
    return max(kept, default=0.0) < max(weigh, default=0.0) * about


def _weighed(score: Score, clause: Clause, reading: Reading, *, unknown: bool) -> Score:
    """The score, raised by the arguments that the clause has, and by the form of the clause."""
    entry = score.entry
    ready = _readiness(entry, clause, reading, unknown=unknown)
    factor = 1 + _FIT_WEIGHT * ready
    if clause.mood == "wished" and clause.writes:
        factor *= _OTHER_KIND if entry.effect == "none" else 1.0
    elif clause.question or clause.verb in READING_VERBS or not _is_opened_by(entry, clause):
        factor *= _OTHER_KIND if entry.effect == "some" else 1.0
    return replace(score, value=score.value * factor)


def _is_opened_by(entry: Entry, clause: Clause) -> bool:
    """Whether the clause begins with a verb, or with the tool's own word used as one."""
    return clause.verb is not None or clause.words[0].stem in entry.name_stems


def _readiness(entry: Entry, clause: Clause, reading: Reading, *, unknown: bool) -> float:
    """The part of the required parameters that the clause could fill, 0 to 1.

    A tool that takes nothing is ready where the clause gives nothing; where it gives a value, or a
    word that no tool knows, the tool does not do it justice.
    """
    mentions = reading.within([clause])
    if clause.refers:
        # What it points at has yet to come: a tool that takes something may take that.
        return 0.5 if entry.required else 0.0
    if not entry.required:
        return -0.5 if any(one.kind != "phrase" for one in mentions) or unknown else 0.5
    filled = fill(entry, [clause], reading)[0]
    return 1 - len(missing_of(entry, filled)) / len(entry.required)


def _same_goal(goals: list[Goal], entry: Entry, clause: Clause, reading: Reading) -> Goal | None:
    """The goal that a clause goes on with: the last one, or one that it only speaks of again."""
    if goals and goals[-1].entry is entry:
        # What a pronoun stands for may yet ask for another tool: it keeps a goal of its own.
        apart = goals[-1].refers and clause.asks and not clause.refers
        return None if apart else goals[-1]
    if any(one.kind not in {"phrase", "unit"} for one in reading.within([clause])) or clause.refers:
        return None
    return next((goal for goal in goals if goal.entry is entry), None)


def _strong(goals: list[Goal]) -> list[Goal]:
    """Without the goals that are faint beside the strongest."""
    best = max((goal.score.value for goal in goals), default=0.0)
    return [goal for goal in goals if goal.score.value == best or _is_strong(goal, best)]


def _is_strong(goal: Goal, best: float) -> bool:
    """Whether it is wished for: its words say most of the tool, or give all that it takes."""
    said = goal.score.coverage + goal.score.named
    if goal.score.value < best * _EXTRA_SHARE or not any(one.asks for one in goal.clauses):
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
        others=[one for one in whole[1:_CANDIDATES_MAX] if one.value > 0],
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
    if not lacking:
        return
    if goal.refers:
        for other in goals:
            if other is not goal:
                goal.shared |= other.fillings[0].values
        return
    for other in goals:
        known = other.fillings[0].values if other is not goal else {}
        for parameter in lacking:
            if parameter.name in known:
                for filling in goal.fillings:
                    filling.values.setdefault(parameter.name, known[parameter.name])


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
