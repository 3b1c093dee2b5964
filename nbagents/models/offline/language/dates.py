"""Dates and clock times in a text, read into ISO 8601 (`2026-03-01`, `15:30`)."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, replace
from typing import Literal

from nbagents.identity import clock, is_deterministic
from nbagents.models.offline.language.lexicon import MONTHS, WEEKDAYS

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_YEAR = r"(?:,?\s*(?:of\s+)?(?P<year>[12]\d{3}))?"
_CLOCK = r"(?P<hour>\d{1,2})(?::(?P<minute>\d{2}))(?::(?P<sec>\d{2}))?\s*(?P<half>[ap]\.?m\.?)?"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        (
            r"(?<!\d)(?P<year>[12]\d{3})[-./](?P<month>\d{1,2})[-./](?P<day>\d{1,2})"
            r"(?P<rest>[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:?\d{2})?)?(?!\d)"
        ),
        rf"\b(?P<year>[12]\d{{3}})\s+(?P<name>{_MONTH})\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b",
        r"(?<![\d/])(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>[12]\d{3})(?!\d)",
        rf"\b(?P<name>{_MONTH})\.?\s*(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d){_YEAR}\b",
        rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<name>{_MONTH})\b\.?{_YEAR}",
        rf"(?<!\d\s)\b(?P<name>{_MONTH}),?\s+(?:of\s+)?(?P<year>[12]\d{{3}})(?P<day>)\b",
    )
)
_TIMES = (
    re.compile(rf"(?<![\d:]){_CLOCK}(?![\d:])", re.IGNORECASE),
    re.compile(r"(?<![\d:.])(?P<hour>\d{1,2})\s*(?P<half>[ap]\.?m\b\.?)", re.IGNORECASE),
    re.compile(
        r"(?<![\d:.])(?P<hour>\d{1,2})(?:\s+o['’]clock)?\s+(?:in\s+the\s+|at\s+)"
        r"(?P<half>morning|afternoon|evening|night)\b",
        re.IGNORECASE,
    ),
)
_DAYS = {
    "yesterday": -1,
    "today": 0,
    "tomorrow": 1,
    "day before yesterday": -2,
    "day after tomorrow": 2,
}
_DAY_WORD = re.compile(
    r"\b(day before yesterday|day after tomorrow|yesterday|today|tomorrow)\b(?!['’]s|\s+is\b)",
    re.IGNORECASE,
)
_TODAY_SAID = re.compile(r"\btoday(?:['’]s date)?\s+is\b\D{0,24}", re.IGNORECASE)
_DAY_NAMES = "|".join(sorted(WEEKDAYS))
_WEEKDAY = re.compile(rf"\b(?:{'|'.join(day.title() for day in sorted(WEEKDAYS))})\b")
_COMING = re.compile(
    rf"\b(?:this|next|coming|upcoming)\s+(?:coming\s+)?({_DAY_NAMES})\b(?!\s+(?:morning|night)s\b)",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"\s*(?:,|\(|\bon\b|\bwhich is\b|\bthe\b|this week|please|\s)*\s*", re.IGNORECASE
)
_SHIFTED_YEAR = re.compile(r",?\s+(?:of\s+)?(next|last|this)\s+year\b", re.IGNORECASE)
_SHIFTS = {"next": 1, "last": -1, "this": 0}
_WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_LAST_MONTH = 12
_NOON = 12
_DAY_HOURS = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A date or a clock time in a text."""

    kind: Literal["date", "time"]
    value: str
    """ISO 8601, or a weekday's name; a date without a year has that of another date, or this."""
    start: int
    end: int
    stated: bool = False
    """Whether it only says what today is."""


def moments_of(text: str) -> list[Moment]:
    """The dates and times of a text in order; what overlaps an earlier pattern is left out."""
    found: list[Moment] = []
    default_year = _said_year(text)
    for pattern in _PATTERNS:
        matches = [match for match in pattern.finditer(text) if _is_free(found, match)]
        found += [moment for match in matches if (moment := _date(match, default_year))]
    stated = _stated_today(text, found)
    today = dt.date.fromisoformat(stated.value[:10]) if stated else _today()
    found = [_year_shifted(replace(one, stated=one is stated), text, today) for one in found]
    near = [*_relative(text, today), *_coming(text, today, stated=stated is not None)]
    near += [
        Moment(kind="date", value=match.group(), start=match.start(), end=match.end())
        for match in _WEEKDAY.finditer(text)
        if not any(one.start <= match.start() < one.end for one in near)
    ]
    found = _joined(near, found, text)
    for pattern in _TIMES:
        matches = [match for match in pattern.finditer(text) if _is_free(found, match)]
        found += [moment for match in matches if (moment := _time(match))]
    return sorted(found, key=lambda moment: moment.start)


