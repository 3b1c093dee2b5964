"""Goes through all states once and notes what a test or a file wants to know of them."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.browser.states.committed import box_differences
from tests.browser.states.page import THEMES, StatesPage, Theme, states_page
from tests.browser.states.state import STATES, State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playwright.sync_api import Browser

__all__ = ["Survey", "survey_of"]

AGAIN = 3
"""A state that differs is shown anew so often: a machine may be too busy to draw it in time."""

BORNE = re.compile(r"html-answer \d+: frozen p “.*” runs out of its box")
"""Saved HTML does not break words that are longer than a line."""

UNFOCUSED = "scrollable-region-focusable"
"""JupyterLab's sanitizer leaves no `tabindex` in saved HTML; browsers give such panes the focus."""


@dataclass
class Survey:
    """What was seen.

    Args:
        boxes: By state and width, where everything stands.
        colours: By theme and element, its colours.
        seen_in: By element and colours, the first state that has them.
        faults: What must not be: faint or misplaced words, and what axe-core finds.
    """

    boxes: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    colours: dict[Theme, dict[str, set[str]]] = field(
        default_factory=lambda: {theme: defaultdict(set) for theme in THEMES}
    )
    seen_in: dict[str, str] = field(default_factory=dict[str, str])
    faults: list[str] = field(default_factory=list[str])

    def note_colours(self, where: str, theme: Theme, found: Mapping[str, list[str]]) -> None:
        """Keep the colours of a state."""
        for name, all_of_it in found.items():
            for one in all_of_it:
                self.colours[theme][name].add(one)
                self.seen_in.setdefault(f"{name} {one}", where)


def survey_of(browser: Browser, was: Mapping[str, Mapping[str, str]]) -> Survey:
    """Show every state in every width, and the first width in every theme.

    Args:
        browser: A Chromium.
        was: The boxes that are expected: of what differs a second look is taken.
    """
    survey = Survey()
    with states_page(browser, with_axe=True) as page:
        for state in STATES:
            for width_px in state.widths:
                page.use("lab-light")
                name = f"{state.name} {width_px}"
                survey.boxes[name] = steady_boxes(page, state, width_px, was.get(name, {}))
                misplaced = [f"{name}: {one}" for one in page.asked("misplaced")]
                survey.faults += [one for one in misplaced if not BORNE.match(one)]
            look(page, survey, state)
        survey.faults += page.watch.did()
    return survey


def steady_boxes(
    page: StatesPage, state: State, width_px: int, was: Mapping[str, str]
) -> dict[str, str]:
    """Where everything stands in a state."""
    found: dict[str, str] = {}
    for _ in range(AGAIN):
        page.show(state, width_px)
        found = page.asked("boxes")
        if not was or not box_differences(was, found):
            break
    return found


def look(page: StatesPage, survey: Survey, state: State) -> None:
    """What the state that is shown looks like in every theme, and what is wrong with it."""
    for theme in THEMES:
        page.use(theme)
        survey.note_colours(state.name, theme, page.asked("colours"))
        found = [*page.asked("faint"), *violations(page, theme)]
        if state.how == "html":
            found = [one for one in found if not one.startswith(UNFOCUSED)]
        survey.faults += [f"{state.name}, {theme}: {one}" for one in found]


def violations(page: StatesPage, theme: Theme) -> list[str]:
    """What axe-core finds: everything in one theme, and in others what depends on it."""
    match theme:
        case "lab-light":
            return page.violations()
        case "lab-dark" | "forced":
            return page.violations("color-contrast")
        case _:
            return []
