"""How well each document fits a query: its words, its neighbours, and each wish by itself.

A document's score is what its words give (BM25F), and a share of the best in its tool and in its
category: the more these stand out from the others, the more. Each clause of the query is scored so
by itself too, and what fits one well gains, however many wishes there are.

Source: the measurements of field-weighted BM25 with smoothing and clauses over 16,464 APIs; shares
were chosen on the public half of its queries.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from nbagents.catalogue.index.terms import terms_of

if TYPE_CHECKING:
    from nbagents.catalogue.index.index import Index

TOOL_SHARE: Final = 0.7
CATEGORY_SHARE: Final = 0.2
CLAUSE_SHARE: Final = 0.3
SHORTEST_CLAUSE: Final = 3
"""How many terms a clause must have to be a wish by itself."""
ROUNDING: Final = 1e-9
"""By how much sums in another order may differ."""

BORDER: Final = re.compile(r"[.?!;:\n]+(?:\s+|$)|,\s+|\s+(?:and|then|also|plus)\s+", re.IGNORECASE)


@dataclass(slots=True)
class _Layer:
    """What a query, or one clause of it, gives each document."""

    scores: list[float]
    best: float
    categories: list[float]
    """The best in each category."""


class Ranking:
    """Finds the documents that fit a query best.

    Args:
        index: The documents.
        tool_share: How much of the best score in the same tool each document gets. 0 suits
            catalogues whose APIs of one wish stand in different tools.
        category_share: The same for its category.
    """

    def __init__(
        self,
        index: Index,
        *,
        tool_share: float = TOOL_SHARE,
        category_share: float = CATEGORY_SHARE,
    ) -> None:
        self.index = index
        self.tool_share = tool_share
        self.category_share = category_share
        self._tools: list[list[slice]] = []
        self._categories: list[list[slice]] = []
        self._tools_in: list[list[int]] = []
        """The tools of each category."""

    def place(self, tool: int, category: int, documents: range) -> None:
        """Say where documents stand that follow each other; both are numbered as they come."""
        if category == len(self._categories):
            self._categories.append([])
            self._tools_in.append([])
        if tool == len(self._tools):
            self._tools.append([])
            self._tools_in[category].append(tool)
        for runs in (self._tools[tool], self._categories[category]):
            if runs and runs[-1].stop == documents.start:
                runs[-1] = slice(runs[-1].start, documents.stop)
            else:
                runs.append(slice(documents.start, documents.stop))

    def best(
        self,
        query: str,
        k: int,
        within: Container[int] | None = None,
        tie: Callable[[int], object] = lambda document: document,
    ) -> list[tuple[float, int]]:
        """The best documents, with their scores.

        Args:
            query: What is looked for.
            k: How many at most.
            within: Only the documents of these tools.
            tie: By what documents of the same score are ordered.
        """
        whole = self._layer(terms_of(query))
        if whole is None or k < 1:
            return []
        parts = clauses_of(query)
        layers = [self._layer(part) for part in parts] if len(parts) > 1 else []
        clauses = [one for one in layers if one is not None]
        gains = _Gains(whole, clauses, self.tool_share, self.category_share)
        found = self._collected(gains, k, within)
        return sorted(found, key=lambda one: (-one[0], tie(one[1])))[:k]

    def _layer(self, terms: Sequence[str]) -> _Layer | None:
        """What some terms give; `None` where no document has any."""
        scores = self.index.scores(dict.fromkeys(terms))
        categories = [_best(scores, runs) for runs in self._categories]
        best = max(categories, default=0.0)
        return _Layer(scores, best, categories) if best else None

    def _collected(
        self, gains: _Gains, k: int, within: Container[int] | None
    ) -> list[tuple[float, int]]:
        """All that may be among the best: what stands no chance is not looked at."""
        top = _Top(k)
        for hope, category in gains.by_hope():
            if hope < top.enough:
                break
            for tool in self._tools_in[category]:
                if within is None or tool in within:
                    top.offer(gains.of_tool(self._tools[tool], category, top.enough))
        return top.found


class _Top:
    """The documents that may be among the `k` best, ties included."""

    def __init__(self, k: int) -> None:
        self.found: list[tuple[float, int]] = []
        self.enough = 0.0
        """What a document must have to be among them."""
        self._free = k
        self._heap: list[float] = []

    def offer(self, scored: Sequence[tuple[float, int]]) -> None:
        """Keep of some documents those that have enough."""
        for one in scored:
            if one[0] < self.enough:
                continue
            self.found.append(one)
            if self._free:
                heapq.heappush(self._heap, one[0])
                self._free -= 1
            else:
                heapq.heappushpop(self._heap, one[0])
            if not self._free:
                self.enough = self._heap[0]


class _Gains:
    """What neighbours and clauses add to a document's own score."""

    def __init__(
        self, whole: _Layer, clauses: Sequence[_Layer], tool_share: float, category_share: float
    ) -> None:
        self._whole = whole
        self._clauses = clauses
        self._layers = [whole, *clauses]
        self._tool_share = tool_share
        self._category_share = category_share
        # The best document has the best tool and the best category: so much can one have.
        full = 1 + tool_share + category_share
        self._most = [layer.best * full for layer in self._layers]
        self._share = CLAUSE_SHARE * self._most[0]
        self._by_clauses = [self._from_clauses(at) for at in range(len(whole.categories))]

    def by_hope(self) -> list[tuple[float, int]]:
        """The categories that have anything, those first whose documents may score most."""
        found = [
            (self._hope(best, category), category)
            for category, best in enumerate(self._whole.categories)
            if best
        ]
        return sorted(found, reverse=True)

    def of_tool(
        self, runs: Sequence[slice], category: int, enough: float
    ) -> list[tuple[float, int]]:
        """The final scores of a tool's documents; none where no document can have enough."""
        best = _best(self._whole.scores, runs)
        if not best or self._hope(best, category) < enough:
            return []
        lifts = [self._lift(one, _best(one.scores, runs), category) for one in self._layers]
        scores, lifted = self._whole.scores, lifts[0]
        clauses = list(zip(self._clauses, lifts[1:], self._most[1:], strict=True))
        found: list[tuple[float, int]] = []
        for document in (one for run in runs for one in range(run.start, run.stop)):
            if score := scores[document]:
                total = score + lifted
                for layer, lift, most in clauses:
                    if part := layer.scores[document]:
                        total += self._gain(part + lift, most)
                found.append((total, document))
        return found

    def _hope(self, best: float, category: int) -> float:
        """What a document may have at most, where the best has so much of its own."""
        own = best + self._lift(self._whole, best, category)
        return (own + self._by_clauses[category]) * (1 + ROUNDING)

    def _from_clauses(self, category: int) -> float:
        """What clauses add to any document of a category, at most."""
        total = 0.0
        for layer, most in zip(self._clauses, self._most[1:], strict=True):
            best = layer.categories[category]
            total += self._gain(best + self._lift(layer, best, category), most)
        return total

    def _lift(self, layer: _Layer, best: float, category: int) -> float:
        """What neighbours add, where the best in the tool has so much."""
        above = layer.categories[category]
        return (self._tool_share * best * best + self._category_share * above * above) / layer.best

    def _gain(self, score: float, most: float) -> float:
        ratio = score / most
        return self._share * ratio * ratio * ratio


def _best(scores: list[float], runs: Sequence[slice]) -> float:
    """The best of some documents."""
    if len(runs) == 1:
        return max(scores[runs[0]])
    return max(max(scores[run]) for run in runs)


def clauses_of(query: str) -> list[list[str]]:
    """The wishes of a query, each as its terms."""
    parts = (terms_of(part) for part in BORDER.split(query))
    return [terms for terms in parts if len(terms) >= SHORTEST_CLAUSE]
