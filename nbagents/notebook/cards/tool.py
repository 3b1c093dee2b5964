"""What `%tool` shows: a card of one tool, and the list of all, as HTML and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.notebook.cards.notes import notes
from nbagents.notebook.cards.parameters import Parameter, parameters_in_words
from nbagents.notebook.markup import BOX, PLAIN, Html, aligned, fold, join, muted, pre, table, tag
from nbagents.redaction import clean
from nbagents.runs.people import is_risky
from nbagents.runs.wording import as_json, clipped, counted, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.tools.tool import Tool

CODE = "background:transparent;padding:0;font-size:1.05em"
BADGE = "padding:0 6px;border:1px solid #8888;border-radius:8px;font-size:0.86em"
INSIDE = "margin:4px 0 8px 14px"
SENTENCE = 100
HOW_TO_MAKE_ONE = '''%%tool
def area(radius: float) -> float:
    """The area of a circle."""
    return 3.14159 * radius**2'''


def tool_card(tool: Tool) -> dict[str, object]:
    """A display bundle that says what a tool takes, does, and tells the model."""
    rows = _rows(tool)
    html, text = str(_card_html(tool, rows)), _card_text(tool, rows)
    return {"text/html": clean(html), "text/plain": clean(text)}


def tool_lines(tools: Sequence[Tool]) -> dict[str, object]:
    """A display bundle with a line per tool that was just made; each opens to all of its card."""
    html = tag("div", *map(_line_html, tools), **{"class": PLAIN, "style": BOX})
    return {"text/html": clean(str(html)), "text/plain": clean("\n".join(map(_line_text, tools)))}


def badges(tool: Tool) -> list[str]:
    """What one should know of a tool before a model has it, in a word or two each."""
    asks = tool.options.ask not in (None, False, "auto", "risky", "never")
    return [
        *(["asks you first"] if asks else []),
        *(["may destroy"] if is_risky(tool.options) else []),
        *(["never called"] if tool.options.ask == "never" else []),
        *(["private"] if tool.options.private else []),
    ]


def tool_signature(tool: Tool) -> str:
    """A tool as one would write its call: `weather(city, days=1)`."""
    return _signature(tool, _rows(tool))


def tool_list(tools: Sequence[Tool]) -> dict[str, object]:
    """A display bundle with a line per tool; of no tools, how to make one."""
    if not tools:
        return {"text/html": str(_empty_html()), "text/plain": _empty_text()}
    lines = [(_signature(tool, _rows(tool)), _first_line(tool.description)) for tool in tools]
    return {"text/html": clean(str(_list_html(lines))), "text/plain": clean(_list_text(lines))}


def _line_html(tool: Tool) -> Html:
    rows = _rows(tool)
    line = join(
        _signature_html(_signature(tool, rows)),
        muted(_first_sentence(tool.description) or "No description."),
        *(tag("span", one, style=BADGE) for one in badges(tool)),
        between=" ",
    )
    return fold(line, tag("div", *_about(tool, rows), style=INSIDE))


def _line_text(tool: Tool) -> str:
    said = _first_sentence(tool.description) or "No description."
    known = ", ".join(badges(tool))
    return visible(f"{_signature(tool, _rows(tool))}  {said}{f' ({known})' if known else ''}")


def _card_html(tool: Tool, rows: Sequence[Parameter]) -> Html:
    first = _first_line(tool.description)
    return tag(
        "div",
        tag("p", _signature_html(_signature(tool, rows)), style="margin:0 0 4px"),
        tag("p", first or tag("em", "No description."), style="margin:0 0 6px"),
        *_about(tool, rows),
        **{"class": PLAIN, "style": BOX},
    )


def _about(tool: Tool, rows: Sequence[Parameter]) -> list[Html]:
    """What stands below a tool's first line."""
    rest = tool.description.strip()[len(_first_line(tool.description)) :].strip()
    return [
        *([tag("p", muted(rest), style="margin:0 0 6px;white-space:pre-wrap")] if rest else []),
        _parameters_html(rows),
        tag("p", muted(" ".join(notes(tool))), style="margin:0 0 4px"),
        fold("JSON Schema, as the model gets it", pre(as_json(dict(tool.parameters), indent=2))),
    ]


def _parameters_html(rows: Sequence[Parameter]) -> Html:
    if not rows:
        return tag("p", "It takes nothing.", style="margin:0 0 6px")
    head = ["Parameter", "Type", "Needed", "Description"]
    cells: list[list[str]] = [
        [tag("code", row.name), row.type, row.need, row.description] for row in rows
    ]
    shown = 4 if any(row.description for row in rows) else 3
    return table([row[:shown] for row in cells], head=head[:shown])


def _card_text(tool: Tool, rows: Sequence[Parameter]) -> str:
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


def _signature(tool: Tool, rows: Sequence[Parameter]) -> str:
    return f"{tool.name}({clipped(', '.join(row.short for row in rows), 100)})"


def _signature_html(signature: str) -> Html:
    name, _, rest = signature.partition("(")
    return tag("code", tag("strong", name), f"({rest}", style=CODE)


def _first_line(description: str) -> str:
    return description.strip().split("\n", 1)[0].strip()


def _first_sentence(description: str) -> str:
    """As much of a description as a line has room for."""
    return clipped(_first_line(description), SENTENCE)


def _rows(tool: Tool) -> list[Parameter]:
    return parameters_in_words(tool.schema.parameters, tool.schema.handles)
