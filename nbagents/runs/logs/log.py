"""The log of a session: append-only, read by pages; here the interface and the one in memory."""

from __future__ import annotations

import bisect
import threading
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Protocol

from nbagents.events import ENDED
from nbagents.narrowing import is_mapping
from nbagents.results import Usage
from nbagents.runs.logs.liveness import Living

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from nbagents.events import AnyEvent, RunStart, RunStatus, UsageReported

CLAIM_S: Final = 10.0
"""Within this time a run begins that goes on with another; else it never will."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """A run as the log knows it."""

    run_id: str
    session_id: str
    started_at: float
    """Seconds since 1970 (UTC)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEntry:
    """A run that no other has started, with all runs inside it."""

    run_id: str
    session_id: str
    started_at: float
    """Seconds since 1970 (UTC)."""
    status: RunStatus
    """As the log says: `running` is also what a dead kernel left."""
    agent_name: str
    model: str
    chat: str | None
    resumed_from: str | None
    """The run that it goes on with."""
    prompt: str
    calls: int
    """Those that were asked for; of a run that was gone on with, also those that it ended."""
    children: int
    """Runs inside it, however deep."""
    usage: Usage
    ended_at: float | None
    """Seconds since 1970 (UTC)."""
    troubled: bool
    """Whether it, or a run inside it, is not simply done: what came of it, its events say."""
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    forked_from: str | None = None
    """The run that it is a branch of."""

    @property
    def cost(self) -> float | None:
        """Money, where the person has set prices."""
        return self.usage.cost


class Log(Protocol):
    """Where events go. Appending the same `(run_id, event_key)` again changes nothing."""

    living: Living
    """Which of its sessions go on, in whichever process."""

    def append(self, event: AnyEvent) -> None:
        """Take an event; it may be written a little later."""
        ...

    def flush(self) -> None:
        """Return when everything taken so far is written."""
        ...

    async def committed(self) -> None:
        """The same as `flush`, without blocking the loop."""
        ...

    def read(
        self, session_id: str, *, after_seq: int = -1, limit: int = 500, run_id: str | None = None
    ) -> Sequence[AnyEvent]:
        """The next page of a session's events, or of one run's, by `seq`; empty at the end."""
        ...

    def next_seq(self, session_id: str) -> int:
        """The `seq` of the event that comes next in a session."""
        ...

    def find(self, beginning: str) -> Sequence[RunSummary]:
        """The runs whose ids begin like this, newest first: all begin with nothing."""
        ...

    def entries(self, *, limit: int, session_id: str | None = None) -> Sequence[RunEntry]:
        """The newest runs that no other has started, of all sessions or one, newest first."""
        ...

    def called(self, since: float) -> Mapping[str, frozenset[str]]:
        """The tools that the runs called, and those inside them, that began since then; by root."""
        ...

    def resumed_by(self, run_id: str) -> RunSummary | None:
        """The run that goes on with this one, if there is one and no other has started it."""
        ...

    def claim(self, run_id: str, by: str, at: float) -> str:
        """Ask to go on with a run, which one run alone may do, also where several processes ask.

        Args:
            run_id: The run that is to be gone on with.
            by: The id of the run that would.
            at: Now, in seconds since 1970.

        Returns:
            The id of the run that may: of the first that asked. One that has asked and after
            `CLAIM_S` has not begun gives way.
        """
        ...

    def usage(self, session_id: str) -> Mapping[str, Usage]:
        """The tokens of a session by model, in the order in which the models first answered."""
        ...

    def close(self) -> None:
        """Write what is left and let go of the file."""
        ...


