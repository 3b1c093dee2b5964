"""Words: identifiers split, English stemmed, so that `setValue`, "values" and "setting" meet."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from nbagents.models.offline.language.lexicon import IRREGULAR, STOP_WORDS, SYNONYMS

NEXT = "next"
"""Mostly it only orders wishes; inside one it asks for the next of something."""
_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+|\d+")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+(?:[.,]\d+)*")
_SPELLINGS = (
    (re.compile(r"(?<=[bcdgkptv])re$"), "er"),
    (re.compile(r"(?<=[lmnbvp])our(?=$|s$|ed$|ing$|ite)"), "or"),
    (re.compile(r"(?<=\w{4})ll(?=$|s$|ed$|ing$|ation$|er$)"), "l"),
    (re.compile(r"is(?=e$|ed$|es$|ing$|er$|ation)"), "iz"),
    (re.compile(r"ys(?=e$|ed$|es$|ing$)"), "yz"),
)
_ENDINGS = (
    *("izations", "ization", "ational", "ations", "ation", "ating", "ators", "ator", "ated"),
    *("ates", "ative", "ate", "ments", "ment", "izing", "ized", "izes", "ize", "ness", "ings"),
    *("ing", "edly", "ies", "ied", "ed", "ly", "ions", "ion", "es", "s", "e", "y"),
)
_SHORTEST = 3
_ABBREVIATION_MAX = 5


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a text and where it stands."""

    text: str
    lower: str
    stem: str
    start: int
    end: int

    @property
    def is_stop(self) -> bool:
        """Whether it only holds the sentence together."""
        return self.lower in STOP_WORDS


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """The part of a lower-case word that its forms share."""
    word = IRREGULAR.get(word, word)
    for pattern, spelling in _SPELLINGS:
        word = pattern.sub(spelling, word)
    if word.endswith(("ss", "us", "is")):
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            return _tidy(word[: -len(ending)])
    return word


def _tidy(root: str) -> str:
    if root[-1] == root[-2] and root[-1] not in "lszaeiou":
        return root[:-1]
    return root


def words_of(text: str) -> list[Word]:
    """The words of a text in order."""
    found: list[Word] = []
    for match in _WORD.finditer(text):
        lower = match.group().lower().replace("’", "'")
        bare = lower.removesuffix("'s")
        found.append(Word(match.group(), lower, stem(bare), match.start(), match.end()))
    return found


def split_name(name: str) -> tuple[str, ...]:
    """The lower-case words of an identifier: camelCase, `-`, `_` and `.` part them."""
    return tuple(piece.lower() for piece in _PIECE.findall(name))


@lru_cache(maxsize=4096)
def stems(text: str) -> tuple[str, ...]:
    """The stems of a text without function words; identifiers in it are split."""
    return tuple(
        stem(piece)
        for word in _WORD.findall(text)
        for piece in (split_name(word) if word[1:].lower() != word[1:] else (word.lower(),))
        if piece not in STOP_WORDS
    )


@lru_cache(maxsize=1)
def _relations() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for group in SYNONYMS:
        members = frozenset(stem(word) for word in group)
        for member in members:
            found[member] = found.get(member, frozenset()) | members - {member}
    return found


def related(root: str) -> frozenset[str]:
    """The stems that mean about the same in everyday wishes: `create`, `add`, `make`."""
    return _relations().get(root, frozenset())


def humanise(name: str) -> str:
    """An identifier as a person would write it, without its toolset."""
    return " ".join(split_name(name.rpartition("--")[2])) or name


def abbreviates(one: str, other: str) -> bool:
    """Whether one word is a shortening of the other: its beginning, or letters of it in order."""
    short, long = sorted((one, other), key=len)
    if len(short) < _SHORTEST or short == long:
        return short == long
    if long.startswith(short):
        return True
    if len(short) > _ABBREVIATION_MAX or short[0] != long[0] or set(short[1:]) & set("aeiou"):
        return False
    letters = iter(long)
    return all(letter in letters for letter in short)
