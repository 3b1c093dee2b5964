"""A model's Markdown as markup."""

from __future__ import annotations

import re
import time

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


@pytest.mark.medium
@pytest.mark.parametrize(
    "text",
    [
        "[" * 20_000,
        "![" * 8000,
        "[a](" * 8000,
        "*a **b " * 8000,
        "*a _b " * 4000 + " b_ a*" * 4000,
        "**a " * 4000 + " a**" * 4000,
        "`a``" * 8000,
        "~~a" * 8000,
        "> " * 8000,
        "- " * 8000,
        "<a " * 8000,
        "|a|b|\n|-|-|\n" + "|x|y|\n" * 4000,
        "&" * 20_000,
        "\\" * 20_000,
    ],
)
def test_text_made_to_be_slow_is_not(text: str) -> None:
    started = time.process_time()
    markdown(text)
    assert time.process_time() - started < 8  # a parser with a square in it takes 30 s


@pytest.mark.medium
@pytest.mark.parametrize("mark", ["*", "**", "~~", "_"])
def test_nesting_without_end_is_shown_flat(mark: str) -> None:
    page = Page(markdown(f"{mark}a " * 3000 + "end" + f" a{mark}" * 3000))
    assert page.open_tags == []
    assert page.deepest <= 41
    assert "end" in page.text
