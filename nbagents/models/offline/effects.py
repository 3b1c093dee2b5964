"""Effects: whether a tool changes something, and whether what a clause asks for is that."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, TypeAlias

from nbagents.models.offline.lexicon import (
    DETERMINERS,
    FRAMES,
    PRONOUNS,
    READING_VERBS,
    WRITING_VERBS,
    word_set,
)
from nbagents.models.offline.words import related, split_name, stem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nbagents.models.model import ToolSpec
    from nbagents.models.offline.clauses import Clause
    from nbagents.models.offline.ranking import Entry

__all__ = ["Effect", "agrees", "conflicts", "effect_of", "permits", "records", "tool_verbs"]

Effect: TypeAlias = Literal["none", "unclear", "some"]
"""What a tool does: it only reads, nothing tells, or it changes something."""

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|[.,:;()]")
_READS = READING_VERBS | word_set(
    "show view display see return provide filter sort transpose exchange scale round parse decode "
    "encode format hash simplify differentiate integrate multiply subtract divide sum average "
    "double halve square count ask answer browse preview validate test review recommend suggest "
    "plot draw render visualize chart examine assess process perform conduct scan scrape "
    "reverse respond output retrive explore study "
    "gather greet rank rate score classify extract infer interpret simulate generate"
)
_RECORDS = word_set("report record log note enter write register track document jot")
_CHANGES = WRITING_VERBS | _RECORDS
_STATES = frozenset({"is", "has", "can", "are", "was", "does", "should"})
_FIRM = frozenset({"take out", "pay"})
"""Deeds that no tool which reads can do."""
_ANY_CHANGE = word_set("change manage control handle update edit modify")
"""Verbs of tools that may do several deeds."""
_NAMING = frozenset({"asked", "wished", "leaning", "fragment", "stated"})
_SHORT = 3
_LIGHT = word_set(
    "set put make get take give have do go let open run start help use try need want keep bring "
    "change see show"
)
"""Verbs that go with almost any wish."""
_OBJECTS = (
    DETERMINERS
    | PRONOUNS
    | word_set("up off out down away back on one what which whether whose that how new")
)
_GETS = re.compile(r"\bGET request")
_NEUTRAL = word_set("execute run")
_ARITHMETIC = word_set("add combine merge mix")


def effect_of(spec: ToolSpec, *, numeric: bool) -> Effect:
    """Whether a tool changes something: as it says, else by its description's verb or its name's.

    Args:
        spec: The tool.
        numeric: Whether it takes numbers alone: then `add` only calculates.
    """
    if spec.read_only is not None:
        return "none" if spec.read_only else "some"
    named = split_name(_own(spec.name))
    words = _WORD.findall(spec.description)
    if words and words[0].lower().endswith("ly"):
        words = words[1:]
    described = _judged(words, numeric=numeric)
    reading = (
        not _READS.isdisjoint(named) and _base(words[0]) not in _CHANGES - _NEUTRAL
        if words
        else False
    )
    if described == "some" and (reading or _GETS.search(spec.description)):
        return "none"
    if described is not None:
        return described
    first = named[0] if named else ""
    if first in _READS or first in _STATES or (numeric and first in _ARITHMETIC):
        return "none"
    return "some" if first in WRITING_VERBS or (len(named) > 1 and first in _RECORDS) else "unclear"


def _judged(words: list[str], *, numeric: bool) -> Effect | None:
    """What a description's first words tell; nothing where there are none."""
    if not words:
        return None
    first, following = _base(words[0]), words[1].lower() if len(words) > 1 else ""
    opening = words[0].lower()
    if first in _READS or (numeric and first in _ARITHMETIC):
        return "none"
    if opening in DETERMINERS or following in {"of", "at", "between", "from", "in", "for", "is"}:
        return "none"  # a noun: `Price of …`, `The latest …`
    if first in WRITING_VERBS or first in _RECORDS:
        return "some"
    if following in _OBJECTS and not (opening.endswith("s") and following in {"that", "which"}):
        return "some"  # a verb and its object: `Dim the lights`
    return "none" if following else None


