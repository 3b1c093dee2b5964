"""What a catalogue holds: entries by number and name, and the index of what they say."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nbagents.catalogue.index import Index, Ranking, Segment
from nbagents.catalogue.records import NameBook
from nbagents.catalogue.sources import Batch, numbered

if TYPE_CHECKING:
    from nbagents.catalogue.records import Entry, Identity


class Shelves:
    """Entries with numbers and names; those of one tool stand together.

    Args:
        tool_share: See `Ranking`.
        category_share: The same.
    """

    def __init__(self, *, tool_share: float, category_share: float) -> None:
        self.index = Index()
        self.ranking = Ranking(self.index, tool_share=tool_share, category_share=category_share)
        self.changes = 0
        """How often anything came or went."""
        self._entries: list[Entry | None] = []
        self._names: NameBook[int] = NameBook()
        self._numbers: dict[tuple[str, ...], int] = {}
        """By identity, in the order in which they came."""
        self._tools: dict[tuple[str, str], int] = {}
        self._categories: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[tuple[int, Entry]]:
        return ((number, self.entry(number)) for number in self._numbers.values())

    def entry(self, number: int) -> Entry:
        """The entry of a number that is in use."""
        entry = self._entries[number]
        if entry is None:  # numbers of what went are given to nobody
            raise KeyError(number)
        return entry

    def name(self, number: int) -> str:
        """How the entry of a number is called."""
        return self._names.name_of(self.entry(number).identity)

    def name_of(self, identity: Identity) -> str:
        """How the entry of an identity is called."""
        return self._names.name_of(identity)

    def number(self, name: object) -> int | None:
        """Whose name it is."""
        return self._names.holders.get(name) if isinstance(name, str) else None

    def in_place(self, category: str | None, tool: str | None) -> list[tuple[int, Entry]]:
        """What stands in a category and a tool; `None` is any."""
        return [
            (number, one)
            for number, one in self
            if category in (None, one.category) and tool in (None, one.tool)
        ]

    def tools_in(self, category: str | None, tool: str | None) -> set[int] | None:
        """The numbers of tools, as the ranking knows them; `None` where none is left out."""
        if category is None and tool is None:
            return None
        return {
            number
            for (above, name), number in self._tools.items()
            if category in (None, above) and tool in (None, name)
        }

    def moved(self, batch: Batch) -> list[str]:
        """The names of those that a batch takes the place of, and whose requests go elsewhere."""
        known = [(one, self._numbers.get(one.identity)) for one in batch.entries if one.home]
        return [
            self.name(number)
            for one, number in known
            if number is not None and self.entry(number).home not in ("", one.home)
        ]

    def take(self, batch: Batch) -> None:
        """Take in entries; the same again takes the place of the one before."""
        known = [self._numbers.get(one.identity) for one in batch.entries]
        self.drop([one for one in known if one is not None])
        listed = numbered(batch.entries)
        start = self.index.absorb(batch.segment or _indexed(listed))
        self._entries += listed
        self._place(listed, start)
        numbers = {entry: number for number, entry in enumerate(listed, start=start)}
        for entry in batch.entries:
            identity, number = entry.identity, numbers[entry]
            self._numbers[identity] = number
            self._names.enter(entry.wanted, identity, number)
        self.changes += 1

    def drop(self, numbers: Sequence[int]) -> None:
        """Take out entries."""
        if not numbers:
            return
        self.index.drop(numbers)
        self.changes += 1
        for number in numbers:
            entry = self.entry(number)
            self._names.leave(entry.wanted, entry.identity)
            del self._numbers[entry.identity]
            self._entries[number] = None

    def _place(self, listed: Sequence[Entry], start: int) -> None:
        """Say which documents stand together."""
        for (category, tool), group in itertools.groupby(listed, lambda one: one.key[:2]):
            end = start + len(list(group))
            place = self._tools.setdefault((category, tool), len(self._tools))
            above = self._categories.setdefault(category, len(self._categories))
            self.ranking.place(place, above, range(start, end))
            start = end


def _indexed(listed: Sequence[Entry]) -> Segment:
    segment = Segment()
    for entry in listed:
        segment.add(entry.texts())
    return segment
