"""A run, as far as one can go back in it: it is forked by the agent that it is of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from nbagents.errors import RunError
from nbagents.events import ForkedFrom
from nbagents.runs.state.history import History, history_of
from nbagents.runs.state.run.member import Member

if TYPE_CHECKING:
    from nbagents.runs.state.session import Session

NO_AGENT = (
    "No agent of this process has made the run {run_id}, so it does not know who is to go on: give "
    "it, run.fork(agent=AGENT, …), or AGENT.fork({run_id!r}, …)."
)
NO_FORK = "The run {run_id} is of {agent}, which cannot fork a run: give an agent, agent=AGENT."


class Forked(Member):
    """A run, as far as one can go back in it."""

    agent: Any
    session: Session

    @property
    def forked_from(self) -> ForkedFrom | None:
        """Of a branch: the run that it leaves, at which call or request, and what is changed."""
        said = self.node["forked_from"]
        return None if said is None else ForkedFrom.model_validate(said)

    @property
    def branches(self) -> History:
        """The runs that leave this one, the newest first, as `session.history()` lists them.

        Of a run inside of another one, these are the branches of the outermost.
        """
        left, logged = self.root.id, history_of(self.session, {})
        return History([one for one in logged if one.forked_from == left])

    def fork(self, *, agent: Any = None, host: Any = None, **options: Any) -> Self:
        """Go back to a place of the run, change something, and go on from there in a new run.

        See `nbagents.Agent.fork`, which takes the same; of a run inside of another one, the
        outermost is forked, and returned.

        Args:
            agent: Who goes on; by default the agent that the run is of, if this process made it.
            host: Who shows it.
            options: At which call (`at`) or request (`step`), and what is changed there:
                `arguments`, `result` or `message`; `tools`, `model`, `instructions`; `again`.

        Raises:
            RunError: It does not know its agent; and see `Agent.fork`.
        """
        __tracebackhide__ = True
        return self._forking(agent).fork(self, host=host, **options)

    async def afork(self, *, agent: Any = None, host: Any = None, **options: Any) -> Self:
        """Fork the run on the running loop; see `fork`."""
        return await self._forking(agent).afork(self, host=host, **options)

    def start_fork(self, *, agent: Any = None, host: Any = None, **options: Any) -> Self:
        """Fork the run in the background and return the branch, which goes on; see `fork`."""
        return self._forking(agent).start_fork(self, host=host, **options)

    def preview_fork(self, *, agent: Any = None, **options: Any) -> Any:
        """What a branch would keep, call and ask first; see `nbagents.Agent.preview_fork`."""
        return self._forking(agent).preview_fork(self, **options)

    def _forking(self, agent: Any) -> Any:
        found = self.root.agent if agent is None else agent
        if found is None:
            raise RunError(NO_AGENT.format(run_id=self.id))
        if not hasattr(found, "begin_forked"):
            raise RunError(NO_FORK.format(run_id=self.id, agent=type(found).__name__))
        return found
