"""What a branch keeps of the run that it leaves: what happened there, and what it gave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nbagents.events import AnyEvent, ForkedFrom, RunStart
    from nbagents.messages import CallRequest, Message
    from nbagents.results import CallResult
    from nbagents.runs.state import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What a run keeps of another one, of which it is a branch."""

    forked_from: ForkedFrom
    events: tuple[AnyEvent, ...] = ()
    """What happened, in order, in that run alone; stamped as there."""
    results: Mapping[str, CallResult] = field(default_factory=dict[str, Any])
    """What the calls gave, by their ids, as the objects that they are."""
    inside: Mapping[str, KeptInside] = field(default_factory=dict[str, Any])
    """The runs that these calls had started, by their ids there."""
    is_told_anew: bool = False
    """Whether its model is told another conversation next than that which it had been told."""
    is_asked: bool = False
    """Whether it begins with a person's words that nobody has checked yet."""
    again: tuple[CallRequest, ...] = ()
    """The calls of it that are made again nevertheless."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptInside:
    """A run inside of a call, all of which is kept."""

    kept: Kept
    start: RunStart
    prompt: str
    shared: tuple[str, ...]
    last_agent: str
    messages: tuple[Message, ...]
    live: Run | None
    """The run itself, where this process still has it, with its objects."""
