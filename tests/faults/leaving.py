"""What a run must leave behind, however it ended."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from nbagents.agents import Agent
from nbagents.messages import AssistantMessage, ToolMessage
from nbagents.runs.tree.folding import fold, settle
from nbagents.runs.tree.projection import shown_tree
from tests.unit.runs.desk import run_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.events import AnyEvent
    from nbagents.messages import Message
    from nbagents.runs.state.run.run import Run
    from nbagents.runs.state.session import Session

__all__ = ["Ended", "assert_sound", "call_of", "ends_of", "events_of", "logged", "run_to_the_end"]


class Ended:
    """A run that has ended, and what it raised.

    Args:
        run: The run.
        error: What it raised, if it did.
    """

    def __init__(self, run: Run, error: BaseException | None) -> None:
        self.run = run
        self.error = error

    @property
    def said(self) -> str:
        """The message of what it raised."""
        return str(self.error)


def run_to_the_end(agent: Agent, session: Session, prompt: str = "Go on.") -> Ended:
    """Run an agent, and see that it leaves everything in order."""
    error: BaseException | None = None
    try:
        run = agent.run(prompt, log=session)
    except BaseException as raised:  # noqa: BLE001  what a run raises is what is tested
        run, error = run_of(raised), raised
    assert_sound(run)
    return Ended(run, error)


def assert_sound(run: Run) -> None:
    """The log reads back, each call has one end, and the next run could go on with the messages."""
    events = logged(run)
    mine = events_of(events, run)
    assert [event.type for event in mine].count("run_stream_end") == 1
    assert mine[-1].type == "run_stream_end"
    assert len({event.seq for event in events}) == len(events)
    assert shown_tree(fold(events)) == run.tree()
    assert shown_tree(settle(fold(events))) == run.tree()
    assert_calls_end_once(mine)
    assert_messages_are_valid(run.messages)


def logged(run: Run) -> list[AnyEvent]:
    """The events of a run's tree, as its log gives them back."""
    found: list[AnyEvent] = []
    while page := run.session.log.read(
        run.session.session_id, after_seq=found[-1].seq if found else -1
    ):
        found += page
    inside = {run.id, *run.tree()["runs"]}
    return [event for event in found if event.run_id in inside]


def events_of(events: Sequence[AnyEvent], run: Run) -> list[AnyEvent]:
    """Those of one run."""
    return [event for event in events if event.run_id == run.id]


def assert_calls_end_once(events: Sequence[AnyEvent]) -> None:
    """Each call that was asked for, or begun, has one end, and no other call has."""
    asked = {call.id for event in events if event.type == "assistant_turn" for call in event.calls}
    started = [event.tool_call_id for event in events if event.type == "tool_start"]
    ended = Counter(event.tool_call_id for event in events if event.type == "tool_end")
    assert len(set(started)) == len(started)
    assert ended == dict.fromkeys(asked | set(started), 1)


def assert_messages_are_valid(messages: Sequence[Message]) -> None:
    """Each batch of calls is followed by exactly its results, in order."""
    open_ids: list[str] = []
    seen: set[str] = set()
    for message in messages:
        if isinstance(message, ToolMessage):
            assert open_ids
            assert message.call_id == open_ids.pop(0)
        else:
            assert open_ids == []
            if isinstance(message, AssistantMessage):
                open_ids = [call.id for call in message.calls]
                assert not seen & set(open_ids)
                seen |= set(open_ids)
    assert open_ids == []


def call_of(run: Run, call_id: str = "call-1") -> Any:  # Any: a `Call`, with the parts of a test
    """One call of a run."""
    return next(call for call in run.calls if call.id == call_id)


def ends_of(run: Run, call_id: str = "call-1") -> tuple[str, str]:
    """How a run ended, and one of its calls."""
    return run.status, call_of(run, call_id).status
