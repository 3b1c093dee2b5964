"""What a call that is made again, after its run ended in its middle, has been given before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

if TYPE_CHECKING:
    from nbagents.runs.awaits import Answer
    from nbagents.runs.record import Run
    from nbagents.runs.verdict import Verdict

__all__ = ["Past"]


@dataclass(slots=True)
class Past:
    """What a call that is made again, after its run ended in its middle, was given before."""

    runs: list[Callable[[], Run] | str] = field(default_factory=list[Any])
    """Of each run inside: how to have it back, or the id of the one that is to be gone on with."""
    unheard: set[str] = field(default_factory=set[str])
    """Those of them that broke off before their model was told anything: they begin anew."""
    arguments: JsonValue = None
    """Those that a person was shown, or has completed; `None`: as the model wrote them."""
    said: str = ""
    """What the model is told of that."""
    verdict: Verdict | None = None
    """What a person has decided of it; `None`: that is still to be asked."""
    answers: list[tuple[str, Answer]] = field(default_factory=list[Any])
    """Of each question of its tool: its words, and the answer."""

    @property
    def is_settled(self) -> bool:
        """Whether a person has said anything before it was made."""
        return self.verdict is not None or self.arguments is not None
