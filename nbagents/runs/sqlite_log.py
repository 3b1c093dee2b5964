"""The log on disk: one SQLite file for all sessions of a person, written by one thread."""

from __future__ import annotations

import asyncio
import atexit
import json
import queue
import sqlite3
import threading
import time
from typing import TYPE_CHECKING

from pydantic_core import PydanticSerializationError

from nbagents.errors import LogWriteError
from nbagents.events import EVENTS, AnyEvent
from nbagents.runs.log import RunSummary

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

__all__ = ["SqliteLog"]

SCHEMA = """
create table if not exists events (
    session_id text not null,
    seq integer not null,
    run_id text not null,
    event_key text not null,
    type text not null,
    at real not null,
    body text not null,
    primary key (session_id, seq),
    unique (session_id, run_id, event_key)
) without rowid;
create index if not exists run_starts on events (at) where type = 'run_start';
"""
BATCH = 500
BUSY_MS = 10_000
GATHER_S = 0.04


class SqliteLog:
    """A log in a SQLite file, in WAL mode where the file system can.

    Args:
        path: The file; made where it is missing, readable by its owner only.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600, exist_ok=True)
        self.path = path
        self._queue: queue.SimpleQueue[AnyEvent | Callable[[], None] | None] = queue.SimpleQueue()
        self._error: Exception | None = None
        self._closed = False
        connection = connect(path)
        self.journal_mode: str = connection.execute("pragma journal_mode").fetchone()[0]
        self._reader = connection
        self._reading = threading.Lock()
        self._thread = threading.Thread(target=self._write, name="nbagents-log", daemon=True)
        self._thread.start()
        atexit.register(self.close)

    def append(self, event: AnyEvent) -> None:
        """Take an event; the writer thread has it on disk soon.

        Raises:
            LogWriteError: The log is closed, or its process was forked.
        """
        self._require_writer()
        self._queue.put(event)

    def flush(self) -> None:
        """Return when everything taken so far is committed.

        Raises:
            LogWriteError: Something could not be written.
        """
        self._require_writer()
        done = threading.Event()
        self._queue.put(done.set)
        done.wait()
        self._check()

    async def committed(self) -> None:
        """The same as `flush`, without blocking the loop."""
        self._require_writer()
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()

        def settle() -> None:
            if not done.done():
                done.set_result(None)

        self._queue.put(lambda: _soon(loop, settle))
        await done
        self._check()

    def read(self, session_id: str, *, after_seq: int = -1, limit: int = 500) -> Sequence[AnyEvent]:
        """The next page of a session's events."""
        self.flush()
        with self._reading:
            rows = self._reader.execute(
                "select body from events where session_id = ? and seq > ? order by seq limit ?",
                (session_id, after_seq, limit),
            ).fetchall()
        return [EVENTS.validate_json(body) for (body,) in rows]

    def runs(self, *, limit: int = 100) -> Sequence[RunSummary]:
        """The newest runs, newest first."""
        self.flush()
        with self._reading:
            rows = self._reader.execute(
                "select run_id, session_id, at from events where type = 'run_start'"
                " order by at desc, seq desc limit ?",
                (limit,),
            ).fetchall()
        return [
            RunSummary(run_id=run, session_id=session, started_at=at) for run, session, at in rows
        ]

    def close(self) -> None:
        """Write what is left and let go of the file."""
        if self._closed:
            return
        self._closed = True
        atexit.unregister(self.close)
        self._queue.put(None)
        self._thread.join(BUSY_MS / 1000)
        with self._reading:
            self._reader.close()

    def _check(self) -> None:
        if self._error is not None:
            error, self._error = self._error, None
            raise LogWriteError(
                f"The log {self.path.name!r} could not be written: {error}. Free some space, or set"
                " NBAGENTS_STATE_DIR to a folder that can be written."
            ) from error

    def _require_writer(self) -> None:
        if not self._thread.is_alive():
            raise LogWriteError(
                f"The log {self.path.name!r} is closed, or this process was forked from the one"
                " that opened it: open a log of its own."
            )

    def _write(self) -> None:
        """The writer thread: whatever is waiting goes into one transaction."""
        connection: sqlite3.Connection | None = None
        is_open = True
        while is_open:
            taken = self._gather()
            try:
                connection = connection or connect(self.path)
                if self._insert(connection, taken):
                    self._error = None  # what was wrong is not any more
            except Exception as error:  # noqa: BLE001  told to whoever waits, see `_check`
                self._error = error
            for item in taken:
                if callable(item):
                    item()
            is_open = None not in taken
        if connection is not None:
            connection.close()

    def _gather(self) -> list[AnyEvent | Callable[[], None] | None]:
        """What goes into one transaction: all until somebody waits, or `GATHER_S` are over."""
        taken = [self._queue.get()]
        until = time.monotonic() + GATHER_S
        while len(taken) < BATCH and taken[-1] is not None and not callable(taken[-1]):
            try:
                taken.append(self._queue.get(timeout=max(0.0, until - time.monotonic())))
            except queue.Empty:
                break
        return taken

    def _insert(
        self, connection: sqlite3.Connection, taken: Sequence[AnyEvent | Callable[[], None] | None]
    ) -> bool:
        """Write what there is to write; whether there was anything."""
        rows = [_row(item) for item in taken if item is not None and not callable(item)]
        if rows:
            with connection:
                connection.executemany(
                    "insert or ignore into events values (?, ?, ?, ?, ?, ?, ?)", rows
                )
        return bool(rows)


def connect(path: Path) -> sqlite3.Connection:
    """Open a log file in the best journal mode that its file system can do.

    WAL needs shared memory, which network file systems lack; some say so at once, some only when
    the first page is written.
    """
    connection = sqlite3.connect(path, check_same_thread=False, timeout=BUSY_MS / 1000)
    connection.execute("pragma synchronous = normal")
    try:
        connection.execute("pragma journal_mode = wal")
        connection.executescript(SCHEMA)
    except sqlite3.OperationalError:
        connection.close()
        connection = sqlite3.connect(path, check_same_thread=False, timeout=BUSY_MS / 1000)
        connection.execute("pragma journal_mode = truncate")
        connection.executescript(SCHEMA)
    return connection


def _row(event: AnyEvent) -> tuple[str, int, str, str, str, float, str]:
    return (
        event.session_id,
        event.seq,
        event.run_id,
        event.event_key,
        event.type,
        event.at,
        _body(event),
    )


def _body(event: AnyEvent) -> str:
    """An event as JSON; half a character pair, which no file can hold, becomes a question mark."""
    try:
        return event.model_dump_json()
    except PydanticSerializationError:
        text = json.dumps(event.model_dump(), ensure_ascii=False)
        return text.encode("utf-8", "replace").decode()


def _soon(loop: asyncio.AbstractEventLoop, settle: Callable[[], None]) -> None:
    try:
        loop.call_soon_threadsafe(settle)
    except RuntimeError:  # the loop was closed: nobody waits any more
        return
