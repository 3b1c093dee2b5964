"""SIGINT while calls run: what it may break into, and what it may not."""

from __future__ import annotations

import _thread
import contextlib
import signal
import threading
from typing import TYPE_CHECKING, Any

from nbagents.tools.context import interruption

if TYPE_CHECKING:
    from collections.abc import Generator
    from concurrent.futures import Future
    from types import CodeType, FrameType


class _Done(BaseException):
    """Leaves what `until_done` surrounds."""


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
            raise interruption()


shield = _Shield()
"""`with shield:` what must not be interrupted in the middle."""


def restore_sigint(previous: Any) -> None:  # what signal.signal gives is Python's own mixture
    """Give SIGINT its handler back; `None` is one that was not set from Python."""
    signal.signal(signal.SIGINT, signal.default_int_handler if previous is None else previous)


def pass_on(previous: Any) -> None:  # as above
    """Tell the handler of whoever waits on the main thread of an interrupt that came meanwhile."""
    if callable(previous) and previous is not signal.default_int_handler:
        previous(signal.SIGINT, None)


def interrupt_main_thread(thread_id: int) -> None:
    """Interrupt the main thread, also in a system call where the platform can."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(thread_id, signal.SIGINT)
    else:
        _thread.interrupt_main()


def interrupt(_number: int, _frame: FrameType | None) -> None:
    """Raise, or wait for the end of what is shielded."""
    if not shield.depth:
        raise interruption()
    shield.is_pending = True


def is_inside(frame: FrameType | None, code: CodeType) -> bool:
    """Whether `frame` was called, at any depth, by a frame of `code`; not if it is that frame."""
    if frame is None or frame.f_code is code:
        return False
    while frame is not None:
        if frame.f_code is code:
            return True
        frame = frame.f_back
    return False


class _Leaving:
    """Interrupts the main thread in a block when a future is done in another thread.

    An interrupt by the person is for whoever hears it otherwise.
    """

    def __init__(self) -> None:
        self.previous: Any = signal.getsignal(signal.SIGINT)
        self._main_id = threading.get_ident()
        self._lock = threading.Lock()
        self._is_inside = True
        self._is_own = False

    def hear(self, number: int, frame: FrameType | None) -> None:
        """Hear SIGINT."""
        is_own, self._is_own = self._is_own, False
        if is_own:
            raise _Done
        if callable(self.previous):
            self.previous(number, frame)

    def leave(self, _: Future[Any]) -> None:
        """Have the block left."""
        with self._lock:
            if self._is_inside and threading.get_ident() != self._main_id:
                self._is_own = True
                interrupt_main_thread(self._main_id)

    def end(self) -> None:
        """The block ends by itself: SIGINT is somebody else's again."""
        with self._lock:
            self._is_inside = False


@contextlib.contextmanager
def until_done(future: Future[Any]) -> Generator[None]:
    """Leave this block, in which the main thread waits for a key, when another thread is done."""
    leaving = _Leaving()
    signal.signal(signal.SIGINT, leaving.hear)
    try:
        future.add_done_callback(leaving.leave)
        yield
        leaving.end()
    except _Done:
        pass
    finally:
        leaving.end()
        restore_sigint(leaving.previous)
