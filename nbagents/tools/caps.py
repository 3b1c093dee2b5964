"""How much a run may do and has left, as its tools find it in their `Context`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from nbagents.results import Limits

__all__ = ["Caps", "Remaining"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Remaining:
    """What a run has left at this moment, by its own limits and by those above; `None`: no end."""

    steps: int | None = None
    """How often its model may still be asked with tools."""
    calls: int | None = None
    """Calls that are being made are counted already."""
    tokens: int | None = None
    cost: float | None = None
    """Money, in the currency of the prices."""
    time_s: float | None = None
    """Seconds, of which none pass while it waits for a person."""


class Caps(Protocol):
    """What knows how much a run may do, and what is left of it."""

    limits: Limits

    def remaining(self) -> Remaining:
        """What is left now."""
        ...
