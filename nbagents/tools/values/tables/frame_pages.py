"""The rows of one table: in the order and of the selection that a person asks for, page by page."""

from __future__ import annotations

import csv
import io
import threading
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from nbagents.narrowing import list_of
from nbagents.tools.values.column_format import format_of
from nbagents.tools.values.tables.cells import MAX_TEXT, cell, cell_text, raw_text, short
from nbagents.tools.values.tables.library import frame_of
from nbagents.tools.values.tables.row_filter import small_text, terms_of, test_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pydantic import JsonValue

    from nbagents.tools.values.tables.row_filter import Term

MAX_COLUMNS: Final = 100
"""Columns of one page, beside those that name the rows."""
MAX_PAGE: Final = 200
"""Rows of one page."""
MAX_ARRANGEMENTS: Final = 4
"""Arrangements that are remembered, of eight bytes a row."""
MAX_SEARCHED: Final = 5_000_000
"""Cells in which words are looked for where no column is named."""
MAX_TEXTS: Final = 5_000_000
"""Cells of which the texts are remembered, for who goes on typing."""
MAX_COPIED: Final = 1_000_000
"""Characters of one part of a copy."""
SAMPLED: Final = 200
"""Rows that decide how the numbers of a column are written."""

# Any in this file: a frame or a value of a library that is not imported.

Sort: TypeAlias = "tuple[int, bool]"
"""A column by its place, those that name the rows first, and whether the largest comes first."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Which rows are shown, in which order."""

    sort: Sort | None = None
    query: str = ""


AS_IT_IS: Final = Arrangement()


@dataclass(frozen=True, slots=True)
class Block:
    """Rows and columns side by side: from the first ones to just before the last ones."""

    rows: range
    columns: range


@dataclass(frozen=True, slots=True)
class Selection:
    """What a person has selected."""

    rows: tuple[int, ...] = ()
    """By their places in the table, counted from 0, in the order in which they are shown."""
    columns: tuple[int, ...] = ()
    """By their places, without those that name the rows; empty: only those."""


