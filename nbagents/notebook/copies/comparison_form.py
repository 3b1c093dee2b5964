"""Two runs beside each other, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nbagents.notebook.markup import Html, join, tag
from nbagents.notebook.saved import GREEN, RED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nbagents.runs.wording import CallPair, Compared

CELL: Final = "text-align:left;vertical-align:top;padding:2px 12px 2px 0;overflow-wrap:anywhere"
WHOLE: Final = ";white-space:nowrap"
"""Of the first of each row, a word or a sign: it is never broken."""
PLAIN: Final = f"{CELL};opacity:0.75"
GROUNDS: Final = {"+": f"background:{GREEN}2b", "-": f"background:{RED}2b"}
"""The words have the page's own colour, so that they are read on white and on dark alike."""
MONO: Final = "margin:4px 0;white-space:pre-wrap"


def comparison_markup(found: Compared, names: tuple[str, str]) -> Html:
    """What differs between two runs, as tables; what is the same is faint.

    Args:
        found: What differs.
        names: What the two are called.
    """
    facts = [_row(("", *names), "th", CELL)]
    facts += [
        _row((one.name, one.a, one.b), "td", PLAIN if one.is_same else CELL) for one in found.facts
    ]
    calls = [_row(("", "call", "gave"), "th", CELL), *map(_call, found.calls)]
    answer = found.answer or ("The answers are the same.",)
    return tag(
        "div",
        tag("table", *facts),
        tag("table", *calls) if found.calls else "",
        tag("pre", join(*map(_line, answer), between="\n"), style=MONO),
    )


def _call(pair: CallPair) -> Html:
    indent = "\u00a0" * 4 * pair.depth
    style = PLAIN if pair.is_same else f"{CELL};{GROUNDS.get(pair.sign, '')}".rstrip(";")
    words = (pair.sign, tag("code", f"{indent}{pair.what}"), pair.gave)
    return _row(words, "td", style)


def _row(cells: Iterable[str], name: str, style: str) -> Html:
    first, *others = cells
    return tag(
        "tr",
        tag(name, first, style=style + WHOLE),
        *(tag(name, one, style=style) for one in others),
    )


def _line(line: str) -> Html:
    ground = GROUNDS.get(line[:1])
    return tag("span", line, style=ground) if ground else tag("span", line)
