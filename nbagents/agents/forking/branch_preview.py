"""What a branch would keep and do first: planned like one, and never begun."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nbagents.agents.forking.forking import branching_of
from nbagents.agents.forking.place import calls_of
from nbagents.messages import AssistantMessage, told
from nbagents.narrowing import known
from nbagents.runs.plan import BranchPreview, first_request, preview_of
from nbagents.runs.tree import blank_call, parsed
from nbagents.runs.wording import call_in_words, clipped, gave_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nbagents.agents.forking.forking import Branching
    from nbagents.agents.forking.place import Place
    from nbagents.agents.specification import ForkOptions, Specification
    from nbagents.messages import CallRequest
    from nbagents.runs.plan import Kept, Plan, Preview
    from nbagents.runs.state import Run
    from nbagents.tools.values import Handles

CALL_WIDTH = GIVEN_WIDTH = 60


def previewed_fork(agent: Specification, run: Run | str, options: ForkOptions) -> BranchPreview:
    """What a branch would keep and do first; see `Agent.preview_fork`."""
    branching, place = branching_of(run, options, is_sent=False)
    _, plan, handles = branching.planned(agent, place)
    branch, to_make = known(plan.kept), _open(plan)
    return BranchPreview(
        forked_from=branch.forked_from,
        model=plan.model.name,
        kept=tuple(_kept(branching, place, branch)),
        calls=tuple(_called(branching, place, to_make)),
        request=None if to_make else _request(plan, handles),
    )


def _open(plan: Plan) -> list[CallRequest]:
    """The calls that are made before the model is asked."""
    again = plan.kept.again if plan.kept else ()
    last = plan.messages[-1] if plan.messages else None
    asked = last.calls if isinstance(last, AssistantMessage) else ()
    return [*again, *(one for one in asked if one.id not in plan.finished)]


def _kept(branching: Branching, place: Place, branch: Kept) -> Iterator[str]:
    """The calls that are kept of a run, and of the one inside of it that is left with it."""
    calls, given = calls_of(place.line), branch.forked_from
    for call_id, result in branch.results.items():
        gave = gave_in_words(calls[call_id])
        if call_id == given.call_id and "result" in given.edited and place.inner is None:
            gave = f"{clipped(result.content, GIVEN_WIDTH)} (given now)"
        yield f"{call_in_words(calls[call_id], CALL_WIDTH)}{f' → {gave}' if gave else ''}"
    if (inner := place.inner) is not None:
        own = replace(branch, results=branching.part_of(inner).results)
        yield from (f"  {one}" for one in _kept(branching, inner, own))


def _called(branching: Branching, place: Place, calls: Sequence[CallRequest]) -> Iterator[str]:
    """The calls that are made, those inside of the call that has the place below it."""
    for one in calls:
        yield _in_words(one)
        is_around = place.inner is not None and place.call and one.id == place.call["id"]
        if is_around and place.inner is not None:
            part = branching.part_of(place.inner)
            inside = _called(branching, place.inner, [*part.again, *part.line.pending])
            yield from (f"  {row}" for row in inside)


def _in_words(call: CallRequest) -> str:
    node = blank_call(call.id, call.name, 0)
    node["arguments"] = parsed(call.arguments)
    return call_in_words(node)


def _request(plan: Plan, handles: Handles) -> Preview:
    """What the model is asked first."""
    messages, last = list(plan.messages), plan.messages[-1] if plan.messages else None
    if isinstance(last, AssistantMessage):
        messages += [told(one, plan.finished[one.id]) for one in last.calls]
    tools = plan.tools if plan.shelf is None else (*plan.tools, *plan.shelf.shown)
    asked = replace(plan, messages=tuple(messages), tools=tools)
    return preview_of(asked, first_request(asked, handles))
