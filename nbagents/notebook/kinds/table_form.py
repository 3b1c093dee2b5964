"""A table in a saved notebook: its first rows as HTML, or one line of words."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from nbagents.narrowing import is_list, is_mapping
from nbagents.notebook.markup import LINE, Html, join, muted, tag
from nbagents.runs.wording import as_json, clipped, counted
from nbagents.tools.values import NUMERIC, with_formats

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import JsonValue

MOST_ROWS = 50
MOST_COLUMNS = 20
CELL_WIDTH = 200
DIGITS = 12
"""Of a number that is shown as it is; one of more is rounded."""

TABLE = "margin:0;border-collapse:collapse;font-size:0.92em"
TABLE_BOX = (
    f"display:inline-block;max-width:100%;max-height:22em;overflow:auto;border:{LINE};"
    "border-radius:4px"
)
LEFT = "text-align:left"
INDEX = f"{LEFT};font-weight:400;opacity:0.75"
MIDNIGHT = "T00:00:00"

# Any in this file: JSON that a tool wrote.


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """What a payload of kind `table` says."""

    columns: list[Column]
    rows: list[list[object]]
    """As many as are there, of which the first are drawn."""
    total: int
    total_columns: int


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: str
    dtype: str
    is_number: bool
    is_day: bool
    """Whether its values are all at midnight."""
    written: Mapping[str, Any]
    """How its numbers are written; see `format_of`."""

    def head(self) -> Html:
        """Its name, and its type for those who point at it."""
        title = {"title": self.dtype} if self.dtype else {}
        unit = self.written.get("unit")
        name = f"{self.name} ({unit})" if unit else self.name
        return self._cell("th", name, LEFT, scope="col", **title)

    def entry(self, value: object) -> Html:
        """A cell of its body; those of an index name their row."""
        if self.is_index:
            return self._cell("th", self._said(value), INDEX, scope="row")
        return self._cell("td", self._said(value), LEFT)

    def _said(self, value: object) -> str:
        if isinstance(value, (int, float)) and not isinstance(value, bool) and self.written:
            return _number(value, self.written)
        if not isinstance(value, str) or not self.dtype.startswith("datetime"):
            return _cell(value)
        return _cell((value.removesuffix(MIDNIGHT) if self.is_day else value).replace("T", " "))

    def _cell(self, name: str, said: str, style: str, **attributes: str) -> Html:
        """Numbers stand below one another. Few characters: a table has a thousand cells."""
        if self.is_number and not self.is_index:
            return tag(name, said, align="right", **attributes)
        return tag(name, said, style=style, **attributes)

    @property
    def is_index(self) -> bool:
        """Whether its values name the rows."""
        return self.dtype == "index"


def table_html(value: JsonValue) -> Html:
    """The first 50 rows and 20 columns, and how many there are.

    Raises:
        ValueError: It is no table.
        KeyError: It lacks its columns or its rows.
        TypeError: It holds something of another type.
    """
    table = _read(value)
    body = [
        tag("tr", *(column.entry(one) for column, one in zip(table.columns, row, strict=False)))
        for row in table.rows[:MOST_ROWS]
    ]
    drawn = tag(
        "table",
        tag("thead", tag("tr", *(one.head() for one in table.columns))),
        tag("tbody", *body),
        style=TABLE,
    )
    return join(tag("div", drawn, style=TABLE_BOX), tag("div", muted(_part(table, len(body)))))


def table_words(value: JsonValue) -> str:
    """A table in one line: its size, and what its columns are called.

    Raises:
        ValueError: It is no table.
        KeyError: It lacks its columns or its rows.
        TypeError: It holds something of another type.
    """
    table = _read(value)
    names = ", ".join(one.name for one in table.columns if not one.is_index)
    return f"table, {_size(table, len(table.rows))}: {names}"


def _read(value: JsonValue) -> Table:
    if not isinstance(value, dict):
        raise TypeError(value)
    given: Mapping[str, Any] = with_formats(value)
    names = _names(given)
    rows = [_row(row, names) for row in _list(given["rows"])]
    dtypes = _list(given.get("dtypes") or [])[: len(names)]
    written = _list(given.get("formats") or [])
    columns = [
        _column(
            _cell(name),
            _cell(dtype),
            [row[place] for row in rows if place < len(row)],
            written[place] if place < len(written) else None,
        )
        for place, (name, dtype) in enumerate(zip_longest(names, dtypes, fillvalue=""))
    ]
    indices = sum(one.is_index for one in columns)
    return Table(
        columns=columns[:MOST_COLUMNS],
        rows=rows,
        total=_at_least(given.get("total"), len(rows)),
        total_columns=_at_least(given.get("total_columns"), len(columns) - indices),
    )


def _names(given: Mapping[str, Any]) -> list[object]:
    """The columns; of rows that are mappings all of their keys, where no columns are said."""
    if "columns" in given:
        return _list(given["columns"])
    rows = [one for one in _list(given["rows"]) if is_mapping(one)]
    if not rows:
        raise KeyError("columns")
    return list(dict.fromkeys(key for row in rows for key in row))


def _row(row: object, names: Sequence[object]) -> list[object]:
    if is_mapping(row):
        return [row.get(str(name)) for name in names]
    return _list(row)


def _list(value: object) -> list[object]:
    if not is_list(value):
        raise TypeError(value)
    return value


def _column(name: str, dtype: str, values: Sequence[object], written: object) -> Column:
    there = [one for one in values if one is not None]
    is_day = all(isinstance(one, str) and one.endswith(MIDNIGHT) for one in there)
    is_number = bool(NUMERIC.match(dtype)) if dtype else _are_numbers(there)
    said: Mapping[str, Any] = written if is_mapping(written) else {}
    return Column(name, dtype, is_number=is_number, is_day=is_day, written=said)


def _number(value: float, written: Mapping[str, Any]) -> str:
    """A number as the page writes it: `js/src/table/rows/table-value.ts`."""
    if written.get("bytes"):
        return _bytes(value)
    decimals = written.get("decimals")
    comma = "," if written.get("grouped") else ""
    if isinstance(decimals, int):
        return f"{value:{comma}.{decimals}f}"
    return f"{value:,}" if comma and isinstance(value, int) else _cell(value)


BYTES = ("B", "kB", "MB", "GB", "TB", "PB")
UP_TO = 999.5
"""More of a unit is written in the next one."""


def _bytes(value: float) -> str:
    size, unit = float(abs(value)), 0
    while size >= UP_TO and unit < len(BYTES) - 1:
        size, unit = size / 1000, unit + 1
    decimals = 0 if not unit else sum(size < edge for edge in (9.995, 99.95))
    return f"{'-' if value < 0 else ''}{size:.{decimals}f} {BYTES[unit]}"


def _are_numbers(values: Sequence[object]) -> bool:
    return bool(values) and all(
        isinstance(one, (int, float)) and not isinstance(one, bool) for one in values
    )


def _cell(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, (str, bool)):
        return clipped(str(value), CELL_WIDTH)
    written = as_json(value)
    if isinstance(value, float) and len(written) > DIGITS:
        return f"{value:.7g}"
    return clipped(written, CELL_WIDTH)


def _part(table: Table, shown: int) -> str:
    """What stands below the rows that are shown; of a part also which one it is."""
    size = _size(table, shown)
    return f"Rows 1–{shown:,} · {size}" if 0 < shown < table.total else size


def _size(table: Table, shown: int) -> str:
    columns = sum(not one.is_index for one in table.columns)
    rows = _part_of(shown, table.total, "row")
    return f"{rows} × {_part_of(columns, table.total_columns, 'column')}"


def _at_least(value: object, least: int) -> int:
    return max(value, least) if isinstance(value, int) else least


def _part_of(some: int, whole: int, noun: str) -> str:
    """`50 of 1,000 rows`, `1 row`."""
    return counted(whole, noun) if some == whole else f"{some:,} of {counted(whole, noun)}"
