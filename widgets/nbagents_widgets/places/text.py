"""Names of places, folded into one long text that is quick to search.

353,000 names as a dictionary would take seconds to build; one text of four megabytes takes a
quarter of one, and is searched in a few milliseconds.
"""

from __future__ import annotations

import bisect
import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

MARKS: Final = re.compile("[\u0300-\u036f]+")
GAPS: Final = re.compile(r"[-'’ʻ`´.,/ \t]+")
LETTERS: Final = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe"})
"""Letters that are no accents to Unicode, and are to who types without them."""

START: Final = "\n"
PREFIXES_MOST: Final = 400


class Names:
    """The names of numbered things, several of each.

    Args:
        names: Of each thing its names, the usual one first.

    Example:
        >>> names = Names([["Köln", "Cologne"], ["Bonn"]])
        >>> list(names.exact("koln"))
        [(0, True)]
    """

    def __init__(self, names: Iterable[Iterable[str]]) -> None:
        groups = ("\r" + START.join(_one_line(name) for name in group) for group in names)
        self._text = START + _folded(START.join(groups)) + START
        self._starts = [match.start() for match in re.finditer("\r", self._text)]

    def exact(self, name: str) -> Iterator[tuple[int, bool]]:
        """Which things have this name, and whether it is their usual one."""
        return self._found(re.escape(folded(name)) + " ?" + START)

    def prefix(self, start: str) -> Iterator[tuple[int, bool]]:
        """Which things have a name that begins so."""
        return self._found(re.escape(folded(start)))

    def _found(self, pattern: str) -> Iterator[tuple[int, bool]]:
        seen: set[int] = set()
        for match in re.finditer(f"\n(\r?) ?{pattern}", self._text):
            number = bisect.bisect_right(self._starts, match.start() + 1) - 1
            if number not in seen:
                seen.add(number)
                yield number, bool(match[1])
            if len(seen) >= PREFIXES_MOST:
                return


def folded(text: str) -> str:
    """A name without accents, capitals, hyphens and the like."""
    return " ".join(_folded(text).split())


def _folded(text: str) -> str:
    bare = MARKS.sub("", unicodedata.normalize("NFKD", text)).casefold().translate(LETTERS)
    return GAPS.sub(" ", bare)


def _one_line(name: str) -> str:
    return name.replace("\n", " ").replace("\r", " ")
