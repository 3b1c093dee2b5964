"""A JupyterLab with one notebook, and a blank page with our modules: where things are measured."""

from __future__ import annotations

import json
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

from tests.browser.chromium import FLAGS, chromium
from tests.browser.conftest import code_cell
from tests.browser.lab_page import LabPage
from tests.browser.lab_server import lab_server

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from playwright.sync_api import Browser, Page

__all__ = ["Lab", "Scripting", "ThreadClock", "blank_page", "chromium_open", "lab_open", "notebook"]

STATIC = Path(__file__).parents[2] / "widgets" / "nbagents_widgets" / "static"
SIZE = {"width": 1100, "height": 1000}


class Lab:
    """A JupyterLab whose notebooks are made of cells that are given."""

    def __init__(self, browser: Browser, url: str, folder: Path) -> None:
        self.url = url
        self.folder = folder
        self._browser = browser

    def tab(self) -> LabPage:
        """A new tab, in a context of its own."""
        page = self._browser.new_context(viewport=SIZE).new_page()
        return LabPage(page, self.url, self.folder)

    def opened(self, name: str, cells: Sequence[str]) -> LabPage:
        """A new notebook of these cells, open and with a kernel."""
        (self.folder / name).write_text(json.dumps(notebook(cells)), encoding="utf-8")
        tab = self.tab()
        tab.open(name)
        return tab


def notebook(cells: Sequence[str], outputs: Sequence[Sequence[Any]] = ()) -> dict[str, Any]:
    """A notebook as JSON, with the outputs of its cells where they are given."""
    made = [code_cell(index, source) for index, source in enumerate(cells)]
    for number, (cell, shown) in enumerate(zip(made, outputs, strict=False), 1):
        cell.update(outputs=list(shown), execution_count=number)
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        "cells": made,
    }


@contextmanager
def chromium_open() -> Generator[Browser]:
    """The browser that the tests use."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        yield browser
        browser.close()


@contextmanager
def lab_open(browser: Browser) -> Generator[Lab]:
    """A JupyterLab of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder, private = Path(name) / "notebooks", Path(name) / "private"
        folder.mkdir()
        private.mkdir()
        with lab_server(folder, private) as url:
            yield Lab(browser, url, folder)


def blank_page(browser: Browser, module: str = "run-view") -> Page:
    """A page without JupyterLab, with one of our modules as `window.view`."""
    page = browser.new_context(viewport=SIZE).new_page()
    page.set_content("<!doctype html><body style='margin:20px'><div id=home></div>")
    source = (STATIC / f"{module}.js").read_text(encoding="utf-8")
    load = """async source => {
      const url = URL.createObjectURL(new Blob([source], {type: "text/javascript"}));
      window.view = await import(url);
    }"""
    page.evaluate(load, source)
    return page


class ThreadClock:
    """What the thread of a page has spent: other work of the machine does not count."""

    def __init__(self, page: Page, metric: str) -> None:
        self._metric = metric
        self._cdp = page.context.new_cdp_session(page)
        self._cdp.send("Performance.enable", {"timeDomain": "threadTicks"})

    def ms(self) -> float:
        """Milliseconds since the page began."""
        found = self._cdp.send("Performance.getMetrics")
        metrics: list[dict[str, Any]] = found["metrics"]
        spent_s: float = next(one["value"] for one in metrics if one["name"] == self._metric)
        return spent_s * 1000


class Scripting:
    """What scripts of a page take."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._clock = ThreadClock(page, "ScriptDuration")

    def ms(self, script: str, argument: object = None) -> float:
        """Milliseconds of scripting until this has ended."""
        before = self._clock.ms()
        self._page.evaluate(script, argument)
        return self._clock.ms() - before
