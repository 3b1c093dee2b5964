"""What is kept of the events of runs: what happened, and the runs inside of it that are whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from nbagents.agents.forking.place import calls_of
from nbagents.events import (
    ENDED,
    AnyEvent,
    ChildRunLinked,
    Event,
    ForkedFrom,
    Handoff,
    KeptUsage,
    PromptRendered,
    RunStart,
    UsageReported,
    Workflow,
)
from nbagents.results import ShownMessage
from nbagents.runs.plan import Kept, KeptInside

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from nbagents.agents.forking.origin import Origin
    from nbagents.results import CallResult
    from nbagents.runs.tree import Line

LEFT_OUT: Final = frozenset(
    {
        "run_start",
        "user_message",
        "workflow",
        "assistant_delta",
        "tool_args_delta",
        "kept_end",
        "run_stream_end",
    }
)
"""What begins and ends a run, or tells how something came that is told whole besides."""
USED: Final = frozenset(KeptUsage.model_fields) - {"type"}


def of_steps(events: Iterable[AnyEvent]) -> Iterator[AnyEvent]:
    """What happened in a run, without what only says what it goes on with."""
    for event in events:
        if event.type in LEFT_OUT:
            continue
        if isinstance(event, (PromptRendered, Handoff)) and event.step == 0:
            continue
        yield event


def as_kept(events: Iterable[AnyEvent], line: Line) -> Iterator[AnyEvent]:
    """The same as a branch tells it: nothing is used again, and what chats know is written out."""
    told = {one["step"]: one for node in line.nodes for one in node["requests"] if one["earlier"]}
    for event in events:
        if isinstance(event, UsageReported):
            yield KeptUsage(**{name: getattr(event, name) for name in USED})
        elif isinstance(event, PromptRendered) and event.step in told:
            messages = map(ShownMessage.model_validate, told[event.step]["messages"])
            yield event.model_copy(update={"earlier": None, "messages": tuple(messages)})
        else:
            yield event


def results_of(origin: Origin, line: Line) -> Mapping[str, CallResult]:
    """What the calls of a run gave, as the objects that they are, where they are still here."""
    live = origin.live_run(line.run_id)
    known = {} if live is None else live.results
    return {call_id: known.get(call_id, one) for call_id, one in line.finished.items()}


def insides_of(origin: Origin, line: Line, call_ids: Iterable[str]) -> dict[str, KeptInside]:
    """The runs that calls have started, each kept as a whole, by their ids."""
    runs = (one for call_id in call_ids for one in line.children.get(call_id, ()))
    return {one: _inside(origin, one) for one in runs if one in origin.tree["runs"]}


def only_of(events: Iterable[AnyEvent], insides: Mapping[str, KeptInside]) -> Iterator[AnyEvent]:
    """The events without links to runs that are not kept."""
    for event in events:
        if not isinstance(event, ChildRunLinked) or event.child_run_id in insides:
            yield event


def _inside(origin: Origin, run_id: str) -> KeptInside:
    line = origin.line(run_id)
    given = origin.events_of(run_id)
    start = next(one for one in reversed(given) if isinstance(one, RunStart))
    ends = [one for one in given if isinstance(one, Workflow) and one.phase in ENDED][-1:]
    insides = insides_of(origin, line, calls_of(line))
    events = [*only_of(as_kept(of_steps(given), line), insides), *ends]
    live = origin.live_run(run_id)
    return KeptInside(
        kept=Kept(
            forked_from=ForkedFrom(run_id=run_id, origin_id=origin_of(line), step=0, is_whole=True),
            events=tuple(events),
            results=results_of(origin, line),
            inside=insides,
        ),
        start=start,
        prompt=line.prompt,
        shared=line.shared,
        last_agent=line.current_agent,
        messages=line.messages if live is None else live.messages,
        live=live,
    )


def stamp_of(event: AnyEvent) -> dict[str, Any]:
    """What another event of the same run is stamped with."""
    return {name: getattr(event, name) for name in Event.model_fields}


def origin_of(line: Line) -> str:
    """The run that a run, and all its branches, come from."""
    before = line.nodes[0]["forked_from"]
    return line.run_id if before is None else before["origin_id"]
