"""Tables of any library behind one door: pandas, polars, pyarrow, rows that are mappings, others.

None of them is imported: what a table is, its members say.
"""

from __future__ import annotations

import contextlib
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from nbagents.narrowing import is_mapping, is_sequence
from nbagents.tools.values.tables.cells import is_missing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

# Any in this file: a frame, a series, an index or a value of a library that is not imported.

Places: TypeAlias = "slice | Sequence[int]"
"""Rows: from one to another, or each by its place."""

Row: TypeAlias = "tuple[tuple[object, ...], Sequence[object]]"
"""What names a row, and its cells."""


class Frame(Protocol):
    """What is read of a table."""

    total: int
    width: int
    """Columns, without those that name the rows."""
    levels: list[str]
    """The names of the columns that name the rows."""
    can_reorder: bool
    """Whether rows can be taken in any order."""

    @property
    def size_bytes(self) -> int:
        """About how much memory it takes."""
        ...

    def names(self, start: int, stop: int) -> list[object]:
        """What these columns are called."""
        ...

    def dtypes(self, start: int, stop: int) -> list[str]:
        """Of which type they are."""
        ...

    def values(self, column: int) -> list[Any]:
        """All values of a column; those that name the rows are counted first."""
        ...

    def order(self, column: int, *, descending: bool) -> Sequence[int]:
        """The places of the rows in this order; equal ones as they were, missing ones last."""
        ...

    def rows(self, places: Places, start: int, stop: int) -> Iterable[Row]:
        """These rows, of these columns."""
        ...

    def taken(self, places: Sequence[int], columns: Sequence[int]) -> Any:
        """These rows and columns as a table of the same library."""
        ...


def frame_of(value: Any) -> Frame:
    """A table of any library, as it is now.

    Raises:
        TypeError: It is no table.
    """
    if is_arrow(value):
        return ArrowFrame(value)
    if is_rows(value):
        return RowsFrame(value)
    frame = value if hasattr(value, "columns") else value.to_frame()
    if hasattr(frame, "iloc"):
        return PandasFrame(frame)
    return PolarsFrame(frame) if hasattr(frame, "with_row_index") else ReadOnlyFrame(frame)


def is_arrow(value: Any) -> bool:
    """Whether it is a table of pyarrow."""
    of_arrow = type(value).__module__.partition(".")[0] == "pyarrow"
    return of_arrow and hasattr(value, "column_names") and hasattr(value, "num_rows")


def is_rows(value: object) -> bool:
    """Whether it is a list of mappings."""
    return is_sequence(value) and bool(value) and all(map(is_mapping, value))


class PandasFrame:
    """A frame of pandas, or of what is like it."""

    can_reorder = True

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        with contextlib.suppress(Exception):  # columns that are added later are not in it
            self._frame = frame.copy(deep=False)
        self.total, self.width = int(frame.shape[0]), int(frame.shape[1])
        self.levels = ["index" if name is None else str(name) for name in frame.index.names]

    @property
    def size_bytes(self) -> int:
        """About how much memory it takes."""
        with contextlib.suppress(Exception):
            return int(self._frame.memory_usage().sum())
        return 0

    def names(self, start: int, stop: int) -> list[object]:
        """What these columns are called."""
        return list(self._frame.columns[start:stop])

    def dtypes(self, start: int, stop: int) -> list[str]:
        """Of which type they are."""
        return [str(one) for one in self._frame.iloc[:, start:stop].dtypes]

    def values(self, column: int) -> list[Any]:
        """All values of a column."""
        return self._series(column).tolist()

    def order(self, column: int, *, descending: bool) -> Sequence[int]:
        """The places of the rows in this order."""
        values = self._series(column).reset_index(drop=True)
        options = {"ascending": not descending, "kind": "stable", "na_position": "last"}
        try:
            return values.sort_values(**options).index.to_numpy()
        except TypeError:  # texts among numbers, or what has no order
            return mixed_order(values.tolist(), descending=descending)

    def rows(self, places: Places, start: int, stop: int) -> Iterator[Row]:
        """These rows, of these columns."""
        part = self._frame.iloc[places, start:stop]
        keys = ((key if len(self.levels) > 1 else (key,)) for key in part.index)
        if part.shape[1] == 0:
            return ((key, ()) for key in keys)
        return zip(keys, part.itertuples(index=False, name=None), strict=True)

    def taken(self, places: Sequence[int], columns: Sequence[int]) -> Any:
        """These rows and columns."""
        return self._frame.iloc[list(places), list(columns)]

    def _series(self, column: int) -> Any:
        place = column - len(self.levels)
        if place < 0:
            return self._frame.index.get_level_values(column).to_series()
        return self._frame.iloc[:, place]


