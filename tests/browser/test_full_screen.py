"""A run in two panes: by keys through the tree, tabs, a search in everything, a link to a call."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.browser.conftest import Tab, Write
    from tests.browser.lab_page import LabPage

AXE = Path(__file__).parents[2] / "js" / "node_modules" / "axe-core" / "axe.min.js"
CHECK = """async (root) => {
  const { violations } = await axe.run(root, { resultTypes: ["violations"] });
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`);
}"""

TOOLS = """
%load_ext nbagents
import nbagents as nba
from nbagents.models.scripted import call

def weather(city: str, days: int = 1) -> str:
    "The weather in a city."
    if city == "Atlantis":
        raise ValueError("It has sunk.")
    return f"9 °C in {city}"

def listing(lines: int) -> str:
    "Prints much."
    for number in range(lines):
        print("line", number, "needle" if number == lines // 2 else "")
    return "listed"
"""
RUN = """
calls = [call("weather", city="Oslo"), call("weather", city="Atlantis")]
model = nba.ScriptedModel([calls, call("listing", lines=20_000), "Nine."])
run = nba.Agent("guide", tools=[weather, listing], model=model).run("How warm?")
"""


def test_full_screen_is_walked_searched_and_linked_to(new_tab: Tab, write_notebook: Write) -> None:
    """Also what the notebook has not kept is found: the kernel has it."""
    write_notebook("full.ipynb", [TOOLS, RUN])
    tab = new_tab()
    tab.open("full.ipynb")
    tab.run_to_end(0)
    tab.run_to_end(1)
    tab.wait_for_saved(1)
    tab.show(1)
    page, view = tab.page, tab.cell(1).locator(".nba-run")
    open_button = view.get_by_role("button", name="Full screen")
    open_button.click()
    chosen = view.locator(".nba-tree [aria-selected=true]")
    panel = view.get_by_role("tabpanel")
    expect(chosen).to_be_focused()
    expect(panel).to_contain_text("It has sunk.")
    walk(page, view)
    listing = search(page, view)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert view.locator(".nba-panes").evaluate(CHECK) == []

    chosen.focus()
    page.keyboard.press("Escape")
    expect(view.locator(".nba-panes")).to_have_count(0)
    expect(open_button).to_be_focused()
    page.evaluate("place => { location.hash = `#nbagents=${place}` }", listing)
    row = view.locator(f".nba-row[data-call='{listing}']")
    expect(row).to_be_focused()
    expect(row).to_have_attribute("aria-expanded", "true")
    whole_in_the_list(view, tab)


def whole_in_the_list(view: Locator, tab: LabPage) -> None:
    """What the notebook has cut of the output comes from the kernel, where one reads it."""
    printed = view.get_by_role("group", name="Printed", exact=True)
    show = view.get_by_role("button", name="Show all 2")
    expect(printed).not_to_contain_text("line 10000 needle")
    expect(view.get_by_role("button", name="Show all that is here")).to_be_visible()
    tab.shoot("cut-in-list", view)
    show.click()
    expect(printed).to_contain_text("line 10000 needle")
    expect(view.get_by_text("All of it is here")).to_be_visible()
    tab.shoot("whole-in-list", view)


def walk(page: Page, view: Locator) -> None:
    """To the call before, and from tab to tab by keys."""
    page.keyboard.press("ArrowUp")
    expect(view.locator(".nba-tree [aria-selected=true]")).to_contain_text("Oslo")
    view.get_by_role("tab", name="Arguments").click()
    expect(view.get_by_role("tabpanel")).to_contain_text("(default)")
    page.keyboard.press("End")
    expect(view.get_by_role("tab", name="Source")).to_be_focused()
    expect(view.get_by_role("tabpanel")).to_contain_text("The weather in a city.")


def search(page: Page, view: Locator) -> str:
    """Find what one call printed in the middle, which the notebook has not; gives its key."""
    page.keyboard.press("/")
    page.keyboard.type("needle")
    expect(view.get_by_role("treeitem")).to_have_count(2)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    view.get_by_role("tab", name="Output").click()
    view.get_by_role("tabpanel").get_by_role("button", name="Show all").click()
    expect(view.get_by_role("tabpanel")).to_contain_text("line 10000 needle")
    return str(view.locator(".nba-tree [aria-selected=true]").get_attribute("data-key"))


SLOW = """
import time

def slow() -> str:
    "Takes its time."
    time.sleep(6)
    return "waited"

model = nba.ScriptedModel([[call("weather", city="Oslo")], call("slow"), "Nine."])
run = nba.Agent("guide", tools=[weather, slow], model=model).run("How warm?")
"""


def test_the_screen_stays_full_when_the_run_ends(new_tab: Tab, write_notebook: Write) -> None:
    """The saved view takes the place of the live one, with what was selected and the focus."""
    write_notebook("ends.ipynb", [TOOLS, SLOW])
    tab = new_tab()
    tab.open("ends.ipynb")
    tab.run_to_end(0)
    tab.run_cell(1)
    page, view = tab.page, tab.cell(1).locator(".nba-run")
    view.get_by_role("button", name="Full screen").click()
    chosen = view.locator(".nba-tree [aria-selected=true]")
    view.get_by_role("treeitem", name="weather").click()
    expect(chosen).to_contain_text("Oslo")
    tab.wait_for_end(1)
    tab.wait_for_saved(1)
    expect(view).to_have_count(1)
    expect(view.locator(".nba-panes")).to_be_visible()
    assert page.evaluate("!!document.fullscreenElement")
    expect(chosen).to_contain_text("Oslo")
    assert has_focus(chosen)
    page.keyboard.press("Escape")
    expect(view.locator(".nba-panes")).to_have_count(0)
    assert has_focus(view.get_by_role("button", name="Full screen"))


def has_focus(part: Locator) -> bool:
    """Whether keys go to it; the window itself may be behind those of other tests."""
    return bool(part.evaluate("(el) => el === document.activeElement"))
