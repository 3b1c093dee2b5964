"""A session: runs that share one stream of events and one log."""

from __future__ import annotations

import os
import threading
import uuid
import warnings
import weakref
from collections import deque
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

from nbagents.errors import LogReadError, RunError, did_you_mean
from nbagents.runs.lanes import shield
from nbagents.runs.logs import (
    Bell,
    Log,
    MemoryLog,
    Profile,
    Reader,
    followed,
    profile_of,
    subscribe,
)
from nbagents.runs.state.chats import Chats, past_chats
from nbagents.runs.state.grants import Leave
from nbagents.runs.state.history import History, Wanted, history_of
from nbagents.runs.state.outbox import Outgoing
from nbagents.tools.context import check_function, is_async, require, wrong

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterator, Sequence

    from nbagents.events import AnyEvent
    from nbagents.runs.state.grants import Grant

REMEMBERED = 200
"""Runs that are known by name as long as somebody holds them."""


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
        _check_log(log)
        self.session_id = session_id or f"session-{uuid.uuid4().hex[:12]}"
        self.log = log
        self._next_seq = 0
        self._is_held = False
        self._bell = Bell()
        self.lock = threading.RLock()
        """Held while an event is taken. Whoever holds another lock meanwhile may wait for ever."""
        self.chats = Chats()
        self.leave = Leave()
        """About whose calls the person does not want to be asked."""
        # Any: a `Run`, which knows its session
        self._runs: deque[weakref.ref[Any]] = deque(maxlen=REMEMBERED)
        self._last: Any = None
        self._taken: deque[Any] = deque()
        self._is_taking = False
        self._outgoing = Outgoing()

    @classmethod
    def reopen(cls, log: Log, session_id: str) -> Session:
        """A session that a log knows, to be gone on with: its stream, and its conversations.

        Live objects of its process are gone, and so is leave that was given for calls. A kernel
        that still goes on with it must not write any more.

        Args:
            log: Where it was logged.
            session_id: Which session.

        Raises:
            ValueError: This is no log.
            RunError: The log does not know it, or another kernel still goes on with it.
        """
        if log.living.where(session_id) == "elsewhere":
            raise RunError(
                f"The session {session_id!r} goes on in another kernel, which lives: two that write"
                " it do not mix. Shut that one down, or begin a session of its own."
            )
        session = cls(log, session_id=session_id)
        session._next_seq = log.next_seq(session_id)
        if not session._next_seq:
            raise RunError(
                f"There is no session {session_id!r} in this log. A run knows its own:"
                " run.session.session_id."
            )
        session.chats = past_chats(log, session_id)
        return session

    def events(
        self, profile: Profile | str = "user", *, after: int = -1, run_id: str | None = None
    ) -> Iterator[AnyEvent]:
        """What has happened so far, in order; see `stream`."""
        return self._reader(profile, after, run_id).pages()

    def stream(
        self,
        profile: Profile | str = "user",
        *,
        after: int = -1,
        run_id: str | None = None,
        follow: bool = True,
    ) -> AsyncGenerator[AnyEvent]:
        """What has happened in all runs of this session, in one order, and then what happens.

        Args:
            profile: What is told: `"user"`, `"debug"`, `"metrics"`, `"audit"`, or one's own.
            after: The `seq` that was seen last; the stream goes on behind it.
            run_id: Of this run alone; the stream ends with it.
            follow: Whether it goes on with what comes; else it ends with what there is.

        Raises:
            ValueError: There is no such profile, or this is no place in the stream.
            RunError: There is no such run.
        """
        reader = self._reader(profile, after, run_id)
        return followed(reader, self._bell, waits=follow)

    def history(self, **wanted: Unpack[Wanted]) -> History:
        """All runs that the log knows, those of other kernels too, the newest first.

        Each is a light value: `id`, `prompt`, `agent`, `model`, `status`, `summary`, `started`,
        `duration`, `calls`, `usage`, `cost`, `labels` and more; `load()` gives the run itself.

        Args:
            wanted: Which of them: `here=True` of this kernel alone; `agent`, `model`, `status`,
                `chat`; `tool="maps--*"` that called it; `words` of the prompt; `labels={…}`;
                `cost` of at least so much; `since` a datetime, or a timedelta back from now;
                `limit` of them.

        Raises:
            ValueError: One of these cannot be used.
            TypeError: There is nothing of this name to be said of runs.

        Example:
            ```python
            session.history(status="failed", since=timedelta(days=1))[0].load()
            ```
        """
        return history_of(self, wanted)

    def subscribe(
        self,
        callback: Callable[[AnyEvent], None],
        profile: Profile | str = "user",
        *,
        after: int = -1,
    ) -> Callable[[], None]:
        """Have a function called with what the stream has, on a thread of its own.

        However slow it is, no run waits for it. When it raises, a warning says so, and it is not
        called again.

        Returns:
            What ends it.

        Raises:
            ValueError: There is no such profile, or nothing that can be called back.
        """
        check_function("callback", callback, "an event", 1)
        if is_async(callback):
            raise wrong("callback", callback, "it is async; take a plain `def`, or `stream`.")
        return subscribe(self._reader(profile, after, None), self._bell, callback)

    def _reader(self, profile: Profile | str, after: int, run_id: str | None) -> Reader:
        told = profile_of(profile)
        require("after", after, int, "give the `seq` that was seen last, or leave it out.")
        how = "give the id of a run, e.g. run_id=run.id."
        require("run_id", run_id, (str, NoneType), how)
        if run_id is not None and not self._knows(run_id):
            raise RunError(
                f"There is no run {run_id!r} in this session. A run knows its own: run.session."
            )
        return Reader(self.log, self.session_id, told, after=after, run_id=run_id)

    def _knows(self, run_id: str) -> bool:
        """Whether there is a run, also one that has not begun."""
        if any(run.is_above(run_id) for run in self.runs):
            return True
        return bool(self.log.read(self.session_id, after_seq=-1, limit=1, run_id=run_id))

    def remember(self, run: Any) -> None:
        """Take a run that begins into `runs`, for as long as somebody holds it."""
        self._runs.append(weakref.ref(run))

    def kept_events(self) -> tuple[AnyEvent, ...]:
        """What happened in the runs that are still at hand, in order: all that a new log has."""
        self.chats.log_lost()
        found = (event for run in self.runs for event in run.events)
        return tuple(sorted(found, key=lambda event: event.seq))

    def hold(self, run: Any) -> None:
        """Keep the run that ended last, also where nobody else does."""
        self._last = run

    @property
    def approvals(self) -> Sequence[Grant]:
        """The tools whose calls the person does not want to be asked about any more, as they said.

        Such leave ends with this session, when the tool or what it was defined with changes, and
        when it is taken back; see `revoke`.
        """
        return self.leave.grants

    def revoke(self, tool: str) -> None:
        """Ask again before calls of a tool.

        Args:
            tool: Its name.

        Raises:
            ValueError: There is no leave for a tool of this name.
        """
        if not self.leave.revoke(tool):
            names = tuple(dict.fromkeys(one.tool for one in self.approvals))
            hint = did_you_mean(tool, names) if names else " No tool is."
            raise ValueError(f"{tool!r} is not allowed without asking.{hint}")

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
        waited, event = self._outgoing.cleaned(make(stamped))
        for one in waited:
            self._write(one.model_copy(update=self._stamped_again(stamp)), take)
        if waited and event is not None:
            event = event.model_copy(update={"seq": self._next_seq})
        if event is not None:
            self._write(event, take)

    def _stamped_again(self, stamp: Callable[[], Stamp | None]) -> dict[str, object]:
        """What an event is stamped with that had waited."""
        stamped = stamp()
        own = {} if stamped is None else {"event_key": stamped["event_key"], "at": stamped["at"]}
        return {**own, "seq": self._next_seq}

    def _write(self, event: AnyEvent, take: Callable[[AnyEvent], None]) -> None:
        if not self._is_held:
            self._is_held = True
            self.log.living.hold(self.session_id, self)
        self.log.append(event)
        self._next_seq += 1
        try:
            take(event)
        finally:
            if self._bell.hearing:
                self._bell.ring()


