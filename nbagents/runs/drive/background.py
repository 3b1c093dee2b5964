"""Runs in the background: they begin in a cell, and go on when it has ended.

The driver and `async def` tools are on the private loop, as ever. Plain `def` tools take turns on
the main thread: between cells, or while something waits there for a run. Where the main thread has
no loop, as in a script, that is while somebody waits.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import contextvars
import os
import threading
import time
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from nbagents.errors import RunError
from nbagents.runs.drive.control import BEAT_S, with_beat
from nbagents.runs.drive.driver import Driver
from nbagents.runs.drive.loop_thread import LoopThread, Stopping, stopped_by_person
from nbagents.runs.lanes import BY_EXIT, BY_PERSON, LOOP_ENDED, Lane, main_turns
from nbagents.runs.people import current_host
from nbagents.threads import start_thread

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from nbagents.runs.people import Attendance, Host
    from nbagents.runs.plan import Plan
    from nbagents.runs.state import Run

R = TypeVar("R", bound="Run")

WATCH_S = 0.05
"""How often a stop looks whether it was heard."""
EXIT_S = 2.0
"""How long the process waits at its end for runs that it stops."""


def start_run(run: R, plan: Plan, *, host: Host | None = None) -> R:
    """Begin a run that goes on by itself, and give it: `wait()` and `stop()` are its handles.

    What goes wrong is kept in `run.error`, and raised by whoever waits.
    """
    host = host or current_host()
    main_turns.use_loop(_loop_here() or host.main_loop())
    _Background(run, plan, host).begin()
    atexit.unregister(stop_all)
    atexit.register(stop_all)  # after the log's own, so that it is open when the last runs end
    return run


def stop_all(timeout_s: float = EXIT_S) -> None:
    """Stop every run in the background, and wait for their ends; at the end of the process."""
    going = tuple(_going)
    for one in going:
        one.stop(BY_EXIT)
    deadline_s = time.monotonic() + timeout_s
    for one in going:
        one.ended.wait(max(0.0, deadline_s - time.monotonic()))


class _Background:
    """Drives one run on the loop thread, which nobody waits for.

    Args:
        run: What it is written into.
        plan: What is to be done.
        host: Shows it.
    """

    def __init__(self, run: Run, plan: Plan, host: Host) -> None:
        self.ended = threading.Event()
        self._run = run
        self._host = host
        self._thread = LoopThread.get()
        self._stopping = Stopping(self._thread)
        self._lane = Lane(on_stop=self._stop, in_turn=host.between_cells)
        self._driver = Driver(run, plan, self._lane, host)
        self._shown: Attendance | None = None
        self._leaving = contextlib.ExitStack()
        self._waiting: list[Lane] = []
        self._context = contextvars.copy_context()  # of the cell, whatever asks for a stop
        run.controlled_by(self)

    def begin(self) -> None:
        """Show the run, and start it."""
        self._shown = shown = self._leaving.enter_context(
            self._host.linger(self._run, self._lane.stop)
        )
        _going.add(self)

        def driven() -> Coroutine[None, None, None]:
            return with_beat(self._driver.drive(), shown, BEAT_S)

        self._stopping.watch(self._lane.lead(lambda: self._thread.start(driven, self._end)))

    def stop(self, cause: str = BY_PERSON) -> None:
        """Stop the run; from any thread."""
        self._lane.stop(cause)

    def wait(self, timeout_s: float | None) -> None:
        """Wait for the end; on the main thread, the tools that wait for it run meanwhile.

        Raises:
            RunError: It would wait for itself.
            KeyboardInterrupt: The person stopped the wait, and so the run.
        """
        __tracebackhide__ = True
        if not self.ended.is_set():
            self._refuse_circles()
            if threading.current_thread() is threading.main_thread():
                self._wait_here(timeout_s)
            else:
                self.ended.wait(timeout_s)
        if self.ended.is_set() and self._shown is not None:
            self._shown.settle()

    def _refuse_circles(self) -> None:
        if self._lane.is_around():
            raise RunError("A tool cannot wait for the run that calls it: return instead.")
        if threading.get_ident() == self._thread.ident:
            raise RunError(
                "run.wait() would block the loop that runs need. In an async tool, write"
                " `await asyncio.to_thread(run.wait)`."
            )

    def _wait_here(self, timeout_s: float | None) -> None:
        """Wait on the main thread, which gives turns meanwhile and hears the person."""
        __tracebackhide__ = True
        end_s = None if timeout_s is None else time.monotonic() + timeout_s
        waiting = Lane(on_stop=lambda: self.stop(waiting.cause or BY_PERSON))
        with waiting, self._host.listen() as poll:
            waiting.poll = poll
            self._waiting.append(waiting)
            try:
                waiting.wait(
                    lambda: self.ended.is_set() or (end_s is not None and time.monotonic() >= end_s)
                )
            finally:
                self._waiting.remove(waiting)
        if waiting.stop_asked:
            raise stopped_by_person(self._run)

    def _stop(self) -> None:
        """Tell the loop, and see that it hears."""
        self._run.stopped(self._lane.cause or BY_PERSON)
        self._stopping.begin()
        insist = partial(self._context.copy().run, self._insist)
        start_thread(insist, "stop")

    def _insist(self) -> None:
        """Give a run up that does not end: something blocks its loop, or cleans up for ever."""
        while not self.ended.wait(WATCH_S):
            if self._stopping.has_given_up() or not self._thread.is_alive:
                self._run.stopped(LOOP_ENDED)  # unless somebody asked for it
                self._driver.abort("cancelled", asyncio.CancelledError("given up"))
                self._thread.abandon()
                self._end()

    def _end(self) -> None:
        """Leave the display as it is to stay, once; then whoever waits may go on."""
        leaving, self._leaving = self._leaving, contextlib.ExitStack()
        try:
            leaving.close()
        finally:
            _going.discard(self)
            self.ended.set()
            for lane in tuple(self._waiting):
                lane.wake()


_going: set[_Background] = set()
if hasattr(os, "register_at_fork"):  # not on Windows, which knows no fork
    os.register_at_fork(after_in_child=_going.clear)  # they go on in the process that began them


def _loop_here() -> asyncio.AbstractEventLoop | None:
    """The loop that this thread runs, if it is the main one: also a cell's."""
    if threading.current_thread() is not threading.main_thread():
        return None
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
