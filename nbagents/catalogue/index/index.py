"""The inverted index: which terms stand how often in which field of which document."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from nbagents.catalogue.index.terms import terms_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FIELDS: Final = (
    "name",
    "tool",
    "category",
    "description",
    "parameters",
    "parameter descriptions",
)
DESCRIPTION: Final = FIELDS.index("description")
WEIGHTS: Final = (6.0, 4.0, 1.0, 2.0, 2.0, 0.6)
"""What a word counts in each field. Source: the reference's §6, as K1 and B."""
K1: Final = 2.0
B: Final = 0.9

COUNT_BITS: Final = 4
MOST: Final = (1 << COUNT_BITS) - 1
"""How often a term counts in one field, at most."""
LONGEST: Final = 0xFFFF
"""How many terms of a text count for its length, at most."""
LOW_BITS: Final = 3 + COUNT_BITS
LOW: Final = (1 << LOW_BITS) - 1
UNIT: Final = "I"
"""One posting: document, field (3 bits) and count (4 bits) in an unsigned number."""


@dataclass(slots=True)
class Segment:
    """Documents that were indexed together, numbered from 0."""

    lengths: list[array[int]] = field(default_factory=lambda: [array("H") for _ in FIELDS])
    """How many terms each document has, by field."""
    postings: dict[str, array[int]] = field(default_factory=dict[str, "array[int]"])

    def __len__(self) -> int:
        return len(self.lengths[0])

    def add(self, texts: Sequence[str]) -> None:
        """Count one document's texts, in the order of `FIELDS`."""
        document = len(self) << LOW_BITS
        for at, text in enumerate(texts):
            terms = terms_of(text)
            self.lengths[at].append(min(len(terms), LONGEST))
            place = document | (at << COUNT_BITS)
            if len(set(terms)) == len(terms):
                self._post(terms, place | 1)
            else:
                for term, count in Counter(terms).items():
                    self._post((term,), place | min(count, MOST))

    def _post(self, terms: Iterable[str], posting: int) -> None:
        postings = self.postings
        for term in terms:
            listed = postings.get(term)
            if listed is None:
                listed = postings[term] = array(UNIT)
            listed.append(posting)


Impacts: TypeAlias = "tuple[Sequence[int], Sequence[float]]"
"""Documents, and what a term adds to the score of each."""


class Index:
    """Scores documents by BM25F; documents come and go.

    What a term adds depends on all documents, so it is worked out when it is first asked for, and
    again after the documents have changed.
    """

    def __init__(self) -> None:
        self._segment = Segment()
        self._alive = bytearray()
        self._count = 0
        self._impacts: dict[str, Impacts] = {}
        self._norms: list[array[float]] | None = None

    def __len__(self) -> int:
        return self._count

    @property
    def size(self) -> int:
        """How many numbers are given to documents, also to those that went."""
        return len(self._alive)

    def absorb(self, segment: Segment) -> int:
        """Take in documents; the number of the first of them."""
        own, start = self._segment, len(self._alive)
        if start == 0:
            self._segment = segment
        else:
            shift = start << LOW_BITS
            for lengths, more in zip(own.lengths, segment.lengths, strict=True):
                lengths.extend(more)
            for term, listed in segment.postings.items():
                own.postings.setdefault(term, array(UNIT)).extend(one + shift for one in listed)
        self._alive += b"\x01" * (len(self._segment) - start)
        self._count += len(self._alive) - start
        self._forget()
        return start

    def drop(self, documents: Iterable[int]) -> None:
        """Documents that are no longer found; their numbers stay given."""
        for one in documents:
            self._count -= self._alive[one]
            self._alive[one] = 0
        self._forget()

    def is_alive(self, document: int) -> bool:
        """Whether a document has not been dropped."""
        return bool(self._alive[document])

    def knows(self, term: str) -> bool:
        """Whether any document has the term."""
        return bool(self.impacts(term)[0])

    def frequency(self, term: str) -> int:
        """How many documents have the term."""
        return len(self.impacts(term)[0])

    def impacts(self, term: str) -> Impacts:
        """Which documents have a term, and what it adds to the score of each."""
        known = self._impacts.get(term)
        if known is None:
            known = self._impacts[term] = self._worked_out(term)
        return known

    def scores(self, terms: Iterable[str]) -> list[float]:
        """What the terms together give each document, by its number."""
        scores = [0.0] * len(self._alive)
        for term in terms:
            documents, impacts = self.impacts(term)
            for document, impact in zip(documents, impacts):  # noqa: B905  it costs a third
                scores[document] += impact
        return scores

    def _forget(self) -> None:
        self._impacts.clear()
        self._norms = None

    def _worked_out(self, term: str) -> Impacts:
        listed = self._segment.postings.get(term)
        if not listed:
            return (), ()
        if self._norms is None:
            self._norms = self._new_norms()
        norms, alive = self._norms, self._alive
        weights = [weight * count for weight in WEIGHTS for count in range(MOST + 1)]
        found: dict[int, float] = {}
        for one in listed:
            document, low = one >> LOW_BITS, one & LOW
            if alive[document]:
                more = weights[low] * norms[low >> COUNT_BITS][document]
                found[document] = found.get(document, 0.0) + more
        rarity = math.log(1 + (self._count - len(found) + 0.5) / (len(found) + 0.5))
        impacts = array("d", [rarity * one / (K1 + one) for one in found.values()])
        return array(UNIT, found), impacts

    def _new_norms(self) -> list[array[float]]:
        """For each field and document, how much a term counts for the length of its text."""
        norms: list[array[float]] = []
        for lengths in self._segment.lengths:
            total = sum(n for n, alive in zip(lengths, self._alive, strict=True) if alive)
            mean = total / self._count if total else 1.0
            longest = max(lengths, default=0)
            table = [1 / (1 - B + B * length / mean) for length in range(longest + 1)]
            norms.append(array("d", [table[length] for length in lengths]))
        return norms