class PolarsFrame:
    """A frame of polars, or of what is like it."""

    can_reorder = True
    levels: list[str]

    def __init__(self, frame: Any) -> None:
        self._frame = frame.clone()
        self.levels = []
        self.total, self.width = int(frame.shape[0]), int(frame.shape[1])

    @property
    def size_bytes(self) -> int:
        """About how much memory it takes."""
        return int(self._frame.estimated_size())

    def names(self, start: int, stop: int) -> list[object]:
        """What these columns are called."""
        return list(self._frame.columns[start:stop])

    def dtypes(self, start: int, stop: int) -> list[str]:
        """Of which type they are."""
        return [str(one) for one in self._frame.dtypes[start:stop]]

    def values(self, column: int) -> list[Any]:
        """All values of a column."""
        return self._frame[:, column].to_list()

    def order(self, column: int, *, descending: bool) -> Sequence[int]:
        """The places of the rows in this order."""
        values = self._frame[:, column]
        frame = values.alias("v").to_frame().with_row_index("n")
        if str(values.dtype).startswith("Float"):
            frame = frame.fill_nan(None)
        options = {"descending": descending, "nulls_last": True, "maintain_order": True}
        try:
            return frame.sort("v", **options)["n"].to_list()
        except Exception:  # noqa: BLE001  objects: polars panics or raises errors of its own
            return mixed_order(values.to_list(), descending=descending)

    def rows(self, places: Places, start: int, stop: int) -> Iterator[Row]:
        """These rows, of these columns."""
        rows = self._frame[places if isinstance(places, slice) else list(places), start:stop]
        return (((), row) for row in rows.iter_rows())

    def taken(self, places: Sequence[int], columns: Sequence[int]) -> Any:
        """These rows and columns."""
        return self._frame[list(places), list(columns)]


class ArrowFrame:
    """A table of pyarrow, which nobody can change."""

    can_reorder = True
    levels: list[str]

    def __init__(self, table: Any) -> None:
        self._table = table
        self.levels = []
        self.total, self.width = int(table.num_rows), int(table.num_columns)

    @property
    def size_bytes(self) -> int:
        """About how much memory it takes."""
        return int(self._table.nbytes)

    def names(self, start: int, stop: int) -> list[object]:
        """What these columns are called."""
        return list(self._table.column_names[start:stop])

    def dtypes(self, start: int, stop: int) -> list[str]:
        """Of which type they are."""
        return [str(one) for one in self._table.schema.types[start:stop]]

    def values(self, column: int) -> list[Any]:
        """All values of a column."""
        return self._table.column(column).to_pylist()

    def order(self, column: int, *, descending: bool) -> Sequence[int]:
        """The places of the rows in this order."""
        return mixed_order(self.values(column), descending=descending)

    def rows(self, places: Places, start: int, stop: int) -> Iterator[Row]:
        """These rows, of these columns."""
        if isinstance(places, slice):
            places = range(*places.indices(self.total))
        is_run = isinstance(places, range) and places.step == 1
        part = (
            self._table.slice(places[0] if places else 0, len(places))
            if is_run
            else self._table.take(list(places))
        )
        columns = [part.column(at).to_pylist() for at in range(start, min(stop, self.width))]
        many = int(part.num_rows)
        return (((), tuple(one[at] for one in columns)) for at in range(many))

    def taken(self, places: Sequence[int], columns: Sequence[int]) -> Any:
        """These rows and columns."""
        return self._table.take(list(places)).select(list(columns))


