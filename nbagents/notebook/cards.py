"""What `%tool` shows: a card of one tool, and the list of all, as HTML and as text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from nbagents.notebook.cards_notes import notes
from nbagents.notebook.cards_schema import type_in_words, without_null
from nbagents.notebook.frozen_markup import Html, fold, muted, pre, table, tag
from nbagents.notebook.report import PLAIN, aligned
from nbagents.redaction import clean
from nbagents.runs.tree.python import literal
from nbagents.runs.tree.visible import plain, visible
from nbagents.runs.tree.words import as_json, clipped, counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import JsonValue

    from nbagents.tools.tool import Tool

__all__ = ["tool_card", "tool_list"]

CODE = "background:transparent;padding:0;font-size:1.05em"
BOX = "max-width:960px;line-height:1.5"
HANDLE = re.compile(r"(^|\s*\()a handle: [^)]*\)?$")
"""What a schema tells the model of a parameter that takes an object."""
HOW_TO_MAKE_ONE = '''%%tool
def area(radius: float) -> float:
    """The area of a circle."""
    return 3.14159 * radius**2'''


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One parameter, in words."""

    name: str
    type: str
    need: str
    """`required`, `optional`, or the default."""
    short: str
    """As it stands in the signature: `city`, `days=1`."""
    description: str


def tool_card(tool: Tool) -> dict[str, object]:
    """A display bundle that says what a tool takes, does, and tells the model."""
    rows = _rows(tool)
    html, text = str(_card_html(tool, rows)), _card_text(tool, rows)
    return {"text/html": clean(html), "text/plain": clean(text)}


def tool_list(tools: Sequence[Tool]) -> dict[str, object]:
    """A display bundle with a line per tool; of no tools, how to make one."""
    if not tools:
        return {"text/html": str(_empty_html()), "text/plain": _empty_text()}
    lines = [(_signature(tool, _rows(tool)), _first_line(tool.description)) for tool in tools]
    return {"text/html": clean(str(_list_html(lines))), "text/plain": clean(_list_text(lines))}


def _card_html(tool: Tool, rows: Sequence[Row]) -> Html:
    first = _first_line(tool.description)
    rest = tool.description.strip()[len(first) :].strip()
    return tag(
        "div",
        tag("p", _signature_html(_signature(tool, rows)), style="margin:0 0 4px"),
        tag("p", first or tag("em", "No description."), style="margin:0 0 6px"),
        tag("p", muted(rest), style="margin:0 0 6px;white-space:pre-wrap") if rest else "",
        _parameters_html(rows),
        tag("p", muted(" ".join(notes(tool))), style="margin:0 0 4px"),
        fold("JSON Schema, as the model gets it", pre(as_json(dict(tool.parameters), indent=2))),
        **{"class": PLAIN, "style": BOX},
    )


def _parameters_html(rows: Sequence[Row]) -> Html:
    if not rows:
        return tag("p", "It takes nothing.", style="margin:0 0 6px")
    head = ["Parameter", "Type", "Needed", "Description"]
    cells: list[list[str]] = [
        [tag("code", row.name), row.type, row.need, row.description] for row in rows
    ]
    shown = 4 if any(row.description for row in rows) else 3
    return table([row[:shown] for row in cells], head=head[:shown])


def _card_text(tool: Tool, rows: Sequence[Row]) -> str:
    cells = [[row.name, row.type, row.need, clipped(row.description, 80)] for row in rows]
    return "\n".join(
        [
            visible(_signature(tool, rows)),
            *(f"  {line}" for line in visible(tool.description.strip()).split("\n") if line),
            "",
            *(aligned(cells) or ["  It takes nothing."]),
            "",
            *(f"  {visible(note)}" for note in notes(tool)),
        ]
    )


def _list_html(lines: Sequence[tuple[str, str]]) -> Html:
    cells: list[list[str]] = [[_signature_html(signature), first] for signature, first in lines]
    return tag(
        "div",
        tag("p", muted(counted(len(lines), "tool")), style="margin:0"),
        table(cells, head=["Tool", "What it does"]),
        **{"class": PLAIN, "style": BOX},
    )


def _list_text(lines: Sequence[tuple[str, str]]) -> str:
    body = aligned([[clipped(signature, 60), clipped(first, 80)] for signature, first in lines])
    return "\n".join([counted(len(lines), "tool"), *body])


def _empty_html() -> Html:
    said = tag(
        "p", "No tools yet. A function becomes one with ", tag("code", "%%tool"), " above it:"
    )
    return tag("div", said, pre(HOW_TO_MAKE_ONE), **{"class": PLAIN, "style": BOX})


def _empty_text() -> str:
    example = HOW_TO_MAKE_ONE.replace("\n", "\n    ")
    return f"No tools yet. A function becomes one with %%tool above it:\n\n    {example}"


def _signature(tool: Tool, rows: Sequence[Row]) -> str:
    return f"{tool.name}({clipped(', '.join(row.short for row in rows), 100)})"


def _signature_html(signature: str) -> Html:
    name, _, rest = signature.partition("(")
    return tag("code", tag("strong", name), f"({rest}", style=CODE)


def _first_line(description: str) -> str:
    return description.strip().split("\n", 1)[0].strip()


def _rows(tool: Tool) -> list[Row]:
    """The parameters as the function takes them; a strict schema has no room for defaults."""
    schema = cast("Mapping[str, Any]", tool.schema.parameters)
    definitions = cast("Mapping[str, Any]", schema.get("$defs") or {})
    required = frozenset(cast("Sequence[str]", schema.get("required") or ()))
    properties = cast("Mapping[str, JsonValue]", schema.get("properties") or {})
    rows = {
        name: _row(name, one, definitions, is_required=name in required)
        for name, one in properties.items()
    }
    for name, kind in tool.schema.handles.items():
        if rows[name].type == "text":  # else a list of handles, or a handle or something else
            said = HANDLE.sub("", rows[name].description)
            rows[name] = replace(rows[name], type=f"{kind}, by handle", description=said)
    return list(rows.values())


def _row(name: str, schema: JsonValue, definitions: Mapping[str, Any], *, is_required: bool) -> Row:
    about = schema if isinstance(schema, dict) else {}
    need, short = ("required", name) if is_required else ("optional", f"{name}=…")
    if "default" in about:
        written = plain(literal(about["default"]))
        need, short = f"default {clipped(written, 40)}", f"{name}={clipped(written, 20)}"
        if about["default"] is None:
            need, schema = "optional", without_null(about)
    return Row(
        name=name,
        type=type_in_words(schema, definitions),
        need=need,
        short=short,
        description=str(about.get("description") or ""),
    )
