"""Mentions: the pieces of a text that could be an argument, each with its kind."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from nbagents.models.offline.language.dates import moments_of
from nbagents.models.offline.language.lexicon import NUMBER_WORDS, STOP_WORDS, VERBS, word_set
from nbagents.models.offline.language.mention import Mention, MentionKind
from nbagents.models.offline.language.names import addresses_of, joined_names, names_of
from nbagents.models.offline.language.numbers import numbers_of, plain_number
from nbagents.models.offline.language.units import dimension_of, is_unit

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from pydantic import JsonValue

_QUOTED = re.compile(
    r"\"([^\"]+)\"|“([^”]+)”|«([^»]+)»|`([^`]+)`|(?<!\w)'([^'\n]+(?:(?<=\w)'(?=\w)[^'\n]+)*)'(?!\w)"
    r"|(?<!\w)‘([^’\n]+(?:’(?=\w)[^’\n]+)*)’"
)
_LITERAL = re.compile(r"\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\]|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")
_TUPLE = re.compile(r"\(\s*([-−]?\d+(?:\.\d+)?(?:\s*,\s*[-−]?\d+(?:\.\d+)?)+)\s*\)")
_SHAPES: tuple[tuple[MentionKind, re.Pattern[str]], ...] = (
    ("email", re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")),
    ("url", re.compile(r"\b(?:https?|ftp|wss?)://[^\s<>\"')\]]*[^\s<>\"')\].,;:!?]")),
    ("url", re.compile(r"\b(?:[\w-]+\.)+(?:com|org|net|io|edu|gov|dev|ai)\b(?:/[^\s<>\"']*\w)?")),
    ("path", re.compile(r"(?<![\w/])(?:[A-Za-z]:\\|~?/|\./)[\w./\\-]*\w"
                        r"|\b\w[\w-]*\.(?:[a-z]\w{1,3})\b")),
    ("code", re.compile(r"(?<![\w-])[12]\d{3}[-–/]\d{2,4}(?![\w-])")),
    ("code", re.compile(r"(?<![\w.])v?(?:\d+\.){2,}\d+(?!\w|\.\w)|(?<![\w-])\+\d[\d\s()-]{6,}\d"
                        r"|(?<!\d)\d{3}-\d{3,4}(?:-\d{4})?(?!\d)")),
    ("code", re.compile(r"(?<!\w)[A-Z]{1,2}(?:#|\+{1,2})(?![\w+#])")),
    ("code", re.compile(r"(?<![\w-])#?(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9]+"
                        r"(?:[-_][A-Za-z0-9]+)*(?![\w-])")),
)  # fmt: skip
_WHEN = frozenset({"last", "past", "next", "upcoming", "coming", "previous", "current", "latest"})
_CAPITALS = re.compile(r"(?<![\w-])[A-Z]{1,4} \d{1,5}(?![\w-])")
_FORMULA = re.compile(
    r"(?<![\w.^])(?<!\d\s)-?(?:\d+(?:\.\d+)?)?[a-z](?:(?:\^|\*\*)\d+|(?<=\d[a-z])(?=\s*[-+]\s*\d))"
    r"(?:\s*[-+]\s*(?:\d+(?:\.\d+)?[a-z]?|[a-z](?![a-z]))(?:(?:\^|\*\*)\d+)?)*(?![\w])"
)
_PERIOD = re.compile(
    r"\b(?:next|past|last|coming|upcoming|previous|following|this)\s+"
    r"(hour|day|week|month|quarter|year|decade)\b(?!['’]s)",
    re.IGNORECASE,
)
_INITIAL = 2
_LEFT = word_set(
    "today tonight tomorrow yesterday please again each left remaining remain remains available now"
)
_WHOLE_SHARE = 0.9
_UNIT = re.compile(r"[ -]?((?:(?:square|cubic)\s)?[^\W\d_]+(?:/[^\W\d_]+(?:\^?\d|²)?)?)")
_PHRASE = re.compile(
    r"\b(?P<cue>in|at|for|of|to|from|on|about|by|near|into|with|named|called|titled|is|as|around|"
    r"like|between|and|or|how\s+(?:much|many))"
    r"\s+(?:(?:the|a|an|my|our|your|some)\s+)?"
    r"(?P<words>[^\W\d_][\w'’+-]*(?:\s+[^\W\d_][\w'’+-]*){0,3})",
    re.IGNORECASE,
)
_ORDINAL_DIGITS = re.compile(r"\d+(?:st|nd|rd|th|s|x)", re.IGNORECASE)
_ATTACHED_UNIT = re.compile(r"\d+(?:\.\d+)?(?:([a-zA-Z]{1,3})|-[a-z]+)")


def mentions_of(
    text: str, known: Container[str] = (), shapes: Container[str] = ()
) -> list[Mention]:
    """The mentions of a text in order; of those that overlap the more telling one is kept.

    Phrases (`in the kitchen`) and units are weak and come last.

    Args:
        text: What the person wrote.
        known: Words of the tools' names: capitalised at the start of a sentence they are no names.
        shapes: What the examples of the tools' parameters look like.
    """
    found: list[Mention] = []
    makers = (
        _delimited,
        _formulas,
        _moments,
        _shapes,
        addresses_of,
        *([_numbered] if "A 0" in shapes else []),
        _numbers,
        _periods,
        partial(names_of, known=known),
    )
    for maker in makers:
        for said in maker(text):
            met = [other for other in found if said.overlaps(other)]
            one = _before_number(said, met)
            if one is not None:
                found.append(one)
    units = [unit for number in found if (unit := _unit_mention(number, text))]
    # A unit with a capital letter is no name.
    found = [
        one
        for one in found
        if one.kind != "name"
        or not any((unit.start, unit.end) == (one.start, one.end) for unit in units)
    ]
    found = sorted((one for one in found if not one.stated), key=lambda one: one.start)
    found = joined_names(_without_counts(found), text)
    phrases = [
        phrase for phrase in _phrases(text) if not any(phrase.overlaps(other) for other in found)
    ]
    return found + units + phrases


def _before_number(said: Mention, met: list[Mention]) -> Mention | None:
    """A mention that meets no other; of a name that only ends in a number, the name."""
    if not met:
        return said
    first = min(met, key=lambda one: one.start)
    name = said.text[: first.start - said.start].rstrip()
    numbered = said.kind == "name" and first.kind == "number" and len(name) > _INITIAL
    if not numbered or first.end < said.end or len(met) > 1:
        return None
    return replace(said, value=name, text=name, end=said.start + len(name))


def _delimited(text: str) -> list[Mention]:
    """Quotations and literals; of two in each other the outer one comes first."""
    return sorted([*_quoted(text), *_literals(text)], key=lambda one: (one.start, -one.end))


def _quoted(text: str) -> Iterator[Mention]:
    for match in _QUOTED.finditer(text):
        inner = next(group for group in match.groups() if group is not None).strip()
        if inner and not _is_whole(match, text):
            yield Mention(
                kind="quoted", value=inner, text=inner, start=match.start(), end=match.end()
            )


def _is_whole(match: re.Match[str], text: str) -> bool:
    """Whether the quotes hold the whole prompt: then they quote nothing."""
    return len(match.group()) >= _WHOLE_SHARE * len(text.strip()) and " " in match.group()


def _literals(text: str) -> Iterator[Mention]:
    for match in _TUPLE.finditer(text):
        numbers: JsonValue = [plain_number(one) for one in match[1].replace(" ", "").split(",")]
        yield Mention(
            kind="list", value=numbers, text=match.group(), start=match.start(), end=match.end()
        )
    for match in _LITERAL.finditer(text):
        try:
            value: JsonValue = json.loads(match.group().replace("'", '"'))
        except ValueError:
            inner = match.group()[1:-1]
            if match.group()[0] == "{" or "," not in inner:
                continue
            value = [part.strip() for part in inner.split(",")]
        yield Mention(
            kind="list", value=value, text=match.group(), start=match.start(), end=match.end()
        )


def _formulas(text: str) -> Iterator[Mention]:
    for match in _FORMULA.finditer(text):
        said = match.group()
        yield Mention(kind="quoted", value=said, text=said, start=match.start(), end=match.end())


def _periods(text: str) -> Iterator[Mention]:
    """`next week`: one of a unit of time."""
    for match in _PERIOD.finditer(text):
        yield Mention(
            kind="period",
            value=1,
            text=match.group(),
            start=match.start(),
            end=match.end(),
            unit=match[1].lower(),
        )


def _moments(text: str) -> Iterator[Mention]:
    moments = moments_of(text)
    dates = [one for one in moments if one.kind == "date"]
    for one in moments:
        yield Mention(
            kind=one.kind,
            value=one.value,
            text=text[one.start : one.end],
            start=one.start,
            end=one.end,
            stated=one.stated and len(dates) > 1,
        )


def _shapes(text: str) -> Iterator[Mention]:
    for kind, pattern in _SHAPES:
        for match in pattern.finditer(text):
            said = match.group()
            if _ORDINAL_DIGITS.fullmatch(said) or _is_quantity(said):
                continue
            if kind == "code" and said.lower().partition("-")[0] in NUMBER_WORDS:
                continue
            value = said.removeprefix("#")
            yield Mention(kind=kind, value=value, text=said, start=match.start(), end=match.end())


def _numbered(text: str) -> Iterator[Mention]:
    """Capitals and a number, where some parameter's example looks so: `AB 12`."""
    for match in _CAPITALS.finditer(text):
        said = match.group()
        yield Mention(kind="code", value=said, text=said, start=match.start(), end=match.end())


