"""A run as text, its pictures in words, for terminals, diffs, and whoever reads the file itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.notebook.kinds import map_in_words, payload_line, shown_payloads, stage_values
from nbagents.runs.wording import Pictures, tree_text

if TYPE_CHECKING:
    from nbagents.runs.tree import CallNode, RunNode, Tree


def text_tree(tree: Tree, root_id: str) -> str:
    """A run as text: a header, a line per call with child runs below it, and the answer.

    Args:
        tree: Runs by id, as `nbagents.runs.tree.folding.fold` makes them.
        root_id: The run to write.
    """
    return tree_text(tree, root_id, IN_WORDS)


def _payloads(call: CallNode) -> list[str]:
    """What people would see beside the call, in words."""
    return [words for payload in shown_payloads(call) if (words := payload_line(payload))]


def _stage(run: RunNode) -> list[str]:
    lines: list[str] = []
    for kind, value in stage_values(run).items():
        try:
            lines.append(map_in_words(value) if kind == "map" else kind)
        except ValueError:  # any tool may call its payload a map
            lines.append(kind)
    return lines


IN_WORDS = Pictures(of_call=_payloads, of_run=_stage)
