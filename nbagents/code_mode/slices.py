"""A loop of asyncio that runs in slices: until nothing more can be done, and then lets go.

What a model writes runs on the main thread, where the notebook's objects live, and may await. While
it waits, the thread must be free: for tools that run there, too, for clicks, and for a stop. So the
loop gives the thread back as soon as it would only sleep.
"""

from __future__ import annotations

import asyncio
import selectors
from asyncio import events
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from contextvars import Context

GLANCE_S: Final = 0.02
"""How often sockets are looked at that code waits for itself."""
OWN_FILES: Final = 1
"""The loop's own end of the pipe by which other threads wake it."""


class _Drowsy(selectors.DefaultSelector):
    """A selector that never sleeps: it tells how long it would, and ends the slice.

    Args:
        tell: Is told for how many seconds; `None`: until somebody wakes it.
    """

    def __init__(self, tell: Callable[[float | None], None]) -> None:
        super().__init__()
        self._tell = tell

    def select(self, timeout: float | None = None) -> Any:
        """What is ready now."""
        ready = super().select(0)
        if not ready and (timeout is None or timeout > 0):
            is_watching = len(self.get_map()) > OWN_FILES
            longest = GLANCE_S if is_watching else None
            sleeps = [one for one in (timeout, longest) if one is not None]
            self._tell(min(sleeps, default=None))
        return ready


class SlicedLoop(asyncio.SelectorEventLoop):
    """Runs until all wait for something; who waits for it goes on with the next slice.

    Args:
        wake: Told, from any thread, that there is something to be done again.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self.sleeps_s: float | None = None
        """How long it may wait for its next slice, if nobody wakes it before; `None`: for ever."""
        super().__init__(_Drowsy(self._would_sleep))

    def _would_sleep(self, seconds: float | None) -> None:
        self.sleeps_s = seconds
        self.stop()

    def call_soon_threadsafe(
        self, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        """Have something called in the next slice; from any thread."""
        handle = super().call_soon_threadsafe(callback, *args, context=context)
        self._wake()
        return handle

    def run_slice(self) -> None:
        """Run what can be run; also on a thread whose own loop stands still meanwhile."""
        around = events._get_running_loop()
        events._set_running_loop(None)
        try:
            self.run_forever()
        finally:
            events._set_running_loop(around)

    @property
    def left(self) -> set[asyncio.Task[Any]]:
        """What has not ended yet."""
        return {one for one in asyncio.all_tasks(self) if not one.done()}

    def end(self) -> None:
        """Cancel what is left, and let it end."""
        for one in self.left:
            one.cancel()
        self.run_slice()
