"""Where tools are defined: the cell that runs, as the notebook says before each."""

from __future__ import annotations

from typing import NamedTuple


class Origin(NamedTuple):
    """Where a tool was defined."""

    cell_id: str
    """The same place defines a tool anew; another place that does is a conflict."""
    label: str
    """The place for people, e.g. `In [3]: def weather(…)`."""


_defining: Origin | None = None


def defining() -> Origin | None:
    """The cell that is being executed; `None` outside of a notebook."""
    return _defining


def set_defining(origin: Origin | None) -> None:
    """Say which cell is being executed."""
    global _defining  # noqa: PLW0603  one notebook a process
    _defining = origin
