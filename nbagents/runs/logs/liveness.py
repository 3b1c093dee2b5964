"""Which sessions have a process that still lives: a lock that the system lets go when one dies.

A number of a process, or a time of a last heartbeat, can lie: numbers come again, and a kernel that
is stopped in a debugger beats no more. A lock of the file system is held for exactly as long as its
process lives, however it ends, and on a network file system for those on other machines, too.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
import time
import weakref
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from nbagents.disk import is_held_now

if TYPE_CHECKING:
    from collections.abc import Iterator

Where: TypeAlias = Literal["here", "elsewhere"] | None
SWEPT: Final = 20
"""So many locks of dead processes are cleared away at once."""
TRIES: Final = 5
AGAIN_S: Final = 0.01


class Living:
    """The sessions of one log that are held.

    Args:
        folder: Where the locks are; `None`: no other process knows the log.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._holders: dict[str, weakref.WeakSet[object]] = {}
        self._locks: dict[str, int] = {}
        self._lock = threading.RLock()  # a finaliser may come in the middle
        _all.add(self)

    def hold(self, session_id: str, holder: object) -> None:
        """A session goes on for as long as its holder does, or until `let_go`."""
        with self._lock:
            holders = self._holders.setdefault(session_id, weakref.WeakSet())
            holders.add(holder)
            weakref.finalize(holder, self._left, session_id).atexit = False
            if self._folder is None or session_id in self._locks:
                return
            with contextlib.suppress(OSError):  # a file system that has no locks
                self._folder.mkdir(exist_ok=True, mode=0o700)
                self._locks[session_id] = _held(self._file(session_id))
                self._sweep()

    def where(self, session_id: str) -> Where:
        """Where a session goes on: in this process, in another, or nowhere any more."""
        with self._lock:
            if self._holders.get(session_id):
                return "here"
            if self._folder is None or session_id in self._locks:
                return None
            return "elsewhere" if _is_held(self._file(session_id)) else None

    def holders(self) -> tuple[Any, ...]:  # Any: sessions, which stand above this room
        """Who holds a session here."""
        with self._lock:
            return tuple(one for held in self._holders.values() for one in held)

    def renew(self) -> None:
        """Lock anew what is held here, where the folder was deleted."""
        with self._lock:
            for session_id in tuple(self._locks):
                with contextlib.suppress(OSError):
                    os.close(self._locks.pop(session_id))
            for holder in self.holders():
                self.hold(holder.session_id, holder)

    def let_go(self) -> None:
        """Nothing goes on here any more."""
        with self._lock:
            for session_id in tuple(self._locks):
                self._release(session_id)
            self._holders.clear()

    def forget(self) -> None:
        """In a forked process: what its parent holds stays held by the parent alone."""
        for lock in self._locks.values():
            with contextlib.suppress(OSError):
                os.close(lock)
        self._locks.clear()
        self._holders.clear()
        self._lock = threading.RLock()

    def _left(self, session_id: str) -> None:
        with self._lock:
            if not self._holders.get(session_id):
                self._holders.pop(session_id, None)
                self._release(session_id)

    def _release(self, session_id: str) -> None:
        lock = self._locks.pop(session_id, None)
        if lock is not None:
            with contextlib.suppress(OSError):
                self._file(session_id).unlink()  # before the lock goes: nobody else has it
            with contextlib.suppress(OSError):
                os.close(lock)

    def _file(self, session_id: str) -> Path:
        folder = self._folder or Path()
        return folder / hashlib.sha256(session_id.encode("utf-8", "replace")).hexdigest()[:24]

    def _sweep(self) -> None:
        """Clear away some of what dead processes have left."""
        own = {self._file(one) for one in self._locks}
        for file in islice(_others(self._folder or Path(), own), SWEPT):
            with contextlib.suppress(OSError):
                lock = os.open(file, os.O_RDWR)
                try:
                    if is_held_now(lock):
                        file.unlink()
                finally:
                    os.close(lock)


_all: weakref.WeakSet[Living] = weakref.WeakSet()


def _forked() -> None:
    for one in tuple(_all):
        one.forget()


if hasattr(os, "register_at_fork"):  # not on Windows, which knows no fork
    os.register_at_fork(after_in_child=_forked)


def _others(folder: Path, own: set[Path]) -> Iterator[Path]:
    return (one for one in folder.iterdir() if one not in own)


def _held(file: Path) -> int:
    """Lock a file, made where it is missing, and see that nobody has cleared it away meanwhile.

    Raises:
        OSError: It cannot be locked.
    """
    for _ in range(TRIES):
        lock = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
        if not is_held_now(lock):  # by another process, if only one that looks
            os.close(lock)
            time.sleep(AGAIN_S)
            continue
        with contextlib.suppress(FileNotFoundError):
            if file.stat().st_ino == os.fstat(lock).st_ino:
                return lock
        os.close(lock)
    raise BlockingIOError(f"{file.name} is held by another process.")


def _is_held(file: Path) -> bool:
    """Whether another process, or another log of this one, holds a file."""
    try:
        lock = os.open(file, os.O_RDWR)
    except OSError:  # there is none
        return False
    try:
        return not is_held_now(lock, shared=True)
    except OSError:
        return False
    finally:
        os.close(lock)
