"""Where the lines of a recording are: in a file, or in a text that somebody has handed over."""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Protocol, TypeAlias, cast

from nbagents.disk import is_held_now, put_in_place
from nbagents.errors import RecordingError

WAIT_S: Final = 10.0
"""So long another process is waited for, which writes."""
AGAIN_S: Final = 0.005
HOW: Final = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
"""At the end, wherever that is then: also where a file system has no locks."""
STAYS: Final = "The recording stays as it was."

_Stat: TypeAlias = tuple[int, int, int]
Rewrite = Callable[[bytes], bytes]
"""Makes of all that is there what is to be there."""


class Lines(Protocol):
    """Where the lines of a recording are. The positions are bytes."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    @property
    def state(self) -> object:
        """Differs when there may be something new; `None`: there is nothing at all."""
        ...

    def has_grown(self, before: object, now: object) -> bool:
        """Whether, between two states, only lines were added."""
        ...

    def read(self, since: int) -> bytes:
        """What is there from a position on.

        Raises:
            RecordingError: It cannot be read.
        """
        ...

    def append(self, data: bytes, first: bytes, expected: object) -> object:
        """Write whole lines at the end, at once; where nothing is there yet, another one first.

        Returns:
            The state with it, if nothing else has changed since the expected one; else `None`.

        Raises:
            RecordingError: It cannot be written; says what to do.
        """
        ...

    def rewrite(self, make: Rewrite) -> None:
        """Put something else into its place, at once or not at all.

        Raises:
            RecordingError: It cannot be written; says what to do.
        """
        ...


class FileLines:
    """The lines of a file. Several processes may write it.

    Args:
        path: Where it is.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def name(self) -> str:
        """What people call it."""
        return self.path.name

    @property
    def state(self) -> object:
        """Differs when the file has changed."""
        try:
            found = os.stat(self.path)  # noqa: PTH116  each lookup waits for this
        except OSError:
            return None
        return _state(found)

    def has_grown(self, before: object, now: object) -> bool:
        """Whether it is the same file, and longer."""
        if before is None or now is None:
            return False
        (file, size, _), (same, larger, _) = cast("_Stat", before), cast("_Stat", now)
        return file == same and size < larger

    def read(self, since: int) -> bytes:
        """What is there from a position on.

        Raises:
            RecordingError: It cannot be read.
        """
        try:
            with self.path.open("rb") as file:
                file.seek(since)
                return file.read()
        except OSError as error:
            raise RecordingError(f"{self.path} cannot be read: {_why(error)}.") from error

    def append(self, data: bytes, first: bytes, expected: object) -> object:
        """Write whole lines at the end, also of a file whose last line was cut off.

        Returns:
            The state with them, if nothing else has changed since the expected one; else `None`.

        Raises:
            RecordingError: They cannot be written; the file stays as it was.
        """
        file = self._opened()
        try:
            before = os.fstat(file)
            size, is_expected = before.st_size, _state(before) == expected
            if size == 0:
                data = first + data
            elif not is_expected and not _ends_line(file, size):
                data = b"\n" + data
            try:
                _write(file, data)
            except OSError as error:
                with contextlib.suppress(OSError):
                    os.ftruncate(file, size)
                raise self._unwritten(error) from error
            return _state(os.fstat(file)) if is_expected else None
        finally:
            os.close(file)  # which also unlocks it

    def rewrite(self, make: Rewrite) -> None:
        """Put something else into its place.

        Raises:
            RecordingError: It cannot be written; the file stays as it was.
        """
        file = self._opened()
        try:
            before = _read_all(file)
            after = make(before)
            if after != before:
                put_in_place(self.path, [after])
        except OSError as error:
            raise self._unwritten(error) from error
        finally:
            os.close(file)  # which also unlocks it

    def _opened(self) -> int:
        """The file, open and locked for this process alone.

        Raises:
            RecordingError: It cannot be opened, or another process holds it for long.
        """
        try:
            return self._held()
        except OSError as error:
            raise self._unwritten(error) from error

    def _held(self) -> int:
        until_s = time.monotonic() + WAIT_S
        while True:
            file = os.open(self.path, HOW, 0o644)
            try:
                if _lock(file) and self._is_there(file):
                    return file
            except BaseException:
                os.close(file)
                raise
            os.close(file)
            if time.monotonic() > until_s:
                raise RecordingError(
                    f"{self.path} is held by another process for more than {WAIT_S:g} s. Wait "
                    f"until it has written, or stop it, and run this again. {STAYS}"
                )
            time.sleep(AGAIN_S)

    def _is_there(self, file: int) -> bool:
        """Whether nobody has put another file into its place meanwhile."""
        try:
            return os.stat(self.path).st_ino == os.fstat(file).st_ino  # noqa: PTH116  as above
        except FileNotFoundError:
            return False

    def _unwritten(self, error: OSError) -> RecordingError:
        advice = "Make room on the disk" if error.errno == errno.ENOSPC else "See that it can be"
        if error.errno == errno.ENOENT:
            advice = f"Make the folder {str(self.path.parent)!r} first"
        return RecordingError(
            f"{self.path} cannot be written: {_why(error)}. {advice}, and run this again. {STAYS}"
        )


