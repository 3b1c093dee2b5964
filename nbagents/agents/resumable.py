"""An agent's ways to go on with a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from nbagents.agents.given import check_host
from nbagents.agents.known import UNSAID

if TYPE_CHECKING:
    from nbagents.agents.known import AgentLike
    from nbagents.runs.host import Host
    from nbagents.runs.plan import Parent, Plan
    from nbagents.runs.record import Run
    from nbagents.runs.session import Session

__all__ = ["Resumable"]


class Resumable:
    """An agent's ways to go on with a run."""

    __slots__ = ()

    def begin_resumed(
        self: AgentLike,
        run: Run | str,
        *,
        parent: Parent | None = None,
        log: Literal["memory"] | Session | None = None,
        answer: Any = UNSAID,
    ) -> tuple[Run, Plan]:
        """A run that goes on with another, which has not started yet; see `resume`."""
        from nbagents.agents.resuming import begin_resumed

        return begin_resumed(self, run, parent=parent, log=log, answer=answer)

    def read_again(self: AgentLike, run: Run, parent: Parent) -> None:
        """Read the answer of a past run of this agent as a value of the type that it must have."""
        from nbagents.agents.resuming import read_again

        read_again(self, run, parent)

    def resume(
        self: AgentLike,
        run: Run | str,
        *,
        answer: Any = UNSAID,
        log: Literal["memory"] | Session | None = None,
        host: Host | None = None,
    ) -> Run:
        """Go on with a run that was suspended, or stopped, or whose kernel ended.

        It is a new run, which begins with the conversation of the old one. Calls that had ended are
        not made again; what was open is asked again, unless it is answered here. A tool that asked
        in its middle begins anew, and is given the answers and the runs that it had been given.

        Args:
            run: The run, or its id, or the beginning of that; also after the kernel was restarted.
            answer: What the person says to what is open: an `Answer`, a value, or `True` or `False`
                to a call that needs consent and to a question of yes or no; of several things a
                dictionary by their ids.
            log: Where it is logged; by default where the old run is.
            host: Who shows it.

        Raises:
            RunError: There is no such run, or nothing to go on with.
            ValueError: The answer is for no single thing that is open, or does not fit: then that
                is still open.
            Exception: See `run`.
        """
        __tracebackhide__ = True
        from nbagents.agents.resuming import begin_resumed
        from nbagents.runs.door import run_blocking

        check_host(host)
        made, plan = begin_resumed(self, run, log=log, answer=answer)
        run_blocking(made, plan, host=host)
        plan.said.refuse_misfits(made.id)
        return made

    async def aresume(
        self: AgentLike,
        run: Run | str,
        *,
        answer: Any = UNSAID,
        log: Literal["memory"] | Session | None = None,
        host: Host | None = None,
    ) -> Run:
        """Go on with a run on the running loop; see `resume`."""
        from nbagents.agents.resuming import begin_resumed
        from nbagents.runs.door import run_async

        check_host(host)
        made, plan = begin_resumed(self, run, log=log, answer=answer)
        await run_async(made, plan, host=host)
        plan.said.refuse_misfits(made.id)
        return made
