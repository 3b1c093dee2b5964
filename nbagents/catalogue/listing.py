"""What stands in a catalogue, by the page: its categories, a category's tools, a tool's APIs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, overload

from nbagents.catalogue.summary import summary_of

if TYPE_CHECKING:
    from nbagents.catalogue.records import Entry

__all__ = ["Branch", "Listing", "listing_of"]

Kind: TypeAlias = Literal["category", "tool", "api"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A category, a tool or an API."""

    kind: Kind
    name: str
    """The category's or the tool's; of an API, the name that it is called by."""
    category: str
    apis: int
    """How many APIs stand below; 1 for an API itself."""
    tools: int = 0
    """How many tools a category has."""
    summary: str = ""
    """What an API does."""

    @property
    def line(self) -> str:
        """As a model reads it."""
        if self.kind == "api":
            return f"{self.name}: {self.summary}" if self.summary else self.name
        tools = f"{self.tools} tools, " if self.kind == "category" else ""
        return f"{self.name} ({tools}{self.apis} APIs)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing(Sequence[Branch]):
    """One page of what stands there."""

    branches: tuple[Branch, ...]
    total: int
    """How many there are on all pages."""
    next: int | None = None
    """Where the next page starts."""

    def __len__(self) -> int:
        return len(self.branches)

    @overload
    def __getitem__(self, at: int) -> Branch: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Branch]: ...
    def __getitem__(self, at: int | slice) -> Branch | Sequence[Branch]:
        return self.branches[at]

    def __iter__(self) -> Iterator[Branch]:
        return iter(self.branches)

    @property
    def names(self) -> tuple[str, ...]:
        """What is listed."""
        return tuple(one.name for one in self.branches)

    @property
    def text(self) -> str:
        """As a model reads it: a line each, and where it goes on."""
        lines = [one.line for one in self.branches]
        if self.next is not None:
            lines.append(f"{self.total - self.next} more of {self.total}: start={self.next}")
        return "\n".join(lines)


def listing_of(
    here: Sequence[tuple[str, Entry]],
    category: str | None,
    tool: str | None,
    start: int,
    limit: int | None,
) -> Listing:
    """A page of what stands below a category or a tool, by name; APIs in their own order."""
    if tool is not None:
        found = [_api(name, entry) for name, entry in here]
    elif category is not None:
        found = _tools(here)
    else:
        found = _categories(here)
    end = len(found) if limit is None else min(start + limit, len(found))
    return Listing(
        branches=tuple(found[start:end]),
        total=len(found),
        next=end if end < len(found) else None,
    )


def _api(name: str, entry: Entry) -> Branch:
    summary = summary_of(entry.description)
    return Branch(kind="api", name=name, category=entry.category, apis=1, summary=summary)


def _tools(here: Sequence[tuple[str, Entry]]) -> list[Branch]:
    counts: dict[tuple[str, str], int] = {}
    for _, entry in here:
        counts[entry.tool, entry.category] = counts.get((entry.tool, entry.category), 0) + 1
    return [
        Branch(kind="tool", name=tool, category=category, apis=apis)
        for (tool, category), apis in sorted(counts.items())
    ]


def _categories(here: Sequence[tuple[str, Entry]]) -> list[Branch]:
    tools: dict[str, list[str]] = {}
    for _, entry in here:
        tools.setdefault(entry.category, []).append(entry.tool)
    return [
        Branch(kind="category", name=name, category=name, apis=len(listed), tools=len(set(listed)))
        for name, listed in sorted(tools.items())
    ]
