"""Wishes: the tools that each clause may be for, best first, by words, arguments and mood."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from nbagents.models.offline.language import HOW, NEXT, QUESTION_WORDS, READING_VERBS, stem, stems
from nbagents.models.offline.matching import agrees, fill, is_run_by, missing_of, permits, shape_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.models.offline.language import Clause, Mood, Reading
    from nbagents.models.offline.matching import Entry, Index, Score

CANDIDATES_MAX = 4
"""How many tools are weighed for a clause."""
FEW = 12
"""Of so many tools each is tried with the values of a text."""

_CONTEXT_SHARE = 0.15
_SECTION_SHARE, _TEXT_SHARE = 0.5, 0.1
"""The same in a text of several sections: more of the section's score, less of the text's."""
_COVERAGE_MIN = 0.15
_NAMED_MIN = 0.5
_CANDIDATE_SHARE = 0.55
_ASKING = frozenset({"where", "when", "who"})
_FAINT, _GIVEN = 2.0, 2.0
"""A clause that says so little of any tool may tell by its values which it is for."""
_FIT_WEIGHT = 0.5
_VALUES = frozenset({"name", "quoted", "code", "email", "url", "path", "date", "time", "number"})
_LINKS = frozenset({"and", "or", "so", "but", "please", "then"})
_POINTERS = frozenset({"that", "this"})
_TOLD_SHARE = 0.4
"""What is left of a tool that tells what a clause only points back at."""
_HAVING = re.compile(
    r"how (?:much|many)\b[^.?!]*?\b(?:have|has|got|left|remain\w*|there)\b", re.IGNORECASE
)
_HAD = stems("left remaining available balance")
"""What a question for how much there is asks for."""
_MEANT = frozenset({*_HAD, NEXT})
_UNUSED = 0.5
"""What a tool loses that has no use for the values in a clause."""
_AGREED = 1.0
"""What a tool gains whose verb is the wish's."""
_ABOUT, _ABOUT_SURELY, _ABOUT_ITSELF = 0.35, 0.5, 0.9
"""A clause is about a deed where no other tool has this part of its score; `what` may ask more,
and one that says the deed's own verb asks less."""
_OTHER_KIND = 0.75
"""What is left of a tool that changes things, where the clause asks to read, and the reverse."""


def nearest(text: str, index: Index) -> list[Score]:
    """The two tools that have most of a text's words, whether or not it asks for their deeds."""
    return [one for one in index.rank(stems(text)) if one.value > 0][:2]


def whole_of(reading: Reading, index: Index, values: frozenset[str]) -> list[Score]:
    """The tools by the whole text, best first, without those whose deeds it does not ask for."""
    wished = [clause for clause in reading.clauses if clause.mood == "wished"]
    scores = [
        score
        for score in index.rank(_stems(reading.clauses, reading), ignore=values | _MEANT)
        if any(permits(score.entry, clause, _moods(clause, reading)) for clause in reading.clauses)
    ]
    for clause in reading.clauses:
        scores = [_run_by(one, clause) for one in scores]
    for clause in wished:
        scores = [_agreed(one, clause) for one in scores]
    return sorted(scores, key=lambda score: -score.value)


