"""Runs of the past, and what was said in the turns of chats, read back from a log."""

from __future__ import annotations

from functools import cache, cached_property, partial
from itertools import chain, takewhile
from typing import TYPE_CHECKING

from nbagents.events import ChildRunLinked, RunStart
from nbagents.messages import AssistantMessage, ToolMessage
from nbagents.runs.tree import Line, Tree, TreeFold, settle, shown_message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from nbagents.events import AnyEvent, PromptRendered
    from nbagents.messages import Message
    from nbagents.runs.logs.log import Log, RunEntry
    from nbagents.runs.tree import Plain

ALL = 1_000_000
"""More runs than a session has."""


def read_events(
    log: Log, session_id: str, *, run_id: str | None = None, page: int = 500
) -> Iterator[AnyEvent]:
    """All events of a session, or of one of its runs, read page by page."""
    after = -1
    while events := log.read(session_id, after_seq=after, limit=page, run_id=run_id):
        yield from events
        if run_id is not None and events[-1].type == "run_stream_end":
            return  # always a run's last
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


def read_line(log: Log, run_id: str, *, has_inside: bool = False, is_whole: bool = True) -> Tree:
    """The tree of a run and of those that it goes on with; empty where the log does not know it.

    Args:
        log: Where they were logged, maybe by several processes.
        run_id: The run.
        has_inside: Whether to read the runs inside of them, too; else of those that were gone on
            with only how they began.
        is_whole: Whether to read what they were told of their chats that other runs have logged.
    """
    parts = list(_line_parts(log, run_id, has_inside=has_inside))
    folding = TreeFold(told=chat_history(log) if is_whole else None)
    for event in (event for events in reversed(parts) for event in events):
        folding.apply(event)
        if isinstance(event, ChildRunLinked) and len(parts) > 1 and not has_inside:
            for start in log.read(event.session_id, run_id=event.child_run_id, limit=1):
                folding.apply(start)
    return folding.tree


def read_whole(log: Log, run_id: str) -> list[AnyEvent]:
    """The events of a run and of those that it goes on with, and of all inside, the oldest first.

    None where the log does not know it.
    """
    parts = list(_line_parts(log, run_id, has_inside=True))
    return [event for events in reversed(parts) for event in events]


def _line_parts(log: Log, run_id: str, *, has_inside: bool) -> Iterator[list[AnyEvent]]:
    """The events of a run, and then of each that it goes on with, the newest first."""
    wanted: str | None = run_id
    while wanted is not None:
        found = next((one for one in log.find(wanted) if one.run_id == wanted), None)
        if found is None:
            return
        if has_inside:
            events = read_family(log, found.session_id, wanted)
        else:
            events = list(read_events(log, found.session_id, run_id=wanted))
        yield events
        starts = (one for one in events if one.run_id == wanted and isinstance(one, RunStart))
        wanted = next((one.resumed_from for one in starts), None)


def chat_history(log: Log) -> Callable[[PromptRendered], list[Plain]]:
    """What gives what a request tells of its chat that other runs have logged."""
    turns = cache(partial(ChatTurns, log))
    return lambda event: turns(event.session_id).told(event)


def read_tree(log: Log, session_id: str, *, is_over: bool) -> Tree:
    """The tree of a session.

    Args:
        log: Where the session was logged.
        session_id: Which session.
        is_over: Whether its kernel is gone: what it left open is then of unknown outcome.
    """
    folding = TreeFold(told=ChatTurns(log, session_id).told)
    for event in read_events(log, session_id):
        folding.apply(event)
    return settle(folding.tree) if is_over else folding.tree


class ChatTurns:
    """The turns of a session's chats; each run is read once, and when it is first wanted.

    Args:
        log: Where the session was logged.
        session_id: Which session.
    """

    def __init__(self, log: Log, session_id: str) -> None:
        self._log = log
        self._session_id = session_id
        self._said: dict[str, tuple[Message, ...]] = {}
        self._shown: dict[str, list[Plain]] = {}

    @cached_property
    def runs(self) -> Mapping[str, Sequence[RunEntry]]:
        """The runs of each chat, by its name, in the order in which they began."""
        found: dict[str, list[RunEntry]] = {}
        for one in reversed(self._log.entries(limit=ALL, session_id=self._session_id)):
            if one.chat is not None:
                found.setdefault(one.chat, []).append(one)
        return found

    def said(self, run_id: str) -> tuple[Message, ...]:
        """What was said in a run; nothing where it did not take its chat further."""
        if run_id not in self._said:
            self._said[run_id] = _said(Line(read_line(self._log, run_id, is_whole=False), run_id))
        return self._said[run_id]

    def told(self, event: PromptRendered) -> list[Plain]:
        """What a run was told of its chat and did not log again; nothing where the log lost it."""
        since = event.earlier.since if event.earlier else ""
        before = self._before(event.run_id)
        firsts = list(before)
        newest = firsts[firsts.index(since) :] if since in before else ()
        return [one for first in newest for one in self._as_shown(before[first])]

    def _before(self, run_id: str) -> dict[str, str]:
        """The turns before that of a run, as they stood then: their newest runs by their first."""
        newest: dict[str, str] = {}
        own = self._firsts.get(run_id)  # one that goes on with another was told what that one was
        for runs in self.runs.values():
            if any(one.run_id == own for one in runs):
                for one in takewhile(lambda one: one.run_id != own, runs):
                    newest[self._firsts[one.run_id]] = one.run_id
        return newest

    @cached_property
    def _firsts(self) -> Mapping[str, str]:
        """Of each run of a chat, the first one of its turn."""
        found: dict[str, str] = {}
        for one in chain.from_iterable(self.runs.values()):
            found[one.run_id] = found.get(one.resumed_from or "", one.run_id)
        return found

    def _as_shown(self, run_id: str) -> list[Plain]:
        if run_id not in self._shown:
            shown = map(shown_message, self.said(run_id))
            self._shown[run_id] = [one.model_dump(mode="json") for one in shown]
        return self._shown[run_id]


def _said(line: Line) -> tuple[Message, ...]:
    guardrails = (one for node in line.nodes for one in node["guardrails"])
    if any((one["stage"], one["outcome"]) == ("input", "refuse") for one in guardrails):
        return ()  # the prompt was kept from the model
    is_open = bool(line.pending) and line.run["status"] == "suspended"
    return () if is_open else answered(line.closed_turn)


def answered(turn: Sequence[Message]) -> tuple[Message, ...]:
    """A turn as part of its chat; nothing where it has no answer, or waits for one."""
    results = 0
    for one in reversed(turn):
        if isinstance(one, AssistantMessage):
            return tuple(turn) if len(one.calls) <= results else ()
        results += isinstance(one, ToolMessage)
    return ()
