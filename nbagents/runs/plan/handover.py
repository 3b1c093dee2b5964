"""One agent hands a run over to another: the same run goes on, with the other's plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

from nbagents.messages import Message, SystemMessage
from nbagents.results import CallResult
from nbagents.runs.plan.brief import instructed, taking_over
from nbagents.runs.policy import call_plainly
from nbagents.runs.state import told_of
from nbagents.tools.context import is_several, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.messages import CallRequest
    from nbagents.runs.plan.plan import Plan
    from nbagents.runs.state import Run
    from nbagents.tools.call import Lanes

NOW: Final = "You are now {name!r}."
LATE: Final = "Not done: one call of an answer can hand over, and that to {name!r} came first."


@dataclass(frozen=True, slots=True, kw_only=True)
class Handover:
    """How a run goes on with another agent."""

    agent_name: str
    instructions: str
    plan: Callable[[Plan], Plan]
    """The other agent's plan in the place of the one that holds so far."""
    input_filter: Callable[[Sequence[Message]], Sequence[Message]] | None = None
    """What of the conversation the other agent is told, without instructions; `None`: all."""


class Makes(Protocol):
    """What makes calls together."""

    is_suspended: bool

    async def make(self, requests: Sequence[CallRequest]) -> list[CallResult]:
        """Make them; their results, in call order."""
        ...


async def made_with_handover(
    calls: Sequence[CallRequest],
    handovers: Mapping[str, Handover],
    batch: Makes,
    skip: Callable[[CallRequest, CallResult], CallResult],
) -> tuple[list[CallResult], CallRequest | None]:
    """The results of an answer's calls, and the call that hands the run over: the first that can.

    One that fails, or that a person denies, stands in nobody's way.

    Args:
        calls: The calls.
        handovers: What some of them ask for, by their names.
        batch: Makes them.
        skip: Ends a call without making it.
    """
    late = [call for call in calls if call.name in handovers]
    first = late.pop(0) if late else None
    made = [call for call in calls if call not in late]
    results: dict[CallRequest, CallResult] = {}
    try:
        results.update(zip(made, await batch.make(made) if made else (), strict=True))
        while first is not None and late and results[first].status != "done":
            first = late.pop(0)
            (results[first],) = await batch.make([first])
    finally:
        if first is not None and not batch.is_suspended:  # then they may still be made
            said = LATE.format(name=handovers[first.name].agent_name)
            told = CallResult(content=said, status="skipped")
            results.update((call, skip(call, told)) for call in late)
    is_done = first is not None and results[first].status == "done"
    return [results[call] for call in calls], first if is_done else None


async def conversation_of(
    handover: Handover, messages: Sequence[Message], run: Run, lanes: Lanes
) -> list[Message]:
    """The conversation as the other agent is told of it.

    It stays as it is, and who goes on is said below it; what a filter leaves is told anew.

    Raises:
        TypeError: The person's own filter gave no messages.
        Exception: What it raised.
    """
    if (choose := handover.input_filter) is None:
        return [*messages, taking_over(handover.agent_name, handover.instructions)]
    given = tuple(one for one in messages if not isinstance(one, SystemMessage))
    said = _chosen(await call_plainly(lambda: choose(given), lanes), handover.agent_name)
    told = NOW.format(name=handover.agent_name)
    told_objects = {one.name: one.summary for one in run.handles.infos()}
    lines = told_of({}, told_objects, said, told_objects)
    words = "\n\n".join(filter(None, (told, handover.instructions, lines)))
    return [*instructed(words), *said]


def _chosen(given: object, agent_name: str) -> Sequence[Message]:
    chosen: list[Message] = []
    for one in given if is_several(given) else (given,):
        if not isinstance(one, Message):
            raise TypeError(
                f"input_filter of the hand-over to {agent_name!r} gave {shown(one)}: it must give "
                "those of the messages that it was given which the agent is to be told."
            )
        chosen.append(one)
    return chosen


def handed_to(agent_name: str, plan: Plan) -> Plan:
    """The plan of a run after it was handed over, maybe by several agents one after the other.

    Where nobody of this name can take over any more, the plan stays as it is.
    """
    return next((one for one in plans_from(plan) if one.agent_name == agent_name), plan)


def plans_from(plan: Plan) -> Iterator[Plan]:
    """The plan, and those of all who may take over from it, also one after the other."""
    waiting, seen = [plan], {plan.agent_name}
    while waiting:
        one = waiting.pop(0)
        yield one
        others: Iterable[Handover] = one.policy.handovers.values()
        for other in others:
            if other.agent_name not in seen:
                seen.add(other.agent_name)
                waiting.append(other.plan(one))


def with_plan_of_run(plan: Plan, before: Plan) -> Plan:
    """Another agent's plan, as far as it is not the run's own: that keeps its limits.

    The prices of both count; where both name a model, the run's own.
    """
    prices = {**plan.policy.prices, **before.policy.prices}
    return replace(
        before,
        agent_name=plan.agent_name,
        model=plan.model,
        tools=plan.tools,
        shelf=plan.shelf,
        form=plan.form,
        settings=plan.settings,
        is_parallel=plan.is_parallel,
        policy=replace(plan.policy, prices=prices, on_limit=before.policy.on_limit),
    )
