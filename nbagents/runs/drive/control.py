"""What stands around a run while it is driven: its end, which others wait for, and its display."""

from __future__ import annotations

import asyncio
import threading
import warnings
from typing import TYPE_CHECKING

from nbagents.errors import RunError
from nbagents.redaction import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from nbagents.runs.people import Attendance

BEAT_S = 0.04
"""How often a display is fed."""


class Ending:
    """The end of a run that some thread drives and waits for itself; others may wait for it too.

    As a context it lasts for as long as the run.

    Args:
        stop: Stops the run; from any thread.
        is_driven_here: Whether this thread drives the run, so that it cannot wait for it.
    """

    def __init__(self, stop: Callable[[str], None], is_driven_here: Callable[[], bool]) -> None:
        self.stop = stop
        self._is_driven_here = is_driven_here
        self._ended = threading.Event()

    def __enter__(self) -> None:
        """It goes on for as long as the block."""

    def __exit__(self, *_exc: object) -> None:
        self._ended.set()

    def wait(self, timeout_s: float | None) -> None:
        """Wait for the end, or until the time is over.

        Raises:
            RunError: It would wait for itself.
        """
        if not self._ended.is_set() and self._is_driven_here():
            raise RunError(
                "This thread drives the run, so it cannot wait for it: a tool cannot wait for the"
                " run that calls it, nor a loop for what runs on it. Return, or `await` it."
            )
        self._ended.wait(timeout_s)


async def with_beat(
    driving: Coroutine[None, None, None], attendance: Attendance, every_s: float
) -> None:
    """Drive, and feed the display meanwhile; a display that breaks does not break the run."""

    async def beat() -> None:
        while True:
            await asyncio.sleep(every_s)
            attendance.beat()

    beating = asyncio.ensure_future(beat())
    try:
        await driving
    finally:
        beating.cancel()
        (error,) = await asyncio.gather(beating, return_exceptions=True)
        if isinstance(error, Exception):
            warnings.warn(clean(f"The display of a run broke off: {error!r}"), stacklevel=2)
