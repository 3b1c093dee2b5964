"""The run that a branch leaves, with those that it goes on with and those inside of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nbagents.errors import RunError
from nbagents.runs.logs import NO_RUN, chat_history, find_run, read_whole, root_above
from nbagents.runs.state import Run
from nbagents.runs.tree import Line, TreeFold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.events import AnyEvent
    from nbagents.runs.state import Session
    from nbagents.runs.tree import Tree

GOES_ON: Final = (
    "The run {run_id} still goes on{where}: fork it when it has ended, or stop it before."
)
NO_EVENTS: Final = (
    "The run {run_id} was loaded from what a notebook shows of it, which does not have all that "
    "happened, and this log does not know the run. Fork it where it was made, or keep it with "
    "run.save(PATH) there: what Run.load(PATH) gives can be forked."
)


class Origin:
    """A run of the past or of this process, as it is to be forked.

    Args:
        session: Where the branch will be logged.
        root_id: The run that no other has started.
        events: What happened in it and inside of it, and in those that it goes on with.
        tree: What these come to; `None`: it is folded.
        live: The run itself, where this process still has it, with its objects and messages.
    """

    def __init__(
        self,
        session: Session,
        root_id: str,
        events: Sequence[AnyEvent],
        tree: Tree | None,
        live: Run | None,
    ) -> None:
        self.session = session
        self.root_id = root_id
        self._live = live
        self._events: dict[str, list[AnyEvent]] = {}
        for event in events:
            self._events.setdefault(event.run_id, []).append(event)
        self.tree = tree or _folded(events, session)
        self._lines: dict[str, Line] = {}

    @classmethod
    def of(cls, session: Session, run: Run | str) -> tuple[Origin, str]:
        """The root above the run that is meant, and the id of that.

        Raises:
            RunError: There is none, there are several, it still goes on, or its log is not whole.
        """
        if isinstance(run, Run) and not has_events(run):
            if not session.log.find(run.id):
                raise RunError(NO_EVENTS.format(run_id=run.id))
            run = run.id
        if isinstance(run, Run):
            live, run_id, root_id = run.root, run.id, run.root.id
        else:
            run_id = find_run(session.log, run)
            root_id = root_above(session.log, run_id)
            live = next((one for one in session.runs if one.id == root_id), None)
        if live is not None and not live.is_closed:
            raise RunError(GOES_ON.format(run_id=root_id, where=""))
        if live is not None and _is_whole(live):
            return cls(session, root_id, live.events, live.state, live), run_id
        made = cls(session, root_id, read_whole(session.log, root_id), None, live)
        made._refuse(run_id)
        return made, run_id

    def _refuse(self, run_id: str) -> None:
        if run_id not in self.tree["runs"]:
            raise RunError(NO_RUN.format(run_id=run_id))
        root = self.tree["runs"][self.root_id]
        is_elsewhere = self.session.log.living.where(root["session_id"]) == "elsewhere"
        if root["status"] == "running" and is_elsewhere:
            where = " in another kernel"
            raise RunError(GOES_ON.format(run_id=self.root_id, where=where))

    def line(self, run_id: str) -> Line:
        """A run of it together with those that it goes on with."""
        if run_id not in self._lines:
            self._lines[run_id] = Line(self.tree, run_id)
        return self._lines[run_id]

    def live_run(self, run_id: str) -> Run | None:
        """A run of it as this process still has it."""
        return None if self._live is None else self._live.below(run_id)

    def events_of(self, run_id: str) -> list[AnyEvent]:
        """What happened in a run, and in those that it goes on with, in order; not inside."""
        nodes = self.line(run_id).nodes
        return [event for node in nodes for event in self._events.get(node["id"], ())]

    def recalled(self, run_id: str) -> Run:
        """A run of it that has ended, as it stands."""
        if (live := self.live_run(run_id)) is not None:
            return live
        events = (event for events in self._events.values() for event in events)
        return Run.recalled(self.session, run_id, sorted(events, key=lambda event: event.seq))

    def way_to(self, run_id: str) -> Sequence[tuple[str, str]]:
        """The calls inside of which a run is, from the outermost: each with its run."""
        way: list[tuple[str, str]] = []
        node = self.tree["runs"][run_id]
        while node["parent_run_id"] is not None and node["parent_tool_call_id"] is not None:
            way.insert(0, (node["parent_run_id"], node["parent_tool_call_id"]))
            node = self.tree["runs"][node["parent_run_id"]]
        return way


def has_events(run: Run) -> bool:
    """Whether what happened in a run is known of it: a saved card has but what came of it."""
    return bool(run.events) or bool(run.session.log.find(run.id))


def _folded(events: Sequence[AnyEvent], session: Session) -> Tree:
    folding = TreeFold(told=chat_history(session.log))
    for event in events:
        folding.apply(event)
    return folding.tree


def _is_whole(live: Run) -> bool:
    """Whether a run has all events itself: it goes on with no other, and was not read from JSON."""
    node = live.state["runs"].get(live.id)
    return bool(live.events) and node is not None and node["resumed_from"] is None
