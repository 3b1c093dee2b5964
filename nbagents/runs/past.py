"""What a call that is made again, after its run was suspended, has been given before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

if TYPE_CHECKING:
    from nbagents.runs.record import Run

__all__ = ["Past"]


@dataclass(slots=True)
class Past:
    """What a call that is made again, after its run was suspended, has been given before."""

    runs: list[Callable[[], Run] | str] = field(default_factory=list[Any])
    """Of each run inside: how to have it back, or the id of the one that is to be gone on with."""
    arguments: JsonValue = None
    """What a person has allowed it to be made with; `None`: that is still to be asked."""
    answers: list[tuple[str, JsonValue]] = field(default_factory=list[Any])
    """Of each question: its words, and the answer."""