class TextLines:
    """The lines of a text, e.g. one that is embedded in a notebook or was fetched.

    Args:
        text: The lines.
        name: What people call it.
    """

    def __init__(self, text: str, *, name: str) -> None:
        self._data = text.encode("utf-8", "backslashreplace")
        self._name = name

    @property
    def name(self) -> str:
        """What people call it."""
        return self._name

    @property
    def state(self) -> object:
        """A text stays as it is."""
        return len(self._data)

    def has_grown(self, before: object, now: object) -> bool:
        """Never."""
        del before, now
        return False

    @property
    def text(self) -> str:
        """All of it, as it stands."""
        return self._data.decode("utf-8", "replace")

    def read(self, since: int) -> bytes:
        """What is there from a position on."""
        return self._data[since:]

    def append(self, data: bytes, first: bytes, expected: object) -> object:
        """Refuse to.

        Raises:
            RecordingError: It is only for reading.
        """
        del data, first, expected
        raise self._unwritten()

    def rewrite(self, make: Rewrite) -> None:
        """Put nothing else into its place.

        Raises:
            RecordingError: It is only for reading.
        """
        if make(self._data) != self._data:
            raise self._unwritten()

    def _unwritten(self) -> RecordingError:
        return RecordingError(
            f"The recording {self._name} is only for reading. To record, name a file, e.g. "
            'nbagents.recording("lesson.recording.jsonl", mode="extend").'
        )


def _state(found: os.stat_result) -> _Stat:
    return found.st_ino, found.st_size, found.st_mtime_ns


def _lock(file: int) -> bool:
    """Whether the file is now held by this process; where there are no locks, it is.

    Raises:
        OSError: It cannot be asked.
    """
    try:
        return is_held_now(file)
    except OSError as error:
        if error.errno in (errno.ENOTSUP, errno.ENOSYS, errno.ENOLCK):
            return True  # a file system without locks: a line is still written at once
        raise


def _ends_line(file: int, size: int) -> bool:
    os.lseek(file, size - 1, os.SEEK_SET)
    return os.read(file, 1) == b"\n"


def _read_all(file: int) -> bytes:
    pieces: list[bytes] = []
    while piece := os.read(file, 1 << 20):
        pieces.append(piece)
    return b"".join(pieces)


def _write(file: int, data: bytes) -> None:
    view: Sequence[int] | memoryview = memoryview(data)
    while view:
        done = os.write(file, view)  # pyright: ignore[reportArgumentType]  a view is a buffer
        view = view[done:]


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower().rstrip(".")
