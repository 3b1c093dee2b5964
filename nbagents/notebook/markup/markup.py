"""Markup by construction: every text is escaped as it joins, so nothing a model wrote is markup.

What comes out keeps to what JupyterLab's sanitizer lets through, which also is what GitHub shows:
no script, no class that matters, inline styles that may all be lost.
Source: jupyterlab/jupyterlab, `packages/apputils/src/sanitizer.ts`.

It is one line, and what Markdown would act on stands as a reference: `nbconvert --to markdown` puts
the markup into a Markdown file, where the first blank line would end it and all that follows would
be read as Markdown, pictures to be fetched included.
Source: CommonMark 0.31.2, 4.6 HTML blocks.
"""

from __future__ import annotations

import html
import re

from nbagents.runs.wording import visible

LINE = "1px solid #8884"
"""Translucent grey: reads on a white and on a black page."""
CELL = "text-align:left;vertical-align:baseline;padding:2px {gap} 2px 0"
PRE = (
    "margin:2px 0 6px;padding:6px 8px;background:#8881;border-radius:4px;white-space:pre-wrap;"
    "word-break:normal;max-height:24em;overflow:auto"
)
ACTS_IN_MARKDOWN = re.compile(r"[\n\[`*\\~]|(?<![^\W_])_|_(?![^\W_])")
"""What ends an HTML block, or begins a link, a picture, code or emphasis inside of one."""
VOID = frozenset({"img", "br", "hr", "link"})

UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")
"""What no UTF-8 file or database column takes."""


class Html(str):
    """Text that is markup already. Any other string is escaped when it joins it."""

    __slots__ = ()


def join(*parts: str, between: str = "") -> Html:
    """The parts in a row; what is no markup yet is escaped."""
    return Html(_escaped(between).join(_escaped(part) for part in parts if part))


def tag(name: str, *children: str, style: str = "", **attributes: str) -> Html:
    """An element. An attribute of no text, like `open=""`, stands bare."""
    start = opening(name, style, **attributes)
    return start if name in VOID else Html(f"{start}{join(*children)}</{name}>")


def opening(name: str, style: str = "", **attributes: str) -> Html:
    """The first half of an element, for markup that is written as it is read."""
    given = {**attributes, "style": style} if style else attributes
    return Html(f"<{name}{''.join(f' {key}{_value(text)}' for key, text in given.items())}>")


def fold(
    summary: str,
    *body: str,
    opened: bool = False,
    style: str = "",
    head: str = "",
    name: str = "",
    **attributes: str,
) -> Html:
    """A disclosure.

    Args:
        summary: What always shows.
        body: What it opens.
        opened: Whether it is open at first.
        style: Of the whole, as `attributes` are.
        head: The style of the summary.
        name: The class of the summary.
        attributes: Of the whole.
    """
    of_head = {"class": name} if name else {}
    pointer = f"cursor:pointer{';' + head if head else ''}"
    first = tag("summary", summary, style=pointer, **of_head)
    given = {**attributes, **({"open": ""} if opened else {})}
    return tag("details", first, *body, style=style, **given)


def muted(*parts: str) -> Html:
    """Words that matter less."""
    return tag("span", *parts, style="opacity:0.75;font-size:0.92em")


def unstyled(words: str) -> Html:
    """Words that part others where styles are lost, and are unseen where they are not."""
    return tag("span", words, style="display:none")


def pre(text: str) -> Html:
    """Text as it stands, wrapped, with a scroll bar where it is long.

    It is code inside, since a page of nbconvert's writes only that in letters of one width.
    """
    return tag("pre", tag("code", text, style="background:transparent;padding:0"), style=PRE)


def table(rows: list[list[str]], *, head: list[str] | None = None, gap: str = "14px") -> Html:
    """A table; without `head` each row's first cell names the row."""
    style = CELL.format(gap=gap)
    top = tag("thead", _row(head, style, all_named=True)) if head else Html()
    drawn = [_row(row, style, all_named=False, first_named=not head) for row in rows]
    body = tag("tbody", *drawn)
    return tag("table", top, body, style="margin:2px 0 6px;border-collapse:collapse;font-size:1em")


def _row(cells: list[str], style: str, *, all_named: bool, first_named: bool = False) -> Html:
    drawn = [
        tag("th", cell, scope="col", align="left", style=f"{style};font-weight:bold")
        if all_named
        else tag(
            "th", cell, scope="row", align="left", style=f"{style};font-weight:400;opacity:0.75"
        )
        if first_named and place == 0
        else tag("td", cell, style=style)
        for place, cell in enumerate(cells)
    ]
    return tag("tr", *drawn, style="background:transparent")


def _escaped(part: str) -> str:
    return part if isinstance(part, Html) else _inert(part)


def _value(text: str) -> str:
    return f'="{_inert(text).replace(chr(34), "&quot;")}"' if text else ""


def _inert(text: str) -> str:
    escaped = html.escape(visible(text), quote=False)
    return ACTS_IN_MARKDOWN.sub(lambda found: f"&#{ord(found[0])};", escaped)
