"""What a model is told of all that it can search: as much as a few words hold.

It stands in the description of the search, which does not change in a run, in an order that is the
same in each: what a provider keeps of a prompt's beginning stays good.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from nbagents.catalogue import Catalogue

BUDGET: Final = 600
"""Tokens, a quarter of the characters."""
PER_TOKEN: Final = 4
"""Characters."""
SHORTEST: Final = 6
"""Characters that a name takes at least, with what stands between two."""
FEW: Final = 2000
"""Of more APIs the single services are not even counted."""

_written: WeakKeyDictionary[Catalogue, tuple[int, str]] = WeakKeyDictionary()
"""What was written of a catalogue, with the state that it had then."""


def manifest_of(catalogues: Sequence[Catalogue], budget: int = BUDGET) -> str:
    """What can be searched: all names, else the services, else the categories, else how many.

    Args:
        catalogues: What is searched.
        budget: How many tokens it may take, at about four characters each.
    """
    if budget == BUDGET and len(catalogues) == 1:
        (only,) = catalogues
        known = _written.get(only)
        if known is None or known[0] != only.version:
            known = _written[only] = only.version, _fitting(catalogues, budget)
        return known[1]
    return _fitting(catalogues, budget)


def _fitting(catalogues: Sequence[Catalogue], budget: int) -> str:
    most = budget * PER_TOKEN
    for write in LEVELS:
        text = write(catalogues, most)
        if text is not None and len(text) <= most:
            return text
    return _count(catalogues, most)


def _names(catalogues: Sequence[Catalogue], most: int) -> str | None:
    """The names of all APIs; none where they are far too many to be looked at."""
    if sum(map(len, catalogues)) * SHORTEST > most:
        return None
    names = sorted(name for one in catalogues for name in one.names)
    return f"Their names: {', '.join(names)}."


def _services(catalogues: Sequence[Catalogue], most: int) -> str | None:
    """The tools of each category, with how many APIs they have; none where they are too many."""
    if sum(map(len, catalogues)) > FEW:
        return None
    lines: list[str] = []
    for category in _categories(catalogues):
        told = ", ".join(f"{name} {count}" for name, count in _tools(catalogues, category).items())
        lines.append(f"{category}: {told}")
        if sum(map(len, lines)) > most:
            return None
    return "By category, each tool with its number:\n" + "\n".join(lines)


def _by_category(catalogues: Sequence[Catalogue], most: int) -> str:
    del most
    counts = _categories(catalogues)
    return f"By category: {', '.join(f'{name} {count}' for name, count in counts.items())}."


def _count(catalogues: Sequence[Catalogue], most: int) -> str:
    del most
    return f"They stand in {len(_categories(catalogues))} categories."


LEVELS: Final[tuple[Callable[[Sequence[Catalogue], int], str | None], ...]] = (
    _names,
    _services,
    _by_category,
)


def _categories(catalogues: Sequence[Catalogue]) -> dict[str, int]:
    """How many APIs each category has, by name."""
    return _summed((one.name, one.apis) for catalogue in catalogues for one in catalogue.browse())


def _tools(catalogues: Sequence[Catalogue], category: str) -> dict[str, int]:
    """How many APIs each tool of a category has, by name."""
    there = (one for one in catalogues if category in one.browse().names)
    return _summed((one.name, one.apis) for each in there for one in each.browse(category))


def _summed(counts: Iterator[tuple[str, int]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, count in counts:
        found[name] = found.get(name, 0) + count
    return dict(sorted(found.items()))
