"""What can be done with a run while it goes on: stop it or a part of it, answer, look below."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING, Protocol, Self

from nbagents.errors import RunError
from nbagents.runs.lanes import BY_CODE, BY_TOOL, CALL_OVER, TASK_CANCELLED
from nbagents.runs.state.desk import Answer
from nbagents.runs.state.run.member import Member
from nbagents.tools.context import current_sink

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Iterator

    from nbagents.runs.state.desk import Await


class Control(Protocol):
    """What drives a run, as far as the run itself may ask something of it."""

    def stop(self, cause: str, /) -> None:
        """Ask for a stop, and say who does; from any thread, and again without effect."""
        ...

    def wait(self, timeout_s: float | None) -> None:
        """Return when the run has ended, or after `timeout_s`."""
        ...


class Steered(Member):
    """A run, as far as it can be steered."""

    _control: Control | None = None
    _stop_call: Callable[[str, str], None] | None = None
    _children: list[Self]
    _cause: str | None = None
    _around: asyncio.Task[object] | None = None

    @property
    def children(self) -> tuple[Self, ...]:
        """The runs that calls of this one have started, in order."""
        return tuple(self._children)

    def controlled_by(self, control: Control) -> None:
        """Say who drives this run, for `stop` and `wait`."""
        self._control = control

    def driven_by(self, stop_call: Callable[[str, str], None]) -> None:
        """Say who stops a single call of this run, of which cause, from any thread."""
        self._stop_call = stop_call

    def driven_in(self, task: asyncio.Task[object] | None) -> None:
        """Say which task waits for this run, inside of a call: its end ends the run."""
        self._around = task

    def stopped(self, cause: str) -> None:
        """Say why the run is to end before its end; what was said first counts."""
        self._cause = self._cause or cause

    @property
    def why_cancelled(self) -> str:
        """Why it was cancelled, as far as is known: by whom, or by what."""
        above: Steered | None = self
        while above is not None:
            if above._cause is not None:  # noqa: SLF001  its own kind
                return above._cause  # noqa: SLF001
            above = above.parent
        is_cut = self._around is not None and self._around.cancelling() > 0
        return CALL_OVER if is_cut else TASK_CANCELLED

    def adopt(self, child: Self) -> None:
        """Take a run that a call of this one has started."""
        self._children.append(child)

    def stop(self) -> None:
        """Ask for a stop; from any thread. A run that has ended stays as it is."""
        self._stop(_who())

    def stop_call(self, call_id: str) -> None:
        """Stop one call; from any thread. The run goes on, and its model is told."""
        if self._stop_call is not None and not self.is_closed:
            self._stop_call(call_id, _who())

    def stop_part(self, run_id: str, call_id: str | None = None, *, cause: str = "") -> None:
        """Stop a run of the tree below this one, or one call of it; from any thread.

        Nothing happens to what has ended, or is not in this tree.

        Args:
            run_id: The run.
            call_id: The call of it.
            cause: Who stops it, where that is not the calling code.
        """
        for run in self.family:
            if run.id != run_id:
                continue
            if call_id is None:
                run._stop(cause or _who())  # noqa: SLF001  its own kind
            elif run._stop_call is not None and not run.is_closed:  # noqa: SLF001
                run._stop_call(call_id, cause or _who())  # noqa: SLF001

    def _stop(self, cause: str) -> None:
        if self._control is not None and not self.is_closed:
            self.stopped(cause)
            self._control.stop(cause)

    def is_above(self, run_id: str) -> bool:
        """Whether a run is this one or inside of it."""
        return any(run.id == run_id for run in self.family)

    def below(self, run_id: str) -> Self | None:
        """The run of this id: itself, or one inside of it."""
        return next((run for run in self.family if run.id == run_id), None)

    @property
    def awaiting(self) -> tuple[Await, ...]:
        """What a person is asked by this run and those inside of it, in order of asking."""
        inside = {run.id for run in self.family}
        return tuple(one for one in self.common.desk.open if one.run_id in inside)

    def resolve(self, await_id: str, said: object) -> Future[None]:
        """Take an answer as a page sends it; from any thread.

        Returns:
            When it was taken; as its error, what does not fit about it.
        """
        try:
            desk = self.common.desk
            return desk.answer(await_id, Answer.of_json(said, desk.question(await_id)))
        except (ValueError, RunError) as error:
            refused: Future[None] = Future()
            refused.set_exception(error)
            return refused

    @property
    def family(self) -> Iterator[Self]:
        """The run itself, and those inside it, however deep."""
        yield self
        for child in tuple(self._children):
            yield from child.family


def _who() -> str:
    """Who asks for a stop by Python: a tool, or other code."""
    return BY_CODE if current_sink() is None else BY_TOOL
