"""What one run, with those inside of it, has taken of a recording, or put into it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from nbagents.recordings.exchange import Entry, Exchange, Signs

USED: Final[dict[str, None]] = {}
"""The ids of the exchanges that were said again in this process, by whichever recording."""
Make: TypeAlias = Callable[[str, int], "Entry"]
"""Makes what is written, of the name under which the run is written, and where it will stand."""


@dataclass(frozen=True, slots=True)
class Point:
    """How far a run has come."""

    exchange: Exchange
    """The last one, which the next one goes on with."""
    signs: Signs
    """What stands for what is volatile in it."""


@dataclass(slots=True)
class Take:
    """What one run, with those inside of it, has taken of a recording, or put into it."""

    id: str
    name: str = ""
    """Under which it is written: no other run's, also where ids come again."""
    said: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """Which of the answers were said again, by the key of their question."""
    of: dict[str, str] = field(default_factory=dict[str, str])
    """The run whose answers they are, as long as it has any."""
    live: set[str] = field(default_factory=set[str])
    """The keys for which there was nothing, when they were asked first."""
    points: dict[str, Point] = field(default_factory=dict[str, "Point"])
    """How far each run has come, by its id."""
    results: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    """How many results of a call were given."""
    has_begun: bool = False
    """Whether it was answered already."""
    refreshes: bool = False
    """Whether older answers to what it asked are to go."""
