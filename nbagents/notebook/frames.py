"""What the view of a table asks for: a page of its rows, or the whole text of one cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from nbagents.tools.frame_sources import kept_frame, let_frames_go

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import JsonValue

    from nbagents.runs.tree.folding import CallNode, PayloadNode, RunNode, Tree
    from nbagents.tools.frame_pages import FramePages

__all__ = ["answer", "answer_from", "let_go", "without_sources"]

Sort = tuple[int, bool]


def answer(question: JsonValue) -> JsonValue:
    """Answer a table's view in a run; in any thread.

    Args:
        question: `{source, offset, limit, sort}` or `{source, cell: {row, column}, sort}`, where
            `sort` is `{column, descending}` or null, and columns are counted from 0.

    Returns:
        `{rows, offset, total}` or `{text}`.

    Raises:
        LookupError: The frame is not kept any more, or has no such column or row.
        ValueError: The question is none of these.
    """
    match question:
        case {"source": str(source)}:
            return answer_from(kept_frame(source), question)
        case _:
            raise ValueError("A table's view names the source of its rows.")


def answer_from(pages: FramePages, question: JsonValue) -> JsonValue:
    """Answer a question about this frame; see `answer`."""
    match question:
        case {"offset": int(offset), "limit": int(limit)}:
            rows = cast("JsonValue", pages.page(offset, limit, _sort(question)))
            return {"rows": rows, "offset": max(0, offset), "total": pages.total}
        case {"cell": {"row": int(row), "column": int(column)}}:
            return {"text": pages.text(row, column, _sort(question))}
        case _:
            raise ValueError("A table is asked for `offset` and `limit`, or for a `cell`.")


def without_sources(tree: Tree) -> Tree:
    """The tree as a notebook keeps it: nobody can ask its tables for more."""
    runs = {name: {**run, "calls": _calls(run)} for name, run in tree["runs"].items()}
    return cast("Tree", {**tree, "runs": runs})


def let_go(tree: Tree) -> None:
    """The runs of this tree are not shown live any more: keep their frames no longer."""
    let_frames_go(
        value["source"]
        for run in tree["runs"].values()
        for call in run["calls"].values()
        for node in call["payloads"]
        for value in _table_values(node)
    )


def _calls(run: RunNode) -> dict[str, CallNode]:
    return {
        name: {**call, "payloads": [_without_source(node) for node in call["payloads"]]}
        for name, call in run["calls"].items()
    }


def _without_source(node: PayloadNode) -> PayloadNode:
    for value in _table_values(node):
        kept = {key: one for key, one in value.items() if key != "source"}
        return cast("PayloadNode", {**node, "payload": {**node["payload"], "value": kept}})
    return node


def _table_values(node: PayloadNode) -> Iterator[dict[str, Any]]:  # Any: JSON that a tool wrote
    """The value of a table that names its source."""
    match node["payload"]:
        case {"kind": "table", "value": {"source": str()} as value}:
            yield cast("dict[str, Any]", value)
        case _:
            return


def _sort(question: object) -> Sort | None:
    match question:
        case {"sort": {"column": int(column), "descending": bool(descending)}}:
            return column, descending
        case _:
            return None
