"""A table in a saved notebook, beyond what tests of frozen payloads say."""

from __future__ import annotations

from typing import Any

import pytest
from trees import Page

from nbagents.notebook.kinds.table_form import table_html, table_words


def test_rows_that_are_mappings_make_a_table() -> None:
    rows: Any = [{"a": 1, "b": "x"}, {"b": "y", "c": True}]
    assert table_words({"rows": rows}) == "table, 2 rows \u00d7 3 columns: a, b, c"
    assert "abc1x––yTrue" in Page(table_html({"rows": rows})).text


def test_fifty_rows_are_drawn_and_all_are_counted() -> None:
    rows: Any = [[n] for n in range(200)]
    shown = Page(table_html({"columns": ["n"], "rows": rows, "total": 100_000}))
    assert len(shown.named("tr")) == 51
    assert "50 of 100,000 rows" in shown.text
    assert table_words({"columns": ["n"], "rows": rows, "total": 100_000}).startswith(
        "table, 200 of 100,000 rows"
    )


@pytest.mark.parametrize(
    ("value", "dtype", "text"),
    [
        ("2024-01-02T00:00:00", "datetime64[ns]", "2024-01-02"),
        ("2024-01-02T03:04:05", "datetime64[ns]", "2024-01-02 03:04:05"),
        (0.30000000000000004, "float64", "0.3"),
        (12.5, "float64", "12.5"),
        ([1, 2], "object", "[1, 2]"),
    ],
)
def test_cells_are_written_as_people_read_them(value: Any, dtype: str, text: str) -> None:
    shown = Page(table_html({"columns": ["c"], "dtypes": [dtype], "rows": [[value]]}))
    assert f"c{text}" in shown.text


def test_numbers_have_the_unit_of_their_column_and_as_many_decimals() -> None:
    names = ["price_eur", "size_bytes", "temp_c", "vitamin_c", "year"]
    rows: Any = [[1234.5, 1_234_567, 9.25, 3.5, 2024], [2.25, 999, -1.5, 10.25, 1999]]
    value: Any = {"columns": names, "rows": rows, "total": 90_000}
    shown = Page(table_html(value))
    assert "price_eur (€)size_bytes (bytes)temp_c (°C)vitamin_cyear" in shown.text
    assert "1,234.501.23 MB9.253.502024" in shown.text
    assert "2.25999 B-1.5010.251999" in shown.text
    assert "Rows 1–2 · 2 of 90,000 rows" in shown.text


@pytest.mark.parametrize("dtype", ["Int64", "float32", "Decimal(precision=38, scale=2)", "number"])
def test_numbers_stand_below_one_another_also_where_some_are_missing(dtype: str) -> None:
    shown = Page(table_html({"columns": ["c"], "dtypes": [dtype], "rows": [[None]]}))
    assert shown.named("td")[0]["align"] == "right"


def test_an_interval_is_no_integer() -> None:
    shown = Page(table_html({"columns": ["c"], "dtypes": ["interval"], "rows": [["(0, 1]"]]}))
    assert "align" not in shown.named("td")[0]


@pytest.mark.parametrize(
    ("value", "error"),
    [([], TypeError), ({"rows": []}, KeyError), ({"columns": ["a"], "rows": [3]}, TypeError)],
)
def test_what_is_no_table_is_refused(value: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        table_html(value)
