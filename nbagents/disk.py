"""Files of ours on a disk: put in place whole, and held while a process writes them."""

from __future__ import annotations

import os
import sys
import uuid
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["is_held_now", "put_in_place"]

BEHIND: Final = 1 << 30
"""On Windows a place is locked: one behind the end of a file, so that others may read it."""


def put_in_place(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file in place of the one that may be there, once all of it is on the disk.

    Nobody may read it who may not read that one, also while it is written.

    Raises:
        OSError: It could not be written, e.g. because the disk is full; nothing has changed.
    """
    target = path.resolve()
    beside = target.with_name(f".{target.name}.{uuid.uuid4().hex[:8]}")
    mode = target.stat().st_mode & 0o777 if target.exists() else None

    def opened(path: str, flags: int) -> int:
        return os.open(path, flags, 0o666 if mode is None else mode)

    try:
        with open(beside, "xb", opener=opened) as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            beside.chmod(mode)  # also what the umask has left out
        beside.replace(target)
    finally:
        with suppress(OSError):  # there is none where all went well
            beside.unlink()


def is_held_now(file: int, *, shared: bool = False) -> bool:
    """Whether an open file could be locked; closing it lets it go.

    Args:
        file: The open file.
        shared: Whether others may look at the same time; only one may hold it.

    Raises:
        OSError: The file system has no locks.
    """
    try:
        if sys.platform == "win32":
            os.lseek(file, BEHIND, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # the second on Windows
        return False
    return True
