"""A file that is written whole or not at all: what stood there before stays until then."""

from __future__ import annotations

import os
import uuid
from contextlib import suppress
from typing import TYPE_CHECKING

from nbagents.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def write_whole(path: Path, lines: Iterable[bytes]) -> None:
    """Write a file in place of the one that may be there, once all of it is on the disk.

    Raises:
        RunError: It could not be written, e.g. because the disk is full; nothing has changed.
    """
    try:
        replace_file(path, lines)
    except OSError as error:
        why = error.strerror or str(error)
        raise RunError(
            f"{path} could not be written ({why}). Nothing there has changed; choose another "
            "place, or make room."
        ) from error


def replace_file(path: Path, lines: Iterable[bytes]) -> None:
    """The same, where whoever calls says what went wrong.

    Raises:
        OSError: It could not be written; nothing has changed.
    """
    target = path.resolve()
    beside = target.with_name(f".{target.name}.{uuid.uuid4().hex[:8]}")
    try:
        with beside.open("xb") as file:
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            beside.chmod(target.stat().st_mode & 0o777)
        beside.replace(target)
    finally:
        with suppress(OSError):  # there is none where all went well
            beside.unlink()
