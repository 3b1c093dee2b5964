"""Where the user left the maps of runs, written into what is saved of them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nbagents.runs.tree import PayloadNode, RunNode, Tree

MAPS = "nbagents.notebook.maps.maps"


def with_user_moves(tree: Tree) -> Tree:
    """Say of each run's map where the user left it, if they moved it after the run's last command.

    Args:
        tree: Runs by id; the last payload of kind `map` of a run gets `left_at`, in place.
    """
    if MAPS in sys.modules:  # or else no toolset has drawn a map
        for run in tree["runs"].values():
            _say(run)
    return tree


def _say(run: RunNode) -> None:
    from nbagents.notebook.maps.maps import user_position  # see above

    last: PayloadNode | None = None
    for call in run["calls"].values():
        for node in call["payloads"]:
            if node["payload"]["kind"] == "map":
                last = node
    value = last and last["payload"]["value"]
    left_at = user_position(value)
    if last is not None and isinstance(value, dict) and left_at is not None:
        last["payload"] = {**last["payload"], "value": {**value, "left_at": left_at}}
