"""A table of any library as JSON for the person: its first rows, its columns and their types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pydantic_core import to_json

from nbagents.tools.frame_pages import MAX_COLUMNS, FramePages
from nbagents.tools.frame_sources import keep_frame
from nbagents.tools.payloads import MAX_PAYLOAD
from nbagents.tools.table_cells import is_cut

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ["MAX_ROWS", "first_page", "table_of"]

MAX_ROWS = 50


def table_of(value: Any) -> dict[str, JsonValue]:
    """The first rows of a frame or a series.

    Args:
        value: A frame or a series of pandas, polars or what is like them.

    Returns:
        `columns`, `dtypes`, at most 50 `rows`, how many rows there are in `total`, `total_columns`
        where there are more than 100, and the `source` of further rows where a page can ask.
    """
    pages = FramePages(value)
    table = first_page(pages)
    if not is_whole(table):
        source = keep_frame(pages, value, table)
        table |= {"source": source} if source else {}
    return table


def first_page(pages: FramePages) -> dict[str, JsonValue]:
    """What `table_of` gives, of a frame whose rows are asked for elsewhere."""
    table: dict[str, JsonValue] = {
        "columns": [*pages.columns],
        "dtypes": [*pages.dtypes],
        "rows": cast("JsonValue", _fitting(pages.page(0, MAX_ROWS))),
        "total": pages.total,
    }
    return table | ({"total_columns": pages.width} if pages.width > MAX_COLUMNS else {})


def is_whole(table: dict[str, JsonValue]) -> bool:
    """Whether it holds all rows, with all that is in their cells."""
    rows = cast("list[list[JsonValue]]", table["rows"])
    return len(rows) == table["total"] and not any(is_cut(one) for row in rows for one in row)


def _fitting(rows: list[list[JsonValue]]) -> list[list[JsonValue]]:
    """As many rows as a payload has room for."""
    while len(rows) > 1 and len(to_json(rows)) > MAX_PAYLOAD * 3 // 4:
        rows = rows[: len(rows) // 2]
    return rows
