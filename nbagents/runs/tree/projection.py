"""The tree as pages and saved runs have it: without what only going on with a run needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from nbagents.runs.tree.nodes import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.runs.tree.nodes import CallNode, RunNode, Tree


def shown_tree(tree: Tree) -> Tree:
    """The tree without what no page shows; nodes that have nothing of that are the same ones."""
    runs = {run_id: shown_run(run) for run_id, run in tree["runs"].items()}
    return {**tree, "runs": runs}


def shown_run(run: RunNode) -> RunNode:
    """A run without what no page shows."""
    made = _without(run, "RunNode")
    made["calls"] = {call_id: shown_call(one) for call_id, one in run["calls"].items()}
    for name in ("awaits", "requests", "edits"):
        if name in made:
            made[name] = [shown_field(name, one) for one in made[name]]
    return cast("RunNode", made)


def shown_call(call: CallNode) -> CallNode:
    """A call without what no page shows."""
    made = _without(call, "CallNode")
    made["authorization"] = shown_field("authorization", call["authorization"])
    return cast("CallNode", made)


def shown_field(name: str, value: Any) -> Any:  # Any: JSON
    """The value of a field, or of a list one element, without what no page shows."""
    if name == "awaits":
        return _without(value, "AwaitNode")
    if name == "edits":
        return _without(value, "EditNode")
    if name == "authorization":
        return value and _without(value, "AuthorizationNode")
    if name != "requests":
        return value
    messages = [_without(one, "ShownMessage") for one in value["messages"]]
    return {**_without(value, "RequestNode"), "messages": messages}


def _without(node: Mapping[str, Any], kind: str) -> dict[str, Any]:
    made = dict(node)
    for name in HIDDEN[kind]:
        made.pop(name, None)
    return made
