"""`%nbagents` and `%nbagents runs` in JupyterLab: live, with what can be done, and kept."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.axe import AXE, CHECK

if TYPE_CHECKING:
    from tests.browser.conftest import Tab, Write
    from tests.browser.lab_page import LabPage

CELLS = [
    """
    %load_ext nbagents
    import nbagents as nba
    from nbagents.models.scripted import call
    def weather(city: str) -> str:
        "The weather."
        raise ValueError("The service is down.")
    @nba.tool(thread=True)  # on the main thread the kernel would be busy while it waits
    def plan(ctx: nba.Context) -> str:
        "Plan a trip."
        return ctx.ask("Where to?", options=["Oslo", "Rome"])
    model = nba.ScriptedModel([[call("weather", city="Oslo")], "I do not know."])
    guide = nba.Agent("guide", tools=[weather], model=model)
    """,
    """
    %%tool --destructive
    def wipe(path: str, force: bool = False) -> str:
        "Erase a file. It cannot be had back."
        return f"Erased {path}."
    """,
    "%agent -a guide -d none How warm is it in Oslo?",
    "%nbagents",
    """
    planner = nba.Agent("planner", tools=[plan], model=nba.ScriptedModel([call("plan"), "Good."]))
    run = planner.start("Plan my summer.")
    """,
    "%nbagents runs",
]
LOAD, TOOL, ASK, OVERVIEW, START, RUNS = range(6)


def look_over(tab: LabPage) -> None:
    """What waits comes by itself, is answered there, and goes."""
    panel = tab.cell(OVERVIEW).locator(".nba-panel-view")
    expect(panel).to_contain_text("wipe(path, force=False)")
    expect(panel).to_contain_text("may destroy")
    tab.run_to_end(START)
    waiting = panel.get_by_role("region", name="Waiting for you")
    expect(waiting).to_contain_text("Where to?")
    tab.show(OVERVIEW)
    tab.shoot("overview", panel)
    assert panel.evaluate(CHECK) == []
    waiting.get_by_role("button", name="Rome: ").click()
    expect(waiting).to_contain_text("Nothing.")
    expect(panel.get_by_role("region", name="Running")).to_contain_text("Nothing")
    expect(panel).to_contain_text("done: Plan my summer.")


def look_through(tab: LabPage) -> None:
    """Words of the prompt choose; a run opens below."""
    cell = tab.cell(RUNS)
    panel = cell.locator(".nba-panel-view")
    expect(panel.locator("tbody tr")).to_have_count(2)
    tab.shoot("runs", panel)
    panel.get_by_label("Words of the prompt").fill("oslo")
    expect(panel.locator("tbody tr")).to_have_count(1)
    expect(panel).to_contain_text("failed: its only call failed")
    panel.get_by_role("button", name="Open").click()
    card = cell.locator(".nba-card")
    expect(card).to_contain_text("I do not know.")
    card.get_by_role("button", name="Explain this failure").click()
    expect(card).to_contain_text("What you can do")
    assert panel.evaluate(CHECK) == []
    tab.show(RUNS)
    tab.shoot("runs-opened", cell.locator(".jp-OutputArea").first)
    panel.get_by_label("Status").select_option("done")
    expect(panel).to_contain_text("No run is like that.")


def look_at_what_is_kept(tab: LabPage) -> None:
    """Without a kernel the rows and the card that was opened are there, and no button."""
    tab.shut_down_kernel()
    panel = tab.cell(RUNS).locator(".nba-panel-view[data-live=false]")
    expect(panel).to_contain_text("Plan my summer.")
    expect(panel.locator("button")).to_have_count(0)
    expect(tab.cell(RUNS).locator(".nba-card")).to_contain_text("I do not know.")
    tab.shoot("runs-saved", tab.cell(RUNS))


def test_runs_and_what_goes_on_are_looked_over(write_notebook: Write, new_tab: Tab) -> None:
    write_notebook("panels.ipynb", [dedent(source).strip() for source in CELLS])
    tab = new_tab()
    tab.open("panels.ipynb")
    tab.page.add_script_tag(path=AXE)
    for index in (LOAD, TOOL, ASK, OVERVIEW):
        tab.run_to_end(index)
    tab.shoot("tool-line", tab.cell(TOOL))
    look_over(tab)
    tab.run_to_end(RUNS)
    look_through(tab)
    look_at_what_is_kept(tab)
