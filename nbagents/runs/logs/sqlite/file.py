"""Opening the file of a log, and what the errors of SQLite mean for it."""

from __future__ import annotations

import sqlite3
import time
import warnings
from typing import TYPE_CHECKING, Final

from nbagents.errors import LogReadError
from nbagents.runs.logs.sqlite import tables

if TYPE_CHECKING:
    from pathlib import Path

AGAIN_S: Final = 0.02
BUSY_MS: Final = 10_000
"""How long is waited for another process that is writing."""


class Place:
    """A file as it was opened: whether it is still the one that its path names.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known = self._now()
        self._sides = {side: _inode(side) for side in map(self._beside, ("-wal", "-shm"))}

    def clear(self) -> None:
        """Take away what SQLite kept beside the file that is lost: it would be read into another.

        What another kernel has put there since, for the new file, stays.
        """
        for side, inode in self._sides.items():
            if inode is not None and _inode(side) == inode:
                side.unlink(missing_ok=True)

    def _beside(self, ending: str) -> Path:
        return self._path.with_name(self._path.name + ending)

    def is_lost(self) -> bool:
        """Whether it was deleted, moved, replaced or truncated since; SQLite would not notice."""
        now = self._now()
        if now[:2] == self._known[:2] and now[2] >= self._known[2]:
            self._known = now  # a log never becomes shorter
            return False
        return True

    def _now(self) -> tuple[int, int, int]:
        """Where it is on its disk, and its size."""
        try:
            found = self._path.stat()
        except OSError:
            return (-1, -1, -1)
        return (found.st_dev, found.st_ino, found.st_size)


def _inode(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except OSError:
        return None


def say_lost(path: Path) -> None:
    """Tell the person that a log is gone, and that another is begun."""
    warnings.warn(
        f"The log {path} was deleted, moved, replaced or cut while this kernel wrote it. A new one"
        " is begun in its place, with the runs of this session that are still at hand; what else"
        " was in it is gone, unless you have moved it.",
        stacklevel=2,
    )


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
