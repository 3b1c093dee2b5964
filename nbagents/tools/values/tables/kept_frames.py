"""Tables as payloads, and the frames behind them, kept for who pages through them later."""

from __future__ import annotations

import hashlib
import sys
import threading
from typing import TYPE_CHECKING, Any, Final

from pydantic_core import to_json

from nbagents.narrowing import list_of
from nbagents.tools.values.payload import MAX_PAYLOAD
from nbagents.tools.values.tables.cells import is_cut
from nbagents.tools.values.tables.frame_pages import MAX_COLUMNS, FramePages

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pydantic import JsonValue

MAX_ROWS: Final = 50


def table_of(value: Any) -> dict[str, JsonValue]:  # Any: a frame of any library
    """The first rows of a frame or a series.

    Args:
        value: A frame or a series of pandas, polars or what is like them, or a table of pyarrow.

    Returns:
        `columns`, `dtypes`, `formats`, at most 50 `rows`, how many rows there are in `total`,
        `total_columns` where there are more than 100, and the `source` of further rows where a
        page can ask.
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
        "rows": [*_fitting(pages.page(0, MAX_ROWS))],
        "total": pages.total,
    }
    if any(formats := pages.formats):
        table["formats"] = formats
    return table | ({"total_columns": pages.width} if pages.width > MAX_COLUMNS else {})


def is_whole(table: dict[str, JsonValue]) -> bool:
    """Whether it holds all rows and columns, with all that is in their cells."""
    rows = list_of(table["rows"])
    is_long = len(rows) != table["total"] or "total_columns" in table
    return not is_long and not any(is_cut(one) for row in rows for one in row)


def _fitting(rows: list[list[JsonValue]]) -> list[list[JsonValue]]:
    """As many rows as a payload has room for."""
    while len(rows) > 1 and len(to_json(rows)) > MAX_PAYLOAD * 3 // 4:
        rows = rows[: len(rows) // 2]
    return rows


MAX_KEPT: Final = 32
MAX_BYTES: Final = 512_000_000
"""What all but the newest may take together."""

PAGES: Final = "nbagents_widgets.run_view"
"""Without this module no page shows runs, and nobody can ask."""

_kept: Final[dict[str, FramePages]] = {}
"""The newest last."""
_lock: Final = threading.Lock()


def keep_frame(pages: FramePages, value: object, shown: Mapping[str, Any]) -> str | None:
    """Keep a frame; its name, or `None` where no page could ask for it.

    The name comes from what is shown of the table, so that it is the same each time, and so that a
    page which shows an old log does not get the rows of another table.

    Args:
        pages: The frame's rows.
        value: The frame as it was given.
        shown: The table as the page gets it (Any: JSON).
    """
    if PAGES not in sys.modules:
        return None
    digest = hashlib.sha256(to_json(shown)).hexdigest()[:12]
    with _lock:
        name = next(one for one in _names(digest) if one not in _kept or _kept[one].is_of(value))
        _kept.pop(name, None)
        _kept[name] = pages
        _make_room()
    return name


def kept_frame(name: str) -> FramePages:
    """The rows of a frame.

    Raises:
        LookupError: The frame is not kept any more.
    """
    with _lock:
        pages = _kept.get(name)
    if pages is None:
        msg = "The rest of this table is not kept any more. Run the cell again to page through it."
        raise LookupError(msg)
    return pages


def source_of(payload: Mapping[str, Any]) -> str | None:
    """By which name the rest of a payload's table is kept (Any: JSON)."""
    match payload:
        case {"kind": "table", "value": {"source": str(source)}}:
            return source
        case _:
            return None


def _names(digest: str) -> Iterable[str]:
    yield digest
    yield from (f"{digest}-{number}" for number in range(2, MAX_KEPT + 3))


def _make_room() -> None:
    while len(_kept) > MAX_KEPT or (len(_kept) > 1 and _older_bytes() > MAX_BYTES):
        del _kept[next(iter(_kept))]


def _older_bytes() -> int:
    return sum(pages.size_bytes for pages in list(_kept.values())[:-1])
