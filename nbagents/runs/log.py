"""The log of a session: append-only, read by pages; here the interface and the one in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.events import AnyEvent

__all__ = ["Log", "MemoryLog", "RunSummary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """A run as the log knows it."""

    run_id: str
    session_id: str
    started_at: float
    """Seconds since 1970 (UTC)."""


class Log(Protocol):
    """Where events go. Appending the same `(run_id, event_key)` again changes nothing."""

    def append(self, event: AnyEvent) -> None:
        """Take an event; it may be written a little later."""
        ...

    def flush(self) -> None:
        """Return when everything taken so far is written."""
        ...

    async def committed(self) -> None:
        """The same as `flush`, without blocking the loop."""
        ...

    def read(self, session_id: str, *, after_seq: int = -1, limit: int = 500) -> Sequence[AnyEvent]:
        """The next page of a session's events, by `seq`; empty at the end."""
        ...

    def runs(self, *, limit: int = 100) -> Sequence[RunSummary]:
        """The newest runs, newest first."""
        ...

    def close(self) -> None:
        """Write what is left and let go of the file."""
        ...


class MemoryLog:
    """A log that is gone with the process."""

    def __init__(self) -> None:
        self._events: dict[str, list[AnyEvent]] = {}
        self._keys: set[tuple[str, str, str]] = set()
        self._runs: list[RunSummary] = []

    def append(self, event: AnyEvent) -> None:
        """Keep an event."""
        key = (event.session_id, event.run_id, event.event_key)
        if key in self._keys:
            return
        self._keys.add(key)
        self._events.setdefault(event.session_id, []).append(event)
        if event.type == "run_start":
            self._runs.append(
                RunSummary(run_id=event.run_id, session_id=event.session_id, started_at=event.at)
            )

    def flush(self) -> None:
        """Nothing to do: it is written when it is taken."""

    async def committed(self) -> None:
        """Nothing to wait for."""

    def read(self, session_id: str, *, after_seq: int = -1, limit: int = 500) -> Sequence[AnyEvent]:
        """The next page of a session's events."""
        events = self._events.get(session_id, [])
        return [event for event in events if event.seq > after_seq][:limit]

    def runs(self, *, limit: int = 100) -> Sequence[RunSummary]:
        """The newest runs, newest first."""
        return self._runs[: -limit - 1 : -1]

    def close(self) -> None:
        """Nothing to let go of."""
