"""What differs from one run to the next though nothing has changed: ids, handles, times of now.

Each is written by order of appearance (`[id 1]`), so that a request finds its answer again; in an
answer the same sign stands for what it is now. What a person wrote stays: a date in a prompt, or an
id that a model made up, is content. Times count as those of now near the moment of asking alone.
"""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

NEAR_S: Final = 26 * 3600
"""A day, and what time zones may differ from what a text leaves out."""
SIGN: Final = re.compile(r"\[(?:id|handle) \d+\]")
IDS: Final = r"""
      (?P<id>\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b
        | \b(?:run|call|turn|session|take|await)-[0-9a-f]{12}\b
        | \bcall_[A-Za-z0-9]{16,}\b
        | (?<=[/\\])tmp[a-z0-9_]{8}\b)
    | (?P<address>\bat\ 0x[0-9a-fA-F]{4,16}\b)
    | (?P<handle>\br\d+\b)
"""
TIMES: Final = r"""
      (?P<time>\b\d{4}-\d\d-\d\d[T\ ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|\ ?[+-]\d\d:?\d\d)?)
    | (?P<epoch>(?<![\w.-])1\d{9}(?:\d{3})?(?:\.\d+)?(?!\w))
"""
DATES: Final = r"(?P<date>\b\d{4}-\d\d-\d\d\b)"
MOMENTS: Final = re.compile(f"(?x){TIMES}|{DATES}")
ONLY_TIMES: Final = re.compile(f"(?x){TIMES}")
KNOWN: Final = re.compile(f"(?x){IDS}")
END_OF_ID: Final = re.compile("-[0-9a-fA-F]{12}")
TEMPORARY: Final = re.compile(r"[/\\]tmp[a-z0-9_]")
DAY: Final = re.compile(r"-\d\d-\d\d")
EPOCH: Final = re.compile(r"1\d{9}")


class Moments:
    """The times that count as now.

    Args:
        seconds: Since 1970 (UTC): when it is asked, and when it was recorded.
    """

    def __init__(self, seconds: Iterable[float]) -> None:
        self._seconds = tuple(seconds)
        self._days = {
            day.date().isoformat()
            for one in self._seconds
            for day in (datetime.fromtimestamp(one, UTC), datetime.fromtimestamp(one).astimezone())
        }

    @classmethod
    def now(cls, *, and_days: Iterable[float] = ()) -> Moments:
        """Now, and other times that count as well."""
        return cls((time.time(), *and_days))

    def has_day(self, text: str) -> bool:
        """Whether a date is that of today."""
        return text in self._days

    def has_time(self, text: str) -> bool:
        """Whether a date with a time is one of now."""
        try:
            read = datetime.fromisoformat(text.replace(",", ".").replace(" +", "+"))
        except ValueError:
            return False
        aware = read if read.tzinfo else read.replace(tzinfo=UTC)
        return self.is_near(aware.timestamp())

    def is_near(self, seconds: float) -> bool:
        """Whether a time is near one of them."""
        return any(abs(seconds - one) < NEAR_S for one in self._seconds)


class Signs:
    """The signs of one conversation, which grows.

    Args:
        moments: The times that count as now.
    """

    def __init__(self, moments: Moments) -> None:
        self.moments = moments
        self.handles: frozenset[str] = frozenset()
        """The names of the objects that there are."""
        self._signs: dict[str, str] = {}
        self._counts = {"id": 0, "handle": 0}

    def told(self, text: str) -> str:
        """What a model is told by tools and instructions, in which all that is volatile counts."""
        if _may_name(text) or any(map(text.__contains__, self.handles)):
            text = KNOWN.sub(self._sign, text)
        return MOMENTS.sub(self._sign, text) if _may_tell_time(text) else text

    def asked(self, text: str) -> str:
        """What a person wrote, in which only times of now do."""
        return ONLY_TIMES.sub(self._sign, text) if _may_tell_time(text) else text

    def answered(self, text: str) -> str:
        """What a model wrote, in which only that counts which it was told."""
        if not self._signs:
            return text
        return KNOWN.sub(lambda found: self._signs.get(found[0], found[0]), text)

    def read(self, text: str) -> str:
        """What was recorded, with what its signs stand for now."""
        if "[id " not in text and "[handle " not in text:
            return text
        meant = {sign: one for one, sign in self._signs.items()}
        return SIGN.sub(lambda found: meant.get(found[0], found[0]), text)

    def _sign(self, found: re.Match[str]) -> str:
        kind, text = found.lastgroup, found[0]
        if kind in ("id", "handle"):
            return (
                text if kind == "handle" and text not in self.handles else self._given(kind, text)
            )
        if kind == "address":
            return "at [address]"
        if kind == "date":
            return "[today]" if self.moments.has_day(text) else text
        if kind == "time":
            return "[now]" if self.moments.has_time(text) else text
        return "[now]" if self.moments.is_near(_epoch_s(text)) else text

    def _given(self, kind: str, text: str) -> str:
        sign = self._signs.get(text)
        if sign is None:
            self._counts[kind] += 1
            sign = self._signs[text] = f"[{kind} {self._counts[kind]}]"
        return sign


def _may_name(text: str) -> bool:
    """Whether there may be ids or addresses: most texts have none, and this is seen at once."""
    return (
        "call_" in text
        or "at 0x" in text
        or TEMPORARY.search(text) is not None
        or END_OF_ID.search(text) is not None
    )


def _may_tell_time(text: str) -> bool:
    return DAY.search(text) is not None or EPOCH.search(text) is not None


def _epoch_s(text: str) -> float:
    """Seconds of what may be milliseconds."""
    whole = text.partition(".")[0]
    return float(text) / (1000 if len(whole) > 10 else 1)  # digits until 2286
