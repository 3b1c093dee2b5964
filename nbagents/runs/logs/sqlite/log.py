"""The log on disk: one SQLite file for all sessions of a person.

Whoever must know that an event is written commits it himself: in WAL mode that goes to memory, in
some ten microseconds. One thread writes what nobody waits for, and does what may wait for a disk.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import sqlite3
import sys
import threading
import time
from collections import deque
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from pydantic_core import ValidationError

from nbagents.errors import LogReadError, LogWriteError
from nbagents.events import EVENTS, AnyEvent, line_of
from nbagents.runs.lanes import shield, tell
from nbagents.runs.logs import CLAIM_S, Living, RunSummary
from nbagents.runs.logs.sqlite import tables
from nbagents.runs.logs.sqlite.file import (
    BUSY_MS,
    Place,
    connect,
    is_busy,
    is_damage,
    say_lost,
    unreadable,
)
from nbagents.threads import start_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence
    from pathlib import Path
    from typing import TypeAlias

    from nbagents.results import Usage
    from nbagents.runs.logs import RunEntry

    Given: TypeAlias = Sequence[object] | Mapping[str, object]

columns_of = attrgetter("session_id", "seq", "run_id", "event_key", "type", "at")
BATCH = 500
"""More events than this are not written on a loop."""
GATHER_S = 0.04
MOVE = "pragma wal_checkpoint(passive)"
WAL_BYTES = 4_000_000
"""About how far the WAL is filled before it is moved into the file, and then filled again."""

COMMIT_BYTES = 30_000
"""What a commit takes in the WAL beside its text: the pages of the table and its indexes."""


class SqliteLog:
    """A log in a SQLite file, in WAL mode where the file system can.

    Args:
        path: The file; made where it is missing, readable by its owner only.

    Raises:
        LogReadError: The file is damaged, is no log, or was written by a newer nbagents.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._make()
        self.living = Living(path.with_name(f"{path.name}.alive"))
        self._pending: deque[AnyEvent] = deque()
        self._waiting: deque[Callable[[], None]] = deque()
        self._is_due = threading.Event()
        self._is_urgent = threading.Event()
        self._writing = threading.Lock()  # who holds it may use the writer and take from `_pending`
        self._reading = threading.Lock()
        self._errors: deque[Exception] = deque(maxlen=1)  # what nobody has been told of
        self._closed = False
        self._open()
        self._written_s = 0.0  # what is pending came later
        self._thread = start_thread(self._serve, "log")
        atexit.register(self.close)

    def _make(self) -> None:
        """Make the file where it is missing."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.path.touch(mode=0o600, exist_ok=True)

    def _open(self) -> None:
        """Open the file, also a new one in the place of one that is gone."""
        self._writer, self._reader = connect(self.path), connect(self.path)
        self.journal_mode: str = self._writer.execute("pragma journal_mode").fetchone()[0]
        self._is_wal = self.journal_mode == "wal"
        if self._is_wal:
            self._writer.execute("pragma wal_autocheckpoint = 0")
        self._writer.execute(tables.TOUCH)
        self._writer.execute("pragma busy_timeout = 0")
        self._in_wal = 0
        self._place = Place(self.path)

    def _begin_anew(self) -> None:
        """Begin another log where this one was; while `_writing` is held."""
        with self._reading:
            for connection in (self._writer, self._reader):
                with contextlib.suppress(sqlite3.Error):
                    connection.close()
            self._place.clear()
            self._make()
            self._open()
        self.living.renew()
        kept = [event for one in self.living.holders() for event in one.kept_events()]
        self._insert([(*columns_of(event), line_of(event)) for event in kept])

    def append(self, event: AnyEvent) -> None:
        """Take an event; the writer thread has it on disk soon.

        Raises:
            LogWriteError: The log is closed, or its process was forked.
        """
        self._require_writer()
        self._pending.append(event)
        if not self._is_due.is_set():
            self._is_due.set()

    def flush(self) -> None:
        """Return when everything taken so far is committed.

        Raises:
            LogWriteError: Something could not be written.
        """
        self._require_writer()
        with shield, self._writing:
            self._write_patiently()
        self._check()

    async def committed(self) -> None:
        """The same as `flush`, without blocking the loop."""
        self._require_writer()
        if not self._commit_here():
            await self._commit_there()
        self._check()

    def read(
        self, session_id: str, *, after_seq: int = -1, limit: int = 500, run_id: str | None = None
    ) -> Sequence[AnyEvent]:
        """The next page of a session's events, or of one run's.

        Raises:
            LogReadError: It is damaged, or an event in it is of a newer version.
        """
        if run_id is None:
            rows = self._rows(tables.READ, (session_id, after_seq, limit))
        else:
            given = {"session": session_id, "run": run_id, "after": after_seq, "limit": limit}
            rows = self._rows(tables.READ_RUN, {**given, "most": sys.maxsize})
        try:
            return [EVENTS.validate_json(body) for (body,) in rows]
        except ValidationError as error:
            raise LogReadError(
                f"The log {self.path.name!r} holds an event that this version of nbagents does not"
                " know: update nbagents to read this session."
            ) from error

    def next_seq(self, session_id: str) -> int:
        """The `seq` of the event that comes next in a session."""
        return self._rows(tables.NEXT, (session_id,))[0][0]

    def find(self, beginning: str) -> Sequence[RunSummary]:
        """The runs whose ids begin like this, newest first."""
        return self._summaries(tables.FIND, (beginning, beginning + chr(sys.maxunicode)))

    def entries(self, *, limit: int, session_id: str | None = None) -> Sequence[RunEntry]:
        """The newest runs that no other has started, newest first."""
        if session_id is None:
            rows = self._rows(tables.ENTRIES, (limit,))
        else:
            rows = self._rows(tables.ENTRIES_OF_SESSION, (session_id, limit))
        return [tables.entry(row, self._counted) for row in rows]

    def called(self, since: float) -> Mapping[str, frozenset[str]]:
        """The tools that runs called which began since then, by root."""
        return tables.by_root(self._rows(tables.CALLED, (since,)))

    def resumed_by(self, run_id: str) -> RunSummary | None:
        """The run that goes on with this one."""
        return next(iter(self._summaries(tables.RESUMED, (run_id,))), None)

    def claim(self, run_id: str, by: str, at: float) -> str:
        """Ask to go on with a run; the id of the run that may.

        Raises:
            LogWriteError: That could not be written.
        """
        self._require_writer()
        with shield, self._writing, self._waiting_for_others():
            try:
                with self._writer:
                    self._writer.execute(tables.CLAIM, (run_id, by, at, CLAIM_S))
            except sqlite3.Error as error:
                self._errors.append(error)
        self._check()
        return self._rows(tables.CLAIMED, (run_id,))[0][0]

    def usage(self, session_id: str) -> Mapping[str, Usage]:
        """The tokens of a session by model."""
        rows = self._rows(tables.USAGES, (session_id,))
        return {model: tables.usage(*used) for model, *used in rows}

    def close(self) -> None:
        """Write what is left and let go of the file."""
        if self._closed:
            return
        self._closed = True
        atexit.unregister(self.close)
        self._is_urgent.set()
        self._is_due.set()
        self._thread.join(BUSY_MS / 1000)
        self.living.let_go()
        with self._reading:
            self._reader.close()

    def _rows(self, sql: str, given: Given) -> list[tuple[Any, ...]]:
        """What the file says, after all that was taken so far is in it."""
        self.flush()
        with self._reading:
            try:
                return self._reader.execute(sql, given).fetchall()
            except sqlite3.DatabaseError as error:
                raise unreadable(self.path, error) from error

    def _counted(self, *family: str) -> tuple[Any, ...]:
        """What the runs of a family, by session and root, have used that have not ended."""
        return self._rows(tables.OPEN, family)[0]

    def _summaries(self, sql: str, given: tuple[object, ...]) -> list[RunSummary]:
        rows = self._rows(sql, given)
        return [RunSummary(run_id=run, session_id=own, started_at=at) for run, own, at in rows]

    def _check(self) -> None:
        """Tell of an error, once; what came after it may well be written."""
        try:
            error = self._errors.popleft()
        except IndexError:
            return
        if isinstance(error, sqlite3.IntegrityError):
            raise LogWriteError(
                "Another kernel goes on with the session of this run, so that its events find no"
                " place there: go on in one of them, or begin a session of its own."
            ) from error
        advice = "Move it away" if is_damage(error) else "Free some space"
        raise LogWriteError(
            f"The log {self.path.name!r} could not be written: {error}. {advice}, or set"
            " NBAGENTS_STATE_DIR to a folder that can be written."
        ) from error

    def _require_writer(self) -> None:
        if not self._thread.is_alive():
            raise LogWriteError(
                f"The log {self.path.name!r} is closed, or this process was forked from the one"
                " that opened it: open a log of its own."
            )

    def _commit_here(self) -> bool:
        """Commit on this thread, if that takes no waiting: neither for others nor for a disk."""
        if not self._is_wal or len(self._pending) > BATCH:
            return False
        with shield:
            if not self._writing.acquire(blocking=False):
                return False
            try:
                return self._write()
            finally:
                self._writing.release()

    async def _commit_there(self) -> None:
        """Have the writer thread commit, at once."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()

        def settle() -> None:
            if not done.done():
                done.set_result(None)

        self._waiting.append(lambda: tell(loop, settle))
        self._is_urgent.set()
        self._is_due.set()
        await done

    def _serve(self) -> None:
        is_open = True
        while is_open:
            self._is_due.wait()
            self._gather()
            self._is_urgent.clear()
            self._is_due.clear()
            is_open = not self._closed
            waiting = [self._waiting.popleft() for _ in range(len(self._waiting))]
            with self._writing:
                self._write_patiently()
            self._checkpoint()
            for settle in waiting:
                settle()
        self._writer.close()

    def _gather(self) -> None:
        """Wait a little for more to write at once, unless somebody waits or the WAL has filled.

        What a loop has committed itself meanwhile needs no writing: what came later is waited with.
        """
        left_s = GATHER_S
        while left_s > 0 and not self._is_filled and not self._is_urgent.wait(left_s):
            left_s = self._written_s + GATHER_S - time.monotonic()

    def _write_patiently(self) -> None:
        """Commit what is pending; where another process is writing, wait for it."""
        if not self._pending:
            return
        with self._waiting_for_others():
            self._write(is_patient=True)

    @contextlib.contextmanager
    def _waiting_for_others(self) -> Generator[None]:
        """Let the writer wait meanwhile, where another process is writing."""
        self._writer.execute(f"pragma busy_timeout = {BUSY_MS}")
        try:
            yield
        finally:
            self._writer.execute("pragma busy_timeout = 0")

    def _write(self, *, is_patient: bool = False) -> bool:
        """Commit what is pending; false if another process is writing: then it is pending still.

        What went wrong otherwise is told to whoever waits, see `_check`.
        """
        now_s = time.monotonic()
        # By index: threads may append meanwhile, and only who holds the lock takes away.
        events = [self._pending[index] for index in range(len(self._pending))]
        if not events:
            return True
        is_lost = self._place.is_lost()
        if is_lost and not is_patient:  # the writer's thread has the time
            return False
        try:
            if is_lost:
                self._begin_anew()
            rows = [(*columns_of(event), line_of(event)) for event in events]
            self._insert(rows)
            self._in_wal += COMMIT_BYTES + sum(len(row[-1]) for row in rows)
        except Exception as error:  # noqa: BLE001  told to whoever waits
            if not is_patient and is_busy(error):
                return False
            self._errors.append(error)
        for _ in events:
            self._pending.popleft()
        self._written_s = now_s
        if is_lost:
            say_lost(self.path)
        return True

    def _insert(self, rows: list[tuple[Any, ...]]) -> None:
        """Write all rows; those whose places another kernel has taken are told as an error."""
        try:
            with self._writer:
                self._writer.executemany(tables.INSERT, rows)
        except sqlite3.IntegrityError:
            with self._writer:
                for row in rows:
                    try:
                        self._writer.execute(tables.INSERT, row)
                    except sqlite3.IntegrityError as error:
                        self._errors.append(error)

    @property
    def _is_filled(self) -> bool:
        """Whether the WAL is to be moved into the file."""
        return self._is_wal and self._in_wal >= WAL_BYTES

    def _checkpoint(self) -> None:
        """Move the WAL into the file when it has filled, so that it is filled from its beginning.

        Most is moved while others may write. What another process still reads stays for the next
        time; nothing is lost.
        """
        if not self._is_filled:
            return
        with contextlib.suppress(sqlite3.OperationalError), self._reading:
            self._reader.execute(MOVE)
            with self._writing:
                self._reader.execute(MOVE)
                self._writer.execute(tables.TOUCH)
        self._in_wal = 0