def shares_of(
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
        scores = index.rank(_stems(own, reading), ignore=values | _MEANT)
        shares[section] = {one.entry.name: one.value * _SECTION_SHARE for one in scores}
        for score in whole:
            own_share = shares[section].get(score.entry.name, 0.0)
            shares[section][score.entry.name] = own_share + score.value * _TEXT_SHARE
    return shares


def _moods(clause: Clause, reading: Reading) -> list[Mood]:
    """What the clauses do that stand in one section with a clause."""
    return [one.mood for one in reading.clauses if one.section == clause.section]


def _stems(clauses: Sequence[Clause], reading: Reading) -> list[str]:
    further = [stem(clause.phrasal) for clause in clauses if clause.phrasal]
    further += [one for clause in clauses for one in _how(clause)]
    for clause in clauses:
        further += _HAD if _HAVING.match(reading.text, clause.words[_leads(clause)].start) else ()
        further += [NEXT for word in clause.words[1:] if word.lower == NEXT]
    return further + [
        one
        for clause in clauses
        for word in clause.words
        for one in ((word.stem,) if word.lower in _ASKING else stems(word.text))
    ]


def _leads(clause: Clause) -> int:
    """Where the first word stands that is no link."""
    return next((at for at, one in enumerate(clause.words) if one.lower not in _LINKS), 0)


def _how(clause: Clause) -> tuple[str, ...]:
    """The stems of what a question with `how` asks for: `how far` is the distance."""
    return tuple(
        one
        for word, following in pairwise(clause.words)
        if word.lower == "how"
        for one in stems(HOW.get(following.lower, ""))
    )


def is_accepted(score: Score, clauses: Sequence[Clause], reading: Reading) -> bool:
    """Whether they share enough telling words; or a verb, where the text has all arguments."""
    if score.value <= 0 or (score.coverage < _COVERAGE_MIN and score.named < _NAMED_MIN):
        return False
    if score.telling or score.named == 1.0:
        return True
    filling = fill(score.entry, clauses, reading)[0]
    # Free text can be had from the rest of the words.
    lacking = [one for one in missing_of(score.entry, filling) if "text" not in one.roles]
    return (bool(filling.sources) or score.entry.takes_text) and not lacking


def ranked_for(
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
    ranked = _pointed(index.rank(_stems([*told, clause], reading), ignore=values | _MEANT), clause)
    ranked = [_run_by(one, clause) for one in ranked]
    if clause.mood == "wished":
        ranked = [_agreed(one, clause) for one in ranked]
        ranked.sort(key=lambda score: -score.value)
    if not ranked or ranked[0].value < _FAINT:
        ranked = _by_values(ranked, index, clause, reading)
    ranked = [one for one in ranked if one.value > 0]
    scores = [one for one in ranked if permits(one.entry, clause, moods)]
    if not _is_for_reading(clause, moods, reading):
        scores = [one for one in scores if one.entry.effect != "none"]
    if len(scores) < len(ranked) and _is_about_another(ranked, scores, clause, reading):
        return []
    if not scores or not (clause.asks or is_accepted(scores[0], [clause], reading)):
        return None
    scores = [replace(one, value=one.value + shares.get(one.entry.name, 0.0)) for one in scores]
    scores.sort(key=lambda score: -score.value)
    near = [
        one for one in scores[:CANDIDATES_MAX] if one.value >= scores[0].value * _CANDIDATE_SHARE
    ]
    unknown = any(not word.is_stop and not index.knows(word.stem) for word in clause.words)
    near = [_weighed(one, clause, reading, unknown=unknown) for one in near]
    near.sort(key=lambda score: -score.value)
    return near if clause.refers or is_accepted(near[0], [clause], reading) else None


def _by_values(ranked: list[Score], index: Index, clause: Clause, reading: Reading) -> list[Score]:
    """The tools with those raised whose arguments the clause gives, where few words tell of any."""
    if len(index.entries) > FEW:
        return ranked
    raised = [
        replace(one, value=one.value + _GIVEN, coverage=max(one.coverage, 0.5), telling=True)
        if one.entry.effect == "none" and is_given(one.entry, clause, reading)
        else one
        for one in ranked
    ]
    return sorted(raised, key=lambda score: -score.value)


def is_given(entry: Entry, clause: Clause, reading: Reading) -> bool:
    """Whether all that a tool must be given stands in a clause, and looks as it should."""
    if len(entry.required) < 2:  # one value may be anything's
        return False
    sources = fill(entry, [clause], reading)[0].sources
    given = [sources.get(one.name) for one in entry.required]
    alike = [one for one in given if one is not None and one.kind in {"choice", "unit", "code"}]
    shaped = [
        one
        for one in entry.required
        if (found := sources.get(one.name)) and shape_of(str(found.value)) in one.shapes
    ]
    return None not in given and len({id(one) for one in alike}) + len(shaped) > 1


def _run_by(score: Score, clause: Clause) -> Score:
    """A score raised where the clause says what the tool is to run."""
    if not is_run_by(score.entry, clause):
        return score
    return replace(score, value=score.value + _GIVEN, telling=True, coverage=1.0)


def _agreed(score: Score, clause: Clause) -> Score:
    """A score raised where the wish's verb is the tool's: it may be all that they share."""
    if score.entry.effect != "some" or not agrees(clause, score.entry):
        return score
    return replace(
        score, value=score.value + _AGREED, telling=True, coverage=max(score.coverage, 0.5)
    )


def _pointed(ranked: list[Score], clause: Clause) -> list[Score]:
    """Scores where `that tempo` speaks for a tool that takes one, and not for what tells it."""
    if not clause.refers:
        return ranked
    nouns = {
        following.stem
        for word, following in pairwise(clause.words)
        if word.lower in _POINTERS and not following.is_stop
    }
    lowered = [
        replace(one, value=one.value * _TOLD_SHARE)
        if any(noun in one.entry.weights and not _takes(one.entry, noun) for noun in nouns)
        else one
        for one in ranked
    ]
    return sorted(lowered, key=lambda score: -score.value)


def _takes(entry: Entry, noun: str) -> bool:
    return any(noun in one.name_stems | one.text_stems for one in entry.parameters)


def _told_before(clause: Clause, reading: Reading) -> list[Clause]:
    """The statement that a wish points back at, as in `I slept well. Note that.` before it."""
    at = reading.clauses.index(clause)
    before = reading.clauses[at - 1] if at else None
    speaks = clause.refers and clause.mood == "wished" and before is not None
    return [before] if speaks and before and before.mood in {"stated", "told"} else []


def _is_told_for(clause: Clause, reading: Reading, mood: Mood) -> bool:
    """Whether a statement only says what the wish after it is about, as before `add them`."""
    after = reading.clauses[reading.clauses.index(clause) + 1 :]
    return any(one.mood == mood and one.refers for one in after if one.section == clause.section)


def _is_for_reading(clause: Clause, moods: Sequence[Mood], reading: Reading) -> bool:
    """Whether anything is to be found out for a clause: not for what is refused or only told."""
    if clause.mood in {"told", "stated", "supposed", "fragment"}:
        of_now = clause.mood in {"stated", "fragment"} or "asked" in moods
        return of_now and not _is_told_for(clause, reading, "wished")
    if clause.mood == "leaning":
        return not _is_told_for(clause, reading, "asked")
    return clause.mood != "refused"


def _is_about_another(
    ranked: Sequence[Score], permitted: Sequence[Score], clause: Clause, reading: Reading
) -> bool:
    """Whether a clause speaks of a deed that it does not ask for, far more than of all others."""
    names = {one.entry.name for one in permitted}
    barred = [one for one in ranked if one.entry.name not in names][:CANDIDATES_MAX]
    weigh = [_weighed(one, clause, reading, unknown=False).value for one in barred]
    kept = [
        _weighed(one, clause, reading, unknown=False).value for one in permitted[:CANDIDATES_MAX]
    ]
    asks = any(word.lower in QUESTION_WORDS for word in clause.words)
    about = _ABOUT if asks else _ABOUT_SURELY
    if any(agrees(clause, one.entry) for one in barred):
        about = _ABOUT_ITSELF
    return max(kept, default=0.0) < max(weigh, default=0.0) * about


def _weighed(score: Score, clause: Clause, reading: Reading, *, unknown: bool) -> Score:
    """The score, raised by the arguments that the clause has, and by the form of the clause."""
    entry = score.entry
    ready = _readiness(entry, clause, reading, unknown=unknown)
    factor = 1 + _FIT_WEIGHT * ready
    if clause.mood == "wished" and clause.writes:
        factor *= _OTHER_KIND if entry.effect == "none" else 1.0
    elif clause.mood in {"stated", "told"}:
        factor *= _OTHER_KIND**2 if entry.effect == "none" else 1.0
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
    fillings = fill(entry, [clause], reading)
    ready = 1 - len(missing_of(entry, fillings[0])) / len(entry.required)
    values = [one for one in mentions if one.kind in _VALUES]
    used = [one for filling in fillings for one in filling.used]
    unused = [one for one in values if not any(one.overlaps(other) for other in used)]
    return ready - _UNUSED * len(unused) / len(values) if values else ready
