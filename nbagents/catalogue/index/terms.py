"""Text as the index counts it: words split where names are put together, without their endings."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["as_written", "chunks_of", "terms_of"]

CHUNK: Final = re.compile(r"[^\W_]+")
PART: Final = re.compile(
    r"[A-Z]+(?=[A-Z][a-z])"  # HTTP in HTTPServer
    r"|[A-Z]?[a-z]+|[A-Z]+|\d+"
    r"|[^\W\d_A-Za-z]+"  # words of other alphabets
)
SINGLE: Final = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
"""Scripts that are written without borders between words: each character counts by itself."""


def word_set(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


STOP_WORDS: Final = word_set("""
    a about additionally all also am an and any are as at be been but by can could do does find for
    from furthermore give had has have he her his how i if in into is it its know like m me more
    most my need not of on or other our out please provide s she so some such than that the their
    them then there these they this those to up use using want was we were what when where which
    who will with would you your
""")

SHORTEST_STEM: Final = 3
MOST_PARTS: Final = 3
"""Of so many parts a name is also one word: GitHub, OpenWeatherMap."""
KNOWN_CHUNKS: Final = 200_000
"""How many are remembered with their terms, before all are forgotten."""

_terms: dict[str, tuple[str, ...]] = {}


def chunks_of(text: str) -> list[str]:
    """The words of a text as they are written."""
    return CHUNK.findall(text)


def terms_of(text: str) -> list[str]:
    """The terms of a text in order, those that mean nothing left out.

    Example:
        >>> terms_of("getUserByID: lists the users")
        ['get', 'user', 'id', 'list', 'user']
        >>> terms_of("GitHub")
        ['git', 'hub', 'github']
    """
    found: list[str] = []
    for chunk in CHUNK.findall(text):
        known = _terms.get(chunk)
        if known is None:
            known = _remembered(chunk)
        found += known
    return found


def as_written(text: str) -> dict[str, str]:
    """The terms of a text, each with the word that it comes from, as it was first written.

    Example:
        >>> as_written("Cities near the city")
        {'city': 'Cities', 'near': 'near'}
    """
    found: dict[str, str] = {}
    for chunk in chunks_of(text):
        for term in terms_of(chunk):
            found.setdefault(term, chunk)
    return found


def _remembered(chunk: str) -> tuple[str, ...]:
    if len(_terms) >= KNOWN_CHUNKS:
        _terms.clear()
    parts = PART.findall(chunk)
    found = [term for part in parts for term in _split(part)]
    if 1 < len(parts) <= MOST_PARTS and not SINGLE.search(chunk):
        found += _split(chunk)  # YouTube is also written youtube
    made = _terms[chunk] = tuple(found)
    return made


def _split(part: str) -> list[str]:
    if not part.isascii() and SINGLE.search(part):
        return list(part)
    word = part.lower()
    return [] if word in STOP_WORDS else [stem(word)]


def stem(word: str) -> str:
    """A word without the endings of English plurals and verbs, roughly."""
    if len(word) <= SHORTEST_STEM:
        return word
    return _verb_stem(_singular(word))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > SHORTEST_STEM + 1:
        return word[:-3] + "y"
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _verb_stem(word: str) -> str:
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            word = word.removesuffix(ending)
            if len(word) > SHORTEST_STEM and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    return word[:-1] if word.endswith("e") and len(word) > SHORTEST_STEM + 1 else word
