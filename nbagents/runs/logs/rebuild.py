"""A run of the past as it stood: its conversation, its calls and its questions, from its events.

A run that goes on with a suspended one is read together with that one, as if they were one run.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from nbagents.events import ChildRunLinked, RunStart
from nbagents.messages import AssistantMessage, CallRequest
from nbagents.results import CallResult
from nbagents.runs.logs.history import read_events
from nbagents.runs.logs.story import NOT_KNOWN, PastAwait, Story
from nbagents.runs.loop import told

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from nbagents.events import AnyEvent, Approval, RunStatus
    from nbagents.messages import Message
    from nbagents.results import Limits
    from nbagents.runs.logs.log import Log

__all__ = ["PastAwait", "Rebuilt", "read_run", "rebuild"]

NOT_MADE: Final = "Not done: the run broke off before this call was made."


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """A run as its events tell of it."""

    run_id: str
    session_id: str
    turn_id: str
    agent_name: str
    """Who it began with."""
    current_agent: str
    """Who it is handed over to, if to anybody."""
    prompt: str
    shared: tuple[str, ...]
    labels: Mapping[str, str]
    chat: str | None
    limits: Limits
    approval: Approval
    status: RunStatus
    """`running`: the events do not say how it ended."""
    resumed_from: str | None
    messages: tuple[Message, ...]
    """The conversation; where calls of the newest answer are pending, without its results."""
    finished: Mapping[str, CallResult]
    """What is known of each call that has ended, by id; live objects are gone."""
    pending: tuple[CallRequest, ...]
    """The calls of the newest answer that have no result."""
    is_closing: bool
    """Whether the one call of the newest answer was said beforehand, for the end at a limit."""
    started: frozenset[str]
    """Those of them, by id, whose tools had begun: they may have done something."""
    children: Mapping[str, tuple[str, ...]]
    """The runs that each call has started, in order; of one that was gone on with, the newest."""
    awaits: Mapping[str | None, tuple[PastAwait, ...]]
    """What was asked in each call, in order; under `None` what no single call asked."""
    turn: tuple[Message, ...]
    """What was said in it: the prompt, and all that answers it."""

    @property
    def closed_turn(self) -> tuple[Message, ...]:
        """The same with a result for each call, as a model may be told it."""
        last = self.turn[-1] if self.turn else None
        if not self.pending or not isinstance(last, AssistantMessage):
            return self.turn
        return (*self.turn, *(told(call, self._result(call)) for call in last.calls))

    def _result(self, call: CallRequest) -> CallResult:
        if (known := self.finished.get(call.id)) is not None:
            return known
        content = NOT_KNOWN if call.id in self.started else NOT_MADE
        return CallResult(content=content, status="cancelled")


def read_run(log: Log, run_id: str) -> list[AnyEvent]:
    """What a log has of a run, for `rebuild`: of those that it goes on with, too, oldest first.

    Returns:
        Its events; none where the log does not know it.
    """
    events: list[AnyEvent] = []
    wanted: str | None = run_id
    while wanted is not None:
        found = next((one for one in log.find(wanted) if one.run_id == wanted), None)
        own = [] if found is None else list(read_events(log, found.session_id, run_id=wanted))
        events = [*own, *events]
        start = next((one for one in own if isinstance(one, RunStart)), None)
        wanted = start and start.resumed_from
    if any(isinstance(one, RunStart) and one.resumed_from for one in events):
        linked = [one for one in events if isinstance(one, ChildRunLinked)]
        for one in linked:  # so that a child that was gone on with is not taken for another one
            events += log.read(one.session_id, run_id=one.child_run_id, limit=1)
    return events


def rebuild(events: Iterable[AnyEvent], run_id: str) -> Rebuilt:
    """A run from its events.

    Args:
        events: Those of the run and of the runs that it goes on with, in order; others may be among
            them, e.g. those of its whole session.
        run_id: Which run.

    Raises:
        LookupError: The events do not tell of its beginning.
    """
    by_run: dict[str, list[AnyEvent]] = defaultdict(list)
    resumed: dict[str, str] = {}
    for event in events:
        by_run[event.run_id].append(event)
        if isinstance(event, RunStart) and event.resumed_from is not None:
            resumed[event.run_id] = event.resumed_from
    chain = [run_id]
    while chain[0] in resumed and resumed[chain[0]] in by_run:
        chain.insert(0, resumed[chain[0]])
    story = Story(resumed)
    for one in chain:
        for event in by_run.get(one, ()):
            story.take(event)
    return _rebuilt(story, run_id)


def _rebuilt(story: Story, run_id: str) -> Rebuilt:
    """The run that a story tells of."""
    start = story.start
    if start is None or start.run_id != run_id:
        raise LookupError(f"No event tells how the run {run_id!r} began.")
    pending = story.pending()
    if not pending:
        story.settle()
    awaits: dict[str | None, list[PastAwait]] = defaultdict(list)
    for one in story.awaits:
        for call_id in one.call_ids or (None,):
            awaits[call_id].append(one)
    return Rebuilt(
        run_id=run_id,
        session_id=start.session_id,
        turn_id=start.turn_id,
        agent_name=story.first_agent,
        current_agent=story.agent_name,
        prompt=story.said.text if story.said else "",
        shared=story.said.shared if story.said else (),
        labels=start.labels,
        chat=start.chat,
        limits=start.limits,
        approval=start.approval,
        status=story.status,
        resumed_from=start.resumed_from,
        messages=tuple(story.messages),
        turn=tuple(story.turn),
        finished=story.finished,
        pending=pending,
        is_closing=story.is_closing,
        started=frozenset(call.id for call in pending if call.id in story.started),
        children={call_id: tuple(runs) for call_id, runs in story.children.items()},
        awaits={call_id: tuple(asked) for call_id, asked in awaits.items()},
    )
