"""One ordered stream of all runs of a session: what there is, page by page, and then what comes.

Nobody waits for a reader. What it has not read yet stands in the log, so nothing piles up for it.
"""

from __future__ import annotations

import asyncio
import threading
import warnings
from functools import partial
from typing import TYPE_CHECKING

from nbagents.runs.lanes import tell
from nbagents.threads import start_thread

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterator

    from nbagents.events import AnyEvent
    from nbagents.runs.logs.log import Log
    from nbagents.runs.logs.profiles import Profile

PAGE = 500
GATHER_S = 0.02
"""How long is waited for more when something has come: each look into the log costs a little."""


class Bell:
    """Tells those who wait that something has come; from any thread."""

    def __init__(self) -> None:
        self.hearing: tuple[Callable[[], None], ...] = ()
        """What wakes them."""
        self._lock = threading.Lock()

    def ring(self) -> None:
        """Wake all; none of them does more than to wake."""
        for wake in self.hearing:
            wake()

    def hear(self, wake: Callable[[], None]) -> None:
        """Be woken from now on."""
        with self._lock:
            self.hearing = (*self.hearing, wake)

    def leave(self, wake: Callable[[], None]) -> None:
        """Be woken no more."""
        with self._lock:
            self.hearing = tuple(one for one in self.hearing if one != wake)


class Reader:
    """Reads a session's events in order, and knows how far it is.

    Args:
        log: Where they are.
        session_id: Which session.
        profile: What of them is told.
        after: The last `seq` that was seen before.
        run_id: Of this run alone; `None`: of all.
    """

    def __init__(
        self, log: Log, session_id: str, profile: Profile, *, after: int, run_id: str | None
    ) -> None:
        self._log = log
        self._session_id = session_id
        self._profile = profile
        self._run_id = run_id
        self._cursor = after
        self.is_over = False
        """Whether the one run has ended, so that nothing more can come."""

    def page(self) -> list[AnyEvent] | None:
        """What comes next; `None` where there is nothing yet. A page may be empty."""
        events = self._log.read(
            self._session_id, after_seq=self._cursor, limit=PAGE, run_id=self._run_id
        )
        if not events:
            return None
        self._cursor = events[-1].seq
        self.is_over = self._run_id is not None and events[-1].type == "run_stream_end"
        return [one for event in events if (one := self._profile.told(event)) is not None]

    def pages(self) -> Iterator[AnyEvent]:
        """What there is."""
        while (page := self.page()) is not None:
            yield from page

    def look_back(self) -> None:
        """Find out whether the run had ended before the cursor."""
        seq = -1
        while self._run_id is not None and not self.is_over:
            page = self._log.read(self._session_id, after_seq=seq, limit=PAGE, run_id=self._run_id)
            if not page or page[0].seq > self._cursor:
                return
            seq = page[-1].seq
            self.is_over = page[-1].type == "run_stream_end" and seq <= self._cursor


async def followed(reader: Reader, bell: Bell, *, waits: bool) -> AsyncGenerator[AnyEvent]:
    """Read what there is, and where it `waits` then what comes, until nothing more can come."""
    came = asyncio.Event()
    wake = partial(tell, asyncio.get_running_loop(), came.set)
    bell.hear(wake)
    try:
        await asyncio.to_thread(reader.look_back)
        while not reader.is_over:
            came.clear()
            page = await asyncio.to_thread(reader.page)
            if page is None and not waits:
                return
            if page is None:
                await came.wait()
                await asyncio.sleep(GATHER_S)
            for event in page or ():
                yield event
    finally:
        bell.leave(wake)


def subscribe(
    reader: Reader, bell: Bell, callback: Callable[[AnyEvent], None]
) -> Callable[[], None]:
    """Call back with what there is, and then with what comes, on a thread of its own.

    Returns:
        What ends it.
    """
    came, left = threading.Event(), threading.Event()

    def end() -> None:
        left.set()
        came.set()

    def serve() -> None:
        try:
            _serve(reader, came, left, callback)
        except BaseException as error:  # noqa: BLE001  its own function, on its own thread
            warnings.warn(
                f"A subscriber of this session raised {error!r}, and is told nothing more.",
                stacklevel=1,
            )
        finally:
            bell.leave(came.set)

    bell.hear(came.set)
    start_thread(serve, "subscriber")
    return end


def _serve(
    reader: Reader,
    came: threading.Event,
    left: threading.Event,
    callback: Callable[[AnyEvent], None],
) -> None:
    while not left.is_set():
        came.clear()
        page = reader.page()
        if page is None:
            if not left.is_set():  # its end may have come before `came` was cleared
                came.wait()
            left.wait(GATHER_S)
        for event in page or ():
            if left.is_set():
                return
            callback(event)
