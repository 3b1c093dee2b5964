"""Worker threads for tools that ask for one, and for blocking calls off the main thread."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import os
import queue
import threading
from collections import deque
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from nbagents.errors import ToolTimeoutError
from nbagents.threads import start_thread
from nbagents.tools.context import ends_in_time

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_THREADS = 16
IDLE_S = 10.0
"""How long a thread waits for more work before it ends."""

_slots = threading.Semaphore(MAX_THREADS)
_is_worker = contextvars.ContextVar("nbagents_is_worker", default=False)


class _Slot:
    """One of the places on which workers run; given back once, by whoever is first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_taken = False
        self._is_over = False

    def take(self) -> None:
        """Wait for a place."""
        _slots.acquire()
        with self._lock:
            if self._is_over:
                _slots.release()
            else:
                self._is_taken = True

    def give_back(self) -> None:
        """Free the place: the work is done, or nobody waits for it any more."""
        with self._lock:
            if self._is_taken and not self._is_over:
                _slots.release()
            self._is_over = True


async def in_thread(function: Callable[[], object], timeout_s: float | None = None) -> object:
    """Run a blocking function on a thread of its own, at most `MAX_THREADS` at once.

    The thread is a daemon: one that ignores a stop must not keep the kernel from ending, nor its
    place from the next. Work that a worker starts needs no place, or workers could wait for each
    other. The function runs in a copy of the caller's context, so that what it prints lands in the
    right cell.

    Raises:
        ToolTimeoutError: It took longer than `timeout_s`, from when it began; it still goes on.
    """
    context = contextvars.copy_context()
    future: Future[object] = Future()
    slot = _Slot()
    begun = asyncio.Event()
    loop = asyncio.get_running_loop()
    is_nested = _is_worker.get()

    def work() -> None:
        if not is_nested:
            slot.take()
        try:
            if future.set_running_or_notify_cancel():
                _is_worker.set(True)
                if timeout_s is not None:
                    tell(loop, begun.set)
                _run(future, function)
        finally:
            slot.give_back()

    _on_a_thread(lambda: context.run(work))
    try:
        ending = asyncio.wrap_future(future)
        if timeout_s is None:
            return await ending
        return await _within(ending, begun, timeout_s)
    finally:
        slot.give_back()


async def _within(ending: asyncio.Future[object], begun: asyncio.Event, timeout_s: float) -> object:
    await begun.wait()
    if not await ends_in_time(ending, timeout_s):
        ending.cancel()
        raise ToolTimeoutError(timeout_s, is_still_running=True)
    return ending.result()


def tell(loop: asyncio.AbstractEventLoop, act: Callable[[], object]) -> None:
    """Have something done on a loop, from any thread; not if nobody waits there any more."""
    with contextlib.suppress(RuntimeError):  # the loop was closed
        loop.call_soon_threadsafe(act)


Jobs: TypeAlias = "queue.SimpleQueue[Callable[[], None]]"
idle: deque[Jobs] = deque()
"""What the threads that have nothing to do wait for; the one that was busy last comes first."""


def _on_a_thread(work: Callable[[], None]) -> None:
    """Run on a thread that waits for work; where none does, on a new one."""
    jobs: Jobs
    try:
        jobs = idle.pop()
    except IndexError:
        jobs = queue.SimpleQueue()
        start_thread(partial(_serve, jobs), "tool")
    jobs.put(work)


def _serve(jobs: Jobs) -> None:
    """Do one piece of work after the other, and end when there is none for a while."""
    while True:
        try:
            work = jobs.get(timeout=IDLE_S)
        except queue.Empty:
            try:
                idle.remove(jobs)
            except ValueError:  # taken a moment ago: its work is on the way
                continue
            return
        work()
        del work  # what it holds is not kept while the thread waits
        idle.append(jobs)


if hasattr(os, "register_at_fork"):  # not on Windows, which knows no fork
    os.register_at_fork(after_in_child=idle.clear)  # no thread survives one


def settle(future: Future[object], error: BaseException) -> None:
    """Give a future its error; an interrupt as a cancellation, which a loop can carry."""
    if isinstance(error, KeyboardInterrupt):
        error = asyncio.CancelledError("interrupted")
    if not future.done():
        future.set_exception(error)


def _run(future: Future[object], function: Callable[[], object]) -> None:
    try:
        result = function()
    except BaseException as error:  # noqa: BLE001  the call's error belongs to its caller
        settle(future, error)
    else:
        future.set_result(result)