class RowsFrame:
    """Rows that are mappings: a column for each key that one of them has."""

    can_reorder = True
    levels: list[str]

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self._rows = [dict(row) for row in rows]
        self._keys = list(dict.fromkeys(key for row in self._rows for key in row))
        self.levels = []
        self.total, self.width = len(self._rows), len(self._keys)

    @property
    def size_bytes(self) -> int:
        """About how much memory it takes: of what the rows hold it is unknown."""
        return self.total * self.width * 64

    def names(self, start: int, stop: int) -> list[object]:
        """What these columns are called."""
        return list(self._keys[start:stop])

    def dtypes(self, start: int, stop: int) -> list[str]:
        """Of which type they are: nobody has said."""
        return [_common_type(row.get(key) for row in self._rows) for key in self._keys[start:stop]]

    def values(self, column: int) -> list[Any]:
        """All values of a column."""
        return [row.get(self._keys[column]) for row in self._rows]

    def order(self, column: int, *, descending: bool) -> Sequence[int]:
        """The places of the rows in this order."""
        return mixed_order(self.values(column), descending=descending)

    def rows(self, places: Places, start: int, stop: int) -> Iterator[Row]:
        """These rows, of these columns."""
        keys = self._keys[start:stop]
        rows = self._rows[places] if isinstance(places, slice) else [self._rows[n] for n in places]
        return (((), tuple(row.get(key) for key in keys)) for row in rows)

    def taken(self, places: Sequence[int], columns: Sequence[int]) -> Any:
        """These rows and columns."""
        keys = [self._keys[at] for at in columns]
        return [{key: self._rows[at].get(key) for key in keys} for at in places]


class ReadOnlyFrame:
    """A frame of another library: read from top to bottom."""

    can_reorder = False
    levels: list[str]

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self.levels = []
        self.total, self.width = int(frame.shape[0]), int(frame.shape[1])

    @property
    def size_bytes(self) -> int:
        """Unknown."""
        return 0

    def names(self, start: int, stop: int) -> list[object]:
        """What these columns are called."""
        return list(self._frame.columns)[start:stop]

    def dtypes(self, start: int, stop: int) -> list[str]:
        """Of which type they are."""
        return [str(one) for one in islice(self._frame.dtypes, start, stop)]

    def values(self, column: int) -> list[Any]:
        """It cannot be had by columns."""
        raise self._unable("searched", column)

    def order(self, column: int, *, descending: bool) -> Sequence[int]:
        """It cannot be had in another order."""
        raise self._unable("sorted", column, descending)

    def rows(self, places: Places, start: int, stop: int) -> Iterator[Row]:
        """These rows, of these columns."""
        rows = self._frame[places]
        read = rows.itertuples(index=False, name=None) if hasattr(rows, "itertuples") else None
        return (((), tuple(row)[start:stop]) for row in read or rows.iter_rows())

    def taken(self, places: Sequence[int], columns: Sequence[int]) -> Any:
        """Rows can only be had together."""
        raise self._unable("taken apart", places, columns)

    def _unable(self, what: str, *_: object) -> LookupError:
        return LookupError(f"A {type(self._frame).__name__} cannot be {what} here.")


def mixed_order(values: Sequence[Any], *, descending: bool) -> list[int]:
    """The places of values of any types: numbers by size, then texts; missing ones last."""
    there = [at for at, one in enumerate(values) if not is_missing(one)]
    missing = [at for at, one in enumerate(values) if is_missing(one)]
    try:
        there.sort(key=lambda at: values[at], reverse=descending)
    except Exception:  # noqa: BLE001  texts among numbers, or what has no order
        there.sort(key=lambda at: _rank(values[at]), reverse=descending)
    return there + missing


def _rank(value: Any) -> tuple[int, Any]:
    if isinstance(value, (int, float)):
        return 0, value
    return 1, str(value)


def _common_type(values: Iterable[object]) -> str:
    names = {type(one).__name__ for one in values if one is not None}
    return names.pop() if len(names) == 1 else "float" if names == {"int", "float"} else ""