def _base(word: str) -> str:
    """A verb's plain form: `Finds` is `find`, `Searching` too."""
    lower = word.lower()
    known = _READS | _CHANGES
    forms = (lower, lower.removesuffix("s"), lower.removesuffix("es"), lower.removesuffix("ing"))
    return next((one for one in forms if one in known), lower)


def _own(name: str) -> str:
    return name.rpartition("--")[2].rpartition(".")[2]


def tool_verbs(spec: ToolSpec) -> frozenset[str]:
    """The words that may be a tool's verb: the first of its name and of its description."""
    words = [one.lower() for one in _WORD.findall(spec.description)[:1]]
    return frozenset(_base(one) for one in (*split_name(_own(spec.name))[:1], *words))


def records(entry: Entry) -> bool:
    """Whether a tool writes down what happens: then saying it is asking for it."""
    return not entry.verbs.isdisjoint(_RECORDS)


def conflicts(clause: Clause, entry: Entry) -> bool:
    """Whether a wish's verb asks for something else than a tool does: `delete` for `add`."""
    verb = clause.phrasal if clause.phrasal in FRAMES["take out"] else clause.deed
    if verb is None or verb in _LIGHT or _is_said_by(entry, stem(verb)) or agrees(clause, entry):
        return False
    if not related(stem(verb)).isdisjoint(entry.weights) or entry.verbs & _ANY_CHANGE:
        return False
    wanted = {name for name, verbs in FRAMES.items() if verb in verbs}
    own = {name for name, verbs in FRAMES.items() if not entry.verbs.isdisjoint(verbs)}
    if entry.effect == "none":
        return not wanted.isdisjoint(_FIRM) and verb not in READING_VERBS
    return bool(wanted) and bool(own) and wanted.isdisjoint(own)


def _is_said_by(entry: Entry, root: str) -> bool:
    """Whether a tool has a verb in its text, or a longer form of it: `remind`, `reminder`."""
    return root in entry.weights or (
        len(root) > _SHORT and any(one.startswith(root) for one in entry.name_stems)
    )


def agrees(clause: Clause, entry: Entry) -> bool:
    """Whether a tool does what a wish's verb says: by the same word, or one for the same deed."""
    said = {one for one in (clause.deed, clause.phrasal) if one is not None} - _LIGHT
    if any(
        stem(one) in entry.verb_stems or not related(stem(one)).isdisjoint(entry.verb_stems)
        for one in said
    ):
        return True
    return any(
        not said.isdisjoint(verbs) and not entry.verbs.isdisjoint(verbs)
        for verbs in FRAMES.values()
    )


def _is_spoken_of(entry: Entry, clause: Clause) -> bool:
    """Whether a tool that takes something out is named by such a verb: no other word will do."""
    out = FRAMES["take out"]
    if entry.verbs.isdisjoint(out):
        return True
    stemmed = {stem(one) for one in out}
    return clause.phrasal in out or any(word.stem in stemmed for word in clause.words)


def permits(entry: Entry, clause: Clause, moods: Iterable[str]) -> bool:
    """Whether a clause asks for what a tool does.

    Args:
        entry: The tool.
        clause: The clause.
        moods: Those of all clauses of its section.
    """
    if entry.effect == "none":
        return clause.mood != "wished" or not conflicts(clause, entry)
    if entry.effect == "some" and not _is_spoken_of(entry, clause):
        return False
    if clause.mood == "wished" or entry.effect == "unclear":
        return clause.mood in _NAMING and not conflicts(clause, entry)
    return _is_implied(entry, clause, {"asked", "wished"}.intersection(moods))


def _is_implied(entry: Entry, clause: Clause, others: set[str]) -> bool:
    """Whether a clause that is no plain wish asks for a deed: `I need …`, `timer 10 minutes`.

    What has happened asks a tool that writes it down to do so, where nothing else is wished.
    """
    if clause.mood == "leaning":
        return "asked" not in others and not conflicts(clause, entry)
    if clause.mood in {"stated", "told"}:
        return records(entry) and not others and not clause.is_settled
    return clause.mood == "fragment" and not others