def _is_quantity(said: str) -> bool:
    """Whether letters written onto digits count them: `6cm`, `5k`, but not `7b`."""
    match = _ATTACHED_UNIT.fullmatch(said)
    return match is not None and (match[1] is None or is_unit(match[1]))


def _numbers(text: str) -> Iterator[Mention]:
    for one in numbers_of(text):
        unit = one.unit
        if not unit and not one.percent and (word := _UNIT.match(text, one.end)):
            unit = "molar" if word[1] == "M" else word[1].lower()
            unit = "" if unit in STOP_WORDS and dimension_of(unit) is None else unit
        yield Mention(
            kind="number",
            value=one.value,
            text=text[one.start : one.end],
            start=one.start,
            end=one.end,
            unit=unit,
            percent=one.percent,
        )


def _unit_mention(number: Mention, text: str) -> Mention | None:
    """The word that says what a number counts, as a mention of its own."""
    if (
        number.kind != "number"
        or not number.unit
        or number.unit == "molar"
        or text[number.end : number.end + 1] == "-"
    ):
        return None
    at = text.lower().find(number.unit, number.start)
    end = at + len(number.unit)
    return Mention(kind="unit", value=text[at:end], text=text[at:end], start=at, end=end)


def _without_counts(found: list[Mention]) -> list[Mention]:
    """Without number words that only count the numbers given: `two numbers, 40 and 50`."""
    digits = [
        one
        for one in found
        if one.kind == "list"
        or (one.kind == "number" and any(letter.isdigit() for letter in one.text))
    ]
    return [
        one
        for one in found
        if one.kind != "number"
        or one in digits
        or not isinstance(one.value, int)
        or not 1 < one.value <= len(digits)
    ]


def _phrases(text: str) -> Iterator[Mention]:
    at = 0
    while match := _PHRASE.search(text, at):
        at = match.end("cue")
        words: list[str] = []
        start = match.start("words")
        for word in re.finditer(r"\S+", match["words"]):
            lower = word.group().lower()
            if not words and lower in _WHEN:
                start = match.start("words") + word.end() + 1
                continue
            if lower in STOP_WORDS or lower in _LEFT or (not words and lower in VERBS):
                break
            words.append(word.group())
        if words:
            said = " ".join(words)
            yield Mention(kind="phrase", value=said, text=said, start=start, end=start + len(said))
