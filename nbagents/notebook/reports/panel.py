"""Rows to look over in the notebook: live while a page is there, else as HTML and text."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

import traitlets
from nbagents_widgets.displays import WIDGET_MIME
from nbagents_widgets.library import loader_for
from nbagents_widgets.still_or_live import StillOrLive

from nbagents.notebook.markup import PLAIN, Html, aligned, muted, table, tag
from nbagents.runs.wording import clipped, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pydantic import JsonValue

WIDEST: Final = 120
"""Characters of one cell in the text form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """What can be done about a row, by a button."""

    label: str
    title: str
    asks: dict[str, JsonValue]
    """What the page sends back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row."""

    cells: Sequence[str]
    acts: Sequence[Act] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Rows of one kind."""

    title: str
    rows: Sequence[Row]
    head: Sequence[str] = ()
    empty: str = ""
    """What is said where there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """All that is shown."""

    title: str
    sections: Sequence[Section]
    notes: Sequence[str] = ()
    filters: Mapping[str, str] | None = None
    tools: Sequence[str] = ()
    statuses: Sequence[str] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """As the page reads it (Any: JSON)."""
        return asdict(self)


class PanelView(StillOrLive):
    """A panel in the notebook.

    Args:
        make: Makes what is shown; called again when something was done.
        do: Does what a button or a filter asks for, in any thread.
        still: The static forms of a panel; by default its own.
    """

    _esm = loader_for("panel")

    # What is shown (Any: JSON). Python writes, the page reads.
    shown: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        make: Callable[[], Panel],
        do: Callable[[Mapping[str, Any]], None],
        still: Callable[[Panel], dict[str, object]] | None = None,
    ) -> None:
        self._make = make
        self._do = do
        self._still = still or panel_bundle
        self._last = make()
        super().__init__(shown=self._last.as_json())

    def answer(self, question: Any) -> Any:  # Any: JSON of the page's
        """Do what is asked for; what is to be shown then.

        Raises:
            ValueError: It cannot be done.
        """
        self._do(question)
        self.renew()
        return self.shown

    def renew(self) -> None:
        """Show how things stand now, if they are other than they were; in any thread."""
        made = self._make()
        if made != self._last:
            self._last = made
            self.shown = made.as_json()

    def still(self) -> dict[str, Any]:
        """The rows as HTML and as text, and as what the extension of JupyterLab draws."""
        panel = self._make()
        shown = {"kind": "panel", "value": panel.as_json()}
        return {**self._still(panel), WIDGET_MIME: shown}

    def __repr__(self) -> str:
        return str(panel_bundle(self._last)["text/plain"])


def panel_bundle(panel: Panel) -> dict[str, object]:
    """A panel as HTML and as text, without its buttons."""
    return {"text/html": str(_html(panel)), "text/plain": _text(panel)}


def _html(panel: Panel) -> Html:
    return tag(
        "div",
        tag("p", tag("strong", panel.title), style="margin:0 0 4px"),
        *(_section(one) for one in panel.sections),
        *(tag("p", muted(note), style="margin:0 0 4px") for note in panel.notes),
        **{"class": PLAIN, "style": "max-width:960px;line-height:1.5"},
    )


def _section(section: Section) -> Html:
    rows = [list(one.cells) for one in section.rows]
    head = list(section.head)
    drawn = table(rows, head=head or None, gap="10px") if rows else tag("p", muted(section.empty))
    title = tag("p", tag("strong", section.title), style="margin:6px 0 0") if section.title else ""
    return tag("div", title, tag("div", drawn, style="overflow:auto;font-size:0.92em"))


def _text(panel: Panel) -> str:
    lines = [panel.title]
    for one in panel.sections:
        rows = [list(row.cells) for row in one.rows]
        cells = [
            [clipped(cell, WIDEST) for cell in row]
            for row in [*([one.head] * bool(one.head and rows)), *rows]
        ]
        shown = aligned(cells) if rows else [f"  {one.empty}"] * bool(one.empty)
        lines += [*([one.title] if one.title else []), *shown]
    return "\n".join(visible(line) for line in [*lines, *panel.notes])
