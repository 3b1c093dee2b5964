"""How long runs and calls took, and how much of it people were waited for, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.events import UNDER_WAY
from nbagents.runs.tree import askers
from nbagents.runs.wording.words import SECOND_MS, child_runs, duration, family, run_duration_ms

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from nbagents.runs.tree import AwaitNode, CallNode, RunNode, Tree

WORTH_SAYING_S = 0.5
"""Waiting for people for less than this is not worth a word."""


def run_time(tree: Tree, run: RunNode) -> str:
    """How long a run took: `4.6 s, 4.5 s of it waiting`; nothing while it goes on."""
    took_ms, ended_at = run_duration_ms(run), run["ended_at"]
    if took_ms is None or ended_at is None:
        return ""
    waits = [_wait(one, asked) for one in family(tree, run) for asked in one["awaits"]]
    return _in_words(took_ms, _waited_s(waits, run["started_at"], ended_at))


def call_time(tree: Tree, run: RunNode, call: CallNode) -> str:
    """How long a call of a run took, in the same words; nothing while it goes on."""
    took_ms, started_at = call["duration_ms"], call["started_at"]
    if took_ms is None or started_at is None:
        return duration(took_ms)
    waits = _waits(tree, run, call)
    return _in_words(took_ms, _waited_s(waits, started_at, started_at + took_ms / SECOND_MS))


def group_time(tree: Tree, run: RunNode, calls: Sequence[CallNode]) -> str:
    """How long calls took, from the first that began to the last that ended."""
    begun = [(one["started_at"], one["duration_ms"]) for one in calls]
    spans = [(at, at + (took_ms or 0) / SECOND_MS) for at, took_ms in begun if at is not None]
    if not spans or any(one["status"] in UNDER_WAY for one in calls):
        return ""
    from_s, to_s = min(at for at, _ in spans), max(end for _, end in spans)
    waits = [wait for call in calls for wait in _waits(tree, run, call)]
    return _in_words((to_s - from_s) * SECOND_MS, _waited_s(waits, from_s, to_s))


def _waits(tree: Tree, run: RunNode, call: CallNode) -> list[tuple[float, float | None]]:
    """When a call, and the runs inside it, asked a person."""
    waits = [_wait(run, asked) for asked in run["awaits"] if call["id"] in askers(asked)]
    for child in child_runs(tree, call):
        waits += [_wait(one, asked) for one in family(tree, child) for asked in one["awaits"]]
    return waits


def _in_words(took_ms: float, waited_s: float) -> str:
    time = duration(took_ms)
    is_worth = waited_s >= WORTH_SAYING_S and time
    return f"{time}, {duration(waited_s * SECOND_MS)} of it waiting" if is_worth else time


def _wait(run: RunNode, asked: AwaitNode) -> tuple[float, float | None]:
    """From when to when something was asked; the end is not known of what never ended."""
    resolved_at = asked["resolved_at"]
    return asked["asked_at"], run["ended_at"] if resolved_at is None else resolved_at


def _waited_s(waits: Iterable[tuple[float, float | None]], since_s: float, until_s: float) -> float:
    """How long people were waited for between then and then: at several questions at once, once."""
    total_s, reached_s = 0.0, since_s
    for from_s, to_s in sorted(waits, key=lambda wait: wait[0]):
        end_s = until_s if to_s is None else min(to_s, until_s)
        total_s += max(0.0, end_s - max(from_s, reached_s))
        reached_s = max(reached_s, end_s)
    return total_s
