"""`nba.TableView`: a DataFrame in the notebook, sorted and paged by the person who looks at it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from nbagents_widgets.table_view import TableWidget

from nbagents.narrowing import dict_of
from nbagents.notebook.kinds.frame_requests import answer_from
from nbagents.notebook.kinds.table_form import table_html, table_words
from nbagents.tools.values import FramePages, first_page, is_arrow, is_rows, kind_of

if TYPE_CHECKING:
    from pydantic import JsonValue

_numbers = itertools.count(1)


class TableView(TableWidget):
    """A table of any length: the page holds 50 rows, and asks for others.

    It stays live over cells, also while one runs. Where no page is watching (nbconvert, nbclient)
    it opens no comm and shows its first 50 rows.

    Args:
        frame: A frame or a series of pandas, polars or what is like them, a table of pyarrow, or a
            list of mappings.
        title: A name for people and screen readers.

    Raises:
        TypeError: It is no table.

    Example:
        >>> view = TableView([{"city": "Oslo", "celsius": 9.5}], title="Weather")
        >>> view.title
        'Weather'
    """

    def __init__(self, frame: Any, *, title: str = "") -> None:  # Any: a frame of any library
        self._pages: dict[str, FramePages] = {}
        super().__init__(self._read(frame), title=title)

    def show(self, frame: Any) -> None:  # Any: a frame of any library
        """Show another table, or the same after it changed; the order that was chosen stays.

        Raises:
            TypeError: It is no table.
        """
        self.table = self._read(frame)

    @property
    def selected(self) -> Any:  # Any: of the library of the frame
        """The rows and columns that the person has selected, as a table; `None`: nothing.

        Selected are rows of the table as it was when it was shown; another table has no selection.
        """
        return next(iter(self._pages.values())).selected

    def answer(self, question: Any) -> JsonValue:  # Any: JSON of the page's
        """Give the rows that a page asks for, in any thread."""
        source = dict_of(question).get("source")
        pages = self._pages.get(str(source))
        if pages is None:
            raise LookupError("The table has changed. Sort or turn the page once more.")
        return answer_from(pages, question)

    def still(self) -> dict[str, Any]:
        """The first rows as HTML."""
        return {"text/plain": repr(self), "text/html": str(table_html(self._shown))}

    def __repr__(self) -> str:
        words = table_words(self._shown)
        return f"{self.title or 'Table'}{words.removeprefix('table')}"

    @property
    def _shown(self) -> Any:  # Any: JSON
        return dict(self.table)

    def _read(self, frame: Any) -> dict[str, JsonValue]:
        if kind_of(frame) not in ("frame", "series") and not is_arrow(frame) and not is_rows(frame):
            name = type(frame).__name__
            raise TypeError(
                f"TableView takes a DataFrame, a Series or a list of mappings, not {name}."
            )
        pages = FramePages(frame)
        source = str(next(_numbers))
        self._pages = {source: pages}
        return {**first_page(pages), "source": source}
