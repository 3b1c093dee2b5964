"""A call that has no result yet, and what it may ask of its run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nbagents.runs.lanes import BY_PERSON, CALL_STOPPED

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Mapping, Sequence

    from nbagents.results import RunLink
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
    make_inside: Callable[[OpenCall], Inside]
    started_s: float | None = None
    task: asyncio.Task[Any] | None = None
    """What makes it, while it is being made."""
    settling: asyncio.Future[bool] | None = None
    """What is settled before: whether it may be made."""
    was_stopped: bool = False
    _cause: str = BY_PERSON
    _inside: Inside | None = None

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
    def links(self) -> Sequence[RunLink]:
        """The runs that it has started."""
        return () if self._inside is None else self._inside.links

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

    def let_go(self) -> None:
        """It has its result: whatever still goes on inside of it, on a thread, is to end."""
        if self._inside is not None:
            self._inside.stop()

    # What its context asks of the run; most calls ask for nothing.

    def run(
        self,
        agent: Any,
        prompt: str,
        shared: Mapping[str, object] | None,
        attached: Any,
        labels: Mapping[str, str] | None,
        tool_input: object,
    ) -> Any:
        """See `Inside.run`."""
        return self._door().run(agent, prompt, shared, attached, labels, tool_input)

    def ask(self, text: str, options: Sequence[object] | None, form: Any, *, multiple: bool) -> Any:
        """See `Inside.ask`."""
        return self._door().ask(text, options, form, multiple=multiple)

    def external(self) -> Any:
        """See `Inside.external`."""
        return self._door().external()

    def on_main(self, function: Callable[[], Any], timeout_s: float | None) -> Any:
        """See `Inside.on_main`."""
        return self._door().on_main(function, timeout_s)

    def _door(self) -> Inside:
        if self._inside is None:
            self._inside = self.make_inside(self)
        return self._inside
