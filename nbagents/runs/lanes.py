"""Which thread a call runs on: the thread that waits, a worker, or where the caller is.

A stop is felt at once and breaks nothing: SIGINT raises only inside a tool's own frames. Anywhere
else (the wait, the pump, the log) it only sets a flag and wakes the wait.
"""

from __future__ import annotations

import asyncio
import contextvars
import queue
import signal
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType

__all__ = ["InlineLanes", "Lane", "in_thread", "shield"]

TICK_S = 0.02
"""How often clicks are looked for while nothing else happens."""
MAX_THREADS = 16


class _Shield:
    """Holds a stop back until the block is left: the log is written whole. Main thread only."""

    def __init__(self) -> None:
        self._main_id = threading.main_thread().ident
        self.depth = 0
        self.is_pending = False

    def __enter__(self) -> None:
        if threading.get_ident() == self._main_id:
            self.depth += 1

    def __exit__(self, *_exc: object) -> None:
        if threading.get_ident() != self._main_id:
            return
        self.depth -= 1
        if self.depth == 0 and self.is_pending:
            self.is_pending = False
            raise KeyboardInterrupt


shield = _Shield()
"""`with shield:` what must not be interrupted in the middle."""


@dataclass(slots=True)
class _Job:
    function: Callable[[], object]
    context: contextvars.Context
    future: Future[object]


class Lane:
    """A waiting thread that runs the calls which belong on it.

    As a context it handles SIGINT, on the main thread: from before the run is shown to after.

    Args:
        on_stop: Called once, on the waiting thread, when a stop was asked for.
    """

    poll: Callable[[], None] | None = None
    """Called every `TICK_S` while waiting; hears clicks."""

    def __init__(self, *, on_stop: Callable[[], None]) -> None:
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._on_stop = on_stop
        self._previous: Any = None  # what signal.signal gives is Python's own mixture
        self._thread_id = threading.get_ident()
        self._handles_signals = threading.current_thread() is threading.main_thread()
        self._in_tool = False
        self.stop_asked = False
        self._stop_told = False

    async def on_main(self, function: Callable[[], object]) -> object:
        """Run a call on the waiting thread; calls of one lane run one at a time, in order."""
        job = _Job(function, contextvars.copy_context(), Future())
        self._jobs.put(job)
        return await asyncio.wrap_future(job.future)

    async def in_thread(self, function: Callable[[], object]) -> object:
        """Run a call on a worker thread."""
        return await in_thread(function)

    def wake(self) -> None:
        """Make the wait look around; from any thread."""
        self._jobs.put(None)

    def stop(self) -> None:
        """Ask for a stop, from any thread; a tool on the waiting thread is interrupted."""
        self.stop_asked = True
        elsewhere = threading.get_ident() != self._thread_id
        if (
            self._in_tool
            and elsewhere
            and self._handles_signals
            and hasattr(signal, "pthread_kill")
        ):
            signal.pthread_kill(self._thread_id, signal.SIGINT)
        self.wake()

    def wait(self, is_done: Callable[[], bool]) -> None:
        """Run calls and poll until `is_done`; a finished run must `wake` the lane."""
        next_poll_s = 0.0
        while not is_done():
            job = self._next_job()
            if job is not None:
                self._perform(job)
            if self.stop_asked and not self._stop_told:
                self._stop_told = True
                self._on_stop()
            if self.poll is not None and time.monotonic() >= next_poll_s:
                self.poll()
                next_poll_s = time.monotonic() + TICK_S

    def _next_job(self) -> _Job | None:
        try:
            return self._jobs.get(timeout=TICK_S)
        except queue.Empty:
            return None

    def _perform(self, job: _Job) -> None:
        if self.stop_asked:
            job.future.cancel()
        if not job.future.set_running_or_notify_cancel():
            return
        try:
            self._in_tool = True
            result = job.context.run(job.function)
        except KeyboardInterrupt:
            self.stop_asked = True
            _settle(job.future, asyncio.CancelledError())
        except BaseException as error:  # noqa: BLE001  the call's error belongs to its caller
            _settle(job.future, error)
        else:
            job.future.set_result(result)
        finally:
            self._in_tool = False

    def __enter__(self) -> Self:
        if self._handles_signals:
            self._previous = signal.signal(signal.SIGINT, self._on_sigint)
        return self

    def __exit__(self, *_exc: object) -> None:
        if self._handles_signals:
            signal.signal(signal.SIGINT, self._previous or signal.default_int_handler)

    def _on_sigint(self, _number: int, frame: FrameType | None) -> None:
        self.stop_asked = True
        if not self._in_tool or not _is_inside(frame, Lane._perform.__code__):
            self._jobs.put(None)
        else:
            _interrupt(_number, frame)


class InlineLanes:
    """For `await` on a loop: calls that want the main thread run right here, if this is it.

    A blocking call then blocks the loop, as it does in any `await` cell; SIGINT still ends it.
    """

    async def on_main(self, function: Callable[[], object]) -> object:
        """Run a call where the loop runs, or on a worker if that is not the main thread."""
        if threading.current_thread() is not threading.main_thread():
            return await in_thread(function)
        previous = signal.signal(signal.SIGINT, _interrupt)
        try:
            return function()
        finally:
            signal.signal(signal.SIGINT, previous or signal.default_int_handler)

    async def in_thread(self, function: Callable[[], object]) -> object:
        """Run a call on a worker thread."""
        return await in_thread(function)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    if not shield.depth:
        raise KeyboardInterrupt
    shield.is_pending = True


_slots = threading.BoundedSemaphore(MAX_THREADS)


async def in_thread(function: Callable[[], object]) -> object:
    """Run a blocking function on a thread of its own, at most `MAX_THREADS` at once.

    The thread is a daemon: one that ignores a stop must not keep the kernel from ending. It runs
    in a copy of the caller's context, so that what it prints lands in the right cell.
    """
    context = contextvars.copy_context()
    future: Future[object] = Future()

    def work() -> None:
        with _slots:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = context.run(function)
            except BaseException as error:  # noqa: BLE001  the call's error belongs to its caller
                _settle(future, error)
            else:
                future.set_result(result)

    threading.Thread(target=work, name="nbagents-tool", daemon=True).start()
    return await asyncio.wrap_future(future)


def _settle(future: Future[object], error: BaseException) -> None:
    if not future.done():
        future.set_exception(error)


def _is_inside(frame: FrameType | None, code: CodeType) -> bool:
    """Whether `frame` was called, at any depth, by a frame of `code`; not if it is that frame."""
    if frame is None or frame.f_code is code:
        return False
    while frame is not None:
        if frame.f_code is code:
            return True
        frame = frame.f_back
    return False
