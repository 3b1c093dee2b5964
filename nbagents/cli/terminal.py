"""What a command says in a terminal."""

from __future__ import annotations

import sys
from pathlib import Path

from nbagents.installation import lacking


def say(text: str) -> None:
    """Print, at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def shown(path: Path) -> str:
    """A path as a person would type it here."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def missing_packages(command: str, *more: str) -> str:
    """What a command that runs notebooks lacks, and how one gets it; nothing where all is there."""
    return lacking(f"nbagents {command}", *more)


def seconds_or_none(text: str) -> float | None:
    """A time limit in seconds; `0` is none.

    Raises:
        ValueError: It is no number, or below 0.
    """
    seconds = float(text)
    if not 0 <= seconds < float("inf"):
        raise ValueError(text)
    return seconds or None
