"""Which thread a call runs on: the thread that waits, a worker, or the main thread in its turn.

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
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar

from nbagents.errors import ToolTimeoutError
from nbagents.runs.lanes.causes import BY_PERSON, BY_RAISING, CALL_OVER
from nbagents.runs.lanes.signals import (
    interrupt,
    interrupt_main_thread,
    is_inside,
    pass_on,
    restore_sigint,
)
from nbagents.runs.lanes.turns import main_turns
from nbagents.runs.lanes.workers import in_thread, settle, tell
from nbagents.tools.context import ends_in_time

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from types import FrameType

T = TypeVar("T")
Around: TypeAlias = "Callable[[], AbstractContextManager[None]]"

ENDING_S = 0.5
"""How long an interrupted call may take to end, before it is given up."""
TICK_S = 0.02
"""How often clicks are looked for while nothing else happens."""


_lane: contextvars.ContextVar[Lane | None] = contextvars.ContextVar("nbagents_lane", default=None)
"""The lane of the run whose call this is: a tool may itself run an agent."""


@dataclass(slots=True)
class _Job:
    function: Callable[[], object]
    context: contextvars.Context
    future: Future[object]
    timeout_s: float | None = None
    begun: Callable[[], None] | None = None
    """Told when it begins, for its time runs from then on."""
    is_late: bool = False


class Lane:
    """A waiting thread that runs the calls which belong on it.

    As a context it handles SIGINT, on the main thread: from before the run is shown to after. The
    lane of a run in the background has no thread that waits: its calls take turns on the main one,
    and it handles SIGINT for as long as a turn takes.

    Args:
        on_stop: Called once when a stop was asked for; on the waiting thread, if there is one.
        in_turn: Put around each turn on the main thread; `None`: this thread will wait.
    """

    poll: Callable[[], None] | None = None
    """Called every `TICK_S` while waiting; hears clicks."""

    def __init__(self, *, on_stop: Callable[[], None], in_turn: Around | None = None) -> None:
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._on_stop = on_stop
        self._in_turn = in_turn
        self._previous: Any = None  # what signal.signal gives is Python's own mixture
        main, here = threading.main_thread(), threading.current_thread()
        self.thread_id = (here if in_turn is None else main).ident or 0
        self._handles_signals = in_turn is not None or here is main
        self._signalling = threading.Lock()
        """Held while a turn is interrupted, and when it ends: SIGINT is somebody else's then."""
        self._running: _Job | None = None
        """The call on the thread; the innermost, where one that waits gives others their turn."""
        self._late: _Job | None = None
        self.stop_asked = False
        self.cause: str | None = None
        """Why a stop was asked for."""
        self._stop_told = False
        self._is_stopped_from_elsewhere = False
        self.parent = _lane.get() if in_turn is None else None
        self._around: _Job | None = None
        self.children: list[Lane] = []
        """The lanes of the runs that calls of this one wait for."""
        self._token: contextvars.Token[Lane | None] | None = None

    @property
    def takes_turns(self) -> bool:
        """Whether its calls wait for the main thread, which may be busy with something else."""
        return self._in_turn is not None

    @property
    def waits_for(self) -> str:
        """What gives it its next turn, in words."""
        return "the kernel" if main_turns.has_loop else "run.wait()"

    async def on_main(
        self, function: Callable[[], object], timeout_s: float | None = None
    ) -> object:
        """Run a call on the waiting thread; calls of one lane run one at a time, in order.

        Raises:
            ToolTimeoutError: It took longer than `timeout_s`, from when it began.
        """
        job = _Job(function, contextvars.copy_context(), Future(), timeout_s)
        if timeout_s is not None:
            return await self._within(job, timeout_s)
        self._put(job)
        try:
            return await asyncio.wrap_future(job.future)
        except asyncio.CancelledError:
            self._let_go(job)
            raise

    def _put(self, job: _Job) -> None:
        if self._in_turn is None:
            self._jobs.put(job)
        else:
            main_turns.ask(partial(self._take_turn, job, self._in_turn))

    async def _within(self, job: _Job, timeout_s: float) -> object:
        """Run a call that is interrupted when its time is over."""
        loop = asyncio.get_running_loop()
        begun = asyncio.Event()
        job.begun = lambda: tell(loop, begun.set)
        self._put(job)
        ending = asyncio.wrap_future(job.future)
        starting = asyncio.ensure_future(begun.wait())
        try:
            await asyncio.wait([starting, ending], return_when=asyncio.FIRST_COMPLETED)
            if not await ends_in_time(ending, timeout_s):
                self._expire(job)
                await asyncio.wait([ending], timeout=ENDING_S)
            if not ending.done():
                raise ToolTimeoutError(timeout_s, is_still_running=True)
            return ending.result()
        except asyncio.CancelledError:
            self._let_go(job)
            raise
        finally:
            starting.cancel()
            ending.cancel()

    def _let_go(self, job: _Job) -> None:
        """Interrupt a call that was stopped by itself; a stop of all comes by its own way."""
        if not self.stop_asked and not job.future.cancelled():
            self._expire(job)

    def _expire(self, job: _Job) -> None:
        """Interrupt a call that is late, or was stopped; where it cannot be, it goes on."""
        with self._signalling:
            job.is_late = True
            if self._running is not job:  # it has just ended, or waits while another has a turn
                return
            inside = [child for child in tuple(self.children) if child.is_in(job)]
            for child in inside:
                child.stop(CALL_OVER)
            if not inside and self._handles_signals:
                self._late = job
                interrupt_main_thread(self.thread_id)

    in_thread = staticmethod(in_thread)

    def wake(self) -> None:
        """Make the wait look around; from any thread."""
        self._jobs.put(None)

    def stop(self, cause: str = BY_PERSON) -> None:
        """Ask for a stop, from any thread: also of the runs that calls of this one wait for.

        A tool on the waiting thread, or in its turn, is interrupted.

        Args:
            cause: Who stops it; what was said first counts.
        """
        self.cause = self.cause or cause
        self.stop_asked = self._is_stopped_from_elsewhere = True
        in_child = self._stop_children()
        is_elsewhere = threading.get_ident() != self.thread_id
        if not in_child and self._handles_signals and is_elsewhere:
            with self._signalling:
                if self._running is not None:
                    interrupt_main_thread(self.thread_id)
        if self._in_turn is None:
            self.wake()
        else:
            self._tell_stop()

    def _stop_children(self) -> bool:
        """Stop the runs inside of calls; whether the waiting thread is in one of them."""
        children = tuple(self.children)
        for child in children:
            child.stop(self.cause or BY_PERSON)
        return any(child.thread_id == self.thread_id for child in children)

    def wait(self, is_done: Callable[[], bool]) -> None:
        """Run calls and poll until `is_done`; a finished run must `wake` the lane.

        The main thread also gives turns to the runs in the background.
        """
        next_poll_s = 0.0
        with main_turns.given(self.wake) as turns:
            while not is_done():
                gives_turn = bool(turns) and not self.stop_asked
                job = self._next_job(0.0 if gives_turn else TICK_S)
                if job is not None:
                    self._perform(job)
                elif gives_turn:
                    turns.give()
                if self.stop_asked:
                    self._tell_stop()
                if self.poll is not None and time.monotonic() >= next_poll_s:
                    self.poll()
                    next_poll_s = time.monotonic() + TICK_S

    def _tell_stop(self) -> None:
        if not self._stop_told:
            self._stop_told = True
            self._stop_children()
            self._on_stop()

    def _next_job(self, timeout_s: float) -> _Job | None:
        try:
            return self._jobs.get(timeout=timeout_s)
        except queue.Empty:
            return None

    def _take_turn(self, job: _Job, around: Around) -> None:
        """Run a call on the main thread. An interrupt meanwhile is for all that goes on there."""
        if job.future.cancelled():
            return
        was_stopped = self.stop_asked
        previous = signal.signal(signal.SIGINT, self._on_sigint)
        try:
            with around():
                self._perform(job)
        finally:
            with self._signalling:
                restore_sigint(previous)
        if self.stop_asked and not was_stopped and not self._is_stopped_from_elsewhere:
            self._tell_stop()
            pass_on(previous)

    def _perform(self, job: _Job) -> None:
        if self.stop_asked:
            job.future.cancel()
        if not job.future.set_running_or_notify_cancel():
            return
        try:
            result = self._call(job)
        except BaseException as error:  # noqa: BLE001  the call's error belongs to its caller
            settle(job.future, self._raised(job, error))
        else:
            if job.is_late:  # the tool has swallowed the interrupt, or ended just then
                settle(job.future, ToolTimeoutError(job.timeout_s or 0.0))
            elif self.stop_asked:  # the tool has swallowed it
                settle(job.future, asyncio.CancelledError("interrupted"))
            else:
                job.future.set_result(result)

    def _raised(self, job: _Job, error: BaseException) -> BaseException:
        """What a call ends with that raised."""
        if not isinstance(error, KeyboardInterrupt):
            return error
        if job.is_late:
            return ToolTimeoutError(job.timeout_s or 0.0)
        self.cause = self.cause or BY_RAISING
        self.stop_asked = True
        self._tell_stop()  # before the loop hears of the call: then the cause is known
        return error

    def _call(self, job: _Job) -> object:
        """The only frame above which SIGINT raises."""
        if job.begun is not None:
            job.begun()
        outer, self._running = self._running, job  # a call that waits lets others have their turn
        try:
            return job.context.run(job.function)
        finally:
            self._running = outer

    def is_around(self) -> bool:
        """Whether this is a call of the lane's run, or of a run that a call of it waits for."""
        lane = _lane.get()
        while lane is not None and lane is not self:
            lane = lane.parent
        return lane is not None

    def is_in(self, job: _Job) -> bool:
        """Whether it waits inside of a call, on its thread."""
        return self._around is job

    def lead(self, start: Callable[[], T]) -> T:
        """Start a run whose calls take turns: it knows this lane for its own."""

        def led() -> T:
            _lane.set(self)
            return start()

        return contextvars.copy_context().run(led)

    def __enter__(self) -> Self:
        self._token = _lane.set(self)
        if self.parent is not None:
            if self.parent.thread_id == self.thread_id:
                self._around = self.parent._running  # noqa: SLF001  its own kind
            self.parent.children.append(self)
        if self._handles_signals:
            self._previous = signal.signal(signal.SIGINT, self._on_sigint)
        return self

    def __exit__(self, *_exc: object) -> None:
        if self._handles_signals:
            restore_sigint(self._previous)
        if self.parent is not None:
            self.parent.children.remove(self)
        if self._token is not None:
            _lane.reset(self._token)

    def _on_sigint(self, number: int, frame: FrameType | None) -> None:
        late, self._late = self._late, None
        if late is not None:
            if late is self._running and is_inside(frame, Lane._call.__code__):
                interrupt(number, frame)
            return
        self._was_interrupted()
        self.stop_asked = True
        if self._running is not None and is_inside(frame, Lane._call.__code__):
            interrupt(number, frame)
        else:
            self._jobs.put(None)

    def _was_interrupted(self) -> None:
        """The person interrupts what goes on here, and so what waits for it."""
        lane = self if self.cause is None else None  # else it is our own signal, of a stop
        while lane is not None:
            lane.cause = lane.cause or BY_PERSON
            lane = lane.parent
