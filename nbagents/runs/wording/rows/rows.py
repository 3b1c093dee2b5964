"""The rows that a run is shown as: calls, neighbours of one tool together, and what each row says.

`js/src/run-view/rows/groups.ts` has the same rule, for runs that go on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from nbagents.runs.wording.branches import KEPT
from nbagents.runs.wording.people_words import call_status
from nbagents.runs.wording.python_call import literal
from nbagents.runs.wording.rows.troubles import is_refused
from nbagents.runs.wording.words import (
    CALL_STATUS,
    answer_item,
    clipped,
    counted,
    preview,
    short_name,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pydantic import JsonValue

    from nbagents.events import CallStatus
    from nbagents.runs.tree import CallNode, Item, RunNode, Tree

SUBJECTS_WIDTH: Final = 80
SUBJECT_WIDTH: Final = 30
GAVE_WIDTH: Final = 40
PREVIEW_WIDTH: Final = 100
NAME_LOOKED_AT: Final = 500
WEIGHTS: Final[tuple[CallStatus, ...]] = (
    "waiting",
    "running",
    "preparing",
    "failed",
    "timed_out",
    "unknown",
    "denied",
    "cancelled",
    "skipped",
    "done",
)
"""The most telling first: the state of a group is that of its most telling call."""
QUIET: Final = frozenset({"done", "cancelled", "skipped"})


@dataclass(frozen=True, slots=True)
class Group:
    """Calls of one tool, one after the other, with nothing between them."""

    calls: tuple[CallNode, ...]

    @property
    def name(self) -> str:
        """The tool."""
        return self.calls[0]["name"]


Line: TypeAlias = "Item | CallNode | Group"


def lines_of(run: RunNode, stands_alone: Callable[[CallNode], bool]) -> list[Line]:
    """What was said and called in a run, in order, but for its answer.

    Args:
        run: The run.
        stands_alone: Whether a call has something of its own to show, so that no group hides it.
    """
    answer = answer_item(run)
    lines: list[Line] = []
    for place, item in enumerate(run["items"]):
        if place == answer:
            continue
        if item["type"] != "call":
            lines.append(item)
        elif (call := run["calls"].get(item["call_id"])) is not None:
            together = _joined(lines[-1], call, stands_alone) if lines else None
            lines[-1:] = [together] if together else [*lines[-1:], call]
    return lines


def calls_in(line: Line) -> Sequence[CallNode]:
    """The calls of a line, those of a group too."""
    if isinstance(line, Group):
        return line.calls
    return () if "type" in line else (line,)


def is_urgent(calls: Sequence[CallNode]) -> bool:
    """Whether something in a group wants to be seen: what came to nothing, or has not ended."""
    return any(one["status"] not in QUIET or is_refused(one) for one in calls)


def group_status(tree: Tree, calls: Sequence[CallNode]) -> CallStatus:
    """The state of a group."""
    found: list[CallStatus] = [call_status(tree, one) for one in calls]
    return min(found, key=WEIGHTS.index) if found else "done"


def group_words(tree: Tree, calls: Sequence[CallNode]) -> str:
    """How the calls of a group went: `done`, or `2 running, 1 failed`."""
    told = [one for one in _counts(tree, calls) if one[0] != "done"]
    if not told:
        return CALL_STATUS["done"]
    if len(told) == 1 and told[0][1] == len(calls):
        return CALL_STATUS[told[0][0]]
    return ", ".join(f"{many} {CALL_STATUS[status]}" for status, many in told)


def kept_words(calls: Sequence[CallNode]) -> str:
    """How many of some calls a branch has kept of the run that it leaves: `2 kept`."""
    many = sum(bool(one.get("kept")) for one in calls)
    return f"{many} {KEPT}" if many else ""


def more_words(tree: Tree, calls: Sequence[CallNode]) -> str:
    """What rows that are folded away hold: `… 9 more calls, 1 failed`."""
    words = [f"{n} {CALL_STATUS[one]}" for one, n in _counts(tree, calls) if one != "done"]
    return ", ".join([f"… {counted(len(calls), 'more call')}" if calls else "… More", *words])


def subjects(calls: Sequence[CallNode]) -> str:
    """What calls are about: the values of an argument in which they differ, words first."""
    given = [one["arguments"] if isinstance(one["arguments"], dict) else {} for one in calls]
    told = {name: [one.get(name) for one in given] for name in given[0]}
    many = [name for name, values in told.items() if len(_distinct(values)) > 1]
    in_words = [name for name in many if all(isinstance(one, str) for one in told[name])]
    name = next(iter([*in_words, *many, *told]), "")
    words = ", ".join(_distinct(told.get(name, ())))
    is_clear = all(isinstance(one, str) for one in told.get(name, ()))
    return clipped(
        words if is_clear or not words else f"{short_name(name)} {words}", SUBJECTS_WIDTH
    )


def group_preview(calls: Sequence[CallNode]) -> str:
    """What the calls of a group gave, where that is short."""
    gave = [one["preview"] for one in calls if not one.get("explanation")]
    return clipped(", ".join(_distinct(gave)), GAVE_WIDTH)


def call_preview(call: CallNode) -> str:
    """What a call gave, on its row."""
    return preview(call, PREVIEW_WIDTH)


def is_namesake(tool: str, agent: str) -> bool:
    """Whether a tool says no more than the name of its agent."""
    return _letters(tool) == _letters(agent)


def _letters(name: str) -> str:
    return "".join(one for one in name[:NAME_LOOKED_AT].lower() if one.isalnum())


def _joined(last: Line, call: CallNode, stands_alone: Callable[[CallNode], bool]) -> Group | None:
    before = calls_in(last)
    if not before or before[0]["name"] != call["name"] or stands_alone(call):
        return None
    if not isinstance(last, Group) and stands_alone(before[0]):
        return None
    return Group((*before, call))


def _counts(tree: Tree, calls: Sequence[CallNode]) -> list[tuple[CallStatus, int]]:
    found = [call_status(tree, one) for one in calls]
    return [(one, many) for one in WEIGHTS if (many := found.count(one))]


def _distinct(values: Sequence[JsonValue]) -> list[str]:
    """Values in a few words, each once."""
    words: Mapping[str, None] = dict.fromkeys(
        clipped(one if isinstance(one, str) else literal(one), SUBJECT_WIDTH)
        for one in values
        if one is not None
    )
    return [*words]
