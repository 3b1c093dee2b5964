"""A run of the past, had back from its events or its tree: it can be read, and nothing more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from nbagents.errors import RunError
from nbagents.runs.state.run.controls import Steered
from nbagents.runs.tree import Line, TreeFold, settle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from nbagents.events import AnyEvent, PromptRendered
    from nbagents.messages import Message
    from nbagents.runs.state.session import Session
    from nbagents.runs.tree import Plain, Tree

    Told = Callable[[PromptRendered], Sequence[Plain]]


class Recalled(Steered):
    """A run, as far as it can be had back."""

    session: Session
    agent_name: str
    last_agent: str
    prompt: str
    turn_id: str
    labels: dict[str, str]
    messages: tuple[Message, ...]
    error: BaseException | None
    told: Told
    """Gives what a request tells of its chat that other runs have logged."""
    cuts: tuple[str, ...]
    """What is not here of a run that a notebook kept, a sentence each."""

    if TYPE_CHECKING:

        def __init__(
            self,
            session: Session,
            *,
            agent_name: str,
            prompt: str,
            parent: Self | None = None,
            parent_call_id: str | None = None,
            run_id: str | None = None,
        ) -> None: ...

    @classmethod
    def recalled(
        cls,
        session: Session,
        run_id: str,
        events: Iterable[AnyEvent],
        *,
        told: Told | None = None,
        is_over: bool = False,
    ) -> Self:
        """A run of the past, as its log tells it: it can be read, and nothing more.

        Args:
            session: Where it is looked at now.
            run_id: The run.
            events: Of its session; those of other roots may be among them.
            told: Gives what a request tells of its chat that other runs have logged.
            is_over: Whether what its log left open is of unknown outcome.

        Raises:
            RunError: It is not among them.
        """
        made = cls(session, agent_name="", prompt="", run_id=run_id)
        made.told = told or made.told
        made.common.fold, made.common.events = TreeFold(told=told), list(events)
        for event in made.common.events:
            made.common.fold.apply(event)
        if run_id not in made.state["runs"]:
            raise RunError(f"There is no run {run_id!r} in this log.")
        if is_over:
            settle(made.state)
        return made._recall()

    @classmethod
    def of_tree(
        cls, session: Session, run_id: str, tree: Tree, *, cuts: tuple[str, ...] = ()
    ) -> Self:
        """A run of the past of which there is only the tree; see `recalled`.

        Args:
            session: Where it is looked at now.
            run_id: The run.
            tree: A tree that has it.
            cuts: What was left out of that, a sentence each.
        """
        made = cls(session, agent_name="", prompt="", run_id=run_id)
        made.common.fold = TreeFold(tree)
        made.cuts = cuts
        return made._recall()

    def _recall(self, above: frozenset[str] = frozenset()) -> Self:
        """Take what the tree tells of it, below these runs."""
        self.is_closed = True
        line = Line(self.state, self.id)
        node = line.run
        self.agent_name, self.prompt = node["agent_name"], node["prompt"]
        self.turn_id, self.labels = node["turn_id"], node["labels"]
        took_over = [one["to_agent"] for one in node["items"] if one["type"] == "handoff"]
        self.last_agent = (self.agent_name, *took_over)[-1]
        self.messages = line.closed
        if node["failure"] is not None:
            self.error = RunError(node["failure"]["message"])
        above |= {self.id}
        for call in node["calls"].values():
            for child_id in call["child_run_ids"]:
                if child_id in self.state["runs"] and child_id not in above:
                    self.adopt(self._inside(child_id, call["id"], above))
        return self

    def _inside(self, run_id: str, call_id: str, above: frozenset[str]) -> Self:
        made = type(self)(
            self.session,
            agent_name="",
            prompt="",
            parent=self,
            parent_call_id=call_id,
            run_id=run_id,
        )
        return made._recall(above)  # noqa: SLF001  its own kind
