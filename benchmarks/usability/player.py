"""Plays a strategy in JupyterLab: does the steps, counts them, and notes what was in sight."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.usability.sight import IN_SIGHT, QUIET
from benchmarks.usability.steps import Cost, cost_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Locator

    from benchmarks.usability.steps import Step, Strategy
    from benchmarks.usability.tasks import Task
    from tests.browser.lab_page import LabPage

__all__ = ["Played", "Player"]

SCREEN_PX = 600
GUTTER = (85, 450)
IN_PX = 30
A_LOT_PX = 1_000_000
MOST_SCREENS = 60
RUN = "Shift+Enter"
WAIT_MS = 60_000
NOTEBOOK = ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook"
KERNEL_IS_BUSY = (
    "window.jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'busy'"
)


class Played(NamedTuple):
    """What came of a strategy."""

    clicks: int
    seconds: float
    """By the model, without waiting."""
    waited_s: float
    is_found: bool
    """Whether all that the answer needs was in sight."""
    end: str
    steps: list[str]
    """In words."""

    def as_json(self) -> dict[str, Any]:
        """For the file of figures."""
        return {
            **self._asdict(),
            "seconds": round(self.seconds, 1),
            "waited_s": round(self.waited_s, 1),
        }


class Player:
    """Somebody before a notebook's tab."""

    def __init__(self, tab: LabPage) -> None:
        self._page = tab.page
        self._seen = ""

    def play(self, task: Task, strategy: Strategy) -> Played:
        """Do a strategy's steps; what must have been in sight is the task's."""
        cost, waited_s, words = Cost(), 0.0, list[str]()
        self._seen = ""
        self._notice()
        for step in strategy.steps:
            scrolled = self.act(step)
            waited_s += self._page.evaluate(QUIET, WAIT_MS)
            self._notice()
            cost = cost.plus(cost_of(step, scrolled))
            words.append(in_words(step, scrolled))
        is_found = all(re.search(one, self._seen) for one in task.proof)
        return Played(cost.clicks, cost.seconds, waited_s, is_found, strategy.end, words)

    def prepare(self, steps: Sequence[Step]) -> None:
        """Do steps that do not count."""
        for step in steps:
            self.act(step)
            self._page.evaluate(QUIET, WAIT_MS)

    def act(self, step: Step) -> int:
        """Do one step; gives the screens that were scrolled to have it in sight."""
        match step.do:
            case "click" | "hover":
                return self._point_at(step)
            case "scroll" | "end":
                self._scroll(step)
            case "type":
                self._page.keyboard.insert_text(step.what)
            case "press":
                self._press(step.what)
            case "paste":
                copied = self._page.evaluate("navigator.clipboard.readText()")
                self._page.keyboard.insert_text(copied)
            case "look" | "read":
                pass
        return 0

    def _point_at(self, step: Step) -> int:
        target = self._target(step.what)
        scrolled = self._come_to(target)
        place = box_of(target)
        self._page.mouse.move(*place)
        if step.do == "click":
            self._page.mouse.click(*place)
        else:
            self._seen += f" {target.get_attribute('title') or ''}"
        return scrolled

    def _scroll(self, step: Step) -> None:
        self._point(step.what)
        by_px = A_LOT_PX if step.do == "end" else SCREEN_PX
        for _ in range(abs(step.times)):
            self._page.mouse.wheel(0, by_px if step.times > 0 else -by_px)
            self._page.evaluate(QUIET, WAIT_MS)

    def _press(self, keys: str) -> None:
        self._page.keyboard.press(keys)
        if keys == RUN:
            self._page.wait_for_timeout(200)
            self._page.wait_for_function(f"!({KERNEL_IS_BUSY})", timeout=WAIT_MS)

    def _target(self, selector: str) -> Locator:
        found = self._page.locator(NOTEBOOK).locator(selector)
        found = found if "nth=" in selector else found.first
        found.wait_for(state="attached", timeout=WAIT_MS)
        return found

    def _come_to(self, target: Locator) -> int:
        """Scroll until a thing is in sight, as a person would, by screens."""
        for scrolled in range(MOST_SCREENS):
            _x, y = box_of(target)
            top, bottom = self._edges()
            if top < y < bottom:
                return scrolled
            self._point("")
            self._page.mouse.wheel(0, SCREEN_PX if y >= bottom else -SCREEN_PX)
            self._page.evaluate(QUIET, WAIT_MS)
        raise LookupError(f"{target} does not come in sight.")

    def _edges(self) -> tuple[float, float]:
        box = self._page.locator(NOTEBOOK).bounding_box()
        assert box is not None
        return box["y"] + 5, box["y"] + box["height"] - 5

    def _point(self, selector: str) -> None:
        """Point at what is to be scrolled: a pane, else the notebook beside its cells."""
        x, y = box_of(self._target(selector)) if selector else GUTTER
        top, bottom = self._edges()
        self._page.mouse.move(x, min(max(y, top + IN_PX), bottom - IN_PX))

    def _notice(self) -> None:
        self._seen += " " + self._page.evaluate(IN_SIGHT)


def box_of(target: Locator) -> tuple[float, float]:
    """The middle of a thing, but of a wide one near its left end, where its words are."""
    box = target.bounding_box()
    if box is None:
        raise LookupError(f"{target} has no place on the page.")
    return box["x"] + min(box["width"] / 2, 80), box["y"] + min(box["height"] / 2, 200)


def in_words(step: Step, scrolled: int) -> str:
    """A step as a person would tell it."""
    times = f" ×{step.times}" if step.times > 1 else ""
    before = f"scroll ×{scrolled}, " if scrolled else ""
    return f"{before}{step.do}{times} {step.what}".strip() + f": {step.why}"
