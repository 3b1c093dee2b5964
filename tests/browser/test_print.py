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
from nbagents.notebook.saved.line import Scale, axis
from nbagents.notebook.saved.look import style_sheet
from tests.browser.states.page import states_page
from tests.browser.states.state import STATES

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


TICKS = """() => {
  const axis = document.querySelector(".nf-axis");
  const room = getComputedStyle(axis).overflow === "visible" ? 60 : 0;
  const isSaid = (one) => getComputedStyle(one, "::before").content !== "none";
  const boxes = [...axis.children].filter(isSaid).map((one) => one.getBoundingClientRect());
  const from = axis.getBoundingClientRect().left - room;
  return boxes.map(({ left }, at) => left - (at ? boxes[at - 1].right - 1 : from));
}"""
"""How far each time on the axis is from the one before it, or from where it would be cut."""


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


OPENED = """() => Object.fromEntries([...document.querySelectorAll(".nf-row")].map((row) => [
  row.querySelector("code").textContent.replace("forecast_", ""),
  [...row.querySelectorAll(".nf-in, .nf-in pre")].every((one) => one.checkVisibility()),
]))"""


def test_what_came_to_nothing_prints_whole_and_the_rest_in_its_line(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 640, "height": 900})
    ten_states = next(one for one in STATES if one.name == "html-ten-states")
    page.set_content(ten_states.told["value"])
    on_screen = page.evaluate(OPENED)
    page.emulate_media(media="print")
    on_paper = page.evaluate(OPENED)
    assert {name for name, is_open in on_paper.items() if is_open} == {
        *("failed", "timed_out", "denied")
    }
    assert not on_screen["failed"]  # its traceback is folded
    assert not on_screen["denied"]
    lines = page.locator(".nf-row > details > summary")
    assert all(line.is_visible() for line in lines.all())
    page.close()


def test_no_time_on_the_axis_is_cut_or_over_another(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 640, "height": 900})
    for total_s in (0.9, 2.3, 47.0, 380.0):
        for width_px in (640, 700, 860, 1280):
            page.set_viewport_size({"width": width_px, "height": 300})
            drawn = axis(Scale(from_s=0.0, total_s=total_s))
            page.set_content(f"{style_sheet()}<div class='nba-frozen'>{drawn}</div>")
            page.wait_for_function("document.styleSheets.length > 0")
            found = page.evaluate(TICKS)
            assert found, (total_s, width_px)
            assert all(one > 0 for one in found), (total_s, width_px, found)
    page.close()


LIVE_CUT = """() => [...document.querySelectorAll(".nba-run *")].filter((one) =>
  one.checkVisibility() && !one.closest(".nba-spoken, .nba-axis, .nba-fall, input, svg")
    && /auto|scroll|hidden/.test(getComputedStyle(one).overflowX)
    && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2)
).map((one) => `${one.className} ${one.textContent.slice(0, 40)}`)"""


def test_the_live_view_prints_whole_lines_and_its_bars(browser: Browser) -> None:
    with states_page(browser) as states:
        for name in ("ten-states", "everything-open", "table", "answer"):
            states.show(next(one for one in STATES if one.name == name), 700)
            states.page.emulate_media(media="print")
            assert states.page.evaluate(LIVE_CUT) == [], name
            bars = states.page.locator(".nba-fall i").all()
            look = "one => getComputedStyle(one).printColorAdjust"
            assert {bar.evaluate(look) for bar in bars} <= {"exact"}
            assert not states.page.locator(".nba-action:visible").count()
            states.page.emulate_media(media="screen")


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
