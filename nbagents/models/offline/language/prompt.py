"""A prompt, read once: its words, mentions and clauses, and what stands beside what."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nbagents.models.offline.language.clauses import Clause, clauses_of
from nbagents.models.offline.language.lexicon import STOP_WORDS, VERBS, word_set
from nbagents.models.offline.language.mention import Mention
from nbagents.models.offline.language.mentions import mentions_of
from nbagents.models.offline.language.words import Word, stems, words_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

_GAP = re.compile(
    r"^[\s)]*(?:[a-z°²³%/.]+\s*)?(?:,|;|/|&|\b(?:and|or|versus|as well as|also|then|compared to)\b|"
    r"\bvs\.?)+\s*(?:(?:and|or|also|then|in|for|at|of|from|on|the|a|an|to|is|with|another|one|both)"
    r"\s+)*[\s($€£]*$",
    re.IGNORECASE,
)
_NEAR = 4
_LINK = re.compile(r"\s*(?:,|;|\band\b|\bor\b|\bthen\b|\balso\b|\bfinally\b|\s)+", re.IGNORECASE)
_NEXT_LISTED = re.compile(
    r"\s*(?:,\s*(?:and\s+|or\s+)?|\band\s+|\bor\s+)"
    r"([^\W\d_][\w'-]*(?:\s(?!(?:and|or|in|for|with|at|to|from|of|on)\b)[^\W\d_][\w'-]*)?)"
)
_LISTED_BEFORE = re.compile(
    r"\b([^\W\d_][\w-]*)\s*(?:,\s*(?:and|or)?|\band|\bor)\s+$", re.IGNORECASE
)
_ARTICLES = word_set("the a an my our your this that")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What the planner sees in a text."""

    text: str
    words: tuple[Word, ...]
    mentions: tuple[Mention, ...]
    clauses: tuple[Clause, ...]
    starts: tuple[int, ...]
    valued: frozenset[int]
    """Where the words begin that are part of a name or a quotation."""

    def within(self, clauses: Iterable[Clause]) -> list[Mention]:
        """The mentions that stand in some clauses, in order of the text, weak ones last."""
        spans = [(clause.start, clause.end) for clause in clauses]
        return [
            one for one in self.mentions if any(start <= one.start < end for start, end in spans)
        ]

    def before(self, at: int) -> Sequence[Word]:
        """The words that end before a position."""
        return self.words[: bisect_left(self.starts, at)]

    def after(self, at: int) -> Sequence[Word]:
        """The words that begin at or after a position."""
        return self.words[bisect_left(self.starts, at) :]

    def word_before(self, mention: Mention) -> str:
        """The word ahead of a mention, articles skipped: mostly its preposition."""
        words = self.before(mention.start)
        for word in reversed(words[-3:]):
            if word.lower not in _ARTICLES:
                return word.lower
        return ""

    def opens(self, mention: Mention) -> bool:
        """Whether a mention begins a sentence."""
        before = self.text[: mention.start].rstrip()
        return not before or before[-1] in ".?!"

    def leads(self, word: Word) -> bool:
        """Whether another value follows a word at once: then it speaks of that one."""
        return any(
            one.kind not in {"phrase", "unit"}
            and self.text[word.end : one.start].strip(" =:#") == ""
            for one in self.mentions
            if word.end < one.start <= word.end + _NEAR
        )

    def coordinated(self, one: Mention, other: Mention) -> bool:
        """Whether two mentions are joined by a comma or an `and` and nothing else."""
        first, second = sorted((one, other), key=lambda mention: mention.start)
        gap = self.text[first.end : second.start]
        return first.end <= second.start and (
            _GAP.match(gap) is not None or self._is_led_alike(first, gap)
        )

    def _is_led_alike(self, first: Mention, gap: str) -> bool:
        """Whether the words before the first stand before the second too: `level 5, level 7`."""
        link = _LINK.match(gap)
        lead = gap[link.end() :].strip().lower() if link else ""
        before = self.text[: first.start].rstrip().lower()
        return bool(lead) and before.endswith(lead)

    def series(self, first: Mention, pool: Sequence[Mention]) -> list[Mention]:
        """The mention and those of its kind around it, each joined to the one beside it."""
        found = [first]
        ordered = sorted(pool, key=lambda mention: mention.start)
        alike = [one for one in ordered if one.kind == first.kind and not one.overlaps(first)]
        for one in alike:
            if one.start >= found[-1].end and self.coordinated(found[-1], one):
                found.append(one)
        for one in reversed(alike):
            if one.end <= found[0].start and self.coordinated(one, found[0]):
                found.insert(0, one)
        return found

    def listed(self, first: Mention) -> list[Mention]:
        """A phrase and those listed beside it: `slow cooking, long walks and tea`."""
        found = [first]
        while match := _NEXT_LISTED.match(self.text, found[-1].end):
            said = match[1]
            if said.split()[0].lower() in STOP_WORDS | VERBS:
                break
            start = match.start(1)
            found.append(replace(first, value=said, text=said, start=start, end=start + len(said)))
        while match := _LISTED_BEFORE.search(self.text[: found[0].start]):
            said, start = match[1], match.start(1)
            if said.lower() in STOP_WORDS | VERBS:
                break
            found.insert(0, replace(first, value=said, text=said, start=start, end=match.end(1)))
        return found

    def value_stems(self) -> frozenset[str]:
        """Stems of what is somebody's value, such as names and quoted text."""
        return frozenset(
            one
            for mention in self.mentions
            if mention.kind not in {"phrase", "unit"}
            for one in stems(mention.text)
        )


def _unquoted(text: str) -> str:
    """A prompt without the quotes around all of it."""
    bare = text.strip()
    inner = bare[1:-1]
    quoted = len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'`"
    return inner if quoted and bare[0] not in inner.replace("n't", "").replace("'s", "") else text


def read(
    text: str,
    verbs: Container[str] = (),
    known: Container[str] = (),
    handles: Container[str] = (),
    shapes: Container[str] = (),
) -> Reading:
    """Read a text.

    Args:
        text: What the person wrote.
        verbs: Words of the offered tools that may open a clause.
        known: Words of the tools' names: at the start of a sentence they are no names.
        handles: The names of objects: none of them is a value.
        shapes: What the examples of the tools' parameters look like.
    """
    text = _unquoted(text)
    mentions = [one for one in mentions_of(text, known, shapes) if one.text not in handles]
    words = tuple(words_of(text))
    return Reading(
        text=text,
        words=words,
        mentions=tuple(mentions),
        clauses=tuple(clauses_of(text, mentions, verbs, known)),
        starts=tuple(word.start for word in words),
        valued=frozenset(
            word.start
            for one in mentions
            if one.kind in {"name", "quoted"}
            for word in words
            if one.start <= word.start < one.end
        ),
    )
