"""The browser, JupyterLab, and a notebook's tab for the browser tests."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.browser.chromium import FLAGS, chromium
from tests.browser.lab_page import LabPage
from tests.browser.lab_server import lab_server, use_release

SHOTS = Path(__file__).resolve().parents[2] / "build" / "screenshots"
WIDTH_PX, HEIGHT_PX = 1100, 1000

Write = Callable[[str, Sequence[str]], Path]
Tab = Callable[[], LabPage]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium for the tests of a file.

    Not for longer: while Playwright is open, an event loop counts as running in this thread, and
    tests of other files want to start their own.
    """
    path = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder that JupyterLab serves."""
    path = tmp_path / "notebooks"
    path.mkdir()
    return path


@pytest.fixture
def release() -> str | None:
    """The release of ipykernel whose kernels are started; `None`: the one that is installed."""
    return None


@pytest.fixture
def lab(folder: Path, tmp_path: Path, release: str | None) -> Iterator[str]:
    """A JupyterLab for this test; gives its address."""
    private = tmp_path / "lab"
    private.mkdir()
    if release is not None:
        use_release(private, release)
    with lab_server(folder, private) as url:
        yield url


@pytest.fixture
def write_notebook(folder: Path) -> Write:
    """Write a notebook of code cells into the served folder."""

    def write(name: str, cells: Sequence[str]) -> Path:
        notebook = {
            "nbformat": 4,
            "nbformat_minor": 5,
            "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
            "cells": [code_cell(index, source) for index, source in enumerate(cells)],
        }
        (folder / name).write_text(json.dumps(notebook), encoding="utf-8")
        return folder / name

    return write


@pytest.fixture
def new_tab(browser: Browser, lab: str) -> Iterator[Tab]:
    """Open tabs, each in a browser context of its own: nothing is remembered from the last one."""
    contexts: list[BrowserContext] = []

    def open_tab() -> LabPage:
        context = browser.new_context(viewport={"width": WIDTH_PX, "height": HEIGHT_PX})
        contexts.append(context)
        return LabPage(context.new_page(), lab, SHOTS)

    yield open_tab
    for context in contexts:
        context.close()


def code_cell(index: int, source: str) -> dict[str, object]:
    """A code cell that was never run, as notebook files have it."""
    return {
        "cell_type": "code",
        "id": f"cell-{index}",
        "metadata": {},
        "source": source,
        "execution_count": None,
        "outputs": [],
    }
