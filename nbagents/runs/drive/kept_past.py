"""How a branch tells what it keeps of the run that it leaves: in its own log, by the same events.

So its tree has all of it, whoever reads that: a page, a text, a resumption, a branch of the branch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.events import (
    ChildRunLinked,
    KeptEnd,
    RunStreamEnd,
    ToolEnd,
    UserMessageReceived,
)
from nbagents.results import RunLink
from nbagents.runs.state import Run

if TYPE_CHECKING:
    from nbagents.events import AnyEvent
    from nbagents.runs.plan import Kept, KeptInside


def tell_kept(run: Run, kept: Kept) -> None:
    """Log what a run keeps of another one, each event as one of its own.

    Args:
        run: The branch, which has begun.
        kept: What it keeps.
    """
    inside: dict[str, Run] = {}
    for event in kept.events:
        if isinstance(event, ChildRunLinked):
            inside[event.child_run_id] = _tell_inside(run, event, kept.inside[event.child_run_id])
        elif isinstance(event, ToolEnd):
            run.keep(event.tool_call_id, event.tool_name, kept.results[event.tool_call_id])
            links = tuple(_link(run, one, inside) for one in event.run_links)
            _tell(run, event, call_run_id=run.id, run_links=links)
        else:
            _tell(run, event)
    given = kept.forked_from.call_id if "result" in kept.forked_from.edited else None
    calls = tuple(call_id for call_id in kept.results if call_id != given)
    run.emit(lambda stamp: KeptEnd(**stamp, calls=calls))


def _tell(run: Run, event: AnyEvent, **changed: object) -> None:
    run.emit(lambda stamp: event.model_copy(update={**stamp, **changed}))


def _link(run: Run, link: RunLink, inside: dict[str, Run]) -> RunLink:
    """A link of a call to a run inside of it, which has an id of its own here."""
    known = inside.get(link.run_id)
    ids = {"parent_run_id": run.id, "run_id": link.run_id if known is None else known.id}
    return link.model_copy(update=ids)


def _tell_inside(above: Run, event: ChildRunLinked, inside: KeptInside) -> Run:
    """Log a run inside of a call, which is kept as a whole."""
    start, live = inside.start, inside.live
    made = Run(
        above.session,
        agent_name=start.agent_name,
        prompt=inside.prompt,
        parent=above,
        parent_call_id=event.tool_call_id,
        labels=start.labels,
        handles=live and live.handles,
    )
    if live is not None:
        made.agent, made.context, made.tool_input = live.agent, live.context, live.tool_input
        made.answer(live.output)
    made.last_agent, made.messages = inside.last_agent, inside.messages
    above.adopt(made)
    _tell(above, event, child_run_id=made.id)
    _tell(made, start, forked_from=inside.kept.forked_from, resumed_from=None, labels=made.labels)
    made.emit(lambda stamp: UserMessageReceived(**stamp, text=inside.prompt, shared=inside.shared))
    tell_kept(made, inside.kept)
    made.emit(lambda stamp: RunStreamEnd(**stamp))
    return made
