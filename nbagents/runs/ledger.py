"""What a log says of runs: which there were, what they used, and where one of them is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbagents.results import Usage
from nbagents.runs.history import read_tree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nbagents.events import RunStatus
    from nbagents.runs.log import Log
    from nbagents.runs.tree import RunNode, Tree

__all__ = ["RunEntry", "find_runs", "newest_runs", "session_usage", "tree_of"]

ALL = 1_000_000
"""More runs than a log has."""
A_RUN_HAS = 8
"""About how many runs are asked for to find one that no other run has started."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEntry:
    """A run that no other has started, with all runs inside it."""

    run_id: str
    session_id: str
    started_at: float
    """Seconds since 1970 (UTC)."""
    status: RunStatus
    agent_name: str
    model: str
    chat: str | None
    prompt: str
    calls: int
    usage: Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Where a run is."""

    run_id: str
    session_id: str


def newest_runs(
    log: Log, *, limit: int, current: str | None = None, only: str | None = None
) -> tuple[RunEntry, ...]:
    """The newest runs, newest first.

    Args:
        log: Where they were logged.
        limit: How many at most.
        current: The session whose kernel still lives; what others left open is of unknown outcome.
        only: Of this session alone.
    """
    found: list[RunEntry] = []
    trees: dict[str, Tree] = {}
    for summary in log.runs(limit=ALL if only else limit * A_RUN_HAS):
        if len(found) >= limit:
            break
        session_id = summary.session_id
        if only not in (None, session_id):
            continue
        if session_id not in trees:
            trees[session_id] = tree_of(log, session_id, current=current)
        tree = trees[session_id]
        if summary.run_id in tree["root_ids"]:
            found.append(_entry(tree, tree["runs"][summary.run_id], session_id))
    return tuple(found)


def find_runs(log: Log, beginning: str) -> tuple[Found, ...]:
    """The runs whose ids begin like this, newest first; `run-` may be left out."""
    return tuple(
        Found(run_id=one.run_id, session_id=one.session_id)
        for one in log.runs(limit=ALL)
        if one.run_id.startswith((beginning, f"run-{beginning}"))
    )


def tree_of(log: Log, session_id: str, *, current: str | None = None) -> Tree:
    """The tree of a session; of the one that goes on, as it stands."""
    return read_tree(log, session_id, is_over=session_id != current)


def session_usage(log: Log, session_id: str) -> Mapping[str, Usage]:
    """The tokens of a session by model, in the order in which the models were first asked."""
    used: dict[str, Usage] = {}
    for run in read_tree(log, session_id, is_over=False)["runs"].values():
        if run["usage"]["requests"]:
            used[run["model"]] = used.get(run["model"], Usage()) + Usage(**run["usage"])
    return used


def _entry(tree: Tree, run: RunNode, session_id: str) -> RunEntry:
    family = _family(tree, run)
    return RunEntry(
        run_id=run["id"],
        session_id=session_id,
        started_at=run["started_at"],
        status=run["status"],
        agent_name=run["agent_name"],
        model=run["model"],
        chat=run["chat"],
        prompt=run["prompt"],
        calls=sum(len(one["calls"]) for one in family),
        usage=sum((Usage(**one["usage"]) for one in family), Usage()),
    )


def _family(tree: Tree, run: RunNode) -> Sequence[RunNode]:
    """A run and all runs inside it."""
    inside = {run["id"]}
    for one in tree["runs"].values():  # in the order in which they began: parents first
        if one["parent_run_id"] in inside:
            inside.add(one["id"])
    return [tree["runs"][one] for one in inside]
