"""A session: runs that share one stream of events and one log."""

from __future__ import annotations

import os
import threading
import uuid
import warnings
import weakref
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from nbagents.runs.chats import Chats
from nbagents.runs.log import Log, MemoryLog
from nbagents.runs.signals import shield

if TYPE_CHECKING:
    from collections.abc import Callable

    from nbagents.events import AnyEvent

REMEMBERED = 200
"""Runs that are known by name as long as somebody holds them."""

__all__ = ["Session", "Stamp", "current_session", "open_log", "state_folder", "use_session"]


class Stamp(TypedDict):
    """What a session puts on every event of a run."""

    seq: int
    at: float
    event_key: str
    session_id: str
    turn_id: str
    run_id: str
    parent_run_id: str | None
    parent_tool_call_id: str | None
    labels: dict[str, str]


class Session:
    """One stream of events, in one log.

    Args:
        log: Where the events go.
        session_id: Its id; by default a new one, also where other ids are fixed: a log has many.
    """

    def __init__(self, log: Log, *, session_id: str | None = None) -> None:
        self.session_id = session_id or f"session-{uuid.uuid4().hex[:12]}"
        self.log = log
        self._next_seq = 0
        self.lock = threading.RLock()
        """Held while an event is taken. Whoever holds another lock meanwhile may wait for ever."""
        self.chats = Chats()
        # Any: a `Run`, which knows its session
        self._runs: deque[weakref.ref[Any]] = deque(maxlen=REMEMBERED)
        self._last: Any = None
        self._taken: deque[Any] = deque()
        self._is_taking = False

    def remember(self, run: Any) -> None:
        """Take a run that begins into `runs`, for as long as somebody holds it."""
        self._runs.append(weakref.ref(run))

    def hold(self, run: Any) -> None:
        """Keep the run that ended last, also where nobody else does."""
        self._last = run

    @property
    def runs(self) -> tuple[Any, ...]:  # Any: a `Run`, which knows its session
        """The runs of this process that are still at hand, the newest last."""
        return tuple(run for one in tuple(self._runs) if (run := one()) is not None)

    def emit(
        self,
        stamp: Callable[[], Stamp | None],
        make: Callable[[Stamp], AnyEvent],
        take: Callable[[AnyEvent], None],
    ) -> None:
        """Stamp an event, log it and pass it on: from any thread, one after the other, whole.

        Args:
            stamp: Gives the run's part of what every event carries; `None`: nothing is taken.
            make: Makes the event.
            take: Is handed the event, in the order of the log.
        """
        with shield, self.lock:
            self._taken.append((stamp, make, take))
            if self._is_taking:  # a listener, or a finaliser, writes while an event is taken
                return
            self._is_taking = True
            try:
                while self._taken:
                    self._emit(*self._taken.popleft())
            finally:
                self._is_taking = False

    def _emit(
        self,
        stamp: Callable[[], Stamp | None],
        make: Callable[[Stamp], AnyEvent],
        take: Callable[[AnyEvent], None],
    ) -> None:
        stamped = stamp()
        if stamped is None:
            return
        stamped["seq"] = self._next_seq
        stamped["session_id"] = self.session_id
        event = make(stamped)
        self.log.append(event)
        self._next_seq += 1
        take(event)


def state_folder() -> Path:
    """Where the log is kept: `NBAGENTS_STATE_DIR`, else the person's state folder."""
    if named := os.environ.get("NBAGENTS_STATE_DIR"):
        return Path(named).expanduser()
    import platformdirs

    return Path(platformdirs.user_state_dir("nbagents", appauthor=False))


def open_log(kind: Literal["memory", "sqlite"], *, path: Path | None = None) -> Log:
    """Open a log: in memory, or `log.sqlite3` in the state folder.

    Where the state folder cannot be written, the log goes to a temporary folder, with a warning
    that says so.
    """
    if kind == "memory":
        return MemoryLog()
    import sqlite3

    from nbagents.runs.sqlite_log import SqliteLog  # noqa: PLC0415

    target = path or state_folder() / "log.sqlite3"
    try:
        return SqliteLog(target)
    except (OSError, sqlite3.Error) as error:
        if path is not None:
            raise
        import tempfile  # noqa: PLC0415

        spare = Path(tempfile.mkdtemp(prefix="nbagents-")) / "log.sqlite3"
        warnings.warn(
            f"The state folder cannot be written ({error}); this session's log is in a temporary"
            " folder. Set NBAGENTS_STATE_DIR to a folder that can be written to keep it.",
            stacklevel=2,
        )
        return SqliteLog(spare)


_current: Session | None = None
_opening = threading.Lock()


def current_session() -> Session:
    """This process's session, with its log on disk; opened when first asked for."""
    global _current  # noqa: PLW0603  one stream a process
    with _opening:
        if _current is None:
            _current = Session(open_log("sqlite"))
        return _current


def use_session(session: Session | None) -> None:
    """Make another session this process's; `None`: a new one when next asked for."""
    global _current  # noqa: PLW0603  one stream a process
    _current = session
