"""The states of the run view: what tests hold, the docs' pictures show, and axe reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, cast

from nbagents.events import EVENTS
from nbagents.notebook.saved.bundle import frozen_bundle
from nbagents.runs.tree.folding import fold, settle
from nbagents.runs.tree.projection import shown_tree
from tests.browser.shown_runs import everything
from tests.browser.states import calls, results, runs, stepping
from tests.browser.states.story import Json
from tests.told import patches_of

__all__ = ["STATES", "WIDE", "State"]

NARROW, USUAL, WIDE = 400, 700, 1280


@dataclass(frozen=True)
class State:
    """A run as it stands on a page.

    Args:
        name: What it is called in tests and files.
        events: What has happened.
        how: As it comes from a kernel, from a saved notebook in JupyterLab, or as saved HTML.
        widths: Of the page, in pixels.
        opens: What is clicked, one after the other, before one looks; `*` for all that opens.
        waits: What must be there before one looks.
        zoom: How much larger everything is.
    """

    name: str
    events: Callable[[], list[Json]]
    how: Literal["live", "saved", "html"] = "saved"
    widths: tuple[int, ...] = (USUAL,)
    opens: tuple[str, ...] = ()
    waits: str = ""
    zoom: float = 1

    @property
    def told(self) -> Json:
        """What the page is given."""
        about = {"how": self.how, "opens": self.opens, "waits": self.waits, "zoom": self.zoom}
        return {**about, "value": self._value}

    @cached_property
    def _value(self) -> object:
        events = self.events()
        if self.how == "live":
            return patches_of(events)
        tree = shown_tree(settle(fold(map(EVENTS.validate_python, events))))
        return (
            cast("str", frozen_bundle(tree, tree["root_ids"][0])["text/html"])
            if self.how == "html"
            else tree
        )


ROW, ALL = ".nba-row", "[aria-label='Open all']"
SEEN, ABOUT = "[aria-label='What the model saw']", "[aria-label='About this run']"

STATES = [
    State("ten-states", calls.ten_states, "live", (NARROW, USUAL, WIDE)),
    State("ten-states-open", calls.ten_states, "live", opens=("*",)),
    State("ten-states-zoomed", calls.ten_states, "live", (WIDE,), zoom=2),
    State("one-call", runs.one_call),
    State("one-call-open", runs.one_call, widths=(NARROW, USUAL), opens=(ROW,)),
    State("three-towns", calls.three_towns, widths=(NARROW, USUAL, WIDE)),
    State("three-towns-open", calls.three_towns, opens=(ALL,)),
    State("about", calls.three_towns, opens=(ABOUT,)),
    State("what-the-model-saw", runs.seen, opens=(SEEN,)),
    State("streaming", runs.streaming, "live", (NARROW, USUAL)),
    State("approval", runs.approval, "live", (NARROW, USUAL, WIDE)),
    State("approval-zoomed", runs.approval, "live", (WIDE,), zoom=2),
    State("form", runs.form, "live", (NARROW, USUAL)),
    State("choice", runs.choice, "live", (NARROW, USUAL)),
    State("step-request", stepping.next_request, "live", (NARROW, USUAL)),
    State("step-calls", stepping.next_calls, "live", (NARROW, USUAL)),
    State("step-model", stepping.next_request, "live", opens=("[data-act=model]",)),
    State("step-edited", stepping.edited, opens=(ROW,)),
    State("html-step-edited", stepping.edited, "html"),
    State("suspended", runs.suspended, "live"),
    State("failed", runs.failed),
    State("all-failed", calls.all_failed),
    State("limited", runs.limited),
    State("cancelled", runs.cancelled),
    State("unknown", runs.unknown),
    State("consented", runs.consented),
    State("nested", calls.nested, widths=(NARROW, USUAL)),
    State("many", calls.many, widths=(NARROW, USUAL)),
    State("parallel", calls.parallel, widths=(USUAL, WIDE)),
    State("table", results.table, widths=(NARROW, USUAL), waits=".nba-grid td"),
    State("chart", results.chart, waits=".nba-chart :is(svg, canvas)"),
    State("map", results.map_run, widths=(NARROW, USUAL), waits=".leaflet-container"),
    State("image", results.image),
    State("other-forms", results.other_forms, opens=(ROW,)),
    State("everything-open", everything, opens=("*",)),
    State("answer", results.answer, widths=(NARROW, USUAL), waits="pre code"),
    State("answer-zoomed", results.answer, widths=(WIDE,), waits="pre code", zoom=2),
    State("json-answer", results.json_answer),
    State("leftward", results.leftward),
    State("html-ten-states", calls.ten_states, "html"),
    State("html-three-towns", calls.three_towns, "html", (NARROW, USUAL)),
    State("html-parallel", calls.parallel, "html"),
    State("html-nested", calls.nested, "html"),
    State("html-answer", results.answer, "html", (NARROW, USUAL)),
    State("html-table", results.table, "html"),
    State("html-map", results.map_run, "html"),
    State("html-consented", runs.consented, "html"),
]
