"""The lanes of a run that is awaited on a loop: plain functions run right there."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from typing import TYPE_CHECKING

from nbagents.errors import ToolTimeoutError
from nbagents.runs.lanes.causes import BY_PERSON, BY_RAISING
from nbagents.runs.lanes.signals import interrupt, interrupt_main_thread, is_inside, restore_sigint
from nbagents.runs.lanes.workers import in_thread
from nbagents.threads import Timer
from nbagents.tools.context import GLANCE_S, interruption, run_clock

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType


class InlineLanes:
    """For `await` on a loop: calls that want the main thread run right here, if this is it.

    A blocking call then blocks the loop, as it does in any `await` cell. SIGINT ends it as a
    cancellation: an interrupt raised in a task would end the kernel's own loop.

    Args:
        loop: The main thread's, if it is that one.
        on_stop: Is told when a call is interrupted, and by whom.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop | None = None,
        on_stop: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._running: _Clock | None = None
        self._on_stop = on_stop
        self._loop = loop

    def stop(self) -> None:
        """Interrupt the call that blocks the loop, if there is one; from any thread."""
        if (clock := self._running) is not None:
            clock.stop()

    async def on_main(
        self, function: Callable[[], object], timeout_s: float | None = None
    ) -> object:
        """Run a call where the loop runs, or on a worker if that is not the main thread.

        Raises:
            ToolTimeoutError: It took longer than `timeout_s`.
        """
        if threading.current_thread() is not threading.main_thread():
            if self._loop is None:
                return await in_thread(function, timeout_s)
            # A tool on a worker asks, or runs an agent: that is driven by another loop.
            there = asyncio.run_coroutine_threadsafe(self.on_main(function, timeout_s), self._loop)
            return await asyncio.wrap_future(there)
        clock = self._running = _Clock(timeout_s)
        previous = signal.signal(signal.SIGINT, clock.on_sigint)
        try:
            with clock:
                result = clock.call(function)
        except KeyboardInterrupt:
            if clock.is_over and not clock.was_stopped and timeout_s is not None:
                raise ToolTimeoutError(timeout_s) from None
            self._on_stop(BY_PERSON if clock.was_stopped else BY_RAISING)
            raise asyncio.CancelledError("interrupted") from None
        finally:
            self._running = None
            restore_sigint(previous)
        if clock.is_over and not clock.was_stopped and timeout_s is not None:
            raise ToolTimeoutError(timeout_s)
        if clock.was_stopped:
            self._on_stop(BY_PERSON)
            raise asyncio.CancelledError("interrupted")
        return result

    in_thread = staticmethod(in_thread)


class _Clock:
    """Interrupts the main thread when a call that blocks the loop has taken too long.

    SIGINT, its own or the person's, raises only inside of the call: the clock is always stopped.
    """

    def __init__(self, timeout_s: float | None) -> None:
        self.is_over = False
        self.was_stopped = False
        """Whether the person asked for a stop, also where the call has swallowed it."""
        self._is_ringing = False
        self._is_running = True
        self._lock = threading.Lock()
        self._run_clock = run_clock.get()
        self._end_s = None if timeout_s is None else self._now_s() + timeout_s
        self._timer = None if timeout_s is None else self._alarm(timeout_s)

    def call(self, function: Callable[[], object]) -> object:
        """The only frame above which SIGINT raises."""
        if self.was_stopped:
            raise interruption()
        return function()

    def on_sigint(self, number: int, frame: FrameType | None) -> None:
        """Hear the person, or the clock itself."""
        is_own, self._is_ringing = self._is_ringing, False
        self.was_stopped = self.was_stopped or not is_own
        if is_inside(frame, _Clock.call.__code__):
            interrupt(number, frame)

    def stop(self) -> None:
        """Ask for a stop, as the person does; a call cannot interrupt itself."""
        main_id = threading.main_thread().ident or 0
        with self._lock:
            if self._is_running and threading.get_ident() != main_id:
                interrupt_main_thread(main_id)

    def _now_s(self) -> float:
        return time.monotonic() if self._run_clock is None else self._run_clock.now_s()

    def _alarm(self, after_s: float) -> Timer:
        return Timer(after_s, self._ring)

    def _ring(self) -> None:
        with self._lock:
            left_s = 0.0 if self._end_s is None else self._end_s - self._now_s()
            if self._is_running and left_s > 0:  # somebody was waited for meanwhile
                self._timer = self._alarm(max(left_s, GLANCE_S))
                self._timer.start()
            elif self._is_running:
                self.is_over = self._is_ringing = True
                interrupt_main_thread(threading.main_thread().ident or 0)

    def __enter__(self) -> None:
        if self._timer is not None:
            self._timer.start()

    def __exit__(self, *_exc: object) -> None:
        with self._lock:  # so that it does not ring when SIGINT is somebody else's again
            self._is_running = False
        if self._timer is not None:
            self._timer.cancel()
