"""A saved run on paper and in forced colours: light, nothing of it cut, and its bars seen."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pandas as pd  # pyright: ignore[reportMissingTypeStubs]  it has none
import pytest

import nbagents as nba
from nbagents import ui
from nbagents.models.scripted import call
from nbagents.notebook.saved.html import run_html

if TYPE_CHECKING:
    from collections.abc import Generator

    from playwright.sync_api import Browser, Page

DARK = """<!doctype html><body data-jp-theme-light="false" style="margin:0;background:#111;
color:#fff;--jp-layout-color0:#111;--jp-layout-color1:#111;--jp-layout-color2:#333;
--jp-content-font-color1:#fff;--jp-ui-font-color1:#fff">"""
CUT = """() => [...document.querySelectorAll(".nba-frozen *")].filter((one) => {
  const { right, width } = one.getBoundingClientRect();
  return (width && right > innerWidth) || one.scrollHeight > one.clientHeight + 2
    && ["auto", "scroll", "hidden"].includes(getComputedStyle(one).overflowY);
}).map((one) => `${one.tagName} ${one.className} ${one.textContent.slice(0, 40)}`)"""
BRIGHT = """(element) => {
  const light = (colour) => Math.min(...colour.match(/[\\d.]+/g).slice(0, 3).map(Number));
  const look = getComputedStyle(element);
  return [light(look.backgroundColor), light(look.color)];
}"""


def people(rows: int) -> nba.Result:
    """A table of many rows and columns."""
    columns = {f"column {nth}": range(10_000, 10_000 + rows) for nth in range(18)}
    return nba.Result("w" * 300, data=ui.table(pd.DataFrame(columns)))


def find(name: str) -> str:
    """Find a place."""
    time.sleep(0.01)
    raise nba.ToolError(f"There is no place {name!r}.")


@pytest.fixture
def paper(browser: Browser) -> Generator[Page]:
    """A page as wide as A4, printed, with a run that shows a large table and failed in one call."""
    model = nba.ScriptedModel([call("people", rows=40), call("find", name="x" * 90), "w" * 200])
    run = nba.Agent("guide", tools=[people, find], model=model).run("w" * 90, log="memory")
    page = browser.new_page(viewport={"width": 640, "height": 900})
    page.emulate_media(media="print", color_scheme="dark")
    page.set_content(DARK + str(run_html(run.tree(), run.id, limit_bytes=200_000)))
    yield page
    page.close()


def test_a_dark_page_prints_a_light_card(paper: Page) -> None:
    back, words = paper.locator(".nba-frozen").evaluate(BRIGHT)
    assert back == 255
    assert words < 80
    for cell in ("th", "td"):
        assert paper.locator(f".nba-frozen {cell}").first.evaluate(BRIGHT)[1] < 80


def test_nothing_is_cut_or_scrolls(paper: Page) -> None:
    assert paper.locator('tr:has-text("10039")').count() == 1
    assert paper.evaluate(CUT) == []
    paper.emulate_media(media="screen")
    assert paper.evaluate(CUT)  # on a screen one scrolls


def test_when_the_calls_ran_is_on_paper(paper: Page) -> None:
    bars = paper.locator(".nf-fall > .nf-running")
    assert bars.count() == 2
    assert all(bar.evaluate("one => one.getBoundingClientRect().height") > 2 for bar in bars.all())


def test_in_forced_colours_the_bars_are_seen(paper: Page) -> None:
    paper.emulate_media(media="screen", forced_colors="active")
    look = "one => [getComputedStyle(one).backgroundColor, getComputedStyle(document.body).color]"
    for bar in paper.locator(".nf-fall > .nf-running").all():
        back, words = bar.evaluate(look)
        assert back == words
