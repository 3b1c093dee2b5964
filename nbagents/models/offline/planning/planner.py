"""The planner: goals and results so far in, the next calls or the end out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from nbagents.models.offline.planning.repairs import repaired
from nbagents.models.offline.planning.supply import Planned, supplied

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.models.offline.matching import Index, Parameter
    from nbagents.models.offline.planning.conversation import Conversation, Made
    from nbagents.models.offline.planning.goals import Goal


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A goal that cannot go on for want of values."""

    goal: Goal
    lacking: tuple[Parameter, ...]


@dataclass(slots=True, kw_only=True)
class Step:
    """What comes next: calls; without any, the goals are as far as they will get."""

    calls: list[Planned] = field(default_factory=list[Planned])
    gaps: list[Gap] = field(default_factory=list[Gap])
    results: list[tuple[Goal, list[Made]]] = field(
        default_factory=list[tuple["Goal", "list[Made]"]]
    )
    """The ended calls of each goal that had any."""


def plan(
    goals: Sequence[Goal],
    index: Index,
    conversation: Conversation,
    mends: dict[str, str],
    *,
    parallel: bool = True,
) -> Step:
    """The next step towards the goals.

    Args:
        goals: What is wanted.
        index: The offered tools.
        conversation: What was done for it.
        mends: Which call mends which, by id.
        parallel: Whether the step may have several calls.
    """
    step = Step()
    pending = False
    owners = _owners(goals, conversation, mends)
    for goal in goals:
        own = [made for made in conversation.made if owners.get(made.id) is goal]
        if own:
            step.results.append((goal, own))
            again = _again(goal, own, conversation, mends)
            if not parallel and not again:
                # One call a step: this goal may have more to come.
                before = _before(goal, goals, owners, conversation)
                again = _new_only(supplied(goal, index, before)[0], conversation)
            step.calls += again
            pending = pending or bool(again)
        elif pending and (goal.later or goal.refers):
            continue
        else:
            planned, lacking = supplied(goal, index, _before(goal, goals, owners, conversation))
            step.calls += planned
            pending = pending or bool(planned)
            # An object may come with a result that is on its way.
            if lacking and not (pending and any(one.handle for one in lacking)):
                step.gaps.append(Gap(goal=goal, lacking=tuple(lacking)))
    step.calls = _new_only(step.calls, conversation)[: None if parallel else 1]
    return step


def _before(
    goal: Goal, goals: Sequence[Goal], owners: dict[str, Goal], conversation: Conversation
) -> Conversation:
    """The conversation without the calls of this goal and of those after it."""
    later = goals[next(at for at, one in enumerate(goals) if one is goal) :]
    made = [
        one for one in conversation.made if not any(owners.get(one.id) is other for other in later)
    ]
    return replace(conversation, made=tuple(made))


def _owners(
    goals: Sequence[Goal], conversation: Conversation, mends: dict[str, str]
) -> dict[str, Goal]:
    """For which goal each call was made, by its id: told from the calls alone.

    A run may be taken up again by a process that did not make them.
    """
    owners: dict[str, Goal] = {}
    for made in conversation.made:
        fitting = [(agreed, goal) for goal in goals if (agreed := _agreed(made, goal)) is not None]
        _, best = max(fitting, key=lambda pair: pair[0], default=(0, None))
        owner = owners.get(mends.get(made.id, ""), best)
        if owner is not None:
            owners[made.id] = owner
    return owners


def _agreed(made: Made, goal: Goal) -> int | None:
    """How many arguments a goal gave that a call has; nothing if it has one otherwise."""
    if made.name != goal.entry.name:
        return None
    agreed = [
        len(filling.values)
        for filling in goal.fillings
        if all(made.arguments.get(name) == value for name, value in filling.values.items())
    ]
    return max(agreed, default=None)


def _again(
    goal: Goal, own: list[Made], conversation: Conversation, mends: dict[str, str]
) -> list[Planned]:
    """Failed calls with mended arguments, each mended once."""
    planned: list[Planned] = []
    for made in own:
        if not made.failed or made.id in mends or made.id in mends.values():
            continue
        arguments = repaired(goal.entry, made, conversation.prompt)
        if arguments is not None:
            why = "the failure says what was wrong with the arguments"
            planned.append(Planned(entry=goal.entry, arguments=arguments, why=why, repairs=made.id))
    return planned


def _new_only(calls: list[Planned], conversation: Conversation) -> list[Planned]:
    """Without calls that were made already, or stand here twice."""
    seen = [(made.name, made.arguments) for made in conversation.made]
    kept: list[Planned] = []
    for call in calls:
        key = (call.entry.name, call.arguments)
        if key not in seen:
            seen.append(key)
            kept.append(call)
    return kept
