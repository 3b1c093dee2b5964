"""Lines that wait to be written: they go with the next one, or a moment later."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING, Final

from nbagents.errors import RecordingError

if TYPE_CHECKING:
    from collections.abc import Callable

    from nbagents.recordings.take import Make, Take

WITHIN_S: Final = 0.05


class Waiting:
    """Lines that wait.

    Args:
        write: Writes what waits.
    """

    def __init__(self, write: Callable[[], None]) -> None:
        self.lines: list[tuple[Take, Make]] = []
        self._write = write
        self._due_s = 0.0

    def add(self, take: Take, make: Make) -> None:
        """Another line waits; where no loop runs, it is written now.

        Raises:
            RecordingError: It cannot be written.
        """
        self.lines.append((take, make))
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._write()
            return
        if (now_s := time.monotonic()) >= self._due_s:
            self._due_s = now_s + WITHIN_S
            loop.call_later(WITHIN_S, self._write_if_possible)

    def end(self, take: Take, *, is_whole: bool) -> None:
        """Write what waits, also of other runs; what cannot be written of this one is given up.

        Args:
            take: The run that is over.
            is_whole: Whether it came to its end: else what cannot be written is said already.

        Raises:
            RecordingError: It cannot be written.
        """
        try:
            self._write()
        except RecordingError:
            if is_whole:
                raise
        finally:
            self.lines = [one for one in self.lines if one[0] is not take]

    def _write_if_possible(self) -> None:
        with contextlib.suppress(RecordingError):  # the next line says so, or the run's end
            self._write()
