"""The one sync door: a run on a private loop thread, while the calling thread waits in its lane.

Works anywhere, also under a running loop. The host puts around a run what it needs to be seen: a
display, and a way to hear clicks while the cell runs.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
import warnings
from typing import TYPE_CHECKING, TypeVar

from nbagents.errors import RunError, brief
from nbagents.runs.host import current_host
from nbagents.runs.inline_lanes import InlineLanes
from nbagents.runs.lanes import Lane
from nbagents.runs.run import Driver, Plan

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine

    from nbagents.events import AnyEvent
    from nbagents.runs.host import Attendance, Host
    from nbagents.runs.record import Run

__all__ = ["LoopThread", "run_async", "run_blocking", "stream_events"]

E = TypeVar("E", bound=BaseException)

BEAT_S = 0.04
"""How often a display is fed."""
TICK_S = 0.1
"""How often an awaited run lets the kernel notice an interrupt."""
DEAF_S = 0.3
"""How long a stopped loop may stay silent before it is given up: something blocks it."""
GRACE_S = 3.0
"""How long a stopped run may clean up."""


def run_blocking(run: Run, plan: Plan, *, host: Host | None = None) -> None:
    """Drive a run to its end while this thread runs its main-thread tools.

    Raises:
        KeyboardInterrupt: It was stopped.
        ModelError: The model failed.
        RunError: Called where it would wait for itself, or cancelled from inside.
    """
    __tracebackhide__ = True
    thread = LoopThread.get()
    if threading.get_ident() == thread.ident:
        raise RunError(
            "agent.run() would block the loop that it needs. In an async tool, write"
            " `await agent.arun(...)`."
        )
    stopping = _Stopping(thread)
    lane = Lane(on_stop=stopping.begin)
    host = host or current_host()
    driver = Driver(run, plan, lane, host)
    attending = host.attend(run, lane.stop, is_blocking=True)
    with lane, attending as attendance:
        lane.poll = attendance.poll
        job = thread.start(lambda: _with_beat(driver.drive(), attendance, BEAT_S), lane.wake)
        stopping.job = job
        try:
            lane.wait(lambda: job.is_done or stopping.has_given_up() or not thread.is_alive)
        finally:
            if not job.is_done:
                stopping.begin()
                driver.abort("cancelled", KeyboardInterrupt())
                thread.abandon()
        if not lane.stop_asked:
            job.raise_error(run)
    if lane.stop_asked:
        raise _stopped(run)


async def run_async(run: Run, plan: Plan, *, host: Host | None = None) -> None:
    """Drive a run on the running loop.

    Raises:
        asyncio.CancelledError: It was stopped.
        ModelError: The model failed.
    """
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    host = host or current_host()
    driver = Driver(run, plan, InlineLanes(), host)

    def stop() -> None:
        if task is not None:
            loop.call_soon_threadsafe(task.cancel)

    with host.attend(run, stop, is_blocking=False) as attendance:
        await _with_beat(driver.drive(), attendance, TICK_S)


async def stream_events(run: Run, plan: Plan) -> AsyncIterator[AnyEvent]:
    """Drive a run on the running loop and yield its events as they come."""
    queue: asyncio.Queue[AnyEvent | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def take(event: AnyEvent | None) -> None:
        loop.call_soon_threadsafe(queue.put_nowait, event)

    end_listening = run.listen(take)
    task = asyncio.ensure_future(run_async(run, plan))
    task.add_done_callback(lambda _: take(None))
    try:
        while (event := await queue.get()) is not None:
            yield event
        await task
    finally:
        end_listening()
        task.cancel()
        await asyncio.wait([task])


async def _with_beat(
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
            warnings.warn(f"The display of a run broke off: {error!r}", stacklevel=2)


def _stopped(run: Run) -> KeyboardInterrupt:
    """What a stop raises: in a notebook one line, since no frame of ours says more."""
    error = KeyboardInterrupt("The run was stopped; what it did until then is kept.")
    return _with_run(brief(error), run)


def _with_run(error: E, run: Run) -> E:
    """Hang the run on what ended it, for whoever catches the error: `error.run`."""
    setattr(error, "run", run)  # noqa: B010  an attribute that the class does not know
    return error


class Job:
    """A coroutine on the loop thread."""

    def __init__(self) -> None:
        self.is_done = False
        self._error: BaseException | None = None
        self._was_cancelled = False
        self._has_begun = False
        self._is_unwanted = False
        self._task: asyncio.Task[None] | None = None

    def begin(
        self, make: Callable[[], Coroutine[None, None, None]], done: Callable[[], None]
    ) -> None:
        """Start it; on the loop."""
        self._task = asyncio.ensure_future(self._contained(make()))

        def settle(task: asyncio.Task[None]) -> None:
            self._was_cancelled = task.cancelled()
            self.is_done = True
            done()

        self._task.add_done_callback(settle)

    async def _contained(self, work: Coroutine[None, None, None]) -> None:
        """Keep every error: an exit or an interrupt that left a task would end the whole loop."""
        self._has_begun = True
        if self._is_unwanted and self._task is not None:
            self._task.cancel()  # felt at the first await, where the driver can end it in order
        try:
            await work
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # noqa: BLE001  raised again by `raise_error`
            self._error = error

    def cancel(self) -> None:
        """Cancel it; on the loop."""
        self._is_unwanted = True
        if self._has_begun and self._task is not None:
            self._task.cancel()

    def raise_error(self, run: Run) -> None:
        """Raise what ended it, if it did not end well."""
        __tracebackhide__ = True
        if self._error is not None:
            raise _with_run(self._error, run)
        if self._was_cancelled:
            raise _with_run(RunError("The run was cancelled, and not by a stop."), run)


class LoopThread:
    """The private loop and its thread, shared by all blocking runs of the process."""

    _current: LoopThread | None = None
    _lock = threading.Lock()

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._jobs = 0
        self._is_abandoned = False
        self.thread = threading.Thread(target=self._serve, name="nbagents-loop", daemon=True)
        self.thread.start()

    @classmethod
    def get(cls) -> LoopThread:
        """The thread, started when first asked for."""
        with cls._lock:
            if cls._current is None or not cls._current.thread.is_alive():
                cls._current = cls()
            return cls._current

    @property
    def ident(self) -> int | None:
        """The thread's id."""
        return self.thread.ident

    @property
    def is_alive(self) -> bool:
        """Whether the loop still runs; an exit in a callback ends it."""
        return self.thread.is_alive()

    def _serve(self) -> None:
        """Run until the loop is abandoned; then end whatever is still on it."""
        self.loop.run_forever()
        self.loop.run_until_complete(_end_tasks(self.loop))
        self.loop.close()

    def start(
        self, make: Callable[[], Coroutine[None, None, None]], done: Callable[[], None]
    ) -> Job:
        """Run a coroutine on the loop, in a copy of the caller's context; then call `done`."""
        job = Job()
        context = contextvars.copy_context()
        with self._lock:
            self._jobs += 1

        def ended() -> None:
            self._end_job()
            done()

        self.loop.call_soon_threadsafe(job.begin, make, ended, context=context)
        return job

    def abandon(self) -> None:
        """Leave a loop that something blocks: the next run gets a new one.

        The runs of other threads that are on it may end there.
        """
        with self._lock:
            self._is_abandoned = True
            if LoopThread._current is self:
                LoopThread._current = None
        self._stop_if_idle()

    def _end_job(self) -> None:
        with self._lock:
            self._jobs -= 1
        self._stop_if_idle()

    def _stop_if_idle(self) -> None:
        if self._is_abandoned and not self._jobs:
            self.loop.call_soon_threadsafe(self.loop.stop)


async def _end_tasks(loop: asyncio.AbstractEventLoop) -> None:
    left = asyncio.all_tasks(loop) - {asyncio.current_task(loop)}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
    await loop.shutdown_asyncgens()


class _Stopping:
    """A stop under way: told to the loop, and given up where the loop does not hear it."""

    def __init__(self, thread: LoopThread) -> None:
        self._thread = thread
        self._asked_s: float | None = None
        self._was_heard = False
        self.job: Job | None = None

    def begin(self) -> None:
        """Tell the loop."""
        if self._asked_s is None:
            self._asked_s = time.monotonic()
            self._thread.loop.call_soon_threadsafe(self._hear)

    def _hear(self) -> None:
        self._was_heard = True
        if self.job is not None:
            self.job.cancel()

    def has_given_up(self) -> bool:
        """Whether there is no point in waiting any longer."""
        if self._asked_s is None:
            return False
        return time.monotonic() - self._asked_s > (GRACE_S if self._was_heard else DEAF_S)
