"""A long run on a blank page: how fast it opens, and what scrolling and typing cost.

Scripting is counted in CPU of the page's main thread: what else the machine does is not in it.
"""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

from benchmarks.browser.place import Scripting, blank_page
from benchmarks.browser.trees import run_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["measure_long_run"]

CALLS = 1_000
ROUNDS = 5
SCROLLS = 60
STEP_PX = 400
TYPED = "oslo 12"

MOUNT = """tree => new Promise(done => {
  const home = document.querySelector("#home");
  const before = home.firstElementChild;
  window.end?.abort();
  before?.remove();
  const el = home.appendChild(document.createElement("div"));
  const door = {
    isLive: false, load: () => Promise.reject(new Error("none")), emit() {}, stop() {},
    ask: () => Promise.reject(new Error("none")),
  };
  window.end = new AbortController();
  const began = performance.now();
  window.view.mountSaved(el, window.end.signal, tree, door);
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
})"""
"""Draw a saved run; gives the milliseconds until it was painted."""

OPEN_ALL = """async () => {
  const began = performance.now();
  const painted = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  for (const what of [".nba-happened-head > button", ".nba-more button"]) {
    for (const button of document.querySelectorAll(what))
      if (button.getAttribute("aria-expanded") !== "true") button.click();
    await painted();
  }
  return performance.now() - began;
}"""
"""Unfold whatever is folded away; gives the milliseconds until it was painted."""

SCROLL = """step => new Promise(done => {
  window.scrollBy(0, step);
  requestAnimationFrame(() => setTimeout(done));
})"""

TYPE = """key => new Promise(done => {
  const box = document.querySelector(".nba-query");
  box.value = key === "Backspace" ? box.value.slice(0, -1) : box.value + key;
  box.dispatchEvent(new InputEvent("input", {bubbles: true}));
  requestAnimationFrame(() => setTimeout(done));
})"""


def measure_long_run(browser: Browser) -> dict[str, float]:
    """Milliseconds to open a run of 1,000 calls, and of scripting to scroll and to type."""
    tree = run_of(CALLS).tree()
    page = blank_page(browser)
    page.evaluate(MOUNT, tree)  # the first also compiles
    opened = [page.evaluate(MOUNT, tree) for _ in range(ROUNDS)]
    unfolded = page.evaluate(OPEN_ALL)
    scripting = Scripting(page)
    drawing = [scripting.ms(SCROLL, STEP_PX) for _ in range(SCROLLS)]
    _until_drawn(page)
    drawn = [scripting.ms(SCROLL, -STEP_PX) for _ in range(SCROLLS)]
    keys = _typed(scripting)
    page.context.close()
    return {
        "opened ms": statistics.median(opened),
        "unfolded ms": unfolded,
        "scripting a frame while rows are drawn, median ms": statistics.median(drawing),
        "scripting a frame while rows are drawn, p95 ms": _p95(drawing),
        "scripting a frame, all rows drawn, p95 ms": _p95(drawn),
        "a key in the filter, median ms": statistics.median(keys),
        "a key in the filter, the first ms": keys[0],
        "a key in the filter, most ms": max(keys),
    }


def _until_drawn(page: Page) -> None:
    page.wait_for_function(f"document.querySelectorAll('.nba-call').length >= {CALLS}")


def _typed(scripting: Scripting) -> list[float]:
    """What each key of some words cost, and of taking them back, one after the other at once."""
    keys = [*TYPED, *("Backspace" for _ in TYPED)]
    return [scripting.ms(TYPE, key) for key in keys]


def _p95(frames: list[float]) -> float:
    return statistics.quantiles(frames, n=20)[-1]
