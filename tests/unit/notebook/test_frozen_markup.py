"""Markup by construction."""

from __future__ import annotations

import pytest

from nbagents.notebook.markup.markup import Html, fold, join, opening, pre, table, tag
from nbagents.runs.wording.visible_text import visible


def test_text_is_escaped_and_markup_is_not() -> None:
    assert join("a < b", Html("<br>"), "&") == "a &lt; b<br>&amp;"


def test_markup_joined_by_hand_is_text_again() -> None:
    assert join(Html("<b>") + "x") == "&lt;b&gt;x"


def test_what_stands_between_is_escaped_too_and_empty_parts_are_left_out() -> None:
    assert join("a", "", "b", between=" & ") == "a &amp; b"


def test_an_attribute_cannot_be_left() -> None:
    made = tag("a", "x", href='https://a.example/"onclick="x\'<>&')
    expected = "https://a.example/&quot;onclick=&quot;x'&lt;&gt;&amp;"
    assert made == f'<a href="{expected}">x</a>'


def test_an_attribute_without_text_stands_bare_and_one_for_style_comes_last() -> None:
    assert tag("details", style="margin:0", open="") == '<details open style="margin:0"></details>'


def test_an_element_that_holds_nothing_has_no_end() -> None:
    assert tag("br") == "<br>"
    assert opening("p") == "<p>"


def test_a_fold_is_open_only_when_asked() -> None:
    assert fold("s", "b") == '<details><summary style="cursor:pointer">s</summary>b</details>'
    assert fold("s", "b", opened=True).startswith("<details open>")


def test_a_table_names_its_columns_or_its_rows() -> None:
    rows = [["a", "b"]]
    assert table(rows).count('scope="row"') == 1
    assert table(rows, head=["A", "B"]).count('scope="col"') == 2
    assert table(rows, head=["A", "B"]).count('scope="row"') == 0


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\nc", "a\tb\nc"),
        ("a\r\nb", "a\nb"),
        ("a\rb", "a\\rb"),
        ("\x1b[2J", "\\x1b[2J"),
        ("\x00\x85", "\\x00\\x85"),
        ("a\u202eb\u2066c", "a\\u202eb\\u2066c"),
        ("\ud83d", "\\ud83d"),
        ("é 日本 😀 שלום", "é 日本 😀 שלום"),
        ("👩\u200d🔬", "👩\u200d🔬"),
    ],
)
def test_only_what_acts_unseen_is_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_code_keeps_its_blanks() -> None:
    assert "  a&#10;    b" in pre("  a\n    b")
