"""The browser, JupyterLab, and a notebook's tab for the browser tests."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser.chromium import FLAGS, chromium
from tests.browser.lab_page import WAIT_MS, LabPage
from tests.browser.lab_server import end_kernels, lab_server, use_release
from tests.browser.saved import executed

HERE = Path(__file__).resolve().parent
SHOTS = HERE.parents[1] / "build" / "screenshots"
WIDTH_PX, HEIGHT_PX = 1100, 1000

Write = Callable[[str, Sequence[str]], Path]
Tab = Callable[[], LabPage]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let pictures be taken twice."""
    parser.addoption("--themes", action="store_true", help="pictures in the light and dark theme")


def pytest_configure(config: pytest.Config) -> None:
    """Say so to whoever takes pictures."""
    LabPage.in_each_theme = bool(config.getoption("--themes", default=False))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: while Playwright is open, a loop counts as running in this thread,
    and tests of other folders want to start their own."""
    items.sort(key=lambda item: HERE in item.path.parents)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless Chromium for all tests."""
    path = chromium()
    expect.set_options(timeout=WAIT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def saved_notebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A notebook of ours that was executed with nobody watching: to be read, or copied."""
    return executed(tmp_path_factory.mktemp("executed"))


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the JupyterLab of all tests serves."""
    return tmp_path_factory.mktemp("served")


@pytest.fixture
def folder(served: Path, request: pytest.FixtureRequest) -> Path:
    """The test's own folder of notebooks."""
    path = served / re.sub(r"\W+", "-", request.node.name)
    path.mkdir()
    return path


@pytest.fixture
def release() -> str | None:
    """The release of ipykernel whose kernels are started; `None`: the one that is installed."""
    return None


@pytest.fixture(scope="session")
def lab_of_all(served: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a JupyterLab for all tests that want no other."""
    with lab_server(served, tmp_path_factory.mktemp("lab")) as url:
        yield url


@pytest.fixture
def lab(
    served: Path, tmp_path: Path, release: str | None, request: pytest.FixtureRequest
) -> Iterator[str]:
    """The address of a JupyterLab; of kernels of another release, it is this test's own."""
    if release is None:
        url: str = request.getfixturevalue("lab_of_all")
        yield url
        end_kernels(url)
        return
    private = tmp_path / "lab"
    private.mkdir()
    use_release(private, release)
    with lab_server(served, private) as url:
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


@pytest.fixture(scope="session")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """What is shared by tabs: JupyterLab's scripts are read and compiled once.

    Nothing moves by itself: with no graphics card, that takes a core.
    """
    context = browser.new_context(
        viewport={"width": WIDTH_PX, "height": HEIGHT_PX}, reduced_motion="reduce"
    )
    yield context
    context.close()


@pytest.fixture(scope="session")
def pages_that_are_up() -> dict[str, Page]:
    """By address, a page in which a JupyterLab is up and no notebook is open.

    To load it takes a core eight seconds, more than most tests do with it.
    """
    return {}


@pytest.fixture
def new_tab(
    context: BrowserContext, lab: str, folder: Path, pages_that_are_up: dict[str, Page]
) -> Iterator[Tab]:
    """Open tabs for notebooks of the test's folder."""
    tabs: list[LabPage] = []

    def open_tab() -> LabPage:
        page = pages_that_are_up.pop(lab, None) or context.new_page()
        tabs.append(LabPage(page, lab, SHOTS, folder.name))
        return tabs[-1]

    yield open_tab
    for tab in tabs:
        if tab.page.is_closed():
            continue
        if lab in pages_that_are_up or not tab.clear():
            tab.page.close()
        else:
            pages_that_are_up[lab] = tab.page


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
