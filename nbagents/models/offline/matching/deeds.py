"""Deeds: whether a clause asks for what a tool does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.models.offline.language import (
    DETERMINERS,
    FRAMES,
    READING_VERBS,
    related,
    stem,
    word_set,
)
from nbagents.models.offline.matching.effects import RECORDING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nbagents.models.offline.language import Clause
    from nbagents.models.offline.matching.ranking import Entry

_BY_MEANS = frozenset({"using", "via"})
_RUNNING = frozenset({"execute", "run"})
_COMMANDS = word_set("command instruction statement query script")
_UNDOING = frozenset({"take out", "end"})
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


def _records(entry: Entry) -> bool:
    """Whether a tool writes down what happens: then saying it is asking for it."""
    return not entry.verbs.isdisjoint(RECORDING)


def _conflicts(clause: Clause, entry: Entry) -> bool:
    """Whether a wish's verb asks for something else than a tool does: `delete` for `add`."""
    verb = clause.deed
    if clause.phrasal and (verb not in _LIGHT or clause.phrasal in FRAMES["take out"]):
        verb = clause.phrasal
    if verb is None or verb in _LIGHT or _is_said_by(entry, stem(verb)) or agrees(clause, entry):
        return False
    if not related(stem(verb)).isdisjoint(entry.weights) or entry.verbs & _ANY_CHANGE:
        return False
    wanted = {name for name, verbs in FRAMES.items() if verb in verbs}
    own = {name for name, verbs in FRAMES.items() if not entry.verbs.isdisjoint(verbs)}
    if entry.effect == "none":
        return not wanted.isdisjoint(_FIRM) and verb not in READING_VERBS
    if not wanted or not own or not wanted.isdisjoint(own):
        return False
    undoing = wanted <= _UNDOING or own <= _UNDOING
    named = any(word.stem in entry.name_stems for word in clause.words)
    return undoing or not (named and verb in FRAMES["enter"])


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
        return clause.mood != "wished" or not _conflicts(clause, entry)
    if entry.effect == "some" and not _is_spoken_of(entry, clause):
        return False
    if is_run_by(entry, clause) or (clause.mood == "asked" and _is_to_be_used(entry, clause)):
        return True
    if clause.mood == "wished" or entry.effect == "unclear":
        return clause.mood in _NAMING and not _conflicts(clause, entry)
    return _is_implied(entry, clause, {"asked", "wished"}.intersection(moods))


def is_run_by(entry: Entry, clause: Clause) -> bool:
    """Whether a wish says which command a tool is to run, where the tool runs one: `using dir C:`.

    What such a tool does is what the command does; no question asks for it.
    """
    return command_at(entry, clause) is not None


def command_at(entry: Entry, clause: Clause) -> int | None:
    """Which word of a clause begins the command that a tool is to run, if one does."""
    texts = [one for one in entry.required if "text" in one.roles or one.name in _COMMANDS]
    runs = not entry.verbs.isdisjoint(_RUNNING) and len(texts) == len(entry.required) == 1
    if not runs or clause.question or clause.mood not in {"asked", "wished", "fragment"}:
        return None
    lowers = [word.lower for word in clause.words]
    means = (
        at
        for at, word in enumerate(lowers)
        if word in _BY_MEANS or (word == "use" and "please" in lowers[:at])
    )
    at = next(means, len(lowers)) + 1
    if lowers[at : at + 1] == ["the"] and lowers[at + 1 : at + 2] and lowers[at + 1] in _COMMANDS:
        at += 2
    return at if at < len(lowers) and lowers[at] not in DETERMINERS else None


def _is_to_be_used(entry: Entry, clause: Clause) -> bool:
    """Whether a question says by what it is to be answered: `using the command …`."""
    texts = {
        root
        for one in entry.required
        if "text" in one.roles and entry.takes_text
        for root in one.name_stems
    }
    lowers = [word.lower for word in clause.words]
    at = next((at for at, one in enumerate(lowers) if one in _BY_MEANS), len(lowers))
    return any(word.stem in texts for word in clause.words[at + 1 :])


def _is_implied(entry: Entry, clause: Clause, others: set[str]) -> bool:
    """Whether a clause that is no plain wish asks for a deed: `I need …`, `timer 10 minutes`.

    What has happened asks a tool that writes it down to do so, where nothing else is wished.
    """
    if clause.mood == "leaning":
        return "asked" not in others and not _conflicts(clause, entry)
    if clause.mood in {"stated", "told"}:
        writing = {stem(one) for one in RECORDING & entry.verbs}
        spoken = any(word.stem in writing for word in clause.words)
        return _records(entry) and not others and not clause.is_settled and not spoken
    return clause.mood == "fragment" and not others
