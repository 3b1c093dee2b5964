"""Frames that a page reads further: pages, orders, whole texts, and for how long they are kept."""

from __future__ import annotations

import csv
import gc
import sys
from datetime import date
from types import SimpleNamespace
from typing import Any

import pytest
from libraries import np, pd, pl
from pydantic_core import to_json

from nbagents.tools.values.tables import (
    Arrangement,
    Block,
    FramePages,
    frame_pages,
    keep_frame,
    kept_frame,
    table_of,
)
from nbagents.tools.values.tables import kept_frames as frame_sources

LIBRARIES = [pd.DataFrame, pl.DataFrame]
NUMBERS = [3, None, 1, 2]


@pytest.fixture(autouse=True)
def a_page_can_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, frame_sources.PAGES, SimpleNamespace())
    frame_sources._kept.clear()  # pyright: ignore[reportPrivateUsage]


def by(place: int, descending: bool = False) -> Arrangement:  # noqa: FBT001,FBT002  as the page says it
    return Arrangement((place, descending))


def column(rows: list[list[Any]], place: int = 0) -> list[Any]:
    return [row[place] for row in rows]


def without_index(pages: FramePages, rows: list[list[Any]]) -> list[list[Any]]:
    return [row[pages.levels :] for row in rows]


def numbers(many: int) -> Any:
    return pd.DataFrame({"n": range(many)})


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_page_is_what_stands_there_in_the_order_that_is_asked_for(library: Any) -> None:
    pages = FramePages(library({"n": [*range(120)], "s": [f"{n % 3}" for n in range(120)]}))
    n, s = pages.levels, pages.levels + 1
    assert column(pages.page(50, 3), n) == [50, 51, 52]
    assert column(pages.page(118, 50), n) == [118, 119]
    assert pages.page(500, 50) == []
    assert without_index(pages, pages.page(-5, 2, by(n, True))) == [[119, "2"], [118, "1"]]
    assert column(pages.page(0, 3, by(s, False)), n) == [0, 3, 6]
    assert column(pages.page(0, 3, by(s, True)), n) == [2, 5, 8]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("descending", [False, True])
def test_what_is_missing_comes_last(library: Any, *, descending: bool) -> None:
    pages = FramePages(library({"n": NUMBERS, "f": [float("nan"), 1.0, 2.0, float("inf")]}))
    n, f = pages.levels, pages.levels + 1
    assert column(pages.page(0, 9, by(n, descending)), n)[-1] is None
    assert column(pages.page(0, 9, by(f, descending)), f)[-1] is None
    assert "∞" in column(pages.page(0, 9, by(f, descending)), f)


def test_the_index_of_a_frame_is_shown_also_where_it_only_counts() -> None:
    pages = FramePages(numbers(3))
    assert (pages.columns, pages.dtypes) == (["index", "n"], ["index", "int64"])
    assert pages.page(0, 9, by(1, True)) == [[2, 2], [1, 1], [0, 0]]
    assert FramePages(pl.DataFrame({"n": [1]})).columns == ["n"]


def test_no_page_is_longer_than_may_be() -> None:
    assert len(FramePages(numbers(1_000)).page(0, 1_000)) == 200


def test_an_order_is_found_once_and_few_are_remembered() -> None:
    pages = FramePages(pd.DataFrame({str(n): [2, 1] for n in range(9)}))
    for place in range(9):
        pages.page(0, 2, by(place, False))
    known = pages._arranged  # pyright: ignore[reportPrivateUsage]
    kept = known[by(8, False)]
    assert len(known) == 4
    pages.page(1, 1, by(8, False))
    assert known[by(8, False)] is kept


def test_an_index_can_be_sorted_by_and_names_may_stand_twice() -> None:
    frame = pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"], index=["x", "b"])
    pages = FramePages(frame)
    assert pages.page(0, 9, by(0, False)) == [["b", 3, 4], ["x", 1, 2]]
    assert column(pages.page(0, 9, by(2, True)), 2) == [4, 2]
    both = FramePages(pd.DataFrame({"a": [1, 1], "b": [2, 1], "c": [0, 9]}).set_index(["a", "b"]))
    assert column(both.page(0, 9, by(1, False)), 2) == [9, 0]


def test_numbers_come_before_the_texts_among_them() -> None:
    pages = FramePages(pd.DataFrame({"a": [10, "x", None, 2, "b"]}))
    assert column(pages.page(0, 9, by(1, False)), 1) == [2, 10, "b", "x", None]
    assert column(pages.page(0, 9, by(1, True)), 1) == ["x", "b", 10, 2, None]


def test_a_series_has_pages_too() -> None:
    assert FramePages(pd.Series([2, 1], name="n")).page(0, 9, by(1, False)) == [[1, 1], [0, 2]]
    assert FramePages(pl.Series("n", [2, 1])).page(0, 9, by(0, False)) == [[1], [2]]


def test_later_changes_of_a_frame_do_not_reach_its_pages() -> None:
    frame = pd.DataFrame({"a": [1, 2]})
    pages = FramePages(frame)
    frame["b"] = 0
    frame.loc[0, "a"] = 9
    assert pages.page(0, 9) == [[0, 1], [1, 2]]


def test_a_text_is_given_whole_where_its_cell_is_cut() -> None:
    frame = pd.DataFrame({"t": ["a", "y" * 900, "z" * 30_000]}, index=["p", "q", "r"])
    pages = FramePages(frame)
    assert len(pages.page(1, 1)[0][1]) == 300  # pyright: ignore[reportArgumentType]
    assert pages.text(1, 1) == ("y" * 900, 900)
    assert pages.text(0, 1, by(1, True)) == ("z" * 20_000, 30_000)
    assert pages.text(0, 1, by(1, True), 20_000) == ("z" * 10_000, 30_000)
    assert pages.text(2, 0) == ("r", 1)


