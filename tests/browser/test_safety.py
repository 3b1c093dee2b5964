"""No text of a model's or a tool's does anything: in the live view, as saved, in the frozen HTML.

Every vector stands in every place at once, everything that opens is opened, and then the page is
looked at. That a careless page would be caught is shown in `test_safety_control.py`. `make test`
shows each text in the frozen HTML as nbconvert writes it, and a part of them in each other way,
`make test-all` each in each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from nbconvert import HTMLExporter  # pyright: ignore[reportMissingTypeStubs]  it has none

from tests.browser.bare import STAND_IN, bare_page, watched
from tests.browser.hostile_notebook import CALLS, saved_html, saved_run, saved_tree, write_outputs
from tests.browser.watch import ORIGIN, Watch
from tests.hostile import hostile_events
from tests.told import patches_of
from tests.xss import VECTORS, numbered

if TYPE_CHECKING:
    from pathlib import Path

    from _pytest.mark.structures import ParameterSet
    from playwright.sync_api import Browser, Page

TEXTS = [numbered(vector, number) for number, vector in enumerate(VECTORS)]
PARTS = 4
"""On so many pages: more runs on one slow down each other. Each has texts of every class."""

LIVE = """async () => {
  document.body.hidden = true; // nothing is laid out until all is open
  for (const patches of await view.fetched("/runs.json")) view.live(patches);
}"""
SAVED = """async () => {
  document.body.hidden = true;
  for (const tree of await view.fetched("/trees.json")) view.saved(tree);
}"""
SHOW = """() => {
  for (const one of [...document.body.children].slice(8)) one.hidden = true; // layout is slow
  document.body.hidden = false;
  document.body.offsetHeight;
}"""
OPEN = "judge.openAll(document.body)"


def parts(*quick: int) -> list[ParameterSet]:
    """The parts of the texts, by their first; all but some are slow."""
    slow = pytest.mark.slow
    return [pytest.param(one, marks=() if one in quick else slow) for one in range(PARTS)]


def part(first: int) -> list[str]:
    """Some of the texts."""
    return TEXTS[first::PARTS]


HEAVY = ("map", "chart")
"""Modules that are slow to draw hundreds of times; they have tests of their own."""


def crowded(browser: Browser, **given: object) -> Watch:
    """A page for many runs."""
    watch = watched(browser, **given)
    watch.served |= {f"/{name}.js": ("text/javascript", STAND_IN) for name in HEAVY}
    return watch


def looked_at(page: Page, watch: Watch) -> list[str]:
    """What is wrong with a page of which everything was opened."""
    page.evaluate(SHOW)
    page.evaluate("judge.touch(document.body)")
    page.wait_for_timeout(300)  # for what begins late: pictures, animations, a refresh
    faults: list[str] = page.evaluate("judge.faults(document.body)")
    moved = [] if page.url.startswith(ORIGIN) else [f"the page went to {page.url}"]
    return [*faults, *moved, *watch.did()]


@pytest.mark.parametrize("first", parts(0))
def test_the_live_view_runs_nothing(browser: Browser, first: int) -> None:
    runs = [
        patches_of(hostile_events(text, name=f"run {number}"))
        for number, text in enumerate(part(first), first)
    ]
    watch = crowded(browser, runs=runs)
    page = bare_page(watch)
    page.evaluate(LIVE)
    page.wait_for_function("n => document.querySelectorAll('.nba-card').length >= n", arg=len(runs))
    assert page.evaluate(OPEN) > 20 * len(runs)
    assert looked_at(page, watch) == []
    watch.close()


@pytest.mark.parametrize("first", parts(1))
def test_the_view_of_a_saved_run_runs_nothing(browser: Browser, first: int) -> None:
    watch = crowded(browser, trees=[saved_tree(text) for text in part(first)])
    page = bare_page(watch)
    page.evaluate(SAVED)
    assert page.evaluate(OPEN) > 20 * len(part(first))
    assert looked_at(page, watch) == []
    watch.close()


@pytest.mark.parametrize("first", parts(2))
def test_the_frozen_html_runs_nothing_even_where_scripts_may_run(
    browser: Browser, first: int
) -> None:
    html = "\n".join(saved_html(text) for text in part(first))
    watch = watched(browser)
    watch.served["/"] = ("text/html", f"<!doctype html><body hidden>{html}".encode())
    page = watch.open()
    assert page.evaluate(OPEN) > 10 * len(part(first))
    assert looked_at(page, watch) == []
    watch.close()


def test_nbconvert_writes_a_page_that_runs_nothing_of_theirs(
    browser: Browser, tmp_path: Path
) -> None:
    """What nbconvert's own page fetches, MathJax and such, is what it fetches of a harmless run."""
    plain = seen_of_nbconvert(browser, tmp_path, [["plain"]])
    assert all("evil" not in one for one in plain)
    parts = [TEXTS[first : first + CALLS] for first in range(0, len(TEXTS), CALLS)]
    assert seen_of_nbconvert(browser, tmp_path, parts) == plain


def seen_of_nbconvert(browser: Browser, folder: Path, parts: list[list[str]]) -> list[str]:
    """What is wrong with the page that nbconvert makes of these runs."""
    write_outputs(folder / "runs.ipynb", [saved_run(texts) for texts in parts])
    exporter: Any = HTMLExporter(embed_images=True)  # Any: nbconvert has no types
    html: str = exporter.from_filename(str(folder / "runs.ipynb"))[0]
    watch = watched(browser)
    watch.hears_errors = False  # of its page's: MathJax is not there
    watch.served["/"] = ("text/html", html.encode())
    page = watch.open()
    assert page.evaluate(OPEN) >= len(parts)
    page.evaluate("judge.touch(document.body)")
    page.wait_for_timeout(300)
    faults: list[str] = page.evaluate(
        "[...document.querySelectorAll('.nba-frozen')].flatMap((one) => judge.faults(one))"
    )
    seen = [*faults, *watch.did()]
    watch.close()
    return seen
