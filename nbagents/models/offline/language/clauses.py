"""Clauses: a prompt split where one wish ends and the next begins."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from nbagents.models.offline.language.lexicon import (
    ABBREVIATIONS,
    AUXILIARIES,
    PARTICLES,
    PHRASAL,
    PRONOUNS,
    QUESTION_WORDS,
    SEQUENCE_WORDS,
    VERBS,
    WRITING_VERBS,
    word_set,
)
from nbagents.models.offline.language.moods import Mood, deed_of, is_command, is_settled, mood_of
from nbagents.models.offline.language.words import words_of

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from nbagents.models.offline.language.mention import Mention
    from nbagents.models.offline.language.words import Word

_COULD = re.compile(
    r"(?<=\w)\s+(?=(?:that|which) (?:i|we) (?:could|can|might|may|would)\b)", re.IGNORECASE
)
_END = re.compile(r"[.?!;:](?=[\s\"”’)]|$)|\n+")
_LINK = re.compile(
    r"(?:,\s*|\s+)(?:and\s+then|and\s+also|and\s+finally|and|then|also|after\s+that|afterwards|"
    r"as\s+well\s+as|plus|finally|but|next|so|[-–—])\s+(?:(?:please|then|also|finally|to)\s+)*"
    r"|,\s+(?=\w)",
    re.IGNORECASE,
)
_LATER = re.compile(r"\b(?:then|after\s+that|afterwards|finally|next|once)\b", re.IGNORECASE)
_SECTION = re.compile(
    r"\s*(?:,|and|but|or|\s)*(?:(?:the\s+)?(?:first|second|third|fourth|fifth|sixth|last)(?:ly)?|"
    r"finally|next|then|also|additionally|furthermore|moreover|besides|afterwards|in\s+addition|"
    r"on\s+(?:a|another|the)\b[\w\s]{1,30}\bnote|after\s+\w+)\b",
    re.IGNORECASE,
)
_POLITE = word_set("please can could would will i i'd i'm let let's you me we kindly also")
_SELF = word_set("i i'm i'd we we're and")
_WISHES = word_set("interested curious looking trying wondering hoping want need like")
_ALWAYS_ASKING = word_set("how what when where who")
_PARTICLE_REACH = 8
_POINTING = word_set("at with for in to of from by on into")
_RESULTS = word_set("result results answer outcome sum product total")
_OBJECTS = word_set("it them this that him her me us")
_OPENERS = word_set("i i'd i'm let's please")
_KEEPS = frozenset({"quoted", "url", "path", "email", "list", "code", "number", "date", "time"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One wish, or a piece of context."""

    start: int
    end: int
    words: tuple[Word, ...]
    later: bool
    """Whether it says that it comes after what was said before (`then`)."""
    question: bool
    asks: bool
    """Whether it is a wish by its form: an imperative, a question, `I want …`."""
    refers: bool
    """Whether a pronoun in it points back."""
    verb: str | None = None
    """The verb that opens it."""
    mood: Mood = "stated"
    """Whether it wishes for a deed, asks to be told, or only speaks of one."""
    deed: str | None = None
    """The verb of what it wishes for."""
    phrasal: str | None = None
    """What that verb means with its particle: `take … off` is `remove`."""
    is_settled: bool = False
    """Whether it says that something was done already, or belongs to another time."""
    section: int = 0
    """Which part of the text it stands in: `First, …`, `Also …` and `then …` begin one."""

    @property
    def writes(self) -> bool:
        """Whether it asks for a change."""
        return self.verb in WRITING_VERBS


def clauses_of(
    text: str, mentions: Sequence[Mention], verbs: Container[str], known: Container[str] = ()
) -> list[Clause]:
    """The clauses of a text in order.

    Args:
        text: What the person wrote.
        mentions: Its mentions; no clause ends inside one.
        verbs: Further words that may open a clause: the verbs of the tools' names.
        known: Words of the tools' names, which may be verbs before a particle (`scroll to`).
    """
    words = words_of(text)
    opens = _Openers(words, verbs, known)
    cuts = [
        0,
        *_sentence_cuts(text, mentions),
        *_link_cuts(text, mentions, words, opens),
        len(text),
    ]
    cuts = sorted(set(cuts))
    clauses: list[Clause] = []
    section = 0
    for start, end in pairwise(cuts):
        own = tuple(word for word in words if start <= word.start < end)
        if own:
            section += bool(clauses) and _SECTION.match(text, start) is not None
            clause = _clause(text[start:end], start, own, opens)
            clauses.append(replace(clause, section=section))
    return clauses


def _inside(at: int, mentions: Sequence[Mention]) -> bool:
    return any(one.start < at < one.end for one in mentions if one.kind in _KEEPS)


def _sentence_cuts(text: str, mentions: Sequence[Mention]) -> list[int]:
    cuts = [one.end() for one in _COULD.finditer(text) if not _inside(one.end(), mentions)]
    for match in _END.finditer(text):
        before = text[: match.start()].split()
        abbreviated = match.group() == "." and bool(before) and before[-1].lower() in ABBREVIATIONS
        if not abbreviated and not _inside(match.start(), mentions):
            cuts.append(match.end())
    return cuts