def _is_free(found: list[Moment], match: re.Match[str]) -> bool:
    return all(match.end() <= one.start or match.start() >= one.end for one in found)


def _said_year(text: str) -> int:
    """The year of a date that does not say it: that of another, or this one."""
    said = (
        match["year"]
        for pattern in _PATTERNS
        for match in pattern.finditer(text)
        if match["year"] is not None
    )
    return int(next(said, _today().year))


def _date(match: re.Match[str], default_year: int) -> Moment | None:
    groups = match.groupdict()
    name = groups.get("name")
    month = MONTHS[name.lower()] if name else int(groups["month"])
    day = int(groups["day"] or 1)
    if month > _LAST_MONTH >= day:
        month, day = day, month  # `22/3/2024`
    try:
        date = dt.date(int(groups.get("year") or default_year), month, day)
    except ValueError:
        return None
    rest = (groups.get("rest") or "").replace(" ", "T")
    said = date.isoformat() + rest if groups["day"] else f"{date:%Y-%m}"
    return Moment(kind="date", value=said, start=match.start(), end=match.end())


def _today() -> dt.date:
    zone = dt.UTC if is_deterministic() else None
    return dt.datetime.fromtimestamp(clock()(), zone).date()


def _stated_today(text: str, found: list[Moment]) -> Moment | None:
    """The date that the text says is today."""
    said = _TODAY_SAID.search(text)
    stated = (one for one in found if said and said.start() < one.start <= said.end())
    return next(stated, None)


def _year_shifted(moment: Moment, text: str, today: dt.date) -> Moment:
    """`May 3rd next year`: in the year after this one."""
    said = _SHIFTED_YEAR.match(text, moment.end)
    if said is None:
        return moment
    year = today.year + _SHIFTS[said[1].lower()]
    return replace(moment, value=f"{year}{moment.value[4:]}", end=said.end())


def _coming(text: str, today: dt.date, *, stated: bool) -> list[Moment]:
    """`next Friday`: the first one after today; `this Friday` too, where today is said."""
    return [
        Moment(
            kind="date",
            value=(today + dt.timedelta(_days_until(match[1].lower(), today))).isoformat(),
            start=match.start(),
            end=match.end(),
        )
        for match in _COMING.finditer(text)
        if stated or not match.group().lower().startswith("this")
    ]


def _days_until(weekday: str, today: dt.date) -> int:
    return (_WEEK.index(weekday) - today.weekday() - 1) % len(_WEEK) + 1


def _joined(near: list[Moment], found: list[Moment], text: str) -> list[Moment]:
    """All of them; a day that a date beside it says in full is part of that date.

    `next Friday, June 30th` is one date.
    """
    joined = list(found)
    for one in near:
        at = next((at for at, other in enumerate(joined) if _is_beside(one, other, text)), None)
        if at is None:
            joined.append(one)
        else:
            joined[at] = replace(joined[at], start=min(one.start, joined[at].start))
    return joined


def _is_beside(one: Moment, other: Moment, text: str) -> bool:
    if one.end > other.start:
        return one.start < other.end
    dated = other.value[:1].isdigit() and one.kind == other.kind
    return dated and _BESIDE.fullmatch(text, one.end, other.start) is not None


def _relative(text: str, today: dt.date) -> list[Moment]:
    return [
        Moment(
            kind="date",
            value=(today + dt.timedelta(_DAYS[match[1].lower()])).isoformat(),
            start=match.start(),
            end=match.end(),
        )
        for match in _DAY_WORD.finditer(text)
    ]


def _time(match: re.Match[str]) -> Moment | None:
    groups = match.groupdict()
    hour, minute = int(groups["hour"]), int(groups.get("minute") or 0)
    half = (groups.get("half") or "").lower().replace(".", "")
    if half:
        hour = hour % _NOON + (0 if half in {"am", "morning"} else _NOON)
    if hour >= _DAY_HOURS or minute >= 60:  # minutes of an hour
        return None
    seconds = f":{groups['sec']}" if groups.get("sec") else ""
    end = match.start() + len(match.group().rstrip())
    return Moment(
        kind="time", value=f"{hour:02}:{minute:02}{seconds}", start=match.start(), end=end
    )
