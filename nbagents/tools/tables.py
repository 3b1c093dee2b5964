"""A table of any library as JSON for the person: its first rows, its columns and their types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pydantic_core import PydanticSerializationError, from_json, to_json

from nbagents.tools.payloads import MAX_PAYLOAD
from nbagents.tools.plain import clean_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import JsonValue

__all__ = ["table_of"]

MAX_ROWS = 50
MAX_COLUMNS = 100
MAX_CELL = 300
MAX_SAFE = 2**53
"""Above, a page's numbers are not exact."""


def table_of(value: Any) -> dict[str, JsonValue]:
    """The first rows of a frame or a series.

    Args:
        value: A frame or a series of pandas, polars or what is like them.

    Returns:
        `columns`, `dtypes`, at most 50 `rows`, how many rows there are in `total`, and
        `total_columns` where there are more than 100.
    """
    total = int(value.shape[0])
    frame = value if hasattr(value, "columns") else value.to_frame()
    head = _first_columns(frame.head(MAX_ROWS))
    indices = _indices(head)
    width = int(frame.shape[1])
    rows = [
        [_cell(one) for one in (*index, *cells)]
        for index, cells in zip(_keys(head, len(indices)), _rows(head), strict=True)
    ]
    table: dict[str, JsonValue] = {
        "columns": [*indices, *(_label(one) for one in head.columns)],
        "dtypes": [
            *("index" for _ in indices),
            *(str(one) for one in head.dtypes),
        ],
        "rows": cast("JsonValue", _fitting(rows)),
        "total": total,
    }
    return table | ({"total_columns": width} if width > MAX_COLUMNS else {})


def _first_columns(head: Any) -> Any:
    if int(head.shape[1]) <= MAX_COLUMNS:
        return head
    return head.iloc[:, :MAX_COLUMNS] if hasattr(head, "iloc") else head[:, :MAX_COLUMNS]


def _indices(head: Any) -> list[str]:
    """The names of the index, where there is one that says more than the number of the row."""
    index = getattr(head, "index", None)
    if index is None or callable(index) or type(index).__name__ == "RangeIndex":
        return []
    return [_label("index" if name is None else name) for name in index.names]


def _keys(head: Any, levels: int) -> Iterable[tuple[object, ...]]:
    if not levels:
        return (() for _ in range(int(head.shape[0])))
    return (key if levels > 1 else (key,) for key in head.index)


def _rows(head: Any) -> Iterable[Iterable[object]]:
    if hasattr(head, "itertuples"):
        return head.itertuples(index=False, name=None)
    return head.iter_rows()


def _cell(value: Any) -> JsonValue:
    try:
        written = cast("JsonValue", from_json(to_json(value, inf_nan_mode="null")))
    except (PydanticSerializationError, ValueError, UnicodeError):
        return _of_scalar(value)
    if isinstance(written, str):
        return _short(written)
    is_exact = not isinstance(written, int) or abs(written) <= MAX_SAFE
    return written if is_exact and not isinstance(written, (list, dict)) else _short(value)


def _of_scalar(value: Any) -> JsonValue:
    """What a library's own number is in Python, else its text; what is missing is null."""
    text = str(value)
    if text in {"NaT", "<NA>", "nan"}:
        return None
    plain = value.item() if hasattr(value, "item") and not hasattr(value, "__len__") else None
    return plain if isinstance(plain, (bool, int, float)) else _short(text)


def _short(value: object) -> str:
    text = clean_text(str(value))
    return text if len(text) <= MAX_CELL else text[: MAX_CELL - 1] + "…"


def _label(name: object) -> str:
    return _short(name)


def _fitting(rows: list[list[JsonValue]]) -> list[list[JsonValue]]:
    """As many rows as a payload has room for."""
    while len(rows) > 1 and len(to_json(rows)) > MAX_PAYLOAD * 3 // 4:
        rows = rows[: len(rows) // 2]
    return rows
