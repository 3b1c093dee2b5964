"""What `%nbagents` says: sentences and a table, as HTML and as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbagents.notebook.markup.markup import Html, muted, table, tag
from nbagents.runs.wording import clipped, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

PLAIN = "tex2jax_ignore mathjax_ignore"  # MathJax would take `$` in what is said for a formula
CODE = "background:transparent;padding:0"
WHOLE = f"{CODE};white-space:nowrap"
"""An id is one word: half of it is not to be copied."""
TABLE_BOX = "overflow:auto;font-size:0.92em"
GAP = "10px"
BOX = "max-width:960px;line-height:1.5"
WIDEST = 240
"""Characters of one cell in the text form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One report; of cells, those of `code` are set as such."""

    title: str
    rows: Sequence[Sequence[str]]
    head: Sequence[str] = ()
    """Without one each row's first cell names the row."""
    notes: Sequence[str] = ()
    code: Sequence[int] = ()
    ids: Sequence[int] = ()
    """Of the columns of code those that stand on one line."""


def report_bundle(report: Report) -> dict[str, object]:
    """A display bundle."""
    return {"text/html": str(_html(report)), "text/plain": _text(report)}


def aligned(cells: Sequence[Sequence[str]]) -> list[str]:
    """Rows of text whose columns begin below each other."""
    shown = [[visible(cell) for cell in row] for row in cells]
    widths = [max(len(cell) for cell in column) for column in zip(*shown, strict=True)]
    padded = [[cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in shown]
    return [f"  {'  '.join(row)}".rstrip() for row in padded]


def _html(report: Report) -> Html:
    rows: list[list[str]] = [
        [
            tag("code", cell, style=WHOLE if at in report.ids else CODE)
            if at in report.code and cell
            else cell
            for at, cell in enumerate(row)
        ]
        for row in report.rows
    ]
    return tag(
        "div",
        tag("p", tag("strong", report.title), style="margin:0 0 4px") if report.title else "",
        tag("div", table(rows, head=list(report.head) or None, gap=GAP), style=TABLE_BOX)
        if rows
        else "",
        *(tag("p", muted(note), style="margin:0 0 4px") for note in report.notes),
        **{"class": PLAIN, "style": BOX},
    )


def _text(report: Report) -> str:
    rows = [*([report.head] if report.head else []), *report.rows]
    cells = [[clipped(cell, WIDEST) for cell in row] for row in rows]
    notes = [visible(note) for note in report.notes]
    return "\n".join([*([report.title] if report.title else []), *aligned(cells), *notes])
