"""A run whose page is loaded again, closed, or loses its kernel before the end: it can be read."""

from __future__ import annotations

import os
import re
import signal
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import HEIGHT_PX, SHOTS, WIDTH_PX
from tests.browser.lab_page import NOTEBOOK, LabPage
from tests.browser.lab_server import lab_server
from tests.browser.saved import RUN_MIME, VIEW_MIME, notebook_of, read, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any

    from playwright.sync_api import Browser, BrowserContext, Locator

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


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the notebooks, the servers' own, and the word."""
    return tmp_path_factory.mktemp("midrun")


@pytest.fixture(scope="module")
def lab(place: Path) -> Iterator[str]:
    """A JupyterLab with our extension."""
    for folder in ("nb", "private"):
        (place / folder).mkdir()
    with lab_server(place / "nb", place / "private") as url:
        yield url


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser that forgets at the end of the test."""
    context = browser.new_context(viewport={"width": WIDTH_PX, "height": HEIGHT_PX})
    yield context
    context.close()


class Waiting:
    """A run that waits for a word, in a notebook that was saved meanwhile."""

    def __init__(self, context: BrowserContext, url: str, place: Path, name: str) -> None:
        self.go = place / f"{name}.go"
        self.path = write(
            place / "nb" / f"{name}.ipynb", notebook_of(LOAD.format(go=str(self.go)), TOOL, RUN)
        )
        self._context, self._url = context, url
        self.tab = self.new_tab()
        self.tab.open(self.path.name)
        for index in (0, 1):
            self.tab.run_to_end(index)
        self.tab.run_cell(RUN_CELL)
        self.is_live()
        self.tab.save()
        assert set(self.saved()) == {*FROZEN, VIEW_MIME}

    def new_tab(self) -> LabPage:
        """A tab of the same browser."""
        return LabPage(self._context.new_page(), self._url, SHOTS)

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
    context: BrowserContext, lab: str, place: Path
) -> None:
    run = Waiting(context, lab, place, "reloaded")
    run.tab.page.reload(wait_until="domcontentloaded")
    run.tab.wait_for_notebook()
    run.is_live()
    run.go.touch()
    card = run.output().locator(".nba-card[data-status=completed]:visible")
    expect(card).to_contain_text("It is done.")
    run.tab.page.wait_for_function(
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
    run.tab.page.wait_for_function(f"{active} === 1")


def test_a_tab_that_was_closed_before_the_end_gets_it_from_the_kernels_log(
    context: BrowserContext, lab: str, place: Path
) -> None:
    run = Waiting(context, lab, place, "closed")
    run.tab.page.close()
    run.go.touch()
    run.tab = run.new_tab()
    run.tab.open(run.path.name)
    card = run.output().locator(".nba-card[data-status=completed]:visible")
    expect(card).to_contain_text("It is done.")
    expect(run.output().get_by_text("Error displaying widget")).not_to_be_visible()
    run.tab.shoot("saved-closed", run.tab.cell(RUN_CELL))
    run.tab.save()
    assert set(run.saved()) == FROZEN


def test_a_kernel_that_was_killed_leaves_a_run_that_says_so_at_once_and_when_opened_again(
    context: BrowserContext, lab: str, place: Path
) -> None:
    run = Waiting(context, lab, place, "killed")
    os.kill(int(run.tab.printed(0)), signal.SIGKILL)  # as the system does when memory is short
    run.is_unseen()
    run.tab.page.get_by_role("button", name="Ok", exact=True).click()
    run.tab.save()
    run.tab.page.close()
    run.tab = run.new_tab()
    run.tab.open_without_kernel(run.path.name)
    run.is_unseen()
