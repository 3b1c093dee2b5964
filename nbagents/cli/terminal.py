"""What a command says in a terminal."""

from __future__ import annotations

import sys
from pathlib import Path

from nbagents.installation import lacking

MARKUP_START = 512
"""Bytes by which a page or a report is told from other files."""


def say(text: str) -> None:
    """Print, at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def complain(command: str, why: str) -> None:
    """Say what is wrong, where errors are said."""
    sys.stderr.write(f"nbagents {command}: {why}\n")


def shown(path: Path) -> str:
    """A path as a person would type it here."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def missing_packages(command: str, *more: str) -> str:
    """What a command that runs notebooks lacks, and how one gets it; nothing where all is there."""
    return lacking(f"nbagents {command}", *more)


def is_other(path: Path) -> bool:
    """Whether a file is there that holds no markup: it would be lost, e.g. a notebook."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        start = file.read(MARKUP_START).strip()
    return bool(start) and not start.startswith(b"<")


def seconds_or_none(text: str) -> float | None:
    """A time limit in seconds; `0` is none.

    Raises:
        ValueError: It is no number, or below 0.
    """
    seconds = float(text)
    if not 0 <= seconds < float("inf"):
        raise ValueError(text)
    return seconds or None
