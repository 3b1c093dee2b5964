"""A frame of any library, read page by page and sorted by that library."""

from __future__ import annotations

import contextlib
import threading
import weakref
from typing import TYPE_CHECKING, Any

from nbagents.tools.table_cells import cell, cell_text, label

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pydantic import JsonValue

__all__ = ["MAX_COLUMNS", "MAX_PAGE", "FramePages"]

MAX_COLUMNS = 100
MAX_PAGE = 200
"""Rows of one page."""
MAX_ORDERS = 4
"""Orders that are remembered, of eight bytes a row."""

# Any in this file: a frame, a series or an index of a library that is not imported.


class FramePages:
    """The rows of one frame. Safe in any thread; later changes of the frame do not reach it.

    Args:
        value: A frame or a series of pandas, polars or what is like them.
    """

    def __init__(self, value: Any) -> None:
        frame = value if hasattr(value, "columns") else value.to_frame()
        self._original = _reference(value)
        self._frame = _of_its_own(frame)
        self._levels = _index_names(self._frame)
        self._orders: dict[tuple[int, bool], Any] = {}
        self._lock = threading.Lock()
        self.total = int(value.shape[0])
        self.width = int(frame.shape[1])

    @property
    def columns(self) -> list[str]:
        """Names, those of the index first; at most 100 others."""
        names: Iterable[object] = list(self._frame.columns)[:MAX_COLUMNS]
        return [*self._levels, *(label(one) for one in names)]

    @property
    def dtypes(self) -> list[str]:
        """The type of each column; `index` of those that name the rows."""
        types: Iterable[object] = list(self._frame.dtypes)[:MAX_COLUMNS]
        return [*("index" for _ in self._levels), *(str(one) for one in types)]

    @property
    def size_bytes(self) -> int:
        """About how much memory the frame takes."""
        with contextlib.suppress(Exception):  # a library of which this says nothing
            if hasattr(self._frame, "estimated_size"):
                return int(self._frame.estimated_size())
            return int(self._frame.memory_usage().sum())
        return 0

    @property
    def can_sort(self) -> bool:
        """Whether rows can be taken in any order."""
        return hasattr(self._frame, "iloc") or hasattr(self._frame, "with_row_index")

    def is_of(self, value: object) -> bool:
        """Whether these are the pages of this very object."""
        return self._original is not None and self._original() is value

    def page(
        self, offset: int, limit: int, sort: tuple[int, bool] | None = None
    ) -> list[list[JsonValue]]:
        """The rows from `offset` on.

        Args:
            offset: How many rows come before, in this order.
            limit: How many rows at most; never more than 200.
            sort: A column by its place in `columns`, and whether the largest comes first. What is
                missing comes last.

        Raises:
            LookupError: There is no such column.
        """
        start, stop = max(0, offset), max(0, offset) + min(max(0, limit), MAX_PAGE)
        part = self._part(start, stop, sort)
        return [
            [cell(one) for one in (*index, *cells)]
            for index, cells in zip(_keys(part, len(self._levels)), _rows(part), strict=True)
        ]

    def text(self, row: int, column: int, sort: tuple[int, bool] | None = None) -> str:
        """The whole text of one cell, by its row in this order and its column.

        Raises:
            LookupError: There is no such cell.
        """
        self._check(column)
        part = self._part(row, row + 1, sort)
        if row < 0 or not int(part.shape[0]):
            raise LookupError(f"The table has no row {row + 1:,}: it has {self.total:,}.")
        key = next(iter(_keys(part, len(self._levels))))
        return cell_text([*key, *next(iter(_rows(part)))][column])

    def _part(self, start: int, stop: int, sort: tuple[int, bool] | None) -> Any:
        frame = _first_columns(self._frame)
        if sort is None:
            return frame.iloc[start:stop] if hasattr(frame, "iloc") else frame[start:stop]
        order = self._order(*sort)[start:stop]
        return frame.iloc[order] if hasattr(frame, "iloc") else frame[order]

    def _order(self, column: int, descending: bool) -> Any:  # noqa: FBT001  half of a pair
        self._check(column)
        if not self.can_sort:
            raise LookupError(f"A {type(self._frame).__name__} cannot be sorted here.")
        with self._lock:
            order = self._orders.get((column, descending))
            if order is None:
                order = _sorted(self._values(column), descending=descending)
                while len(self._orders) >= MAX_ORDERS:
                    del self._orders[next(iter(self._orders))]
                self._orders[column, descending] = order
            return order

    def _values(self, column: int) -> Any:
        place = column - len(self._levels)
        if place < 0:
            return self._frame.index.get_level_values(column).to_series()
        return self._frame.iloc[:, place] if hasattr(self._frame, "iloc") else self._frame[:, place]

    def _check(self, column: int) -> None:
        if not 0 <= column < len(self._levels) + min(self.width, MAX_COLUMNS):
            raise LookupError(f"The table shows no column {column + 1:,}.")


def _sorted(values: Any, *, descending: bool) -> Any:
    """The places of the rows in their new order; equal ones stay as they were."""
    if hasattr(values, "iloc"):
        return _sorted_by_pandas(values.reset_index(drop=True), descending=descending)
    frame = values.alias("v").to_frame().with_row_index("n")
    if str(values.dtype).startswith("Float"):
        frame = frame.fill_nan(None)
    options = {"descending": descending, "nulls_last": True, "maintain_order": True}
    return frame.sort("v", **options)["n"].to_list()


def _sorted_by_pandas(values: Any, *, descending: bool) -> Any:
    options = {"ascending": not descending, "kind": "stable", "na_position": "last"}
    try:
        return values.sort_values(**options).index.to_numpy()
    except TypeError:  # texts among numbers
        return values.map(str, na_action="ignore").sort_values(**options).index.to_numpy()


def _reference(value: object) -> weakref.ref[object] | None:
    try:
        return weakref.ref(value)
    except TypeError:
        return None


def _of_its_own(frame: Any) -> Any:
    """The same data under a name of our own: columns that are added later are not in it."""
    with contextlib.suppress(Exception):  # a library without this
        return frame.copy(deep=False) if hasattr(frame, "iloc") else frame.clone()
    return frame


def _first_columns(frame: Any) -> Any:
    if int(frame.shape[1]) <= MAX_COLUMNS:
        return frame
    return frame.iloc[:, :MAX_COLUMNS] if hasattr(frame, "iloc") else frame[:, :MAX_COLUMNS]


def _index_names(frame: Any) -> list[str]:
    """The names of the index, where there is one that says more than the number of the row."""
    index = getattr(frame, "index", None)
    if index is None or callable(index) or type(index).__name__ == "RangeIndex":
        return []
    return [label("index" if name is None else name) for name in index.names]


def _keys(part: Any, levels: int) -> Iterable[tuple[object, ...]]:
    if not levels:
        return (() for _ in range(int(part.shape[0])))
    return (key if levels > 1 else (key,) for key in part.index)


def _rows(part: Any) -> Iterable[Sequence[object]]:
    if hasattr(part, "itertuples"):
        return part.itertuples(index=False, name=None)
    return part.iter_rows()
