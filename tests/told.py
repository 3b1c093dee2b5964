"""What pages are told of runs, made of the messages that went to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbagents.events import EVENTS
from nbagents.notebook.markup.long_arguments import FOR_PAGE
from nbagents.runs.tree.folding import TreeFold
from nbagents.runs.tree.patches import NodePatch, TreePatches, apply_patch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from nbagents.runs.tree.nodes import Tree

__all__ = ["happenings", "patches_in", "patches_of", "told_tree"]

ENDED = ("completed", "failed", "limit", "denied", "cancelled", "suspended")


def patches_of(events: Iterable[Any]) -> list[NodePatch]:
    """What a page is told of these events, be they objects or JSON."""
    folding, patches = TreeFold(), TreePatches(FOR_PAGE)
    for event in events:
        known = EVENTS.validate_python(event) if isinstance(event, dict) else event
        folding.apply(known)
        patches.mark(known)
    return patches.take(folding.tree)


def patches_in(contents: Iterable[Mapping[str, Any]]) -> list[NodePatch]:
    """The patches in messages, in order and each once, as those of one view."""
    patches: list[NodePatch] = []
    for content in contents:
        if content.get("type") == "patches" and "part" not in content:
            patches += content["patches"][len(patches) - content["from"] :]
    return patches


def told_tree(contents: Iterable[Mapping[str, Any]]) -> Tree:
    """The tree that a page has after these messages of one view."""
    tree: Tree = {"version": 1, "root_ids": [], "runs": {}}
    for patch in patches_in(contents):
        apply_patch(tree, patch)
    return tree


def happenings(patches: Iterable[NodePatch]) -> list[tuple[str, Any]]:
    """What a person would see happen: calls that start, say something or print, runs that end."""
    found: list[tuple[str, Any]] = []
    for patch in patches:
        given: dict[str, Any] = dict(patch.get("set", {}))
        if "call" not in patch:
            if given.get("status") in ENDED:
                found.append(("end", given["status"]))
            continue
        if given.get("started_at") is not None:
            found.append(("start", patch["call"]))
        if given.get("progress") is not None:
            found.append(("progress", given["progress"]["message"]))
        printed = [one["text"] for one in given.get("output", ())]
        for splice in patch.get("splices", ()):
            elements: list[Any] = splice["add"]
            printed += [one["text"] for one in elements if splice["field"] == "output"]
        printed += [one["add"] for one in patch.get("texts", ()) if one["field"] == "output"]
        found += [("print", text) for text in printed]
    return found
