"""What a run of the past has spent, with all runs inside it, from its events."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from nbagents.events import (
    AssistantTurn,
    AwaitResolved,
    Handoff,
    PromptRendered,
    ToolEnd,
    UsageReported,
    Workflow,
)
from nbagents.runs.logs.story import AWAITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from nbagents.events import AnyEvent
    from nbagents.results import Failure

__all__ = ["FAILED", "GOT_SOMEWHERE", "Spent", "counted_after", "spent_of"]

FAILED: Final = ("failed", "timed_out")
GOT_SOMEWHERE: Final = ("done", "cancelled")
"""A call that was denied or skipped says nothing of whether the run gets anywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What a run had spent when it was suspended, or broke off."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0
    failed_batches: int = 0
    """How many steps had failed one after the other; one that is not whole is not among them."""
    steps: int = 0
    """The last one whose answer is there."""
    active_s: float = 0.0
    """Without the time in which a person was waited for."""
    has_called: bool = False
    """Whether the agent who holds the run has asked for any call."""


def counted_after(failed_batches: int, statuses: Iterable[str]) -> int:
    """How many steps have failed one after the other, with one more step of these calls."""
    seen = set(statuses)
    if seen.intersection(GOT_SOMEWHERE):
        return 0
    return failed_batches + bool(seen.intersection(FAILED))


def spent_of(families: Iterable[Sequence[AnyEvent]], line: Sequence[str]) -> Spent:
    """What a run has spent.

    Args:
        families: The events of the run, and of each that it goes on with; each with those of the
            runs inside it, in order.
        line: The ids of the run and of those that it goes on with, the oldest first.
    """
    told = [list(events) for events in families]
    events = [event for family in told for event in family]
    used = [event for event in events if isinstance(event, UsageReported)]
    own = _Own()
    for run_id in line:
        for event in events:
            if event.run_id == run_id:
                own.take(event)
    return Spent(
        calls=_calls(events),
        tokens=sum(one.input_tokens + one.output_tokens for one in used),
        cost=sum(one.cost or 0.0 for one in used),
        failed_batches=own.failed_batches(),
        steps=own.steps,
        active_s=sum(map(_active_s, told)),
        has_called=own.has_called,
    )


def _calls(events: Iterable[AnyEvent]) -> int:
    """The calls that models asked for, but for those for which there was no room."""
    rendered: set[tuple[str, int]] = set()
    count = 0
    for event in events:
        if isinstance(event, PromptRendered):
            rendered.add((event.run_id, event.step))
        elif isinstance(event, AssistantTurn) and (event.run_id, event.step) in rendered:
            count += len(event.calls)
        elif isinstance(event, ToolEnd):
            count -= _is_refused(event.status, event.failure)
    return count


def _is_refused(status: str, failure: Failure | None) -> bool:
    return status == "skipped" and failure is not None


@dataclass(slots=True)
class _Own:
    """What the events of a run, without those inside it, tell of its steps."""

    steps: int = 0
    has_called: bool = False
    batches: list[tuple[str, ...]] = field(default_factory=list[Any])
    ended: dict[str, str] = field(default_factory=dict[str, str])

    def take(self, event: AnyEvent) -> None:
        """Take the next event."""
        if isinstance(event, AssistantTurn):
            self.steps = max(self.steps, event.step)
            if event.calls:
                self.has_called = True
                self.batches.append(tuple(call.id for call in event.calls))
        elif isinstance(event, Handoff):
            self.has_called = self.has_called and not event.step  # 0 says only who holds it
        elif isinstance(event, ToolEnd):
            self.ended[event.tool_call_id] = event.status

    def failed_batches(self) -> int:
        """How many steps have failed one after the other."""
        count = 0
        for batch in self.batches:
            if all(call_id in self.ended for call_id in batch):
                count = counted_after(count, [self.ended[call_id] for call_id in batch])
        return count


def _active_s(events: Sequence[AnyEvent]) -> float:
    """How long a run and those inside it went on, but for the time in which somebody was asked."""
    if not events:
        return 0.0
    last_s = max(event.at for event in events)
    whole_s = last_s - min(event.at for event in events)
    return max(0.0, whole_s - sum(end - begin for begin, end in _waits(events, last_s)))


def _waits(events: Sequence[AnyEvent], last_s: float) -> Iterator[tuple[float, float]]:
    """From when to when somebody was waited for, each time once."""
    ends: dict[str, float] = defaultdict(lambda: last_s)
    ends |= {event.await_id: event.at for event in events if isinstance(event, AwaitResolved)}
    suspended = {
        event.run_id
        for event in events
        if isinstance(event, Workflow) and event.phase == "suspended"
    }
    until_s = 0.0
    for event in events:
        if not isinstance(event, AWAITS):
            continue
        is_left_open = event.await_id not in ends and event.run_id in suspended
        end_s = event.at if is_left_open else ends[event.await_id]  # suspended: nobody waited
        begin_s = max(event.at, until_s)
        if end_s > begin_s:
            yield begin_s, end_s
            until_s = end_s
