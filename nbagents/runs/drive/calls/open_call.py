"""A call that has no result yet, and what it may ask of its run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nbagents.runs.lanes import BY_PERSON, CALL_STOPPED

if TYPE_CHECKING:
    import asyncio

    from nbagents.runs.drive.calls.call_output import CallOutput
    from nbagents.runs.drive.calls.child_run import Inside
    from nbagents.tools.call import PreparedCall
    from nbagents.tools.tool import Tool
    from nbagents.tools.values import Handles


@dataclass(slots=True, eq=False)
class OpenCall:
    """A call that has no result yet."""

    prepared: PreparedCall
    output: CallOutput
    handles: Handles
    inside: Inside
    """What it may ask of its run."""
    started_s: float | None = None
    task: asyncio.Task[Any] | None = None
    """What makes it, while it is being made."""
    settling: asyncio.Future[bool] | None = None
    """What is settled before: whether it may be made."""
    was_stopped: bool = False
    _cause: str = BY_PERSON

    @property
    def id(self) -> str:
        """Its id."""
        return self.prepared.request.id

    @property
    def tool(self) -> Tool | None:
        """What it calls."""
        return self.prepared.tool

    @property
    def is_for_main(self) -> bool:
        """Whether it waits for the one main thread."""
        tool = self.tool
        return tool is not None and not tool.is_async and not tool.thread

    @property
    def why_stopped(self) -> str:
        """Who stopped it alone, as the model is told."""
        return CALL_STOPPED[self._cause]

    def stop(self, cause: str) -> None:
        """Stop it alone; on the loop. One that has not begun yet is stopped when its turn comes."""
        if self.was_stopped:  # a second click: a task that is cancelled twice is the run's end
            return
        self.was_stopped, self._cause = True, cause
        if self.task is not None:
            self.task.cancel()
        elif self.settling is not None:
            self.settling.cancel()

    def takes_stop(self) -> bool:
        """Whether a cancellation was meant for this call alone; then it has been heard."""
        if not self.was_stopped or self.task is None:
            return False
        return self.task.uncancel() == 0
