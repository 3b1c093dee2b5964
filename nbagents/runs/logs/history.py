"""Runs of the past, read back from a log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.events import ChildRunLinked
from nbagents.runs.tree.folding import Tree, TreeFold, settle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nbagents.events import AnyEvent
    from nbagents.runs.logs.log import Log

__all__ = ["read_events", "read_family", "read_tree"]


def read_events(
    log: Log, session_id: str, *, run_id: str | None = None, page: int = 500
) -> Iterator[AnyEvent]:
    """All events of a session, or of one of its runs, read page by page."""
    after = -1
    while events := log.read(session_id, after_seq=after, limit=page, run_id=run_id):
        yield from events
        after = events[-1].seq


def read_family(log: Log, session_id: str, run_id: str) -> list[AnyEvent]:
    """The events of a run and of the runs inside it, however deep, in order."""
    found: list[AnyEvent] = []
    wanted = [run_id]
    while wanted:
        events = list(read_events(log, session_id, run_id=wanted.pop()))
        found += events
        wanted += [one.child_run_id for one in events if isinstance(one, ChildRunLinked)]
    return sorted(found, key=lambda event: event.seq)


def read_tree(log: Log, session_id: str, *, is_over: bool) -> Tree:
    """The tree of a session.

    Args:
        log: Where the session was logged.
        session_id: Which session.
        is_over: Whether its kernel is gone: what it left open is then of unknown outcome.
    """
    folding = TreeFold()
    for event in read_events(log, session_id):
        folding.apply(event)
    return settle(folding.tree) if is_over else folding.tree
