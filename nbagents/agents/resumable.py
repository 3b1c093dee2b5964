"""An agent's ways to go on with a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from nbagents.agents.given import check_host
from nbagents.agents.known import UNSAID

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from nbagents.agents.known import AgentLike
    from nbagents.runs.host import Host
    from nbagents.runs.plan import Parent, Plan
    from nbagents.runs.record import Run
    from nbagents.runs.session import Session
    from nbagents.tools.toolset import ToolLike

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
        vars: Mapping[str, object] | None = None,  # noqa: A002  the magic's word
        context: Any = None,  # of the caller's own type
    ) -> tuple[Run, Plan]:
        """A run that goes on with another, which has not started yet; see `resume`."""
        from nbagents.agents.resuming import begin_resumed

        return begin_resumed(
            self, run, parent=parent, log=log, answer=answer, given=vars, context=context
        )

    def read_again(self: AgentLike, run: Run, parent: Parent) -> None:
        """Read the answer of a past run of this agent as a value of the type that it must have."""
        from nbagents.agents.resuming import read_again

        read_again(self, run, parent)

    def resume(
        self: AgentLike,
        run: Run | str,
        *,
        answer: Any = UNSAID,
        vars: Mapping[str, object] | None = None,  # noqa: A002  the magic's word
        context: Any = None,  # of the caller's own type
        tools: Iterable[ToolLike] | None = None,
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
            vars: Objects by the names by which its tools take them. Those that it was given are
                needed again where their kernel has ended.
            context: The caller's own object, which is in no log; by default the one that the run
                had, where its kernel still lives.
            tools: What it goes on with instead of the agent's own tools.
            log: Where it is logged; by default where the old run is.
            host: Who shows it.

        Raises:
            RunError: There is no such run, or nothing to go on with, or an object or a tool is
                missing that it needs: then it is as it was, and can be resumed with it.
            ValueError: The answer is for no single thing that is open, or does not fit: then that
                is still open.
            Exception: See `run`.
        """
        __tracebackhide__ = True
        from nbagents.agents.resuming import begin_resumed, with_tools
        from nbagents.runs.door import run_blocking

        check_host(host)
        goes_on = self if tools is None else with_tools(self, tools)
        made, plan = begin_resumed(
            goes_on, run, log=log, answer=answer, given=vars, context=context
        )
        run_blocking(made, plan, host=host)
        plan.said.refuse_misfits(made.id)
        return made

    async def aresume(
        self: AgentLike,
        run: Run | str,
        *,
        answer: Any = UNSAID,
        vars: Mapping[str, object] | None = None,  # noqa: A002  the magic's word
        context: Any = None,  # of the caller's own type
        tools: Iterable[ToolLike] | None = None,
        log: Literal["memory"] | Session | None = None,
        host: Host | None = None,
    ) -> Run:
        """Go on with a run on the running loop; see `resume`."""
        from nbagents.agents.resuming import begin_resumed, with_tools
        from nbagents.runs.door import run_async

        check_host(host)
        goes_on = self if tools is None else with_tools(self, tools)
        made, plan = begin_resumed(
            goes_on, run, log=log, answer=answer, given=vars, context=context
        )
        await run_async(made, plan, host=host)
        plan.said.refuse_misfits(made.id)
        return made
