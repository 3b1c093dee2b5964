"""Numbers in a text: digits with separators, signs and scales, percentages, and number words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nbagents.models.offline.language.lexicon import NUMBER_WORDS, SCALE_WORDS

_DIGITS = re.compile(
    r"(?<![\w.^])(?P<sign>[-+−](?=[$€£¥\d.])|(?:minus|negative)\s+)?(?:[$€£¥]\s?)?"
    r"(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+|\.\d+|\d+)(?P<power>[eE][-+]?\d+)?"
    r"(?P<ordinal>st|nd|rd|th)?(?![\w]|\.\d)"
    r"|(?<=[a-z]=)(?P<sign2>[-−])?(?P<digits2>\d+(?:\.\d+)?)",
    re.IGNORECASE,
)
_ATTACHED = re.compile(
    r"(?<![\w.,])(?P<sign>[-+−])?[$€£¥]?(?P<digits>\d+(?:,\d{3})*(?:\.\d+)?)"
    r"(?P<unit>[a-zA-Zµ°²³/]{1,6})(?![\w])"
)
_SCALE = re.compile(r"(?:\s?(?i:hundred|thousand|million|billion|bn)|k)\b")
_SIDE = re.compile(r"\s?°?\s?([NSEW])\b(?!['’.]\w)")
_PERCENT = re.compile(r"\s?(?:%|per\s?cent\b)", re.IGNORECASE)
_WORD_NUMBER = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_SCALE_WORD = "hundred|thousand|million|billion"
_SPOKEN = re.compile(
    rf"(?<!\w)(?:(?P<sign>minus|negative)\s+)?(?P<word>{_WORD_NUMBER}|{_SCALE_WORD})"
    r"(?!\w|-(?:way|off|time)\b)",
    re.IGNORECASE,
)
_HALF = 0.5
_PARTS = {"half": 0.5, "quarter": 0.25, "third": 1 / 3, "three quarters": 0.75}
_FRACTION = re.compile(
    rf"\b(?:(?P<count>{_WORD_NUMBER}|\d+) and a half\b"
    r"|an? (?P<halved>[a-z]+) and a half\b"
    r"|(?P<part>half|(?:a |one )?(?:quarter|third)|three quarters)(?: of)? an? (?P<unit>[a-z]+)\b)",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    rf"\b(?P<hours>an?|{_WORD_NUMBER}|\d+) hours?(?:,| and)* (?P<minutes>{_WORD_NUMBER}|\d+)"
    r"(?= min)|\b(?:for|in|of|took|takes|after|within|last(?:s|ed)?) (?P<one>an?) "
    r"(?=hour\b(?! and (?:a half|\w+ min)))",
    re.IGNORECASE,
)
"""`an hour and three minutes`, `two hours 15 minutes`; `for an hour`."""
_JOINT = re.compile(r"[\s-]+(?:and\s+)?", re.IGNORECASE)
_PRONOUN_ONE = re.compile(
    r"(?:\b(?:this|that|which|the|any|no|another|each|every)\s+)$", re.IGNORECASE
)
_HUNDRED = 100
_TEN = 10
_MINUTES = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number in a text."""

    value: int | float
    start: int
    end: int
    unit: str = ""
    """A unit written onto the digits, as in `6cm`."""
    percent: bool = False
    ordinal: bool = False


def plain_number(text: str) -> int | float:
    """Digits as a number: an integer where it is one."""
    bare = text.replace(",", "").replace("−", "-")
    value = float(bare)
    return (
        int(value) if value.is_integer() and "." not in bare and "e" not in bare.lower() else value
    )


def numbers_of(text: str) -> list[Number]:
    """The numbers of a text in order."""
    parts = [*_fractions(text), *_clocked(text)]
    whole = [one for one in _whole_numbers(text) if not any(_meet(one, part) for part in parts)]
    return sorted([*whole, *parts], key=lambda number: number.start)


def _meet(one: Number, other: Number) -> bool:
    return one.start < other.end and other.start < one.end


def _fractions(text: str) -> list[Number]:
    """`half an hour`, `a quarter of a litre`, `six and a half`, `an hour and a half`."""
    found: list[Number] = []
    for match in _FRACTION.finditer(text):
        unit = (match["unit"] or match["halved"] or "").lower()
        if match["count"]:
            said = match["count"].lower()
            value = (NUMBER_WORDS[said] if said in NUMBER_WORDS else plain_number(said)) + _HALF
        elif match["halved"]:
            value = 1 + _HALF
        else:
            part = " ".join(match["part"].lower().split()[-2:])
            value = _PARTS.get(part) or _PARTS[part.split()[-1]]
        end = match.end("halved") if match["halved"] else match.end()
        found.append(Number(value=value, start=match.start(), end=end, unit=unit))
    return found


