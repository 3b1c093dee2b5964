"""Frames that a page reads further: pages, orders, whole texts, and for how long they are kept."""

from __future__ import annotations

import gc
import sys
from datetime import date
from types import SimpleNamespace
from typing import Any

import pytest
from libraries import np, pd, pl

from nbagents.tools import frame_sources
from nbagents.tools.frame_pages import FramePages
from nbagents.tools.frame_sources import keep_frame, kept_frame, let_frames_go
from nbagents.tools.tables import table_of

LIBRARIES = [pd.DataFrame, pl.DataFrame]
NUMBERS = [3, None, 1, 2]


@pytest.fixture(autouse=True)
def a_page_can_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, frame_sources.PAGES, SimpleNamespace())
    frame_sources._kept.clear()  # pyright: ignore[reportPrivateUsage]


def column(rows: list[list[Any]], place: int = 0) -> list[Any]:
    return [row[place] for row in rows]


def numbers(many: int) -> Any:
    return pd.DataFrame({"n": range(many)})


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_page_is_what_stands_there_in_the_order_that_is_asked_for(library: Any) -> None:
    pages = FramePages(library({"n": [*range(120)], "s": [f"{n % 3}" for n in range(120)]}))
    assert column(pages.page(50, 3)) == [50, 51, 52]
    assert column(pages.page(118, 50)) == [118, 119]
    assert pages.page(500, 50) == []
    assert pages.page(-5, 2, (0, True)) == [[119, "2"], [118, "1"]]
    assert column(pages.page(0, 3, (1, False))) == [0, 3, 6]
    assert column(pages.page(0, 3, (1, True))) == [2, 5, 8]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("descending", [False, True])
def test_what_is_missing_comes_last(library: Any, *, descending: bool) -> None:
    pages = FramePages(library({"n": NUMBERS, "f": [float("nan"), 1.0, 2.0, float("inf")]}))
    assert column(pages.page(0, 9, (0, descending)))[-1] is None
    assert column(pages.page(0, 9, (1, descending)), 1)[-1] is None
    assert "∞" in column(pages.page(0, 9, (1, descending)), 1)


def test_no_page_is_longer_than_may_be() -> None:
    assert len(FramePages(numbers(1_000)).page(0, 1_000)) == 200


def test_an_order_is_found_once_and_few_are_remembered() -> None:
    pages = FramePages(pd.DataFrame({str(n): [2, 1] for n in range(9)}))
    for place in range(9):
        pages.page(0, 2, (place, False))
    assert len(pages._orders) == 4  # pyright: ignore[reportPrivateUsage]
    kept = pages._orders[8, False]  # pyright: ignore[reportPrivateUsage]
    pages.page(1, 1, (8, False))
    assert pages._orders[8, False] is kept  # pyright: ignore[reportPrivateUsage]


def test_an_index_can_be_sorted_by_and_names_may_stand_twice() -> None:
    frame = pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"], index=["x", "b"])
    pages = FramePages(frame)
    assert pages.page(0, 9, (0, False)) == [["b", 3, 4], ["x", 1, 2]]
    assert column(pages.page(0, 9, (2, True)), 2) == [4, 2]
    both = FramePages(pd.DataFrame({"a": [1, 1], "b": [2, 1], "c": [0, 9]}).set_index(["a", "b"]))
    assert column(both.page(0, 9, (1, False)), 2) == [9, 0]


def test_texts_among_numbers_are_sorted_as_texts() -> None:
    pages = FramePages(pd.DataFrame({"a": [10, "x", None, 2]}))
    assert column(pages.page(0, 9, (0, False))) == [10, 2, "x", None]


def test_a_series_has_pages_too() -> None:
    assert FramePages(pd.Series([2, 1], name="n")).page(0, 9, (0, False)) == [[1], [2]]
    assert FramePages(pl.Series("n", [2, 1])).page(0, 9, (0, False)) == [[1], [2]]


def test_later_changes_of_a_frame_do_not_reach_its_pages() -> None:
    frame = pd.DataFrame({"a": [1, 2]})
    pages = FramePages(frame)
    frame["b"] = 0
    frame.loc[0, "a"] = 9
    assert pages.page(0, 9) == [[1], [2]]


