"""What a search found: hits, each with the reason, and a hint where nothing fits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import overload

from nbagents.catalogue.display import Displayed

__all__ = ["Hit", "Hits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One API that was found."""

    name: str
    category: str
    tool: str
    summary: str
    """What it does, in one line."""
    score: float
    why: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Which words of the query stand in which of its fields."""

    @property
    def line(self) -> str:
        """As a model reads it."""
        return f"{self.name}: {self.summary}" if self.summary else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits(Displayed, Sequence[Hit]):
    """The hits of one query, best first."""

    query: str
    found: tuple[Hit, ...] = ()
    hint: str = ""
    """What to do where nothing fits, or where only part was found; else empty."""
    catalogue: object = field(default=None, repr=False, compare=False)
    """The catalogue that was searched: who shows the hits finds more of each there."""

    def __len__(self) -> int:
        return len(self.found)

    @overload
    def __getitem__(self, at: int) -> Hit: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Hit]: ...
    def __getitem__(self, at: int | slice) -> Hit | Sequence[Hit]:
        return self.found[at]

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.found)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the APIs found, best first."""
        return tuple(hit.name for hit in self.found)

    @property
    def text(self) -> str:
        """As a model reads them: a line each, and the hint."""
        lines = [hit.line for hit in self.found]
        return "\n".join([*lines, self.hint] if self.hint else lines)
