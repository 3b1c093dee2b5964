"""Nearness in meaning, by an embedder that the user gives, joined with nearness in words."""

from __future__ import annotations

import heapq
import math
import operator
from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from nbagents.catalogue.records import Entry

Embedder: TypeAlias = "Callable[[list[str]], Sequence[Sequence[float]]]"
"""Makes a vector of each text."""

RANK_CONSTANT: Final = 10
"""Of reciprocal rank fusion; 60, as is usual, measured two points less."""
DEPTH: Final = 100
"""How many of each ranking are joined."""
BATCH: Final = 256


class Meaning:
    """The vectors of entries, each made when it is first searched."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: dict[Entry, array[float]] = {}

    def nearest(self, query: str, entries: Iterable[tuple[int, Entry]]) -> list[int]:
        """The numbers of those entries that are nearest to a query, best first."""
        listed = list(entries)
        self._embed([entry for _, entry in listed if entry not in self._vectors])
        ((*asked,),) = [_unit(one) for one in self._embedder([query])]
        near = (
            (sum(map(operator.mul, asked, self._vectors[entry])), -number)
            for number, entry in listed
        )
        return [-number for _, number in heapq.nlargest(DEPTH, near)]

    def _embed(self, entries: Sequence[Entry]) -> None:
        for start in range(0, len(entries), BATCH):
            some = entries[start : start + BATCH]
            vectors = self._embedder([f"{one.tool}: {one.api}. {one.description}" for one in some])
            for entry, vector in zip(some, vectors, strict=True):
                self._vectors[entry] = _unit(vector)


def fused(rankings: Sequence[Sequence[int]]) -> dict[int, float]:
    """What each document has of several rankings, by reciprocal rank fusion."""
    scores: dict[int, float] = {}
    for ranked in rankings:
        for at, document in enumerate(ranked, start=1):
            scores[document] = scores.get(document, 0.0) + 1 / (RANK_CONSTANT + at)
    return scores


def _unit(vector: Sequence[float]) -> array[float]:
    floats = array("d", map(float, vector))
    length = math.hypot(*floats) or 1.0
    return array("d", [one / length for one in floats])
