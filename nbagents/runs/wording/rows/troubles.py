"""Calls that came to nothing, as what stands above them says it, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nbagents.runs.wording.words import CALL_STATUS, child_runs, family

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nbagents.events import CallStatus
    from nbagents.runs.tree import CallNode, Tree

GAVE_NOTHING: Final[tuple[CallStatus, ...]] = ("failed", "timed_out", "denied")
"""How a call stands that gave nothing."""
REFUSED = "refused"


def troubles_inside(tree: Tree, call: CallNode) -> str:
    """What calls came to nothing in the runs that a call has started, however deep: `1 failed`."""
    runs = {one["id"]: one for child in child_runs(tree, call) for one in family(tree, child)}
    return _troubles(call for one in runs.values() for call in one["calls"].values())


def _troubles(calls: Iterable[CallNode]) -> str:
    words = [word for call in calls if (word := _trouble(call))]
    order = [*(CALL_STATUS[one] for one in GAVE_NOTHING), REFUSED]
    return ", ".join(f"{many} {word}" for word in order if (many := words.count(word)))


def _trouble(call: CallNode) -> str:
    """What came between a call and its result; what a guardrail refused of one that went well."""
    if call["status"] in GAVE_NOTHING:
        return CALL_STATUS[call["status"]]
    return REFUSED if is_refused(call) else ""


def is_refused(call: CallNode) -> bool:
    """Whether a guardrail refused what a call was to do or gave."""
    return any(one["outcome"] == "refuse" for one in call["guardrails"])