class FramePages:
    """The rows of one table. Safe in any thread; later changes of the table do not reach it.

    Args:
        value: A frame or a series of pandas, polars or what is like them, a table of pyarrow, or a
            list of mappings.

    Raises:
        TypeError: It is no table.
    """

    def __init__(self, value: Any) -> None:
        self._original = _reference(value)
        self._frame = frame_of(value)
        self._arranged: dict[Arrangement, Sequence[int]] = {}
        self._texts: dict[int, list[str | None]] = {}
        self._lock = threading.RLock()
        self.total = self._frame.total
        self.width = self._frame.width
        self.levels = len(self._frame.levels)
        self.selection = Selection()

    @property
    def columns(self) -> list[str]:
        """Names, those of the index first; at most 100 others."""
        return [*map(short, self._frame.levels), *self.names(0, MAX_COLUMNS)]

    @property
    def dtypes(self) -> list[str]:
        """The type of each column; `index` of those that name the rows."""
        return ["index"] * self.levels + self._frame.dtypes(0, MAX_COLUMNS)

    def names(self, start: int, stop: int) -> list[str]:
        """The names of columns, without those of the index."""
        return [short(one) for one in self._frame.names(start, stop)]

    def heads(self, start: int, stop: int) -> dict[str, JsonValue]:
        """Names, types and formats of at most 100 columns, without those of the index."""
        start, stop = max(0, start), min(stop, start + MAX_COLUMNS, self.width)
        names, dtypes = self.names(start, stop), self._frame.dtypes(start, stop)
        rows = [row for _, row in self._frame.rows(self._spread(), start, stop)]
        formats = [
            format_of(name, dtype, [row[at] for row in rows])
            for at, (name, dtype) in enumerate(zip(names, dtypes, strict=True))
        ]
        return {
            "start": start,
            "columns": [*names],
            "dtypes": [*dtypes],
            "formats": [*formats],
        }

    @property
    def formats(self) -> list[JsonValue]:
        """How the numbers of each column are written; see `format_of`."""
        heads = self.heads(0, MAX_COLUMNS)
        return [*(None for _ in range(self.levels)), *list_of(heads["formats"])]

    @property
    def size_bytes(self) -> int:
        """About how much memory the table takes."""
        return self._frame.size_bytes

    def is_of(self, value: object) -> bool:
        """Whether these are the pages of this very object."""
        return self._original is not None and self._original() is value

    def count(self, arrangement: Arrangement = AS_IT_IS) -> int:
        """How many rows there are."""
        places = self._places(arrangement)
        return self.total if places is None else len(places)

    def page(
        self,
        offset: int,
        limit: int,
        arrangement: Arrangement = AS_IT_IS,
        columns: tuple[int, int] = (0, MAX_COLUMNS),
    ) -> list[list[JsonValue]]:
        """The rows from `offset` on.

        Args:
            offset: How many rows come before, in this arrangement.
            limit: How many rows at most; never more than 200.
            arrangement: Which rows, in which order.
            columns: From which column to before which, without those of the index; at most 100.

        Raises:
            LookupError: There is no such column, or the table can only be read from the top.
        """
        start, stop = max(0, columns[0]), min(columns[1], columns[0] + MAX_COLUMNS)
        wanted = range(max(0, offset), max(0, offset) + min(max(0, limit), MAX_PAGE))
        return [
            [cell(one) for one in (*keys, *cells)]
            for keys, cells in self._rows(wanted, arrangement, start, stop)
        ]

    def text(
        self, row: int, column: int, arrangement: Arrangement = AS_IT_IS, start: int = 0
    ) -> tuple[str, int]:
        """A part of the text of one cell, and how many characters it has in all.

        Raises:
            LookupError: There is no such cell.
        """
        self._check(column)
        place = max(0, column - self.levels)
        found = list(self._rows(range(row, row + 1), arrangement, place, place + 1))
        if row < 0 or not found:
            raise LookupError(f"The table has no row {row + 1:,}: it has {self.total:,}.")
        keys, cells = found[0]
        text = cell_text(keys[column] if column < self.levels else cells[0])
        return text[max(0, start) : max(0, start) + MAX_TEXT], len(text)

    def copied(
        self, block: Block, arrangement: Arrangement = AS_IT_IS, *, kind: str, has_heads: bool
    ) -> tuple[str, int]:
        """Rows as text, and how many rows that is: as many as one part may hold, at least one.

        Args:
            block: Which rows and columns, those of the index first.
            arrangement: In which order.
            kind: `csv`, or `tsv` as tables of other programs take it.
            has_heads: Whether the names of the columns come first.
        """
        out = io.StringIO()
        write = csv.writer(out, "excel-tab" if kind == "tsv" else "excel", lineterminator="\n")
        if has_heads:
            write.writerow(self._names_of(block.columns))
        done = 0
        start = max(0, block.columns.start - self.levels)
        stop = max(start, block.columns.stop - self.levels)
        for keys, cells in self._rows(block.rows, arrangement, start, stop):
            first = keys[block.columns.start :] if block.columns.start < self.levels else ()
            write.writerow([raw_text(one) for one in (*first[: len(block.columns)], *cells)])
            done += 1
            if out.tell() >= MAX_COPIED:
                break
        return out.getvalue(), done

    def select(self, blocks: Sequence[Block], arrangement: Arrangement = AS_IT_IS) -> Selection:
        """Remember what a person has selected; where one selected row is in two blocks, once."""
        places = self._places(arrangement)
        shown = range(self.count(arrangement))
        rows = dict.fromkeys(at for one in blocks for at in one.rows if at in shown)
        columns = dict.fromkeys(at - self.levels for one in blocks for at in one.columns)
        self.selection = Selection(
            tuple(at if places is None else int(places[at]) for at in rows),
            tuple(at for at in columns if 0 <= at < self.width),
        )
        return self.selection

    @property
    def selected(self) -> Any:
        """What is selected, as a table of the same library; `None`: nothing."""
        chosen = self.selection
        return self._frame.taken(chosen.rows, chosen.columns) if chosen.rows else None

    def row_words(self, places: Sequence[int], columns: Sequence[int]) -> Iterator[str]:
        """Rows by their places in the table, each in one line: its name, and these cells."""
        first, last = min(columns, default=0), max(columns, default=-1) + 1
        names = self.names(first, last)
        for place, (keys, cells) in zip(
            places, self._frame.rows([*places], first, last), strict=True
        ):
            parts = [f"{names[at - first]} {short(cells[at - first])}" for at in columns]
            name = ", ".join(map(short, keys)) if keys else f"row {place + 1:,}"
            yield f"{name} ({', '.join(parts)})" if parts else name

    def _rows(
        self, wanted: range, arrangement: Arrangement, start: int, stop: int
    ) -> Iterator[tuple[tuple[object, ...], Sequence[object]]]:
        places = self._places(arrangement)
        part = slice(wanted.start, wanted.stop)
        chosen = part if places is None else [int(one) for one in places[part]]
        yield from self._frame.rows(chosen, start, min(stop, self.width))

    def _places(self, arrangement: Arrangement) -> Sequence[int] | None:
        """The places of the rows that are shown, in their order; `None`: all as they are."""
        if arrangement == AS_IT_IS:
            return None
        with self._lock:
            places = self._arranged.get(arrangement)
            if places is None:
                places = self._arrange(arrangement)
                while len(self._arranged) >= MAX_ARRANGEMENTS:
                    del self._arranged[next(iter(self._arranged))]
                self._arranged[arrangement] = places
            return places

    def _arrange(self, arrangement: Arrangement) -> Sequence[int]:
        if arrangement.sort is not None:
            self._check(arrangement.sort[0])
        terms = terms_of(arrangement.query, self._all_names())
        if arrangement.sort is None:
            order: Sequence[int] = range(self.total)
        elif terms:
            sorted_rows = self._places(Arrangement(arrangement.sort))
            order = [] if sorted_rows is None else [int(at) for at in sorted_rows]
        else:
            column, descending = arrangement.sort
            return self._frame.order(column, descending=descending)
        if not terms:
            return order
        masks = [self._mask(term) for term in terms]
        return [at for at in order if all(mask[at] for mask in masks)]

    def _mask(self, term: Term) -> list[bool]:
        """Which rows meet a condition."""
        found = [False] * self.total
        for column in self._searched(term):
            for at in self._hits(term, column):
                found[at] = True
        return [not one for one in found] if term.is_not else found

    def _hits(self, term: Term, column: int) -> list[int]:
        texts = self._small(column)
        if not term.sign:  # while somebody types: no call for each cell
            word = term.value
            return [at for at, text in enumerate(texts) if text is not None and word in text]
        test, values = test_of(term), self._frame.values(column)
        return [at for at, pair in enumerate(zip(values, texts, strict=True)) if test(*pair)]

    def _searched(self, term: Term) -> list[int]:
        """The columns in which a condition looks."""
        names = self._all_names()
        if term.column is not None:
            return [at for at, name in enumerate(names) if name.lower() == term.column]
        return list(range(min(len(names), self.searched)))

    @property
    def searched(self) -> int:
        """In how many columns words are looked for, those of the index among them."""
        return min(self.levels + self.width, max(1, MAX_SEARCHED // max(1, self.total)))

    def _small(self, column: int) -> list[str | None]:
        texts = self._texts.get(column)
        if texts is None:
            texts = [small_text(one) for one in self._frame.values(column)]
            if (len(self._texts) + 1) * self.total > MAX_TEXTS:
                self._texts.clear()
            self._texts[column] = texts
        return texts

    def _all_names(self) -> list[str]:
        return [*self._frame.levels, *map(str, self._frame.names(0, self.width))]

    def _names_of(self, columns: range) -> list[str]:
        return self._all_names()[columns.start : columns.stop]

    def _spread(self) -> slice:
        """Some rows of all parts of the table; of one that is only read, its first."""
        if not self._frame.can_reorder:
            return slice(0, min(SAMPLED, self.total))
        return slice(0, self.total, max(1, self.total // SAMPLED))

    def _check(self, column: int) -> None:
        if not 0 <= column < self.levels + self.width:
            raise LookupError(f"The table shows no column {column + 1:,}.")


def _reference(value: object) -> weakref.ref[object] | None:
    try:
        return weakref.ref(value)
    except TypeError:
        return None
