"""Choices of which junk is made: by a seed, or again as they were made before, but simpler."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

MOST: Final = 600
"""So many choices are free; then each is the simplest, so that whatever is being made ends."""


class Choices:
    """Chooses one of so many, and remembers it; of all that can be chosen 0 is the simplest.

    Args:
        seed: What says how it chooses.
        given: Choices to be made again instead; when they are used up, the simplest are made.
    """

    def __init__(self, seed: str = "", given: Sequence[int] | None = None) -> None:
        self._random = random.Random(seed)  # noqa: S311  junk is no secret
        self._given = None if given is None else list(given)
        self.made: list[int] = []

    def below(self, count: int) -> int:
        """One of `range(count)`."""
        chosen = min(self._next(count), count - 1)
        self.made.append(chosen)
        return chosen

    def _next(self, count: int) -> int:
        at = len(self.made)
        if self._given is not None:
            return self._given[at] if at < len(self._given) else 0
        return self._random.randrange(count) if at < MOST else 0

    @property
    def is_spent(self) -> bool:
        """Whether only the simplest is chosen from now on."""
        return len(self.made) >= (MOST if self._given is None else len(self._given))


def simpler(made: Sequence[int]) -> list[list[int]]:
    """Choices that make less of the same, those that make much less first.

    Source: the choice sequences of Hypothesis, of which this is the simplest form.
    """
    found: list[list[int]] = []
    length = len(made)
    size = length
    while size:
        found += [[*made[:at], *made[at + size :]] for at in range(0, length, size)]
        size //= 2
    for at, one in enumerate(made):
        smaller = {0, one // 2, one - 1} if one else set[int]()
        found += [[*made[:at], less, *made[at + 1 :]] for less in sorted(smaller)]
    return found
