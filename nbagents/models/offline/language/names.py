"""Names in a text: words with capital letters, house numbers, and what commas join."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from nbagents.models.offline.language.lexicon import (
    ABBREVIATIONS,
    IRREGULAR,
    MONTHS,
    NEGATIONS,
    NUMBER_WORDS,
    PHRASAL,
    STOP_WORDS,
    VERBS,
    WEEKDAYS,
)
from nbagents.models.offline.language.mention import Mention

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

_NAME_WORD = (
    r"(?:(?:[A-Z]\.){2,}|(?:[A-Z]\.)+[A-Z](?!\w)|[A-Z]\.(?=\s?[A-Z])|[^\W\d_a-z][\w'’&-]*"
    r"(?:(?<=\b\w[a-z][a-z])\.(?=\s[A-Z])|(?<=\b\w[a-z])\.(?=\s[A-Z]))?)"
)
_NAME = re.compile(
    rf"(?<![\w'’/]){_NAME_WORD}(?:(?:\s+(?:of|de|la|van|von|der|and\s+the|for\s+the|the)(?=\s+[A-Z]))?"
    rf"\s+(?:{_NAME_WORD}|\d{{1,4}}(?![\d.,]*\w|\s*[a-z%])))*"
)
_ADDRESS = re.compile(rf"(?<![$€£\w.,-])\d{{2,5}}(?:\s+{_NAME_WORD}){{2,}}")
_SEPARATORS = frozenset({",", ", and", "and", ", or", "or", "&"})
_SHORT = re.compile(r"[A-Z]{2,3}|[A-Z]\.[A-Z]\.")
_PAIR = 2
_AT = frozenset({"in", "at", "near", "from", "to"})
_SHORTENED = frozenset(f"{one}." for one in ABBREVIATIONS)
_PARTED = frozenset(verb for verb, _ in PHRASAL)
_CONTRACTED = re.compile(r"(?:i|we|you|they|he|she|it|that|there|who|what)['’](?:ve|ll|re|d|s|m)")
_DAY_WORDS = frozenset({"today", "tomorrow", "yesterday"})
_INITIALS = re.compile(r"(?:[A-Z]\.){2,}$")
_ASCII_UPPER = re.compile(r"[A-Z]|[^\x00-\x7f]")


def addresses_of(text: str) -> Iterator[Mention]:
    """A house number and its street: `12 Elm Road`."""
    for match in _ADDRESS.finditer(text):
        said = match.group().rstrip(".'’")
        yield Mention(
            kind="name", value=said, text=said, start=match.start(), end=match.start() + len(said)
        )


def names_of(text: str, *, known: Container[str]) -> Iterator[Mention]:
    """The names of a text in order; `known` words that open a sentence are none."""
    for match in _NAME.finditer(text):
        start, said = match.start(), match.group()
        while (first := said.split(maxsplit=1)) and _is_no_name(first[0], text, start, known):
            cut = len(said) - len(first[1]) if len(first) > 1 else len(said)
            start, said = start + cut, said[cut:]
        if f"{said.rpartition(' ')[2].lower()}." in _SHORTENED and text[match.end() :][:1] == ".":
            said += "."
        else:
            said = said.rstrip("'’") if _INITIALS.search(said) else said.rstrip(".'’")
        for tail in ("'s", "’s"):
            said = said.removesuffix(tail)
        if said and _ASCII_UPPER.match(said):
            yield Mention(kind="name", value=said, text=said, start=start, end=start + len(said))


def _is_no_name(word: str, text: str, start: int, known: Container[str]) -> bool:
    lower = word.lower().rstrip(".,")
    if _SHORT.fullmatch(word) and text[:start].endswith(", "):
        return False  # `Salem, OR`
    letter = len(word) == 1 and lower not in {"i", "a"}  # the note `E`
    if lower in _DAY_WORDS:
        return True
    if lower in NEGATIONS or _CONTRACTED.fullmatch(lower):
        return True
    if (letter or word == "The") and not _opens_sentence(text, start):
        return False
    if lower in STOP_WORDS or lower in MONTHS or lower in WEEKDAYS:
        return not (lower in WEEKDAYS and not _opens_sentence(text, start))
    return _opens_sentence(text, start) and (
        lower in VERBS
        or IRREGULAR.get(lower) in VERBS
        or lower in NUMBER_WORDS
        or lower in known
        or lower in _PARTED
    )


def _opens_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \t'\"“")
    return not before or before[-1] in ".!?:;\n,"


def joined_names(found: list[Mention], text: str) -> list[Mention]:
    """`Smith, John` is one name; `Ann, Bob and Carl` are three."""
    joined: list[Mention] = []
    for run in _runs(found, text):
        joined += _pairs(run, text)
    return joined


def _runs(found: list[Mention], text: str) -> list[list[Mention]]:
    """Names that only commas and an `and` part, together; all else alone."""
    runs: list[list[Mention]] = []
    for one in found:
        last = runs[-1][-1] if runs else None
        names = last is not None and last.kind == one.kind == "name"
        if (
            last is not None
            and names
            and (_gap(last, one, text) in _SEPARATORS or _is_within(last, one, text))
        ):
            runs[-1].append(one)
        else:
            runs.append([one])
    return runs


def _pairs(run: list[Mention], text: str) -> list[Mention]:
    """A run with the names made one that a comma joins: all or none, short forms in any case."""
    parts: list[list[Mention]] = [[run[0]]]
    for last, one in pairwise(run):
        if _gap(last, one, text) == ",":
            parts[-1].append(one)
        else:
            parts.append([one])
    every = all(len(part) == _PAIR for part in parts)
    found: list[Mention] = []
    for one in run:
        last = found[-1] if found else None
        if last and _gap(last, one, text) == "in":
            said = f"{last.text}, {one.text}"  # `near Bath in England`
            found[-1] = replace(last, value=said, text=said, end=one.end)
            continue
        comma = last is not None and _gap(last, one, text) == ","
        if last and comma and "," not in last.text and (every or _SHORT.fullmatch(one.text)):
            said = text[last.start : one.end]
            found[-1] = replace(last, value=said, text=said, end=one.end)
        else:
            found.append(one)
    return found


def _is_within(one: Mention, other: Mention, text: str) -> bool:
    """Whether one name lies in another: `at Bath in England`."""
    before = text[: one.start].split()[-1:]
    return _gap(one, other, text) == "in" and before[:1] != [] and before[0].lower() in _AT


def _gap(one: Mention, other: Mention, text: str) -> str:
    between = text[one.end : other.start]
    return between.strip(" ") if one.end <= other.start else ""
