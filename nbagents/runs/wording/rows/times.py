"""How long runs and calls took, and how much of it people were waited for, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.events import UNDER_WAY
from nbagents.runs.wording.rows.waterfall import asked_in, joined, waits_of
from nbagents.runs.wording.words import SECOND_MS, duration, family, run_duration_ms

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from nbagents.runs.tree import CallNode, RunNode, Tree
    from nbagents.runs.wording.rows.waterfall import Span

WORTH_SAYING_S = 0.5
"""Waiting for people for less than this is not worth a word."""


def run_time(tree: Tree, run: RunNode) -> str:
    """How long a run took: `4.6 s, 4.5 s of it waiting`; nothing while it goes on."""
    took_ms, ended_at = run_duration_ms(run), run["ended_at"]
    if took_ms is None or ended_at is None:
        return ""
    waits = (span for one in family(tree, run) for span in asked_in(one))
    return _in_words(took_ms, _waited_s(waits, run["started_at"], ended_at))


def call_time(tree: Tree, run: RunNode, call: CallNode) -> str:
    """How long a call of a run took, in the same words; nothing while it goes on."""
    took_ms, started_at = call["duration_ms"], call["started_at"]
    if took_ms is None or started_at is None:
        return duration(took_ms)
    waits = waits_of(tree, run, call)
    return _in_words(took_ms, _waited_s(waits, started_at, started_at + took_ms / SECOND_MS))


def group_time(tree: Tree, run: RunNode, calls: Sequence[CallNode]) -> str:
    """How long calls took, from the first that began to the last that ended."""
    begun = [(one["started_at"], one["duration_ms"]) for one in calls]
    spans = [(at, at + (took_ms or 0) / SECOND_MS) for at, took_ms in begun if at is not None]
    if not spans or any(one["status"] in UNDER_WAY for one in calls):
        return ""
    from_s, to_s = min(at for at, _ in spans), max(end for _, end in spans)
    waits = [wait for call in calls for wait in waits_of(tree, run, call)]
    return _in_words((to_s - from_s) * SECOND_MS, _waited_s(waits, from_s, to_s))


def _in_words(took_ms: float, waited_s: float) -> str:
    time = duration(took_ms)
    is_worth = waited_s >= WORTH_SAYING_S and time
    return f"{time}, {duration(waited_s * SECOND_MS)} of it waiting" if is_worth else time


def _waited_s(waits: Iterable[Span], since_s: float, until_s: float) -> float:
    """How long people were waited for between then and then: at several questions at once, once."""
    return sum(
        max(0.0, min(until_s if to_s is None else to_s, until_s) - max(from_s, since_s))
        for from_s, to_s in joined(waits)
    )
