"""A run whose page is loaded again, closed, or loses its kernel before the end: it can be read."""

from __future__ import annotations

import os
import re
import signal
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.lab_page import NOTEBOOK
from tests.browser.saved import RUN_MIME, VIEW_MIME, notebook_of, read, write

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from playwright.sync_api import Locator

    from tests.browser.conftest import Tab

LOAD = """
%load_ext nbagents
import asyncio, os, pathlib
import nbagents as nba
from nbagents.models.scripted import call
from nbagents.tools.tool.registry import toolbox
GO = pathlib.Path({go!r})
print(os.getpid())
"""
TOOL = '''
%%tool
async def wait_for_word() -> str:
    """Wait until somebody says go."""
    while not GO.exists():
        await asyncio.sleep(0.02)
    return "somebody said it"
'''
RUN = """
model = nba.ScriptedModel([call("wait_for_word"), "It is **done**."])
nba.Agent("waiter", tools=[toolbox["wait_for_word"]], model=model).run("Wait for the word.")
"""
RUN_CELL = 2
FROZEN = {RUN_MIME, "text/html", "text/plain"}
UNSEEN = re.compile("did not see the end of this run")


class Waiting:
    """A run that waits for a word, in a notebook that was saved meanwhile."""

    def __init__(self, new_tab: Tab, folder: Path) -> None:
        self.go = folder / "go"
        self.path = write(
            folder / "waiting.ipynb", notebook_of(LOAD.format(go=str(self.go)), TOOL, RUN)
        )
        self.tab = new_tab()
        self.tab.open(self.path.name)
        for index in (0, 1):
            self.tab.run_to_end(index)
        self.tab.run_cell(RUN_CELL)
        self.is_live()
        self.tab.save()
        assert set(self.saved()) == {*FROZEN, VIEW_MIME}

    def output(self) -> Locator:
        """What the run's cell shows."""
        return self.tab.cell(RUN_CELL).locator(".jp-OutputArea")

    def is_live(self) -> None:
        """Wait until the live view is there, and nothing else."""
        expect(self.output().locator(".nba-call[data-status=running]")).to_be_visible()
        expect(self.output().locator(".nba-stop")).to_be_visible()
        expect(self.output().locator(".nba-card:visible")).to_have_count(1)

    def is_unseen(self) -> None:
        """Wait until it says that its end was not seen, and nothing else stands there."""
        expect(self.output()).to_contain_text(UNSEEN)
        expect(self.output().get_by_text("Error displaying widget")).not_to_be_visible()
        expect(self.output().locator(".nba-stop:visible")).to_have_count(0)

    def saved(self) -> dict[str, Any]:
        """What the notebook's file has of the run now."""
        (data,) = (
            one["data"]
            for one in read(self.path)["cells"][RUN_CELL]["outputs"]
            if one["output_type"] == "display_data"
        )
        return data


def test_a_page_that_is_loaded_again_shows_the_run_live_and_keeps_its_end(
    new_tab: Tab, folder: Path
) -> None:
    run = Waiting(new_tab, folder)
    run.tab.page.reload(wait_until="domcontentloaded")
    run.tab.wait_for_notebook()
    run.is_live()
    run.go.touch()
    card = run.output().locator(".nba-card[data-status=completed]:visible")
    expect(card).to_contain_text("It is done.")
    run.tab.wait_for(
        f"mime => !{NOTEBOOK}.content.model.sharedModel.cells[{RUN_CELL}].getOutputs()"
        ".some(one => one.data && mime in one.data)",
        arg=VIEW_MIME,
    )
    run.tab.save()
    assert set(run.saved()) == FROZEN
    assert "somebody said it" in "".join(run.saved()["text/plain"])
    expect(run.output().locator(".nba-card")).to_have_count(1)
    run.output().locator(".nba-row", has_text="wait_for_word").click()
    run.output().get_by_title("Go to the cell that defines the tool").click()
    active = f"{NOTEBOOK}.content.activeCellIndex"
    run.tab.wait_for(f"{active} === 1")
    run.tab.page.close()  # a page that was loaded again is not what other tests begin with


def test_a_tab_that_was_closed_before_the_end_gets_it_from_the_kernels_log(
    new_tab: Tab, folder: Path
) -> None:
    run = Waiting(new_tab, folder)
    run.tab.page.close()
    run.go.touch()
    run.tab = new_tab()
    run.tab.open(run.path.name)
    card = run.output().locator(".nba-card[data-status=completed]:visible")
    expect(card).to_contain_text("It is done.")
    expect(run.output().get_by_text("Error displaying widget")).not_to_be_visible()
    run.tab.shoot("saved-closed", run.tab.cell(RUN_CELL))
    run.tab.save()
    assert set(run.saved()) == FROZEN


def test_a_kernel_that_was_killed_leaves_a_run_that_says_so_at_once_and_when_opened_again(
    new_tab: Tab, folder: Path
) -> None:
    run = Waiting(new_tab, folder)
    os.kill(int(run.tab.printed(0)), signal.SIGKILL)  # as the system does when memory is short
    run.is_unseen()
    run.tab.page.get_by_role("button", name="Ok", exact=True).click()
    run.tab.save()
    run.tab.page.close()
    run.tab = new_tab()
    run.tab.open_without_kernel(run.path.name)
    run.is_unseen()
