"""A mention: a piece of a text that could be an argument, with its kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from pydantic import JsonValue

MentionKind: TypeAlias = Literal[
    "quoted", "email", "url", "path", "list", "code", "date", "time", "number", "unit", "name",
    "phrase", "choice", "period",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A piece of a text that could be an argument."""

    kind: MentionKind
    value: JsonValue
    text: str
    start: int
    end: int
    unit: str = ""
    """What a number counts, where a word says so."""
    percent: bool = False
    owner: str = ""
    """The parameter whose choice it is, if it is one."""
    stated: bool = False
    """Whether it only says from which day others count."""

    def overlaps(self, other: Mention) -> bool:
        """Whether the two stand on some of the same characters."""
        return self.start < other.end and other.start < self.end
