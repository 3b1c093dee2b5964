"""What a log says of runs: which there were, what they used, and where one of them is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from nbagents.errors import RunError, did_you_mean
from nbagents.runs.logs.history import read_family, read_tree
from nbagents.runs.logs.log import RunEntry
from nbagents.runs.tree import fold, settle, shown_tree
from nbagents.runs.wording import RUN_STATUS, outcome_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.events import Approval
    from nbagents.results import Limits, Usage
    from nbagents.runs.logs.log import Log, RunSummary
    from nbagents.runs.tree import Tree

NO_RUN: Final = (
    "There is no run {run_id!r} in this log. %nbagents runs --all lists those there are; one of a "
    "session in memory is known to that session only."
)
BEGINNING = 2
"""Events that tell of it: the start, and what was said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginning:
    """How a run began."""

    run_id: str
    agent_name: str
    model: str
    tools: tuple[str, ...]
    shared: tuple[str, ...]
    """What was handed over with the prompt, a line each."""
    approval: Approval
    limits: Limits


def newest_runs(
    log: Log, *, limit: int, current: str | None = None, only: str | None = None
) -> tuple[RunEntry, ...]:
    """The newest runs that no other has started, newest first.

    Args:
        log: Where they were logged.
        limit: How many at most.
        current: A session that goes on, beside those that the log itself knows to: what others
            left open is of unknown outcome.
        only: Of this session alone.
    """
    return tuple(
        replace(one, status="unknown")
        if one.status == "running" and not is_going_on(log, one.session_id, current)
        else one
        for one in log.entries(limit=limit, session_id=only)
    )


def words_of(log: Log, entry: RunEntry) -> str:
    """What came of a run, in the words of its card; one in which all went well is not read."""
    if not entry.troubled:
        return RUN_STATUS[entry.status]
    tree = fold(read_family(log, entry.session_id, entry.run_id))
    run = tree["runs"].get(entry.run_id)
    if run is None:  # the log has lost its beginning
        return RUN_STATUS[entry.status]
    return outcome_of(settle(tree) if entry.status == "unknown" else tree, run).words


def find_runs(log: Log, beginning: str) -> tuple[RunSummary, ...]:
    """The runs whose ids begin like this, newest first; `run-` may be left out."""
    found = (*log.find(beginning), *log.find(f"run-{beginning}"))
    return tuple(sorted(found, key=lambda one: -one.started_at))


def find_run(log: Log, beginning: str) -> str:
    """The id of the one run that is meant.

    Raises:
        RunError: There is none, or there are several.
    """
    found = [one.run_id for one in find_runs(log, beginning)]
    chosen = [beginning] if beginning in found else found
    if len(chosen) > 1:
        raise RunError(f"Several runs begin with {beginning!r}.{did_you_mean(beginning, chosen)}")
    if not chosen:
        raise RunError(NO_RUN.format(run_id=beginning))
    return chosen[0]


def root_above(log: Log, run_id: str) -> str:
    """The run that no other has started, above this one; or itself."""
    above: str | None = run_id
    while above is not None:
        run_id = above
        found = next((one for one in log.find(run_id) if one.run_id == run_id), None)
        start = log.read(found.session_id, run_id=run_id, limit=1) if found else ()
        above = start[0].parent_run_id if start else None
    return run_id


def beginning_of(log: Log, run: RunSummary) -> Beginning | None:
    """How a run began; nothing where the log has lost that."""
    events = log.read(run.session_id, run_id=run.run_id, limit=BEGINNING)
    start = next((one for one in events if one.type == "run_start"), None)
    said = next((one for one in events if one.type == "user_message"), None)
    if start is None:
        return None
    return Beginning(
        run_id=run.run_id,
        agent_name=start.agent_name,
        model=start.model,
        tools=start.tools,
        shared=said.shared if said else (),
        approval=start.approval,
        limits=start.limits,
    )


def tree_of(log: Log, session_id: str, *, current: str | None = None) -> Tree:
    """The tree of a session; of one that goes on, in whichever kernel, as it stands."""
    return shown_tree(read_tree(log, session_id, is_over=not is_going_on(log, session_id, current)))


def is_going_on(log: Log, session_id: str, current: str | None) -> bool:
    """Whether a session goes on: it is the current one, or one of a process that lives."""
    return session_id == current or log.living.where(session_id) is not None


def session_usage(log: Log, session_id: str) -> Mapping[str, Usage]:
    """The tokens of a session by model, in the order in which the models first answered."""
    return log.usage(session_id)
