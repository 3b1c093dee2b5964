"""How far a chain of expectations has come, and what each link of it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nbagents.testing.expectations.outline import Finding
from nbagents.testing.expectations.subject import Place, Subject


@dataclass(slots=True)
class State:
    """How far a chain has come."""

    subject: Subject
    reached: Sequence[Place] = ()
    """The calls that the newest of `called` and `then` were about."""


@dataclass(frozen=True, slots=True)
class Link:
    """One expectation."""

    said: str
    """How it was written."""
    look: Callable[[State], Finding]
    """What comes of it."""
