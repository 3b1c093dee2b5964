"""Opening the file of a log, and what the errors of SQLite mean for it."""

from __future__ import annotations

import sqlite3
import time
from typing import TYPE_CHECKING, Final

from nbagents.errors import LogReadError
from nbagents.runs.logs import sqlite_tables as tables

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["BUSY_MS", "connect", "is_busy", "is_damage", "unreadable"]

AGAIN_S: Final = 0.02
BUSY_MS: Final = 10_000
"""How long is waited for another process that is writing."""


def connect(path: Path) -> sqlite3.Connection:
    """Open a log file in the best journal mode that its file system can do.

    WAL needs shared memory, which network file systems lack; some say so at once, some only when
    the first page is written.

    Raises:
        LogReadError: The file is damaged, is no log, or was written by a newer nbagents.
    """
    end_s = time.monotonic() + BUSY_MS / 1000
    try:
        while True:
            try:
                return _opened(path, "wal")
            except sqlite3.OperationalError as error:
                if not is_busy(error) or time.monotonic() >= end_s:
                    return _opened(path, "truncate")
            time.sleep(AGAIN_S)  # another process opens it now: SQLite does not wait for that
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        raise unreadable(path, error) from error


def _opened(path: Path, journal_mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, check_same_thread=False, timeout=BUSY_MS / 1000)
    try:
        _check_version(connection, path)
        connection.execute("pragma synchronous = normal")
        connection.execute(f"pragma journal_mode = {journal_mode}")
        tables.prepare(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def is_damage(error: Exception) -> bool:
    """Whether the file is none of ours, or no longer: then more space does not help."""
    damage = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in damage


def unreadable(path: Path, error: sqlite3.DatabaseError) -> LogReadError:
    """What is said of a file that SQLite cannot read."""
    return LogReadError(
        f"The log {path} is damaged, or is none ({error}): move it away to begin a new one."
    )


def _check_version(connection: sqlite3.Connection, path: Path) -> None:
    if tables.version(connection) > tables.VERSION:
        raise LogReadError(
            f"The log {path} was written by a newer nbagents: update nbagents, or move it away."
        )


def is_busy(error: Exception) -> bool:
    """Whether another connection holds the file; the code's upper bits say why."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
