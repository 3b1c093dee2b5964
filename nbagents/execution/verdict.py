"""What came of a notebook under test: what does not hold, each in a line and in detail."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One thing that does not hold."""

    reason: str
    """In one line: which cell, and what."""
    details: str = ""
    """What shows it: a diff, or the traceback."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What came of a notebook."""

    path: Path
    failures: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()
    """What the person should know though it is no failure."""
    seconds: float = 0.0
    cells: int = 0
    """How many cells were run."""
    runs: int = 0
    calls: int = 0
    was_updated: bool = False
    was_interrupted: bool = False

    @property
    def passed(self) -> bool:
        """Whether all holds."""
        return not self.failures and not self.was_interrupted

    @property
    def reason(self) -> str:
        """The first that does not hold, and how many others."""
        if not self.failures:
            return "It was interrupted." if self.was_interrupted else ""
        more = len(self.failures) - 1
        return f"{self.failures[0].reason}{f' (and {more} more)' if more else ''}"

    @property
    def details(self) -> str:
        """All that does not hold, in detail."""
        return "\n\n".join(f"{one.reason}\n{one.details}".rstrip() for one in self.failures)
