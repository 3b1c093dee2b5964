"""Going back in JupyterLab: "Fork from here", branches of one run beside each other, compare."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.conftest import HEIGHT_PX, WIDTH_PX

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Tab, Write
    from tests.browser.lab_page import LabPage

LOAD = """
%load_ext nbagents
import nbagents as nba
from nbagents.models.scripted import call

done = []

@nba.tool
def price(city: str) -> str:
    "What a ticket costs."
    done.append(city)
    return f"{city}: {len(city) * 10} euros"

def said(request):
    return "Cheapest: " + request.messages[-1].content

model = nba.ScriptedModel(
    [call("price", city="Paris"), call("price", city="Rome"), said, said, said], repeat=True
)
guide = nba.Agent("guide", tools=["price"], model=model)
"""
CELLS = {
    "load": LOAD,
    "run": "run = %agent -a guide Which ticket is cheap?",
    "fork": "branch = %agent --fork run --at 2 --result 'sold out'",
    "told": "print(branch.text, '|', done)",
}
AT = {name: index for index, name in enumerate(CELLS)}
ORIGINAL, BRANCH = "Original", "forked at call 2 (price): other result"
NARROW_PX = 400


def test_a_run_is_gone_back_to_in_a_notebook(write_notebook: Write, new_tab: Tab) -> None:
    write_notebook("branches.ipynb", [source.strip("\n") for source in CELLS.values()])
    tab = new_tab()
    tab.open("branches.ipynb")
    for name in CELLS:
        tab.run_to_end(AT[name])
    assert tab.printed(AT["told"]).strip() == "Cheapest: sold out | ['Paris', 'Rome']"
    branch_is_marked(tab)
    branches_know_each_other(tab)
    compare(tab)
    fork_from_here(tab)


def branch_is_marked(tab: LabPage) -> None:
    """What it has not made itself says so, on the card and in what is saved."""
    tab.wait_for_saved(AT["fork"])
    branch = card(tab, AT["fork"])
    open_calls(branch)
    expect(branch.locator(".nba-kept").first).to_have_text("kept")
    shoot(tab, "branches-1-branch", AT["fork"])


def branches_know_each_other(tab: LabPage) -> None:
    """Both list the other; each leads to it, and the branch to the call that it leaves."""
    tab.wait_for_saved(AT["run"])
    run, branch = card(tab, AT["run"]), card(tab, AT["fork"])
    expect(names(run).locator("[aria-current]")).to_have_text(ORIGINAL)
    names(run).get_by_role("button", name=BRANCH, exact=True).click()
    expect(branch.locator("header button:focus")).to_have_count(1)
    names(branch).get_by_role("button", name=ORIGINAL, exact=True).click()
    expect(run.locator("header button:focus")).to_have_count(1)
    names(branch).get_by_role("button", name=BRANCH, exact=True).click()
    left = run.locator(".nba-row[data-call]:focus")
    expect(left).to_have_attribute("aria-expanded", "true")
    expect(left).to_contain_text("Rome")
    shoot(tab, "branches-2-original", AT["run"])


def compare(tab: LabPage) -> None:
    """The cell that compares stands below, and is run by the person."""
    names(card(tab, AT["fork"])).get_by_role("button", name=f"Compare with {ORIGINAL}").click()
    below = AT["fork"] + 1
    expect(tab.cell(below).locator(".cm-content")).to_contain_text("nbagents.compare(")
    tab.run_to_end(below)
    shown = tab.cell(below).locator(".jp-RenderedHTMLCommon")
    expect(shown).to_contain_text("Rome: 40 euros ≠ sold out")
    expect(shown).to_contain_text("2, 1 kept")
    shoot(tab, "branches-3-compared", below)


def fork_from_here(tab: LabPage) -> None:
    """A call's own button writes the line that goes back to it, and the line does."""
    run = card(tab, AT["run"])
    run.get_by_role("button", name="Fork from here").last.click()
    below = AT["run"] + 1
    expect(tab.cell(below).locator(".cm-content")).to_contain_text("%agent --fork run-")
    source = tab.source(below)
    assert source.endswith('--at 2 --arguments \'{"city":"Rome"}\'')
    tab.run_to_end(below)
    assert tab.errors(below) == []
    tab.wait_for_saved(below)
    other = "forked at call 2 (price): other arguments"
    expect(names(card(tab, below)).locator("[aria-current]")).to_have_text(other)
    expect(names(run).get_by_role("button", name=other, exact=True)).to_have_count(1)
    expect(names(run).get_by_role("button", name=BRANCH, exact=True)).to_have_count(1)
    shoot(tab, "branches-4-fork-from-here", below)


def card(tab: LabPage, index: int) -> Locator:
    """The card of a cell's run."""
    return tab.cell(index).locator(".nba-run").last


def names(run: Locator) -> Locator:
    """The list of branches in a card's header."""
    return run.get_by_role("navigation", name="Branches")


def open_calls(run: Locator) -> None:
    """Open every call of a run."""
    run.get_by_role("button", name="Open all").click()


def shoot(tab: LabPage, name: str, index: int) -> None:
    """Take a picture of a cell, wide and narrow."""
    tab.show(index)
    tab.shoot(name, tab.cell(index))
    tab.page.set_viewport_size({"width": NARROW_PX, "height": 1000})
    tab.shoot(f"{name}-{NARROW_PX}", tab.cell(index))
    tab.page.set_viewport_size({"width": WIDTH_PX, "height": HEIGHT_PX})