def _link_cuts(
    text: str, mentions: Sequence[Mention], words: Sequence[Word], opens: _Openers
) -> list[int]:
    by_start = {word.start: index for index, word in enumerate(words)}
    cuts: list[int] = []
    for match in _LINK.finditer(text):
        index = by_start.get(match.end())
        if index is None or _inside(match.start() + 1, mentions):
            continue
        if opens.at(index) and any(word.end <= match.start() for word in words):
            cuts.append(match.start() + len(match.group()) - len(match.group().lstrip(", ")))
    return cuts


@dataclass(frozen=True, slots=True)
class _Openers:
    """Which words may begin a wish."""

    words: Sequence[Word]
    verbs: Container[str]
    known: Container[str]

    def is_verb(self, lower: str) -> bool:
        """Whether a word is a verb of English, or one with which a tool's name begins."""
        return lower in VERBS or lower in self.verbs

    def is_used_as_verb(self, lower: str, following: str) -> bool:
        """Whether a word of a tool's name has a particle after it, as a verb would."""
        return lower in self.known and following in PARTICLES

    def _commands(self, index: int) -> bool:
        """Whether a word that is no known verb has an object after it, as a command has."""
        lowers = [word.lower for word in self.words[index : index + 2]]
        return is_command(lowers, 0, self.is_verb)

    def at(self, index: int) -> bool:
        """Whether a wish may begin with this word."""
        word = self.words[index]
        following = self.words[index + 1].lower if index + 1 < len(self.words) else ""
        if self.is_verb(word.lower):
            return word.text.islower() or index == 0
        if word.lower.removesuffix("'s") in QUESTION_WORDS:
            return (
                word.lower.endswith("'s")
                or following in AUXILIARIES
                or word.lower in _ALWAYS_ASKING
            )
        return (
            word.lower in _OPENERS
            or self.is_used_as_verb(word.lower, following)
            or (word.lower in AUXILIARIES and following in {"you", "i", "we"})
            or (word.lower, following) in PHRASAL
            or (word.lower in _POINTING and following in {"what", "which", "whom", "whose"})
            or (word.text.islower() and following in _OBJECTS and self._commands(index))
        )


def _clause(said: str, start: int, words: tuple[Word, ...], opens: _Openers) -> Clause:
    lowers = [word.lower for word in words]
    core = next(
        (
            index
            for index, lower in enumerate(lowers)
            if lower not in _POLITE and lower not in SEQUENCE_WORDS and lower != "and"
        ),
        0,
    )
    first = lowers[core]
    verb = next((one for one in lowers[core:] if opens.is_verb(one)), None)
    question = said.rstrip().endswith("?") or first in QUESTION_WORDS
    opening = opens.is_verb(first) or opens.is_used_as_verb(first, (*lowers, "")[core + 1])
    wishes = lowers[0] in _POLITE or any(one in {"want", "need", "like"} for one in lowers[:4])
    wishing = lowers[0] in _SELF and not _WISHES.isdisjoint(lowers[:5])
    mood = mood_of(said, lowers, opens.is_verb)
    return Clause(
        start=start,
        end=start + len(said),
        words=words,
        later=_LATER.search(said[:24]) is not None,
        question=question,
        asks=question
        or opening
        or wishing
        or (wishes and verb is not None)
        or mood in {"asked", "wished"},
        refers=refers(words),
        verb=first if opening else verb if verb and not question else None,
        mood=mood,
        deed=(deed := deed_of(lowers, opens.is_verb)),
        phrasal=_phrasal(deed, lowers),
        is_settled=is_settled(lowers),
    )


def _phrasal(deed: str | None, lowers: Sequence[str]) -> str | None:
    """What a verb means with a particle behind it."""
    if deed is None:
        return None
    at = lowers.index(deed)
    if (
        deed == "take"
        and "off" in lowers[at:]
        and lowers[at + 1 :][:1]
        and lowers[at + 1][0].isdigit()
    ):
        return "reduce"  # `take 15 % off`
    near = lowers[at + 1 : at + _PARTICLE_REACH]
    if deed == "put" and lowers[-1] == "on":
        return "start"
    return next((PHRASAL[deed, one] for one in near if (deed, one) in PHRASAL), None)


def refers(words: Sequence[Word]) -> bool:
    """Whether a pronoun points back."""
    lowers = [word.lower for word in words]
    if any(
        one in _RESULTS and lowers[at - 1] in {"the", "that", "this"}
        for at, one in enumerate(lowers)
        if at
    ):
        return True
    return any(
        one in PRONOUNS and (one not in {"that", "this", "these", "there"} or _alone(lowers, at))
        for at, one in enumerate(lowers)
    )


def _points_back(before: str, following: str, lowers: list[str]) -> bool:
    """Whether `that` is a thing of before: `how long does that take`, `at that speed`."""
    if before in AUXILIARIES or (following in AUXILIARIES and "how" in lowers):
        return True
    return before in _POINTING and following not in AUXILIARIES | PRONOUNS | {
        "i",
        "we",
        "you",
        "the",
        "a",
    }


def _alone(lowers: list[str], at: int) -> bool:
    """Whether `that`, `there` … stands for a thing, and opens no noun or clause."""
    following = lowers[at + 1] if at + 1 < len(lowers) else ""
    before = lowers[at - 1] if at else ""
    if lowers[at] in {"that", "this"} and _points_back(before, following, lowers):
        return True
    if lowers[at] == "there":
        return before not in AUXILIARIES and following not in AUXILIARIES
    return not following or following in {
        "to",
        "in",
        "on",
        "and",
        "as",
        "into",
        "for",
        "by",
        "with",
    }