@pytest.mark.parametrize(("row", "place"), [(9, 1), (-1, 1), (0, 7), (0, -1)])
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
        pages.page(0, 9, by(0, False))


def test_wide_frames_are_read_by_a_hundred_columns_and_sorted_by_any() -> None:
    pages = FramePages(pl.DataFrame(np.arange(20_000).reshape(2, 10_000)))
    assert len(pages.columns) == len(pages.page(0, 1)[0]) == 100
    assert pages.page(0, 1, columns=(9_998, 20_000)) == [[9_998, 9_999]]
    assert pages.page(0, 1, by(9_999, True), (0, 2)) == [[10_000, 10_001]]
    heads = pages.heads(9_950, 10_050)
    assert (heads["start"], len(heads["columns"])) == (9_950, 50)  # pyright: ignore[reportArgumentType]
    with pytest.raises(LookupError, match="shows no column 10,001"):
        pages.page(0, 1, by(10_000, False))


def test_names_that_are_no_texts_stand_twice_or_hold_much_break_nothing() -> None:
    inner = pd.DataFrame({"x": [1]})
    frame = pd.DataFrame(
        [["y" * 1_000_000, inner, {"a": [1]}, None]], columns=[1, 1, ("a", 2), None]
    )
    pages = FramePages(frame)
    assert pages.columns == ["index", "1", "1", "('a', 2)", "None"]
    text, nested, mapping, missing = pages.page(0, 1)[0][1:]
    assert (str(text)[-3:], missing) == ("yy…", None)
    assert "x" in str(nested)
    assert mapping == "{'a': [1]}"
    assert pages.text(0, 1)[1] == 1_000_000
    assert pages.count(Arrangement(query="yyy")) == 1
    assert len(to_json(table_of(frame))) < 5_000


def test_a_filter_and_an_order_are_one_arrangement() -> None:
    frame = pd.DataFrame({"city": ["Oslo", "Quito", "Oslo"], "c": [3, 9, 1]}, index=["p", "q", "r"])
    pages = FramePages(frame)
    oslo = Arrangement((2, False), "oslo")
    assert pages.count(oslo) == 2
    assert pages.page(0, 9, oslo) == [["r", "Oslo", 1], ["p", "Oslo", 3]]
    assert pages.text(0, 0, oslo) == ("r", 1)
    assert pages.count(Arrangement(query="nobody")) == 0


def test_words_are_looked_for_in_as_many_columns_as_can_be_searched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(frame_pages, "MAX_SEARCHED", 6)
    pages = FramePages(
        pl.DataFrame({"a": ["x", "y"], "b": ["y", "z"], "c": ["z", "z"], "d": ["w", "x"]})
    )
    assert pages.searched == 3
    assert pages.count(Arrangement(query="w")) == 0
    assert pages.count(Arrangement(query="d:w")) == 1


def test_a_copy_has_all_of_each_cell_and_nothing_rounded() -> None:
    frame = pd.DataFrame({"a": [0.1 + 0.2, None], "b": ['say "x",\ty', "z" * 900]})
    pages = FramePages(frame)
    text, rows = pages.copied(Block(range(2), range(3)), kind="csv", has_heads=True)
    assert list(csv.reader(text.splitlines())) == [
        ["index", "a", "b"],
        ["0", "0.30000000000000004", 'say "x",\ty'],
        ["1", "", "z" * 900],
    ]
    assert rows == 2
    assert pages.copied(Block(range(1, 2), range(1, 3)), kind="tsv", has_heads=False) == (
        f"\t{'z' * 900}\n",
        1,
    )


def test_a_long_copy_comes_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame_pages, "MAX_COPIED", 10)
    pages = FramePages(numbers(100))
    _, rows = pages.copied(Block(range(100), range(2)), kind="csv", has_heads=False)
    assert 1 <= rows < 10


@pytest.mark.parametrize("library", LIBRARIES)
def test_what_is_selected_is_a_table_of_its_library(library: Any) -> None:
    pages = FramePages(library({"n": [3, 1, 2], "s": ["a", "b", "c"]}))
    assert pages.selected is None
    first = pages.levels
    chosen = pages.select([Block(range(2), range(first, first + 1))], by(first))
    assert (chosen.rows, chosen.columns) == ((1, 2), (0,))
    selected: Any = pages.selected
    assert selected.equals(library({"n": [3, 1, 2]})[1:3])
    pages.select([])
    assert pages.selected is None


def test_a_list_of_mappings_has_pages_too() -> None:
    pages = FramePages([{"a": n, "b": f"x{n}"} if n else {"a": n, 7: 1.5} for n in range(300)])
    assert pages.columns == ["a", "7", "b"]
    assert pages.page(299, 9) == [[299, None, "x299"]]
    assert pages.page(0, 1, by(0, True)) == [[299, None, "x299"]]
    pages.select([Block(range(1, 2), range(3))])
    assert pages.selected == [{"a": 1, 7: None, "b": "x1"}]


def test_a_long_table_names_its_source_and_a_whole_one_has_none() -> None:
    table = table_of(numbers(51))
    assert column(kept_frame(str(table["source"])).page(50, 9), 1) == [50]
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
    assert column(kept_frame(str(second)).page(99, 1), 1) == [-1]
    assert column(kept_frame(str(first)).page(99, 1), 1) == [99]


def test_where_no_page_can_ask_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, frame_sources.PAGES)
    assert "source" not in table_of(numbers(100))


def test_what_is_not_kept_is_said() -> None:
    with pytest.raises(LookupError, match="Run the cell again"):
        kept_frame("unknown")


@pytest.mark.medium
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
