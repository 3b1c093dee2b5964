"""What the view of a table asks for: rows, the whole text of a cell, a copy; what is selected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from nbagents.tools.values import AS_IT_IS, Arrangement, Block, kept_frame, source_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import JsonValue

    from nbagents.runs.tree import Tree
    from nbagents.tools.values import FramePages

MOST_BLOCKS: Final = 50
QUERY_MOST: Final = 500


def answer(question: JsonValue) -> JsonValue:
    """Answer a table's view in a run; in any thread.

    Args:
        question: `source` and one of these, each with `sort` (`{column, descending}` or null) and
            `query` (the words of a filter), where rows are counted as they are then shown, and
            columns with those of the index first:
            `offset`, `limit` and `columns` (`{start, stop}`, without those of the index);
            `heads` (`{start, stop}`); `cell` (`{row, column, start}`);
            `copy` (`{rows: [from, to], columns: [from, to], kind, heads}`);
            `select` (a list of `{rows, columns}`).

    Returns:
        `{rows, offset, total, all, searched}`, `{start, columns, dtypes, formats}`,
        `{text, length}`, `{text, rows}` or `{selected}`.

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
    given = _arrangement(question)
    match question:
        case {"offset": int(offset), "limit": int(limit)}:
            return _page(pages, offset, limit, given, question)
        case {"heads": {"start": int(start), "stop": int(stop)}}:
            return pages.heads(start, stop)
        case {"cell": {"row": int(row), "column": int(column)} as where}:
            start = where.get("start")
            text, length = pages.text(row, column, given, start if isinstance(start, int) else 0)
            return {"text": text, "length": length}
        case {"copy": {"kind": str(kind), "heads": bool(has_heads)} as block}:
            text, rows = pages.copied(_block(block), given, kind=kind, has_heads=has_heads)
            return {"text": text, "rows": rows}
        case {"select": list(blocks)}:
            chosen = pages.select([_block(one) for one in blocks[:MOST_BLOCKS]], given)
            return {"selected": len(chosen.rows)}
        case _:
            raise ValueError(
                "A table is asked for `offset` and `limit`, for `heads`, for a `cell` or a `copy`,"
                " or told what to `select`."
            )


def is_selection(question: JsonValue) -> bool:
    """Whether a question only tells what the person has selected."""
    return isinstance(question, dict) and isinstance(question.get("select"), list)


def table_call(tree: Tree, source: str) -> str:
    """The name of the tool that gave this table."""
    return next((tool for tool, found in _sources(tree) if found == source), "a tool")


def _sources(tree: Tree) -> Iterator[tuple[str, str]]:
    for run in tree["runs"].values():
        for call in run["calls"].values():
            for node in call["payloads"]:
                if (source := source_of(node["payload"])) is not None:
                    yield call["name"], source


def _page(
    pages: FramePages, offset: int, limit: int, given: Arrangement, question: object
) -> JsonValue:
    columns = (0, pages.width)
    match question:
        case {"columns": {"start": int(start), "stop": int(stop)}}:
            columns = (start, stop)
        case _:
            pass
    rows: Any = pages.page(offset, limit, given, columns)
    count = pages.count(given)
    searched = pages.searched - pages.levels if given.query else pages.width
    said: dict[str, Any] = {"offset": max(0, offset), "total": count, "all": pages.total}
    return {"rows": rows, **said, "searched": max(1, searched)}


def _block(said: object) -> Block:
    match said:
        case {
            "rows": [int(first), int(last)],
            "columns": [int(left), int(right)],
        } if first >= 0 and left >= 0:
            return Block(range(first, max(first, last)), range(left, max(left, right)))
        case _:
            raise ValueError("A part of a table is `rows` and `columns`, each from and to.")


def _arrangement(question: object) -> Arrangement:
    match question:
        case {"sort": {"column": int(column), "descending": bool(descending)}}:
            sort = (column, descending)
        case _:
            sort = None
    match question:
        case {"query": str(query)}:
            return Arrangement(sort, " ".join(query[:QUERY_MOST].split()))
        case _:
            return Arrangement(sort) if sort else AS_IT_IS
