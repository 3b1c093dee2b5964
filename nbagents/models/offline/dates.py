"""Dates and clock times in a text, read into ISO 8601 (`2026-03-01`, `15:30`)."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import Literal

from nbagents.identity import clock, is_deterministic
from nbagents.models.offline.lexicon import MONTHS, WEEKDAYS

__all__ = ["Moment", "moments_of"]

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
        rf"\b(?P<name>{_MONTH})\.?\s*(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d){_YEAR}\b",
        rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<name>{_MONTH})\b\.?{_YEAR}",
    )
)
_TIMES = (
    re.compile(rf"(?<![\d:]){_CLOCK}(?![\d:])", re.IGNORECASE),
    re.compile(r"(?<![\d:.])(?P<hour>\d{1,2})\s*(?P<half>[ap]\.?m\b\.?)", re.IGNORECASE),
)
_DAYS = {"yesterday": -1, "today": 0, "tomorrow": 1}
_DAY_WORD = re.compile(r"\b(yesterday|today|tomorrow)\b(?!['’]s|\s+is\b)", re.IGNORECASE)
_TODAY_SAID = re.compile(r"\btoday(?:['’]s date)?\s+is\b\D{0,24}", re.IGNORECASE)
_WEEKDAY = re.compile(rf"\b(?:{'|'.join(day.title() for day in sorted(WEEKDAYS))})\b")
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


def moments_of(text: str) -> list[Moment]:
    """The dates and times of a text in order; what overlaps an earlier pattern is left out."""
    found: list[Moment] = []
    default_year = _said_year(text)
    for pattern in _PATTERNS:
        matches = [match for match in pattern.finditer(text) if _is_free(found, match)]
        found += [moment for match in matches if (moment := _date(match, default_year))]
    found += _relative(text, _stated_today(text, found))
    for match in _WEEKDAY.finditer(text):
        if _is_free(found, match):
            found.append(
                Moment(kind="date", value=match.group(), start=match.start(), end=match.end())
            )
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
    try:
        date = dt.date(int(groups.get("year") or default_year), month, int(groups["day"]))
    except ValueError:
        return None
    rest = (groups.get("rest") or "").replace(" ", "T")
    return Moment(kind="date", value=date.isoformat() + rest, start=match.start(), end=match.end())


def _today() -> dt.date:
    zone = dt.UTC if is_deterministic() else None
    return dt.datetime.fromtimestamp(clock()(), zone).date()


def _stated_today(text: str, found: list[Moment]) -> dt.date:
    """Today, as the text says it is, or as it is."""
    said = _TODAY_SAID.search(text)
    stated = [one for one in found if said and said.start() < one.start <= said.end()]
    return dt.date.fromisoformat(stated[0].value[:10]) if stated else _today()


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
        hour = hour % _NOON + (_NOON if half == "pm" else 0)
    if hour >= _DAY_HOURS or minute >= 60:  # noqa: PLR2004  minutes of an hour
        return None
    seconds = f":{groups['sec']}" if groups.get("sec") else ""
    end = match.start() + len(match.group().rstrip())
    return Moment(
        kind="time", value=f"{hour:02}:{minute:02}{seconds}", start=match.start(), end=end
    )