def _clocked(text: str) -> list[Number]:
    """Hours and minutes as minutes; an hour as one."""
    found: list[Number] = []
    for match in _CLOCK.finditer(text):
        if match["one"]:
            start = match.start("one")
            found.append(Number(value=1, start=start, end=match.end() - 1))
        else:
            value = _counted(match["hours"]) * _MINUTES + _counted(match["minutes"])
            found.append(Number(value=value, start=match.start(), end=match.end(), unit="minutes"))
    return found


def _counted(said: str) -> int | float:
    """A number in digits, as a word or as an article."""
    lower = said.lower()
    return 1 if lower in {"a", "an"} else NUMBER_WORDS.get(lower) or plain_number(said)


def _whole_numbers(text: str) -> list[Number]:
    found = [_scaled(text, match) for match in _DIGITS.finditer(text)]
    taken = {number.start for number in found}
    found += [_attached(match) for match in _ATTACHED.finditer(text) if match.start() not in taken]
    found += _spoken(text)
    found.sort(key=lambda number: number.start)
    return found


def _scaled(text: str, match: re.Match[str]) -> Number:
    value = plain_number((match["digits"] or match["digits2"]) + (match["power"] or ""))
    end = match.end()
    if scale := _SCALE.match(text, end):
        value, end = _whole(value * SCALE_WORDS[scale.group().strip().lower()]), scale.end()
    if percent := _PERCENT.match(text, end):
        end = percent.end()
    sign = (match["sign"] or match["sign2"] or "").strip().lower()
    if side := _SIDE.match(text, end):
        end = side.end()
        sign = "-" if side[1] in "SW" else sign
    return Number(
        value=-value if sign not in {"", "+"} else value,
        start=match.start(),
        end=end,
        percent=percent is not None,
        ordinal=match["ordinal"] is not None,
    )


def _attached(match: re.Match[str]) -> Number:
    value = plain_number(match["digits"])
    unit = match["unit"]
    # `5k` is five thousand, `5K` may be another unit.
    if unit == "k" or (unit != "K" and unit.lower() in SCALE_WORDS):
        value, unit = _whole(value * SCALE_WORDS[unit.lower()]), ""
    sign = -1 if match["sign"] in {"-", "−"} else 1
    end = match.end("digits") if unit else match.end()
    return Number(value=value * sign, start=match.start(), end=end, unit=unit.lower())


def _spoken(text: str) -> list[Number]:
    """Numbers in words: "one hundred and five" is one, "two three" are two."""
    groups: list[list[re.Match[str]]] = []
    for match in _SPOKEN.finditer(text):
        if groups and _goes_on(text, groups[-1][-1], match):
            groups[-1].append(match)
        elif match["word"].lower() in NUMBER_WORDS and not _is_pronoun(text, match):
            groups.append([match])
    return [_spoken_number(group) for group in groups]


def _spoken_number(group: list[re.Match[str]]) -> Number:
    value = _sum_of([match["word"].lower() for match in group])
    start, end = group[0].start(), group[-1].end()
    return Number(value=-value if group[0]["sign"] else value, start=start, end=end)


def _is_pronoun(text: str, match: re.Match[str]) -> bool:
    """Whether `one` stands for a thing: `this one`, `one of them`."""
    before = _PRONOUN_ONE.search(text, 0, match.start())
    after = text.startswith(" of ", match.end())
    return match["word"].lower() == "one" and (before is not None or after)


def _goes_on(text: str, last: re.Match[str], match: re.Match[str]) -> bool:
    joint = text[last.end() : match.start()]
    if match["sign"] or not _JOINT.fullmatch(joint):
        return False
    one, other = last["word"].lower(), match["word"].lower()
    if one in SCALE_WORDS:
        return True
    if "and" in joint.lower():
        return False
    tens = NUMBER_WORDS[one] >= 2 * _TEN and one != "dozen"
    return other in SCALE_WORDS or other == "dozen" or (tens and NUMBER_WORDS[other] < _TEN)


def _sum_of(words: list[str]) -> int:
    total, part = 0, 0
    for word in words:
        if word == "dozen":
            part = max(part, 1) * NUMBER_WORDS[word]
        elif word in NUMBER_WORDS:
            part += NUMBER_WORDS[word]
        elif SCALE_WORDS[word] == _HUNDRED:
            part = max(part, 1) * _HUNDRED
        else:
            total, part = total + max(part, 1) * SCALE_WORDS[word], 0
    return total + part


def _whole(value: float) -> int | float:
    return int(value) if float(value).is_integer() else value