class MemoryLog:
    """A log that is gone with the process."""

    def __init__(self) -> None:
        self.living = Living()
        self._events: dict[str, list[AnyEvent]] = {}
        self._of_runs: dict[tuple[str, str], list[AnyEvent]] = {}
        self._keys: set[tuple[str, str, str]] = set()
        self._runs: list[RunSummary] = []
        self._resumed: dict[str, RunSummary] = {}
        self._claims: dict[str, tuple[str, float]] = {}
        self._claiming = threading.Lock()

    def append(self, event: AnyEvent) -> None:
        """Keep an event."""
        key = (event.session_id, event.run_id, event.event_key)
        if key in self._keys:
            return
        self._keys.add(key)
        self._events.setdefault(event.session_id, []).append(event)
        self._of_runs.setdefault(key[:2], []).append(event)
        if event.type == "run_start":
            run = RunSummary(run_id=event.run_id, session_id=event.session_id, started_at=event.at)
            self._runs.append(run)
            if event.resumed_from is not None and event.parent_run_id is None:
                self._resumed.setdefault(event.resumed_from, run)

    def flush(self) -> None:
        """Nothing to do: it is written when it is taken."""

    async def committed(self) -> None:
        """Nothing to wait for."""

    def read(
        self, session_id: str, *, after_seq: int = -1, limit: int = 500, run_id: str | None = None
    ) -> Sequence[AnyEvent]:
        """The next page of a session's events, or of one run's."""
        own = self._events.get(session_id, [])
        events = own if run_id is None else self._of_runs.get((session_id, run_id), [])
        first = bisect.bisect_right(events, after_seq, key=lambda event: event.seq)
        return events[first : first + limit]

    def next_seq(self, session_id: str) -> int:
        """The `seq` of the event that comes next in a session."""
        events = self._events.get(session_id)
        return events[-1].seq + 1 if events else 0

    def find(self, beginning: str) -> Sequence[RunSummary]:
        """The runs whose ids begin like this, newest first."""
        return [run for run in self._newest() if run.run_id.startswith(beginning)]

    def entries(self, *, limit: int, session_id: str | None = None) -> Sequence[RunEntry]:
        """The newest runs that no other has started, newest first."""
        families: dict[str, dict[str, RunEntry]] = {}
        found: list[RunEntry] = []
        for run in self._newest():
            own = run.session_id
            if len(found) >= limit:
                break
            if session_id in (None, own):
                if own not in families:
                    families[own] = _entries(self._events[own])
                found += [one for one in (families[own].get(run.run_id),) if one]
        return found

    def called(self, since: float) -> Mapping[str, frozenset[str]]:
        """The tools that runs called which began since then, by root."""
        found: dict[str, set[str]] = {}
        for events in self._events.values():
            roots: dict[str, str] = {}
            for event in events:
                if event.type == "run_start" and event.at >= since:
                    above = event.parent_run_id
                    roots[event.run_id] = event.run_id if above is None else roots.get(above, above)
                elif event.type == "tool_end" and event.run_id in roots:
                    found.setdefault(roots[event.run_id], set()).add(event.tool_name)
        return {root: frozenset(names) for root, names in found.items()}

    def resumed_by(self, run_id: str) -> RunSummary | None:
        """The run that goes on with this one."""
        return self._resumed.get(run_id)

    def claim(self, run_id: str, by: str, at: float) -> str:
        """Ask to go on with a run; the id of the run that may."""
        with self._claiming:
            held, since = self._claims.setdefault(run_id, (by, at))
            if held != by and at > since + CLAIM_S and run_id not in self._resumed:
                held, _ = self._claims[run_id] = by, at
            return held

    def usage(self, session_id: str) -> Mapping[str, Usage]:
        """The tokens of a session by model."""
        used: dict[str, Usage] = {}
        for event in self._events.get(session_id, []):
            if event.type == "usage":
                used[event.model] = used.get(event.model, Usage()) + _used(event)
        return used

    def close(self) -> None:
        """Nothing to let go of."""

    def _newest(self) -> list[RunSummary]:
        newest = list(reversed(self._runs))  # of those that began at once, the later ones first
        newest.sort(key=lambda run: -run.started_at)
        return newest


def _entries(events: Iterable[AnyEvent]) -> dict[str, RunEntry]:
    """The runs of a session that no other has started, by id."""
    roots: dict[str, str] = {}
    own: dict[str, RunEntry] = {}
    ended: dict[str, int] = {}
    for event in events:
        run_id = event.run_id
        if event.type == "run_start" and run_id not in own:
            above = event.parent_run_id
            roots[run_id] = run_id if above is None else roots.get(above, above)
            own[run_id] = _begun(event)
        elif run_id in own:
            ended[run_id] = ended.get(run_id, 0) + (event.type == "tool_end")
            own[run_id] = _changed(own[run_id], event)
    found: dict[str, RunEntry] = {}
    for run_id, one in own.items():
        calls = max(one.calls, ended.get(run_id, 0))
        troubled = one.troubled or one.status != "completed" or calls > ended.get(run_id, 0)
        if roots[run_id] == run_id:
            found[run_id] = replace(one, calls=calls, troubled=troubled)
        elif (root := found.get(roots[run_id])) is not None:
            found[root.run_id] = replace(
                root,
                calls=root.calls + calls,
                children=root.children + 1,
                usage=root.usage + one.usage,
                troubled=root.troubled or troubled,
            )
    return found


def _begun(event: RunStart) -> RunEntry:
    return RunEntry(
        run_id=event.run_id,
        session_id=event.session_id,
        started_at=event.at,
        status="running",
        agent_name=event.agent_name,
        model=event.model,
        chat=event.chat,
        resumed_from=event.resumed_from,
        prompt="",
        calls=0,
        children=0,
        usage=Usage(),
        ended_at=None,
        troubled=False,
        labels=event.labels,
        forked_from=branched_from(event.forked_from),
    )


def branched_from(said: Any) -> str | None:  # Any: what a `RunStart` says, or the same as JSON
    """The run that a run is a branch of."""
    if said is None:
        return None
    return str(said["run_id"] if is_mapping(said) else said.run_id)


def _changed(entry: RunEntry, event: AnyEvent) -> RunEntry:
    """What an event means for its run."""
    if event.type == "user_message":
        return replace(entry, prompt=entry.prompt or event.text)
    if event.type == "workflow" and event.phase in ENDED:
        return replace(entry, status=event.phase, ended_at=event.at)
    if event.type == "assistant_turn":
        troubled = entry.troubled or event.refused or bool(event.unmet)
        return replace(entry, calls=entry.calls + len(event.calls), troubled=troubled)
    if event.type == "usage":
        return replace(entry, usage=entry.usage + _used(event))
    is_refused = event.type == "guardrail" and event.outcome == "refuse"
    if is_refused or (event.type == "tool_end" and event.status != "done"):
        return replace(entry, troubled=True)
    return entry


def _used(event: UsageReported) -> Usage:
    return Usage(
        input_tokens=event.input_tokens,
        output_tokens=event.output_tokens,
        cached_tokens=event.cached_tokens,
        requests=1,
        cost=event.cost,
    )
