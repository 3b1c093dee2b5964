"""A file that is written whole or not at all: what stood there before stays until then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.disk import put_in_place
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
        put_in_place(path, lines)
    except OSError as error:
        why = error.strerror or str(error)
        raise RunError(
            f"{path} could not be written ({why}). Nothing there has changed; choose another "
            "place, or make room."
        ) from error