def _check_log(log: object) -> None:
    if isinstance(log, type) or not hasattr(log, "append") or not hasattr(log, "read"):
        how = 'give a log, e.g. Session(open_log("memory")), with nbagents.runs.state.open_log.'
        raise wrong("log", log, how)


def state_folder() -> Path:
    """Where the log is kept: `NBAGENTS_STATE_DIR`, else the person's state folder."""
    if named := os.environ.get("NBAGENTS_STATE_DIR"):
        return Path(named).expanduser()
    import platformdirs

    return Path(platformdirs.user_state_dir("nbagents", appauthor=False))


def open_log(kind: Literal["memory", "sqlite"], *, path: Path | None = None) -> Log:
    """Open a log: in memory, or `log.sqlite3` in the state folder.

    Where the state folder cannot be written, or its log not be read, the log goes to a temporary
    folder, with a warning that says so.

    Raises:
        LogReadError: The file of that `path` is no log that can be written.
        OSError: It cannot be opened.
    """
    if kind == "memory":
        return MemoryLog()
    import sqlite3

    from nbagents.runs.logs.sqlite import SqliteLog

    target = path or state_folder() / "log.sqlite3"
    try:
        return SqliteLog(target)
    except (OSError, sqlite3.Error, LogReadError) as error:
        if path is not None:
            raise
        import tempfile

        spare = Path(tempfile.mkdtemp(prefix="nbagents-")) / "log.sqlite3"
        why, advice = str(error), ""
        if not isinstance(error, LogReadError):
            why = f"The state folder cannot be written ({error})."
            advice = " Set NBAGENTS_STATE_DIR to a folder that can be written to keep it."
        warnings.warn(f"{why} This session's log is in a temporary folder.{advice}", stacklevel=2)
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