def test_a_text_is_given_whole_where_its_cell_is_cut() -> None:
    frame = pd.DataFrame({"t": ["a", "y" * 900, "z" * 30_000]}, index=["p", "q", "r"])
    pages = FramePages(frame)
    assert len(pages.page(1, 1)[0][1]) == 300  # pyright: ignore[reportArgumentType]
    assert pages.text(1, 1) == "y" * 900
    assert pages.text(0, 1, (1, True)) == "z" * 19_999 + "…"
    assert pages.text(2, 0) == "r"


@pytest.mark.parametrize(("row", "place"), [(9, 0), (-1, 0), (0, 7), (0, -1)])
def test_a_cell_that_is_not_there_is_said(row: int, place: int) -> None:
    with pytest.raises(LookupError, match=r"The table (has no row|shows no column)"):
        FramePages(pd.DataFrame({"a": [1]})).text(row, place)


def test_a_frame_of_another_library_is_read_but_not_sorted() -> None:
    class Frame:
        columns, dtypes, shape = ("a",), ("int",), (2, 1)

        def __getitem__(self, part: object) -> Frame:
            return self

        def iter_rows(self) -> list[tuple[int]]:
            return [(1,), (2,)]

    pages = FramePages(Frame())
    assert pages.page(0, 9) == [[1], [2]]
    assert pages.size_bytes == 0
    with pytest.raises(LookupError, match="A Frame cannot be sorted"):
        pages.page(0, 9, (0, False))


def test_wide_frames_show_a_hundred_columns_and_sort_by_no_others() -> None:
    pages = FramePages(pl.DataFrame(np.zeros((2, 300))))
    assert len(pages.columns) == len(pages.page(0, 1)[0]) == 100
    with pytest.raises(LookupError, match="shows no column 101"):
        pages.page(0, 1, (100, False))


def test_a_long_table_names_its_source_and_a_whole_one_has_none() -> None:
    table = table_of(numbers(51))
    assert column(kept_frame(str(table["source"])).page(50, 9)) == [50]
    assert "source" not in table_of(numbers(50))
    assert "source" in table_of(pd.DataFrame({"t": ["x" * 500]}))


def test_the_source_is_the_same_each_time_and_another_of_another_frame() -> None:
    frame = numbers(100)
    first = table_of(frame)["source"]
    assert table_of(frame)["source"] == first
    alike = frame.copy()
    alike.loc[99, "n"] = -1  # differs where nothing is shown
    second = table_of(alike)["source"]
    assert second != first
    assert column(kept_frame(str(second)).page(99, 1)) == [-1]
    assert column(kept_frame(str(first)).page(99, 1)) == [99]


def test_where_no_page_can_ask_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, frame_sources.PAGES)
    assert "source" not in table_of(numbers(100))


def test_what_is_let_go_is_not_there_any_more() -> None:
    name = str(table_of(numbers(100))["source"])
    let_frames_go([name, "unknown"])
    with pytest.raises(LookupError, match="Run the cell again"):
        kept_frame(name)


def test_only_so_many_frames_and_bytes_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [str(table_of(numbers(100 + n))["source"]) for n in range(40)]
    kept = frame_sources._kept  # pyright: ignore[reportPrivateUsage]
    assert list(kept) == names[-32:]
    monkeypatch.setattr(frame_sources, "MAX_BYTES", 2_000)
    last = str(table_of(pl.DataFrame({"n": range(10_000)}))["source"])
    assert last in kept
    assert sum(pages.size_bytes for name, pages in kept.items() if name != last) <= 2_000


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_size_of_a_frame_is_what_its_library_says(library: Any) -> None:
    assert FramePages(library({"n": [1] * 1_000})).size_bytes >= 8_000


def test_a_value_without_weak_references_is_kept_all_the_same() -> None:
    class Slotted:
        __slots__ = ()
        columns, dtypes, shape = ("d",), ("date",), (60, 1)

        def __getitem__(self, part: slice) -> Slotted:
            return self

        def iter_rows(self) -> list[tuple[date]]:
            return [(date(2024, 1, 1),)]

    pages = FramePages(Slotted())
    assert keep_frame(pages, Slotted(), {}) != keep_frame(pages, Slotted(), {})


def test_a_frame_that_nobody_else_holds_stays_for_its_pages() -> None:
    name = str(table_of(numbers(100))["source"])
    gc.collect()
    assert len(kept_frame(name).page(0, 5)) == 5
