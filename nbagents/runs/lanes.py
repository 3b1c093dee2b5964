"""Which thread a call runs on: the thread that waits, a worker, or where the caller is.

A stop is felt at once and breaks nothing: SIGINT raises only inside a tool's own frames. Anywhere
else (the wait, the pump, the log) it only sets a flag and wakes the wait.
"""

from __future__ import annotations

import _thread
import asyncio
import contextvars
import queue
import signal
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from nbagents.runs.workers import in_thread, settle

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType

__all__ = ["InlineLanes", "Lane", "shield"]

TICK_S = 0.02
"""How often clicks are looked for while nothing else happens."""


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

    _on_main_thread: ClassVar[list[Lane]] = []
    """The lanes that wait on the main thread: a tool may itself run an agent."""

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
        nested = self._nested()
        if nested is not None:
            nested.stop()
        elif self._in_tool and self._handles_signals and threading.get_ident() != self._thread_id:
            _interrupt_main_thread(self._thread_id)
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

    def _nested(self) -> Lane | None:
        """The lane of the run that a tool of this one waits for."""
        lanes = Lane._on_main_thread
        above = lanes[lanes.index(self) + 1 :] if self in lanes else []
        return above[0] if above else None

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
            result = self._call(job)
        except BaseException as error:  # noqa: BLE001  the call's error belongs to its caller
            self.stop_asked = self.stop_asked or isinstance(error, KeyboardInterrupt)
            settle(job.future, error)
        else:
            job.future.set_result(result)

    def _call(self, job: _Job) -> object:
        """The only frame above which SIGINT raises."""
        self._in_tool = True
        try:
            return job.context.run(job.function)
        finally:
            self._in_tool = False

    def __enter__(self) -> Self:
        if self._handles_signals:
            Lane._on_main_thread.append(self)
            self._previous = signal.signal(signal.SIGINT, self._on_sigint)
        return self

    def __exit__(self, *_exc: object) -> None:
        if self._handles_signals:
            restore_sigint(self._previous)
            Lane._on_main_thread.remove(self)

    def _on_sigint(self, number: int, frame: FrameType | None) -> None:
        self.stop_asked = True
        if self._in_tool and _is_inside(frame, Lane._call.__code__):
            _interrupt(number, frame)
        else:
            self._jobs.put(None)


class InlineLanes:
    """For `await` on a loop: calls that want the main thread run right here, if this is it.

    A blocking call then blocks the loop, as it does in any `await` cell. SIGINT ends it as a
    cancellation: an interrupt raised in a task would end the kernel's own loop.
    """

    async def on_main(self, function: Callable[[], object]) -> object:
        """Run a call where the loop runs, or on a worker if that is not the main thread."""
        if threading.current_thread() is not threading.main_thread():
            return await in_thread(function)
        previous = signal.signal(signal.SIGINT, _interrupt)
        try:
            return function()
        except KeyboardInterrupt:
            raise asyncio.CancelledError("interrupted") from None
        finally:
            restore_sigint(previous)

    async def in_thread(self, function: Callable[[], object]) -> object:
        """Run a call on a worker thread."""
        return await in_thread(function)


def restore_sigint(previous: Any) -> None:  # what signal.signal gives is Python's own mixture
    """Give SIGINT its handler back; `None` is one that was not set from Python."""
    signal.signal(signal.SIGINT, signal.default_int_handler if previous is None else previous)


def _interrupt_main_thread(thread_id: int) -> None:
    """Interrupt the main thread, also in a system call where the platform can."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(thread_id, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    if not shield.depth:
        raise KeyboardInterrupt
    shield.is_pending = True


def _is_inside(frame: FrameType | None, code: CodeType) -> bool:
    """Whether `frame` was called, at any depth, by a frame of `code`; not if it is that frame."""
    if frame is None or frame.f_code is code:
        return False
    while frame is not None:
        if frame.f_code is code:
            return True
        frame = frame.f_back
    return False
