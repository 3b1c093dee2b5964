"""What stays of a run in the saved notebook: JSON, HTML and text that need no kernel."""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

from nbagents.identity import is_deterministic
from nbagents.narrowing import is_dict, is_sequence
from nbagents.notebook.kinds import with_statics
from nbagents.notebook.maps import with_user_moves
from nbagents.notebook.markup import UNSTORABLE
from nbagents.notebook.saved.cuts import LIMIT_BYTES, shorten
from nbagents.notebook.saved.html import run_html
from nbagents.notebook.saved.rows import Opening
from nbagents.notebook.saved.text import text_tree
from nbagents.runs.files import RUN_MIME
from nbagents.runs.wording import family
from nbagents.tools.values import for_page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.runs.tree import AwaitNode, CallNode, RunNode, Tree

DEEPEST = 60
"""JSON nested deeper than this is said to be so: some readers of notebooks give up on it."""


def frozen_bundle(
    tree: Mapping[str, Any],
    root_id: str,
    *,
    opened: Opening = "errors",
    limit_bytes: int = LIMIT_BYTES,
) -> dict[str, object]:
    """A run as a display bundle without a widget view.

    Args:
        tree: A tree of JSON, as `nbagents.runs.tree.folding.fold` makes it; it is not changed.
        root_id: The run to show. Only it and the runs inside it are kept.
        opened: Which calls are open at first.
        limit_bytes: Up to this much JSON the run is kept whole; above it the longest texts are
            cut, each cut named in words with its size. Every call and the answer always stay. The
            HTML takes about as much.

    Returns:
        MIME type to content: the run as JSON, as HTML and as text.
    """
    copied = _storable(_inside(cast("Tree", tree), root_id))
    _leave_pauses_out(copied)
    kept = with_statics(with_user_moves(copied))
    cuts = shorten(kept, root_id, limit_bytes=limit_bytes)
    _keep_order(kept)
    return {
        RUN_MIME: {
            "version": 1,
            "root_id": root_id,
            "tree": _exact(kept),
            "cuts": cuts,
            **({} if opened == "errors" else {"open": opened}),
        },
        "text/html": str(
            run_html(kept, root_id, cuts, opened=opened, limit_bytes=limit_bytes * 5 // 4)
        ),
        "text/plain": text_tree(kept, root_id),
    }


def _inside(tree: Tree, root_id: str) -> Tree:
    """The tree of one run: it, and what its calls started."""
    runs = {run["id"]: run for run in family(tree, tree["runs"][root_id])}
    return {"version": 1, "root_ids": [root_id], "runs": runs}


def _leave_pauses_out(tree: Tree) -> None:
    """What a suspended run would do next is shown by the run that goes on with it."""
    for run in tree["runs"].values():
        for one in run["awaits"]:
            one.pop("pause", None)


def _keep_order(tree: Tree) -> None:
    """Say beside arguments in which order they are: a notebook sorts its JSON by name."""
    for run in tree["runs"].values():
        holders: chain[CallNode | AwaitNode] = chain(run["calls"].values(), run["awaits"])
        for one in holders:
            arguments = one["arguments"]
            if isinstance(arguments, dict) and (names := [*arguments]) != sorted(names):
                one["argument_names"] = names


def _exact(tree: Tree) -> Tree:
    """A tree as a page can read it: numbers that JavaScript has not are written out.

    The nodes are copied, what they hold is not, so that both forms can be used.
    """
    return {**tree, "runs": {run_id: _exact_run(run) for run_id, run in tree["runs"].items()}}


def _exact_run(run: RunNode) -> RunNode:
    calls: dict[str, Any] = {
        call_id: {
            **call,
            **{key: for_page(call[key]) for key in ("arguments", "proposed")},
            "payloads": for_page(call["payloads"], floats=False),
        }
        for call_id, call in run["calls"].items()
    }
    awaits: list[Any] = [
        {**one, **{key: for_page(one[key]) for key in ("arguments", "answer", "form")}}
        for one in run["awaits"]
    ]
    return {**run, "calls": calls, "awaits": awaits}


def _storable(tree: Tree) -> Tree:
    """A copy that any reader of JSON takes; without tracebacks where outputs are compared."""
    bare = frozenset({"debug_message"}) if is_deterministic() else frozenset[str]()
    return _copied(tree, bare, 0)


def _copied(value: Any, bare: frozenset[str], depth: int) -> Any:  # Any: JSON
    if isinstance(value, str):
        return UNSTORABLE.sub("\ufffd", value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if depth > DEEPEST:
        return "(nested too deeply to keep)" if isinstance(value, (dict, list)) else value
    if is_dict(value):
        return {
            _copied(key, bare, depth): None if key in bare else _copied(one, bare, depth + 1)
            for key, one in value.items()
        }
    if is_sequence(value):
        return [_copied(one, bare, depth + 1) for one in value]
    return value
