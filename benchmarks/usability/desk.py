"""A newcomer's desk: each task's notebook, opened and run, before the first click."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from benchmarks.browser.place import notebook
from benchmarks.usability.notebooks import NOTEBOOKS
from benchmarks.usability.player import Player
from benchmarks.usability.tasks import TASKS
from tests.browser.lab_page import NOTEBOOK, LabPage
from tests.browser.lab_server import end_kernels

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

    from benchmarks.browser.place import Lab
    from benchmarks.usability.player import Played
    from benchmarks.usability.views import View

__all__ = ["Desk"]

LOAD_MS = 120_000
SIZE = {"width": 1280, "height": 800}
TO_THE_TOP = f"{NOTEBOOK}.content.scrollToItem(0, 'start').then(() => null)"


class Desk:
    """One JupyterLab, in which a task is played after the other.

    Args:
        browser: The browser.
        lab: The server, and the folder that it serves.
        view: The edition of the run view whose strategies are played.
        pictures: The folder for a picture of the page as each task ends.
    """

    def __init__(self, browser: Browser, lab: Lab, view: View, pictures: Path) -> None:
        self._browser = browser
        self._lab = lab
        self._view = view
        self._pictures = pictures
        pictures.mkdir(parents=True, exist_ok=True)

    def play(self, name: str) -> Played:
        """Set one task up, play it, and clear the desk."""
        tab = self._tab()
        self._lay_out(name)
        try:
            self._run(tab, name)
            if TASKS[name].is_saved:
                tab = self._reopened(tab, name)
            tab.page.evaluate(TO_THE_TOP)
            tab.page.wait_for_timeout(500)
            return Player(tab).play(TASKS[name], self._view.strategies[name])
        finally:
            tab.page.screenshot(path=self._pictures / f"{name}.png")
            tab.page.context.close()
            end_kernels(self._lab.url)

    def _tab(self) -> LabPage:
        context = self._browser.new_context(
            viewport=SIZE,
            reduced_motion="reduce",
            permissions=["clipboard-read", "clipboard-write"],
        )
        tab = LabPage(context.new_page(), self._lab.url, self._pictures)
        tab.page.set_default_timeout(LOAD_MS)
        return tab

    def _lay_out(self, name: str) -> None:
        """Write the notebook and its tools into a folder of their own."""
        tools, cells = NOTEBOOKS[name]
        folder = self._lab.folder / name
        folder.mkdir()
        (folder / "desk.py").write_text(tools, encoding="utf-8")
        (folder / "work.ipynb").write_text(json.dumps(notebook(cells)), encoding="utf-8")

    def _run(self, tab: LabPage, name: str) -> None:
        """Open the notebook and run it, with what a person did meanwhile."""
        tab.open(f"{name}/work.ipynb")
        last = len(NOTEBOOKS[name].cells) - 1
        for index in range(last):
            tab.run_to_end(index)
        tab.run_cell(last)
        Player(tab).prepare(self._view.preparations.get(name, ()))
        tab.wait_for_end(last)

    def _reopened(self, tab: LabPage, name: str) -> LabPage:
        """Save and close it, end the kernel, and open it as on the next day."""
        tab.page.wait_for_timeout(1000)  # the view is exchanged for its saved form
        tab.save()
        tab.shut_down_kernel()
        tab.page.context.close()
        fresh = self._tab()
        fresh.open_without_kernel(f"{name}/work.ipynb")
        return fresh
