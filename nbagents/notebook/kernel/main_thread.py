"""What is to be done on the kernel's main thread, asked for in any other.

A page's message comes in a thread that must not wait, and that a person's code knows nothing of.
What it asks for is put here, and done between two cells, or while a cell waits for a run.
"""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Final, TypeVar

from nbagents_widgets.frontend import kernel_here

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

MOST: Final = 1_000
"""So much may wait; a page that says more while nobody listens loses the oldest."""

_waiting: Final[deque[tuple[Callable[[], Any], Future[Any]]]] = deque()  # Any: of any type each


def soon(function: Callable[[], T]) -> Future[T]:
    """Have `function` called on the main thread, after all that was put here before.

    Returns:
        What it will give. It is cancelled where too much waits.
    """
    future: Future[T] = Future()
    _waiting.append((function, future))
    while len(_waiting) > MOST:
        _waiting.popleft()[1].cancel()
    _wake()
    return future


def run_pending() -> None:
    """Do what waits; in another thread than the main one this does nothing.

    Called by a display while it waits for a run, and by the kernel's loop when it is free.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    for _ in range(len(_waiting)):  # not what comes meanwhile: that is for the next time
        try:
            function, future = _waiting.popleft()
        except IndexError:  # a handler has waited for a run, which did it all
            return
        _settle(function, future)


def _settle(function: Callable[[], Any], future: Future[Any]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(function())
    except BaseException as error:
        future.set_exception(error)
        if not isinstance(error, Exception):
            raise  # a stop belongs to whoever waits


def _wake() -> None:
    """Have the kernel's loop look, as soon as it is free."""
    loop = getattr(kernel_here(), "io_loop", None)
    if loop is not None:
        loop.add_callback(run_pending)  # safe in any thread
