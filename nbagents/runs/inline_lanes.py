"""The lanes of a run that is awaited on a loop: plain functions run right there."""

from __future__ import annotations

import asyncio
import signal
import threading
from typing import TYPE_CHECKING

from nbagents.errors import ToolTimeoutError
from nbagents.runs.signals import interrupt, interrupt_main_thread, restore_sigint
from nbagents.runs.workers import in_thread

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["InlineLanes"]


class InlineLanes:
    """For `await` on a loop: calls that want the main thread run right here, if this is it.

    A blocking call then blocks the loop, as it does in any `await` cell. SIGINT ends it as a
    cancellation: an interrupt raised in a task would end the kernel's own loop.
    """

    async def on_main(
        self, function: Callable[[], object], timeout_s: float | None = None
    ) -> object:
        """Run a call where the loop runs, or on a worker if that is not the main thread.

        Raises:
            ToolTimeoutError: It took longer than `timeout_s`.
        """
        if threading.current_thread() is not threading.main_thread():
            return await in_thread(function, timeout_s)
        clock = _Clock(timeout_s)
        previous = signal.signal(signal.SIGINT, interrupt)
        try:
            with clock:
                return function()
        except KeyboardInterrupt:
            if clock.is_over and timeout_s is not None:
                raise ToolTimeoutError(timeout_s) from None
            raise asyncio.CancelledError("interrupted") from None
        finally:
            restore_sigint(previous)

    async def in_thread(
        self, function: Callable[[], object], timeout_s: float | None = None
    ) -> object:
        """Run a call on a worker thread; see `workers.in_thread`."""
        return await in_thread(function, timeout_s)


class _Clock:
    """Interrupts the main thread when a call that blocks the loop has taken too long."""

    def __init__(self, timeout_s: float | None) -> None:
        self.is_over = False
        self._is_running = True
        self._lock = threading.Lock()
        self._timer = threading.Timer(timeout_s, self._ring) if timeout_s is not None else None

    def _ring(self) -> None:
        with self._lock:
            if self._is_running:
                self.is_over = True
                interrupt_main_thread(threading.main_thread().ident or 0)

    def __enter__(self) -> None:
        if self._timer is not None:
            self._timer.daemon = True
            self._timer.start()

    def __exit__(self, *_exc: object) -> None:
        try:
            if self._timer is not None:
                self._timer.cancel()
        finally:  # without the lock: an interrupt that breaks in here must not leave it running
            self._is_running = False
