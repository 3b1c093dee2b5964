"""Which calls of what a branch keeps are made again nevertheless."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from nbagents.agents.forking.place import calls_of
from nbagents.errors import RunError, did_you_mean
from nbagents.runs.wording import Call
from nbagents.tools.context import is_several, shown, wrong

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nbagents.runs.tree import CallNode, Line

AGAIN: Final = (
    'give True for all, or calls, their ids or numbers, or names of tools, e.g. again=["book"].'
)


@dataclass(frozen=True, slots=True)
class Again:
    """The calls of a run that its branch makes again."""

    call_ids: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    """The tools that the person has named: they may begin anew."""

    def has(self, call: CallNode) -> bool:
        """Whether a call is made again."""
        return call["id"] in self.call_ids


def again_of(given: object, lines: Sequence[Line]) -> Mapping[str, Again]:
    """What is made again, by the runs that are left.

    Args:
        given: Which calls: `True` for all, or calls, ids, names of tools, or numbers of calls of
            the innermost run.
        lines: The runs, the outermost first.

    Raises:
        RunError: None of them has such a call, nor any of such a tool.
        ValueError: This names no calls.
    """
    if given is None or given is False:
        return {line.run_id: Again() for line in lines}
    several = given if is_several(given) else (given,)
    found: dict[str, list[CallNode]] = {line.run_id: [] for line in lines}
    for one in several:
        meant = {line.run_id: _meant(one, line, lines[-1]) for line in lines}
        if not any(meant.values()) and one is not True:
            last = lines[-1]
            known = [*{call["name"] for call in calls_of(last).values()}, *calls_of(last)]
            hint = did_you_mean(str(one), known)
            raise RunError(f"The run {last.run_id} made no call {shown(one)}.{hint}")
        for run_id, calls in meant.items():
            found[run_id] += calls
    return {
        run_id: Again(
            frozenset(one["id"] for one in calls), frozenset(one["name"] for one in calls)
        )
        for run_id, calls in found.items()
    }


def _meant(one: object, line: Line, innermost: Line) -> list[CallNode]:
    nodes = list(calls_of(line).values())
    if one is True:
        return nodes
    if isinstance(one, int):
        is_there = line is innermost and 1 <= one <= len(nodes)
        return [nodes[one - 1]] if is_there else []
    word = one.id if isinstance(one, Call) else one
    if not isinstance(word, str):
        raise wrong("again", one, AGAIN)
    return [call for call in nodes if word in (call["id"], call["name"])]
