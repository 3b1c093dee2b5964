"""Worker threads for tools that ask for one, and for blocking calls off the main thread."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["MAX_THREADS", "in_thread", "settle"]

MAX_THREADS = 16

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


async def in_thread(function: Callable[[], object]) -> object:
    """Run a blocking function on a thread of its own, at most `MAX_THREADS` at once.

    The thread is a daemon: one that ignores a stop must not keep the kernel from ending, nor its
    place from the next. Work that a worker starts needs no place, or workers could wait for each
    other. The function runs in a copy of the caller's context, so that what it prints lands in the
    right cell.
    """
    context = contextvars.copy_context()
    future: Future[object] = Future()
    slot = _Slot()
    is_nested = _is_worker.get()

    def work() -> None:
        if not is_nested:
            slot.take()
        try:
            if future.set_running_or_notify_cancel():
                _is_worker.set(True)
                _run(future, function)
        finally:
            slot.give_back()

    threading.Thread(target=lambda: context.run(work), name="nbagents-tool", daemon=True).start()
    try:
        return await asyncio.wrap_future(future)
    finally:
        slot.give_back()


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
