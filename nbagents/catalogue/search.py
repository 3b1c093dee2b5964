"""A search: names first, then words; nothing, and a hint, for a service that is not there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from nbagents.catalogue.called_names import CalledNames, is_selection
from nbagents.catalogue.hit import Hit, Hits
from nbagents.catalogue.index import DESCRIPTION, FIELDS, as_written, terms_of
from nbagents.catalogue.meaning import DEPTH, Embedder, Meaning, fused
from nbagents.catalogue.service_names import ServiceNames
from nbagents.catalogue.summary import summary_of
from nbagents.errors import did_you_mean

if TYPE_CHECKING:
    from nbagents.catalogue.shelves import Shelves

NEAR: Final = 3
LONGEST_QUOTED: Final = 80
MOST_PLACES: Final = 2000
"""Among how many names close ones are looked for letter by letter."""


class Search:
    """Searches what stands on shelves.

    Args:
        shelves: What is searched.
        embedder: See `Catalogue`.
    """

    def __init__(self, shelves: Shelves, embedder: Embedder | None) -> None:
        self._shelves = shelves
        self._meaning = Meaning(embedder) if embedder else None
        self._called: CalledNames | None = None
        self._services: ServiceNames | None = None
        self._places: list[tuple[str, str]] = []
        self._changes = -1

    def hits(
        self, query: str, k: int, category: str | None, tool: str | None, *, nearest: bool = False
    ) -> Hits:
        """What fits a query best; see `Catalogue.search`."""
        self._renew()
        if hint := self._no_place(category, tool):
            return Hits(query=query, hint=hint)
        if is_selection(query):
            return self._selected(query, category, tool)
        called = self._called_in(query, category, tool)
        if not (called or nearest) and (hint := self._no_service(query)):
            return Hits(query=query, hint=hint)
        is_full = len(called) >= k
        ranked = [] if is_full else self._ranked(query, k + len(called), category, tool)
        best = _with_first(called, ranked)[:k]
        return self._hits(query, best, "" if best else self._nothing(query, category, tool))

    def close_names(self, name: str, k: int) -> tuple[str, ...]:
        """The names nearest to one that there is not: by its words, else by its letters."""
        shelves = self._shelves
        best = shelves.ranking.best(name, k, tie=shelves.name)
        return tuple(shelves.name(number) for _, number in best)

    def _renew(self) -> None:
        if self._changes == self._shelves.changes:
            return
        self._changes = self._shelves.changes
        self._called = self._services = None
        places: dict[tuple[str, str], None] = {one.key[:2]: None for _, one in self._shelves}
        self._places = list(places)

    def _called_in(self, query: str, category: str | None, tool: str | None) -> list[int]:
        return self._kept(self._names.called(query), category, tool)

    @property
    def _names(self) -> CalledNames:
        if self._called is None:
            shelves = self._shelves
            self._called = CalledNames((shelves.name(n), one.api, n) for n, one in shelves)
        return self._called

    def _kept(self, numbers: Sequence[int], category: str | None, tool: str | None) -> list[int]:
        entries = ((number, self._shelves.entry(number)) for number in numbers)
        return [
            number
            for number, one in entries
            if category in (None, one.category) and tool in (None, one.tool)
        ]

    def _selected(self, query: str, category: str | None, tool: str | None) -> Hits:
        numbers, unknown = self._names.selected(query)
        found = self._kept(numbers, category, tool)
        hints = [self._no_name(one) for one in unknown]
        hints += [self._elsewhere(one) for one in numbers if one not in found]
        if not found and not hints:
            hints = ["Name what you select: select:name,name."]
        return self._hits(query, [(1.0, one) for one in found], " ".join(hints))

    def _elsewhere(self, number: int) -> str:
        one = self._shelves.entry(number)
        return f"{self._shelves.name(number)} stands elsewhere: in {one.tool} ({one.category})."

    def _no_name(self, name: str) -> str:
        near = self.close_names(name, NEAR)
        return f"There is no API {_short(name)!r}." + (f" Near: {', '.join(near)}." if near else "")

    def _ranked(
        self, query: str, k: int, category: str | None, tool: str | None
    ) -> list[tuple[float, int]]:
        shelves = self._shelves
        within = shelves.tools_in(category, tool)
        if self._meaning is None:
            return shelves.ranking.best(query, k, within, shelves.name)
        by_words = shelves.ranking.best(query, max(k, DEPTH), within, shelves.name)
        by_meaning = self._meaning.nearest(query, shelves.in_place(category, tool))
        scores = fused([[number for _, number in by_words], by_meaning])
        best = sorted(scores, key=lambda number: (-scores[number], shelves.name(number)))
        return [(scores[number], number) for number in best[:k]]

    def _no_place(self, category: str | None, tool: str | None) -> str:
        if category is None and tool is None:
            return ""
        categories = dict.fromkeys(above for above, _ in self._places)
        if category is not None and category not in categories:
            return f"There is no category {category!r}.{did_you_mean(category, list(categories))}"
        tools = [name for above, name in self._places if category in (None, above)]
        if tool is not None and tool not in tools:
            where = "" if category is None else f" in {category}"
            return f"There is no tool {tool!r}{where}.{did_you_mean(tool, tools[:MOST_PLACES])}"
        return ""

    def _no_service(self, query: str) -> str:
        if self._services is None:
            apis: dict[tuple[str, str], list[str]] = {one: [] for one in self._places}
            for _, entry in self._shelves:
                apis[entry.key[:2]].append(entry.api)
            listed = [(category, tool, some) for (category, tool), some in apis.items()]
            # To an embedder a word that no API has may mean something.
            self._services = ServiceNames(
                listed, self._shelves.index.knows, only_names=self._meaning is not None
            )
        missing = self._services.missing(query)
        if missing is None:
            return ""
        near = [self._places[at] for at in self._services.near(missing, NEAR)]
        named = ", ".join(f"{tool} ({category})" for category, tool in near)
        return (
            f"There is nothing called {_short(missing)!r} here."
            + (f" Tools with names near it: {named}." if named else "")
            + " If it is a value, such as a place, leave it out; to find another service, say in "
            "plain words what it should do."
        )

    def _nothing(self, query: str, category: str | None, tool: str | None) -> str:
        if not query.strip():
            return "Say in words what is looked for, or name it: select:name,name."
        where = tool or category
        if where is not None:
            return f"Nothing in {where} has these words: use others, or browse it."
        return "Nothing has these words: use others, or browse the categories."

    def _hits(self, query: str, best: Sequence[tuple[float, int]], hint: str) -> Hits:
        terms = as_written(query)
        found = tuple(self._hit(number, score, terms) for score, number in best)
        return Hits(query=query, found=found, hint=hint)

    def _hit(self, number: int, score: float, terms: Mapping[str, str]) -> Hit:
        entry = self._shelves.entry(number)
        texts = entry.texts()
        why = {
            field: words
            for field, text in zip(FIELDS, texts, strict=True)
            if (words := tuple(dict.fromkeys(terms[one] for one in terms_of(text) if one in terms)))
        }
        return Hit(
            name=self._shelves.name(number),
            category=entry.category,
            tool=entry.tool,
            summary=summary_of(texts[DESCRIPTION]),
            score=score,
            why=why,
        )


def _short(name: str) -> str:
    """A name as a hint quotes it: what was asked for may be of any length."""
    return name if len(name) <= LONGEST_QUOTED else name[: LONGEST_QUOTED - 1] + "…"


def _with_first(
    called: Sequence[int], ranked: Sequence[tuple[float, int]]
) -> list[tuple[float, int]]:
    """What is called by name, with more than the best of the others has, and then the others."""
    most = ranked[0][0] if ranked else 0.0
    first = [(most + 1, number) for number in called]
    return [*first, *(one for one in ranked if one[1] not in set(called))]
