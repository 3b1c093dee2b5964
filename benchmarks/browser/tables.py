"""A table of 10,000 columns on a blank page: what scrolling through it costs."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

from benchmarks.browser.place import Scripting, blank_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["measure_wide_table"]

COLUMNS = 10_000
ROWS = 100_000
SCROLLS = 120
STEP_PX = 400

MOUNT = """([columns, rows]) => {
  const named = (start, stop) =>
    Array.from({length: stop - start}, (_, at) => `column ${start + at}`);
  const page = (offset, limit, start, stop) => Array.from({length: limit}, (_, row) =>
    Array.from({length: stop - start}, (_, at) => (offset + row) * 0.5 + start + at));
  const typed = (start, stop) => named(start, stop).map(() => "float64");
  const ask = async ({heads, offset, limit, columns: part}) => {
    await new Promise(done => setTimeout(done, 5));
    if (heads) {
      const {start, stop} = heads;
      return {columns: named(start, stop), dtypes: typed(start, stop), formats: []};
    }
    return {rows: page(offset, limit, part.start, part.stop), total: rows};
  };
  const value = {
    columns: named(0, 100), dtypes: typed(0, 100), rows: page(0, 50, 0, 100),
    total: rows, total_columns: columns, source: "wide",
  };
  const el = document.querySelector("#home");
  window.end = new AbortController();
  window.view.render({el, value, ask, emit() {}, theme: "light", signal: window.end.signal});
}"""
"""Draw a table whose other columns a kernel has, which answers after five milliseconds."""

SCROLL = """step => new Promise(done => {
  document.querySelector(".nba-grid-pane").scrollLeft += step;
  requestAnimationFrame(() => setTimeout(done));
})"""


def measure_wide_table(browser: Browser) -> dict[str, float]:
    """Milliseconds of scripting in a frame that scrolls to other columns."""
    page = blank_page(browser, "table")
    page.evaluate(MOUNT, [COLUMNS, ROWS])
    page.wait_for_selector("[role=gridcell]")
    scripting = Scripting(page)
    frames = [scripting.ms(SCROLL, STEP_PX) for _ in range(SCROLLS)]
    page.wait_for_timeout(200)
    drawn = page.locator("tbody tr").first.locator("[data-type=number]").count()
    assert drawn > 0, "the columns at the end were not fetched"
    page.context.close()
    return {
        "scripting a frame, median ms": statistics.median(frames),
        "scripting a frame, p95 ms": statistics.quantiles(frames, n=20)[-1],
    }
