"""A model's Markdown as markup."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any

import pytest
from trees import Page

from nbagents.notebook.markup.safe_markdown import markdown


def bare(text: str) -> str:
    """The markup without styles."""
    return re.sub(r' (style|align)="[^"]*"', "", markdown(text))


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        (
            "a **b** *c* ~~d~~ `e`",
            "<p>a <strong>b</strong> <em>c</em> <s>d</s> <code>e</code></p>",
        ),
        ("# One\n\n#### Four", "<p><strong>One</strong></p><p><strong>Four</strong></p>"),
        ("- a\n- b", "<ul><li>a</li><li>b</li></ul>"),
        ("3. a\n4. b", '<ol start="3"><li>a</li><li>b</li></ol>'),
        ("- a\n  1. b", "<ul><li>a<ol><li>b</li></ol></li></ul>"),
        ("- [x] a\n- [ ] b\n- c [x] d", "<ul><li>☑ a</li><li>☐ b</li><li>c &#91;x] d</li></ul>"),
        ("1. [X] a\n\n2. [y] b", "<ol><li><p>☑ a</p></li><li><p>&#91;y] b</p></li></ol>"),
        ("[x] a", "<p>&#91;x] a</p>"),
        ("שלום\n\n- a", '<p dir="auto">שלום</p><ul dir="auto"><li>a</li></ul>'),
        ("> a", "<blockquote><p>a</p></blockquote>"),
        ("```python\na < b\n```", "<pre><code>a &lt; b</code></pre>"),
        ("a  \nb", "<p>a<br>b</p>"),
        ("a\nb", "<p>a&#10;b</p>"),
        ("---", "<hr>"),
        ("AT&amp;T &lt; `&lt;`", "<p>AT&amp;T &lt; <code>&amp;lt;</code></p>"),
        ("a <b>c</b>", "<p>a &lt;b&gt;c&lt;/b&gt;</p>"),
        ("<div>\nc\n</div>", "<p>&lt;div&gt;&#10;c&#10;&lt;/div&gt;</p>"),
        ("snake_case_name and 2*3*4", "<p>snake_case_name and 2<em>3</em>4</p>"),
        ("", ""),
    ],
)
def test_markdown_becomes_markup(text: str, markup: str) -> None:
    assert bare(text) == markup


def test_a_table_keeps_its_alignment_without_styles_too() -> None:
    assert re.sub(r' style="[^"]*"', "", markdown("| a | b |\n|---|--:|\n| 1 | 2 |")) == (
        '<table><thead><tr><th align="left">a</th><th align="right">b</th></tr></thead>'
        '<tbody><tr><td align="left">1</td><td align="right">2</td></tr></tbody></table>'
    )


def test_a_heading_is_no_heading_so_that_the_table_of_contents_stays_the_notebooks() -> None:
    assert "<h" not in markdown("# One\n\nTwo\n===")


@pytest.mark.parametrize(
    "address", ["https://a.example/b?c=d&e=f", "http://a.example", "mailto:a@b.example"]
)
def test_a_web_address_is_a_link(address: str) -> None:
    escaped = address.replace("&", "&amp;")
    assert (
        bare(f"[x]({address})")
        == f'<p><a href="{escaped}" rel="noopener noreferrer nofollow">x</a></p>'
    )


@pytest.mark.parametrize(
    "address",
    ["javascript:x", "data:text/html,x", "file:///etc/passwd", "../a.ipynb", "//a.example"],
)
def test_any_other_address_is_text(address: str) -> None:
    for written in (f"[x]({address})", f"![x]({address})", f"[x][1]\n\n[1]: {address}"):
        assert "<a" not in markdown(written)
        assert "<img" not in markdown(written)
        assert address in markdown(written)


def test_a_bare_autolink_is_a_link() -> None:
    assert 'href="https://a.example"' in markdown("<https://a.example>")


def lines_run(text: str) -> int:
    """How many lines of Python it takes to write a text as markup."""
    count = 0

    def count_one(_frame: object, event: str, _what: object) -> Any:  # Any: a trace function
        nonlocal count
        count += event == "line"
        return count_one

    before = sys.gettrace()
    sys.settrace(count_one)
    try:
        markdown(text)
    finally:
        sys.settrace(before)
    return count


SLOW: dict[str, Callable[[int], str]] = {
    "brackets": lambda many: "[" * many,
    "pictures": lambda many: "![" * many,
    "links": lambda many: "[a](" * many,
    "emphasis": lambda many: "*a **b " * many,
    "emphasis crosswise": lambda many: "*a _b " * many + " b_ a*" * many,
    "strong": lambda many: "**a " * many + " a**" * many,
    "backticks": lambda many: "`a``" * many,
    "tildes": lambda many: "~~a" * many,
    "quotes": lambda many: "> " * many,
    "lists": lambda many: "- " * many,
    "tags": lambda many: "<a " * many,
    "rows": lambda many: "|a|b|\n|-|-|\n" + "|x|y|\n" * many,
    "entities": lambda many: "&" * many,
    "backslashes": lambda many: "\\" * many,
}


@pytest.mark.medium
@pytest.mark.parametrize("what", SLOW)
def test_text_made_to_be_slow_is_not(what: str) -> None:
    make = SLOW[what]
    markdown(make(2))  # loads what the first one loads
    once, twice = lines_run(make(200)), lines_run(make(400))
    assert twice <= 2.2 * once  # a parser with a square in it takes four times as many


@pytest.mark.medium
@pytest.mark.parametrize("what", SLOW)
def test_text_without_end_is_written(what: str) -> None:
    assert markdown(SLOW[what](8000))


@pytest.mark.parametrize("mark", ["*", "**", "~~", "_"])
def test_nesting_without_end_is_shown_flat(mark: str) -> None:
    page = Page(markdown(f"{mark}a " * 3000 + "end" + f" a{mark}" * 3000))
    assert page.open_tags == []
    assert page.deepest <= 41
    assert "end" in page.text
