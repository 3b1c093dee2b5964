"""A catalogue in a saved notebook: its rows as HTML, those of APIs to open, and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from nbagents.notebook.markup import (
    BOX,
    CODE,
    PLAIN,
    Html,
    aligned,
    fold,
    join,
    muted,
    pre,
    table,
    tag,
)
from nbagents.runs.wording import clipped, counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


MOST_HTML: Final = 60_000
"""Characters of a row's details that are still written: hostile texts grow as they are escaped."""
LINE: Final = "margin:0 0 4px"
INSIDE: Final = "margin:4px 0 8px 14px"
SUMMARY_WIDTH: Final = 80

Shown: TypeAlias = "Mapping[str, Any]"  # what `contents.py` gives, as JSON
Row: TypeAlias = "Mapping[str, Any]"


def shown_html(shown: Shown) -> Html:
    """The rows as a table, each API with its details folded, as far as they were kept."""
    head = join(
        *(tag("strong", one) if at == 0 else muted(one) for at, one in enumerate(_head(shown))),
        between=" · ",
    )
    return tag(
        "div",
        tag("p", head, style=LINE),
        *(tag("p", one, style=LINE) for one in _asked(shown)),
        _table(shown) if shown["rows"] else "",
        *(tag("p", muted(one), style=LINE) for one in _notes(shown)),
        **{"class": PLAIN, "style": BOX},
    )


def shown_text(shown: Shown) -> str:
    """The same as text."""
    rows = [_text_cells(one) for one in shown["rows"]]
    lines = [" · ".join(_head(shown)), *_asked(shown), *(aligned(rows) if rows else ())]
    return "\n".join([*lines, *_notes(shown)])


def matched_words(row: Row) -> dict[str, list[str]]:
    """The words of a query that hit, each with the fields in which it stands."""
    fields: dict[str, list[str]] = {}
    for field, words in row["why"].items():
        for word in words:
            fields.setdefault(word, []).append(field)
    return fields


def _head(shown: Shown) -> list[str]:
    size = shown["size"]
    said = shown["title"] or ("Catalogue" if size else "Hits")
    if not size:
        return [said]
    return [
        said,
        ", ".join(
            [
                counted(size["apis"], "API"),
                counted(size["tools"], "tool"),
                f"{size['categories']:,} {'category' if size['categories'] == 1 else 'categories'}",
            ]
        ),
    ]


def _asked(shown: Shown) -> list[str]:
    place = " › ".join(one for one in (shown["category"], shown["tool"]) if one)
    where = f" in {clipped(place, 200)}" if place else ""
    if not shown["query"]:
        return [clipped(place, 200)] if place else []
    return [f"“{shown['query']}”{where}: {counted(shown['total'], 'hit')}"]


def _notes(shown: Shown) -> list[str]:
    more = shown["total"] - len(shown["rows"])
    return [
        *([shown["hint"]] if shown["hint"] else []),
        *([f"{more:,} more of {shown['total']:,}"] if more > 0 else []),
    ]


def _table(shown: Shown) -> Html:
    rows: Sequence[Row] = shown["rows"]
    details = shown.get("details", {})
    if rows[0]["kind"] == "hit":
        head = ["API", "Matched words", "Score"]
    else:
        head = {"category": ["Category", "Holds"], "tool": ["Tool", "Holds"]}.get(
            rows[0]["kind"], ["API"]
        )
    drawn: list[list[str]] = []
    taken = 0
    for row in rows:
        first = _first_cell(row, details.get(row["name"]) if taken < MOST_HTML else None)
        taken += len(first)
        drawn.append([first, *_other_cells(row)])
    return table(drawn, head=head)


def _first_cell(row: Row, detail: Mapping[str, Any] | None) -> Html:
    if row["kind"] in ("category", "tool"):
        return join(row["name"])
    name = tag("code", row["name"], style=CODE)
    place = " › ".join(one for one in (row["category"], row.get("tool")) if one)
    about = muted(" — ".join(one for one in (place, row["summary"]) if one))
    said = join(name, about, between=" ")
    return fold(said, _detail(detail)) if detail else said


def _other_cells(row: Row) -> list[str]:
    if row["kind"] == "hit":
        words = (f"{word} ({', '.join(fields)})" for word, fields in matched_words(row).items())
        return [", ".join(words), f"{row['score']:.2f}"]
    return [] if row["kind"] == "api" else [_holds(row)]


def _holds(row: Row) -> str:
    tools = f"{counted(row['tools'], 'tool')}, " if row["kind"] == "category" else ""
    return f"{tools}{counted(row['apis'], 'API')}"


def _detail(detail: Mapping[str, Any]) -> Html:
    rows: list[list[str]] = [
        [tag("code", one["name"], style=CODE), one["type"], one["need"], one["description"]]
        for one in detail["parameters"]
    ]
    taken = table(rows, head=["Parameter", "Type", "Needed", "Description"]) if rows else ""
    about = " · ".join(one for one in (detail["api"], detail["method"], detail["source"]) if one)
    return tag(
        "div",
        tag("p", detail["description"], style=f"{LINE};white-space:pre-wrap"),
        taken,
        pre(detail["call"]),
        fold("JSON Schema", pre(detail["schema"])),
        tag("p", muted(about), style=LINE),
        style=INSIDE,
    )


def _text_cells(row: Row) -> list[str]:
    summary = clipped(row["summary"], SUMMARY_WIDTH)
    if row["kind"] == "hit":
        words = ", ".join(matched_words(row))
        return [row["name"], f"{row['score']:.2f}", summary, f"({words})" if words else ""]
    return [row["name"], summary if row["kind"] == "api" else _holds(row)]
