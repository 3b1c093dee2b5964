"""A long run on a blank page: how fast it opens, and what scrolling costs."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Any

from benchmarks.browser.place import blank_page
from benchmarks.browser.trees import run_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Page

__all__ = ["measure_long_run"]

CALLS = 1_000
ROUNDS = 5
SCROLLS = 60
STEP_PX = 400

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

OPEN_ALL = """() => new Promise(done => {
  const began = performance.now();
  const more = document.querySelectorAll(".nba-more button, .nba-group > button");
  for (const button of more) if (button.getAttribute("aria-expanded") !== "true") button.click();
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
})"""
"""Unfold whatever is folded away; gives the milliseconds until it was painted."""

SCROLL = """step => new Promise(done => {
  window.scrollBy(0, step);
  requestAnimationFrame(() => setTimeout(done));
})"""


def measure_long_run(browser: Browser) -> dict[str, float]:
    """Milliseconds to open a run of 1,000 calls, and of scripting in a frame that scrolls."""
    tree = run_of(CALLS).tree()
    page = blank_page(browser)
    cdp = page.context.new_cdp_session(page)
    cdp.send("Performance.enable")
    page.evaluate(MOUNT, tree)  # the first also compiles
    opened = [page.evaluate(MOUNT, tree) for _ in range(ROUNDS)]
    unfolded = page.evaluate(OPEN_ALL)
    rows = page.locator(".nba-row").count()
    frames = [_scripting_ms(cdp, page) for _ in range(SCROLLS)]
    page.context.close()
    return {
        "opened ms": statistics.median(opened),
        "unfolded ms": unfolded,
        "rows": rows,
        "scripting a frame ms, p95": statistics.quantiles(frames, n=20)[-1],
    }


def _scripting_ms(cdp: CDPSession, page: Page) -> float:
    before = _script_s(cdp)
    page.evaluate(SCROLL, STEP_PX)
    return (_script_s(cdp) - before) * 1000


def _script_s(cdp: CDPSession) -> float:
    metrics: list[dict[str, Any]] = cdp.send("Performance.getMetrics")["metrics"]
    return next(one["value"] for one in metrics if one["name"] == "ScriptDuration")
