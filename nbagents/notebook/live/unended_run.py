"""A run of which a notebook saw only the beginning."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from nbagents.events import RunStart, UserMessageReceived
from nbagents.results import Failure
from nbagents.runs.tree import fold, shown_tree

if TYPE_CHECKING:
    from nbagents.runs.state import Run, Stamp
    from nbagents.runs.tree import Tree

WORDS = (
    "The notebook did not see the end of this run: the page was closed or reloaded, or the kernel"
    " ended. What happened is in the log: %nbagents runs lists it."
)


def unended_tree(run: Run) -> Tree:
    """The tree of a run that has not begun, as it is to be read where nothing more was heard."""
    tree = shown_tree(
        fold(
            [
                RunStart(**_stamp(run, 0), agent_name=run.agent_name, model="a model", tools=()),
                UserMessageReceived(**_stamp(run, 1), text=run.prompt, shared=()),
            ]
        )
    )
    node = tree["runs"][run.id]
    node["status"] = "unknown"
    failure = Failure(kind="unavailable", recovery="finish", message=WORDS)
    node["failure"] = failure.model_dump(mode="json")
    return tree


def _stamp(run: Run, seq: int) -> Stamp:
    return {
        "seq": seq,
        "at": time.time(),
        "event_key": str(seq),
        "session_id": run.session.session_id,
        "turn_id": run.turn_id,
        "run_id": run.id,
        "parent_run_id": None,
        "parent_tool_call_id": None,
        "labels": run.labels,
    }
