"""The run view by keys alone: every row is reached by keys, nothing moves where nobody wants that,
and the focus is not lost when a run ends. What axe-core says is in `test_states.py`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.bare import bare_page, watched
from tests.browser.shown_runs import every_state
from tests.told import patches_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.browser.conftest import Tab, Write
    from tests.browser.lab_page import LabPage

WAITS = """
%load_ext nbagents
import asyncio, pathlib
import nbagents as nba
from nbagents.models.scripted import call

async def wait() -> str:
    "Waits."
    while not pathlib.Path("go-on").exists():
        await asyncio.sleep(0.02)
    return "done"

model = nba.ScriptedModel([call("wait"), "Said."])
"""
GOES_ON = "await nba.Agent('guide', tools=[wait], model=model).arun('Wait.')"
FOCUSED = """() => {
  const el = document.activeElement;
  const name = el.getAttribute("aria-label") || el.textContent.trim().slice(0, 40);
  return `${el.localName}.${el.className.split(" ")[0]} ${name}`;
}"""


def test_every_row_is_reached_and_opened_by_keys(browser: Browser) -> None:
    watch = watched(browser, patches=patches_of(every_state(running=False)))
    page = bare_page(watch)
    page.evaluate("async () => view.live(await view.fetched('/patches.json'))")
    rows = page.locator(".nba-row")
    rows.first.wait_for()
    order = [name for name in tabbed(page, 60) if name]
    kinds = [kind(name) for name in order]
    assert kinds.index("tool") < kinds.index("row") < len(kinds)
    page.evaluate("document.activeElement.blur()")
    rows.first.focus()
    count = rows.count()
    for at in range(1, count):
        page.keyboard.press("ArrowDown")
        assert is_focused(page, at)
    page.keyboard.press("Home")
    assert is_focused(page, 0)
    page.keyboard.press("End")
    assert is_focused(page, rows.count() - 1)
    page.keyboard.press("Home")
    for opens, closes in (("ArrowRight", "ArrowLeft"), ("Enter", "Enter"), ("Space", "Space")):
        page.keyboard.press(opens)
        assert rows.first.get_attribute("aria-expanded") == "true"
        assert is_focused(page, 0)
        page.keyboard.press(closes)
        assert rows.first.get_attribute("aria-expanded") == "false"
        assert is_focused(page, 0)
    assert watch.did() == []
    watch.close()


def tabbed(page: Page, times: int) -> list[str]:
    """What has the focus, one after the other, as Tab goes on."""
    seen: list[str] = []
    for _ in range(times):
        page.keyboard.press("Tab")
        now: str = page.evaluate(FOCUSED)
        if now.startswith("body"):
            break
        seen.append(now)
    return seen


def kind(name: str) -> str:
    """Whether a row, a button of the header, or something else has the focus."""
    return next((one for one in ("row", "tool") if f".nba-{one} " in name), "else")


def is_focused(page: Page, at: int) -> bool:
    """Whether the row at this place has the focus."""
    return page.locator(".nba-row").nth(at).evaluate("row => row === document.activeElement")


def test_escape_leaves_full_screen_and_gives_the_focus_back(browser: Browser) -> None:
    watch = watched(browser, patches=patches_of(every_state(running=False)))
    page = bare_page(watch)
    page.evaluate("async () => view.live(await view.fetched('/patches.json'))")
    full = page.get_by_role("button", name="Full screen")
    full.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Leave full screen").wait_for()
    page.locator(".nba-tree-row").first.focus()
    page.keyboard.press("Escape")
    full.wait_for()
    assert full.evaluate("button => button === document.activeElement")
    watch.close()


def test_nothing_moves_for_people_who_asked_for_that(browser: Browser) -> None:
    watch = watched(browser, patches=patches_of(every_state(running=True)))
    page = bare_page(watch)
    page.emulate_media(reduced_motion="reduce")
    page.evaluate("async () => view.live(await view.fetched('/patches.json'))")
    page.locator(".nba-row").first.wait_for()
    moving: list[str] = page.evaluate(MOVING)
    assert moving == []
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(MOVING) != []
    watch.close()


MOVING = """() => document.getAnimations()
  .filter((one) => one.playState === "running" && one.effect.getComputedTiming().duration > 1)
  .map((one) => one.effect.target.className)"""


def test_the_focus_stays_in_the_notebook_when_a_run_ends(
    write_notebook: Write, new_tab: Tab, folder: Path
) -> None:
    write_notebook("ends.ipynb", [WAITS.strip(), GOES_ON])
    tab = new_tab()
    tab.open("ends.ipynb")
    tab.run_to_end(0)
    tab.run_cell(1)
    row = tab.cell(1).locator(".nba-row").first
    row.wait_for()
    row.focus()
    (folder / "go-on").touch()
    tab.wait_for_end(1)
    tab.wait_for_saved(1)
    assert where(tab) in ("our view", "the cell's output", "the notebook")


def where(tab: LabPage) -> str:
    """What has the focus."""
    return tab.page.evaluate(
        "() => { const el = document.activeElement;"
        " if (el.closest('.nba-run, .nba-frozen')) return 'our view';"
        " if (el.closest('.jp-OutputArea')) return `the cell's output`;"
        " return el.closest('.jp-Notebook') ? 'the notebook' : el.localName; }"
    )
