"""APIs that a query calls by name: these come first, whatever else it says."""

from __future__ import annotations

import functools
import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Final

SELECT: Final = "select:"
SEPARATORS: Final = ("__", "--", ".")
"""Between what offers an API and its own name."""
COMMAS: Final = re.compile(r"[,;\n]+")
TOKEN: Final = re.compile(r"[^\s,;()\[\]{}\"'`“”‘’]+")
IDENTIFIER: Final = re.compile(r"\w[_-]+\w|[a-z][A-Z]|\w\.\w")
"""What words of a sentence do not have inside."""
SHORTEST_PREFIX: Final = 4
KNOWN: Final = 100_000
"""Of so many APIs the names are remembered: what comes and goes should not cost those that stay."""


class CalledNames:
    """By which names each API may be called.

    Args:
        names: The name that models call each by, its own name where it comes from, and its number.
    """

    def __init__(self, names: Iterable[tuple[str, str, int]]) -> None:
        self._numbers: dict[str, int] = {}
        self._short: dict[str, list[int]] = {}
        self._own: dict[str, list[int]] = {}
        for name, api, number in names:
            self._numbers[name] = number
            short, own = _other_names(name, api)
            self._short.setdefault(short, []).append(number)
            self._own.setdefault(own, []).append(number)
        self._lower = {name.lower(): number for name, number in self._numbers.items()}
        self._sorted = sorted(self._numbers)

    def selected(self, query: str) -> tuple[list[int], list[str]]:
        """What `select:a,b` selects, and the names that mean nothing."""
        names = TOKEN.findall(query.strip()[len(SELECT) :])
        found = [(name, self.meant_by(name)) for name in names]
        return _flat(numbers for _, numbers in found), [name for name, some in found if not some]

    def called(self, query: str) -> list[int]:
        """The APIs that a query calls by name, in its order; those that begin so at last."""
        if whole := self.meant_by(query):
            return _flat([whole, self._namesakes(query)])
        parts = [one for one in COMMAS.split(query) if one.strip()]
        tokens = [one.strip(".?!:") for one in TOKEN.findall(query)]
        for several in (parts, tokens):
            found = [self.meant_by(one) for one in several]
            if len(found) > 1 and all(found):
                return _flat(found)
        identifiers = [one for one in tokens if IDENTIFIER.search(one)]
        exact = [self.meant_by(one) for one in identifiers]
        begun = [
            self._beginning(one) for one, some in zip(identifiers, exact, strict=True) if not some
        ]
        return _flat([*exact, *begun])

    def meant_by(self, name: str) -> list[int]:
        """The APIs that a name means: the one of that name, else all that are called so at home."""
        name = name.strip()
        exact = self._numbers.get(name, self._lower.get(name.lower()))
        return self._namesakes(name) if exact is None else [exact]

    def _namesakes(self, name: str) -> list[int]:
        """Those whose name is this without a prefix, and those that are called so at home."""
        plain = _plain(name)
        return _flat([self._short.get(plain, ()), self._own.get(plain, ())])

    def _beginning(self, prefix: str) -> list[int]:
        if len(prefix) < SHORTEST_PREFIX:
            return []
        start = bisect_left(self._sorted, prefix)
        end = bisect_left(self._sorted, prefix + "\U0010ffff")
        return [self._numbers[one] for one in self._sorted[start:end]]


def is_selection(query: str) -> bool:
    """Whether a query only names what it wants."""
    return query.lstrip().lower().startswith(SELECT)


def unprefixed(name: str) -> str:
    """A name without what offers it: `forecast` of `weather__forecast`."""
    for separator in SEPARATORS:
        prefix, found, rest = name.partition(separator)
        if found and prefix and rest:
            return rest
    return name


@functools.lru_cache(KNOWN)
def _other_names(name: str, api: str) -> tuple[str, str]:
    return unprefixed(name).lower(), _plain(api)


def _plain(name: str) -> str:
    return " ".join(name.lower().split())


def _flat(several: Iterable[Sequence[int]]) -> list[int]:
    return list(dict.fromkeys(one for some in several for one in some))
