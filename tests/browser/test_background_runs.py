"""A run in the background, in JupyterLab: it waits and says so, goes on, is stopped, is kept."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Tab, Write
    from tests.browser.lab_page import LabPage

RUN_JSON = "application/vnd.nbagents.run.v1+json"
WIDGET = "application/vnd.jupyter.widget-view+json"
CELLS = {
    "load": """
%load_ext nbagents
import asyncio, threading, time
import nbagents as nba
from nbagents.models.scripted import call

def look(place: str) -> str:
    "Look at a place."
    on_main = threading.current_thread() is threading.main_thread()
    return f"{place}, seen on the main thread: {on_main}"

async def watch(place: str) -> str:
    "Watch a place for ever."
    await asyncio.sleep(600)
    return "never"

busy = []

async def wait_until_busy() -> str:
    "Wait until the next cell runs."
    while not busy:
        await asyncio.sleep(0.01)
    return "busy"

def asks(*steps):
    tools = [look, watch, wait_until_busy]
    return nba.Agent(tools=tools, model=nba.ScriptedModel(list(steps)))
""",
    "start": """
steps = [call("wait_until_busy"), call("look", place="Lisbon"), "I have looked at **Lisbon**."]
run = asks(*steps).start("Look at Lisbon.")
run
""",
    "busy": "busy.append(True)\ntime.sleep(6)\nprint(run.calls[1].status)",
    "after": "print(run.wait(10).status)",
    "watching": 'watching = asks(call("watch", place="Quito")).start("Watch Quito.")',
    "next": "print(watching.status)",
    "again": "watching",
}
AT = {name: index for index, name in enumerate(CELLS)}
"""Where each cell stands."""


def test_a_run_in_the_background_waits_goes_on_is_stopped_and_kept(
    write_notebook: Write, new_tab: Tab
) -> None:
    path = write_notebook("behind.ipynb", [source.strip("\n") for source in CELLS.values()])
    tab = new_tab()
    tab.open("behind.ipynb")
    tab.run_to_end(AT["load"])
    wait_for_the_kernel(tab)
    stop_between_cells(tab)
    tab.save()
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for name in ("start", "watching", "again"):
        (bundle,) = shown_in(notebook["cells"][AT[name]])
        assert WIDGET not in bundle
        assert RUN_JSON in bundle
    assert "done" in shown_in(notebook["cells"][AT["start"]])[0]["text/plain"][0]


def wait_for_the_kernel(tab: LabPage) -> None:
    """A plain tool waits while a cell computes, and the card says so; then it runs."""
    tab.run_cell(AT["start"])
    tab.run_cell(AT["busy"])
    card = live(tab, "start")
    expect(card).to_contain_text("Waiting for the kernel")
    tab.shoot("background-1-waiting", tab.cell(AT["start"]))
    tab.wait_for_end(AT["busy"])
    assert tab.printed(AT["busy"]) == "preparing\n"
    expect(shown(tab, "start")).to_contain_text("I have looked at")
    expect(card).to_have_count(0)
    tab.run_to_end(AT["after"])
    assert tab.printed(AT["after"]) == "completed\n"
    expect(shown(tab, "start")).to_contain_text("seen on the main thread: True")
    tab.shoot("background-2-done", tab.cell(AT["start"]))


def stop_between_cells(tab: LabPage) -> None:
    """Between two cells the card is live, also a second one, and its button is heard."""
    for name in ("watching", "again"):
        tab.run_to_end(AT[name])
    tab.show(AT["again"])
    expect(live(tab, "again").locator(".nba-call[data-status=running]")).to_be_visible()
    tab.shoot("background-3-live")
    live(tab, "watching").locator(".nba-stop").click()
    for name in ("watching", "again"):
        expect(live(tab, name)).to_have_count(0)
        expect(shown(tab, name)).to_contain_text("cancelled", ignore_case=True)
    tab.run_to_end(AT["next"])
    assert tab.printed(AT["next"]) == "cancelled\n"
    tab.show(AT["again"])
    tab.shoot("background-4-stopped")


def live(tab: LabPage, name: str) -> Locator:
    """The live card of a cell: its button is there for as long as the run goes on."""
    return shown(tab, name).locator(".nba-card:has(.nba-stop)")


def shown(tab: LabPage, name: str) -> Locator:
    """What a cell's outputs show."""
    return tab.cell(AT[name]).locator(".jp-OutputArea")


def shown_in(cell: dict[str, Any]) -> list[dict[str, Any]]:
    """The bundles of a saved cell (Any: nbformat's JSON)."""
    return [one["data"] for one in cell["outputs"] if one["output_type"] == "display_data"]
