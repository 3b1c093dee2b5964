"""The private loop of blocking and background runs, on a thread of its own."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
from typing import TYPE_CHECKING, TypeVar

from nbagents.errors import RunError, brief
from nbagents.redaction import clean
from nbagents.runs.lanes import run_on, tell
from nbagents.threads import start_thread
from nbagents.tools.context import interruption
from nbagents.tracebacks import clean_error

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from nbagents.runs.state import Run

E = TypeVar("E", bound=BaseException)

DEAF_S = 0.3
"""How long a stopped loop may stay silent before it is given up: something blocks it."""
GRACE_S = 3.0
"""How long a stopped run may clean up."""


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
        self.loop.set_exception_handler(_said_without_secrets)
        self._jobs = 0
        self._is_abandoned = False
        self.thread = start_thread(self._serve, "loop")

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
        """Whether the loop still runs: a tool may have stopped it."""
        return self.thread.is_alive()

    def _serve(self) -> None:
        """Run until the loop is abandoned; then end whatever is still on it."""
        run_on(self.loop)
        with self._lock:  # also of a loop that a tool has stopped: the next run gets a new one
            if LoopThread._current is self:
                LoopThread._current = None
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


def _said_without_secrets(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    """Log what nobody awaited, as asyncio does, in clean words."""
    error = context.get("exception")
    shown = ("future", "task", "handle")
    said: dict[str, object] = {name: _Words(context[name]) for name in shown if name in context}
    if isinstance(error, BaseException):
        said["exception"] = clean_error(error)
    loop.default_exception_handler({**context, **said})


class _Words:
    """Shows itself as another object does, without secrets."""

    def __init__(self, of: object) -> None:
        self._said = clean(repr(of))

    def __repr__(self) -> str:
        return self._said


async def _end_tasks(loop: asyncio.AbstractEventLoop) -> None:
    left = asyncio.all_tasks(loop) - {asyncio.current_task(loop)}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
    await loop.shutdown_asyncgens()


class Stopping:
    """A stop under way: told to the loop, and given up where the loop does not hear it."""

    def __init__(self, thread: LoopThread) -> None:
        self._thread = thread
        self._asked_s: float | None = None
        self._was_heard = False
        self.job: Job | None = None

    def watch(self, job: Job) -> None:
        """Say what is to be stopped; a stop may have come before."""
        self.job = job
        if self._asked_s is not None:
            tell(self._thread.loop, self._hear)

    def begin(self) -> None:
        """Tell the loop."""
        if self._asked_s is None:
            self._asked_s = time.monotonic()
            tell(self._thread.loop, self._hear)

    def _hear(self) -> None:
        self._was_heard = True
        if self.job is not None:
            self.job.cancel()

    def has_given_up(self) -> bool:
        """Whether there is no point in waiting any longer."""
        if self._asked_s is None:
            return False
        return time.monotonic() - self._asked_s > (GRACE_S if self._was_heard else DEAF_S)


def stopped_by_person(run: Run) -> KeyboardInterrupt:
    """What a stop raises: in a notebook one line, since no frame of ours says more."""
    error = interruption("The run was stopped; what it did until then is kept.")
    return _with_run(brief(error), run)


def _with_run(error: E, run: Run) -> E:
    """Hang the run on what ended it, for whoever catches the error: `error.run`."""
    vars(error)["run"] = run
    return error
