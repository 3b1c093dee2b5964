"""Where a branch leaves another run: which request of it, or which call, maybe deep inside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from nbagents.errors import RunError, did_you_mean
from nbagents.narrowing import is_whole
from nbagents.runs.wording import Call
from nbagents.tools.context import shown, wrong

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from nbagents.agents.forking.origin import Origin
    from nbagents.runs.tree import CallNode, Line

AT: Final = "give a call of the run, its id, or its number from 1, e.g. at=run.calls[2] or at=3."
STEP: Final = "give the number of a request to the model, from 1, e.g. step=2."


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a branch leaves one run, and the run inside of its call that it leaves with it."""

    line: Line
    step: int
    """The request to the model, from 1."""
    call: CallNode | None = None
    """The call that is changed, or made again for the run inside of it; `None`: the request."""
    inner: Place | None = None
    """Where the run inside of that call is left."""

    @property
    def run_id(self) -> str:
        """The run that is left."""
        return self.line.run_id

    @property
    def number(self) -> int | None:
        """Which call of the run it is, from 1."""
        if self.call is None:
            return None
        return list(calls_of(self.line)).index(self.call["id"]) + 1

    @property
    def lines(self) -> Sequence[Line]:
        """The runs that are left, the outermost first."""
        return [self.line, *(self.inner.lines if self.inner else ())]

    @property
    def innermost(self) -> Place:
        """Where the change is."""
        return self if self.inner is None else self.inner.innermost


def calls_of(line: Line) -> Mapping[str, CallNode]:
    """The calls of a run and of those that it goes on with, in order, as they stood last."""
    return {call_id: call for node in line.nodes for call_id, call in node["calls"].items()}


def place_of(origin: Origin, run_id: str, at: object, step: object, *, is_of_call: bool) -> Place:
    """Where a branch leaves a run.

    Args:
        origin: The run with all around it.
        run_id: In which run of it the place is looked for first.
        at: The call: as such, or its id or number.
        step: The request to the model.
        is_of_call: Whether a call is changed; else the model is asked anew that wanted it.

    Raises:
        RunError: There is no such place.
        ValueError: This says no place.
    """
    if at is not None and step is not None:
        raise ValueError("Give at=, a call, or step=, a request to the model, and not both.")
    if at is None:
        return _around(origin, run_id, _of_step(origin.line(run_id), 1 if step is None else step))
    where, call = _call_at(origin, run_id, at)
    line = origin.line(where)
    wanted_at = _step_of(line, call["id"])
    if wanted_at is None:
        raise RunError(
            f"The call {call['id']!r} of {call['name']!r} was made by the provider, or its answer "
            f"came to nothing: fork the request instead, step={call['step'] or 1}."
        )
    found = Place(line=line, step=wanted_at, call=call if is_of_call else None)
    return _around(origin, where, found)


def _step_of(line: Line, call_id: str) -> int | None:
    """The step whose answer asks for a call."""
    answers = (one for node in line.nodes for one in node["answers"])
    asked = (one for one in answers if any(call["id"] == call_id for call in one["calls"]))
    return next((one["step"] for one in asked), None)


def _of_step(line: Line, step: object) -> Place:
    if not is_whole(step) or step < 1:
        raise wrong("step", step, STEP)
    steps = [one["step"] for node in line.nodes for one in node["requests"] if one["step"]]
    if step not in steps and step != 1:
        last = max(steps, default=0)
        raise RunError(
            f"The run {line.run_id} has no request {step} to its model: give one from 1 to {last}."
        )
    return Place(line=line, step=step)


def _call_at(origin: Origin, run_id: str, at: object) -> tuple[str, CallNode]:
    """The call that is meant, and its run."""
    own = calls_of(origin.line(run_id))
    if is_whole(at):
        if not 1 <= at <= len(own):
            some = f"calls from 1 to {len(own)}" if own else "no calls"
            raise RunError(f"The run {run_id} has {some}: there is no call {at}.")
        return run_id, list(own.values())[at - 1]
    if not isinstance(at, (Call, str)):
        raise wrong("at", at, AT)
    call_id = at if isinstance(at, str) else at.id
    where = [at.run_id] if isinstance(at, Call) and at.run_id else _runs_with(origin, run_id, at)
    where = [one for one in where if one in origin.tree["runs"]]
    if len(where) > 1:
        raise RunError(
            f"Several runs have a call {call_id!r}: fork the one that is meant, by its id: "
            f"{', '.join(where)}."
        )
    nothing: Mapping[str, CallNode] = {}
    calls = calls_of(origin.line(where[0])) if where else nothing
    if call_id not in calls:
        named = f" of {shown(at.name)}" if isinstance(at, Call) else ""
        hint = did_you_mean(call_id, tuple(own)) if own else " It has no calls."
        raise RunError(f"The run {run_id} has no call {call_id!r}{named}.{hint}")
    return where[0], calls[call_id]


def _runs_with(origin: Origin, run_id: str, at: object) -> Sequence[str]:
    """The runs that have a call of this id: the run itself, else those inside of it."""
    if at in calls_of(origin.line(run_id)):
        return [run_id]
    runs = origin.tree["runs"]
    return [one for one in _below(origin, run_id) if at in runs[one]["calls"]]


def _below(origin: Origin, run_id: str) -> Iterator[str]:
    for children in origin.line(run_id).children.values():
        for child in children:
            if child in origin.tree["runs"]:
                yield child
                yield from _below(origin, child)


def _around(origin: Origin, run_id: str, inner: Place) -> Place:
    """The place in the outermost run: at the call that has the run inside, and so on."""
    way = [*origin.way_to(run_id)]
    if not way:
        return inner
    lines = [origin.line(origin.root_id)]
    ids = [*(parent for parent, _ in way[1:]), run_id]
    for (_, call_id), child_id in zip(way, ids, strict=True):
        inside = map(origin.line, lines[-1].children.get(call_id, ()))
        lines.append(next(one for one in inside if any(n["id"] == child_id for n in one.nodes)))
    for line, (_, call_id) in reversed([*zip(lines, way, strict=False)]):
        step = _step_of(line, call_id) or 1
        inner = Place(line=line, step=step, call=calls_of(line)[call_id], inner=inner)
    return inner
