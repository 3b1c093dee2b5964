"""A call that begins when the main thread has time for it, and says so while it has none."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from nbagents.errors import ToolTimeoutError
from nbagents.runs.lanes.workers import in_thread
from nbagents.tools.context import run_clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from nbagents.runs.lanes.lane import Lane

PATIENCE_S: Final = 0.15
"""A wait that is shorter is not worth a word."""
TOO_LATE: Final = "The run's time was over before the main thread had time for this call."


class InTurn:
    """The lanes of one call of a run in the background.

    Args:
        lane: Where it takes its turn.
        say: Told what the call waits for, if it waits for a while; on the loop.
        begin: Called when its turn comes, on the main thread: now it has begun.
    """

    def __init__(self, lane: Lane, say: Callable[[str], None], begin: Callable[[], None]) -> None:
        self._lane = lane
        self._say = say
        self._begin = begin

    async def on_main(
        self, function: Callable[[], object], timeout_s: float | None = None
    ) -> object:
        """Run a function in its turn; the time limit counts from then on.

        Raises:
            ToolTimeoutError: It took longer, or the run's time was over before.
        """
        loop = asyncio.get_running_loop()
        deadline = asyncio.timeout(_left_s())

        def in_turn() -> object:
            self._begin()
            loop.call_soon_threadsafe(deadline.reschedule, None)
            return function()

        waiting = loop.call_later(PATIENCE_S, lambda: self._say(self._lane.waits_for))
        try:
            async with deadline:
                return await self._lane.on_main(in_turn, timeout_s)
        except TimeoutError:  # the deadline's: a call gives its errors back
            raise ToolTimeoutError(TOO_LATE) from None
        finally:
            waiting.cancel()

    in_thread = staticmethod(in_thread)


def _left_s() -> float | None:
    clock = run_clock.get()
    left_s = None if clock is None else clock.left_s()
    return None if left_s is None else max(0.0, left_s)
