"""A saved notebook, opened with no kernel: by our extension and without it, trusted or not."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SHOTS, WIDTH_PX
from tests.browser.lab_page import CELLS as SHARED_CELLS
from tests.browser.lab_page import LabPage
from tests.browser.lab_server import lab_server
from tests.browser.saved import (
    AT,
    RUN_MIME,
    WIDGET_MIME,
    notebook_of,
    read,
    trust,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Locator

HEIGHT_PX = 1500
"""A page on which a whole run fits."""
MAGICS = (
    "%%tool --limit 3\ndef area(r: float) -> float:\n    return 3.14 * r**2",
    "%%agent -m offline\nHow **large** is it?",
    "def plain():\n    return None",
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, saved_notebook: Path) -> Path:
    """A folder: `nb` with notebooks, and room for the servers' own folders."""
    folder = tmp_path_factory.mktemp("saved")
    (folder / "nb").mkdir()
    path = folder / "nb" / "saved.ipynb"
    shutil.copy(saved_notebook, path)
    write(folder / "nb" / "odd.ipynb", odd(read(path)))
    another = read(path)
    another["metadata"]["title"] = "It is trusted by what it holds, so it holds something else"
    write(folder / "nb" / "trusted.ipynb", another)
    write(folder / "nb" / "magics.ipynb", notebook_of(*MAGICS))
    return folder


def odd(notebook: dict[str, Any]) -> dict[str, Any]:
    """The same notebook as another version, or somebody with bad intentions, might write it."""
    run = bundle(notebook, "run")
    run[RUN_MIME]["version"] = 2
    large = bundle(notebook, "large")
    calls = large[RUN_MIME]["tree"]["runs"]
    next(iter(calls.values()))["calls"] = {"__proto__": {"status": "<img src=x onerror=alert(1)>"}}
    bundle(notebook, "map")[WIDGET_MIME] = {"kind": "../../../evil", "value": 1}
    return notebook


def bundle(notebook: dict[str, Any], name: str) -> dict[str, Any]:
    """What a cell displays, by MIME type."""
    (data,) = (one["data"] for one in notebook["cells"][AT[name]]["outputs"] if "data" in one)
    return data


@pytest.fixture(scope="module")
def lab(place: Path) -> Iterator[str]:
    """A JupyterLab with our extension, for which one of the notebooks is trusted."""
    private = place / "with"
    private.mkdir()
    trust(place / "nb" / "trusted.ipynb", private)
    with lab_server(place / "nb", private) as url:
        yield url


@pytest.fixture(scope="module")
def plain_lab(place: Path) -> Iterator[str]:
    """A JupyterLab in which our extension is disabled."""
    private = place / "without"
    private.mkdir()
    trust(place / "nb" / "trusted.ipynb", private)
    with lab_server(place / "nb", private, has_extension=False) as url:
        yield url


class Pages:
    """A page for each JupyterLab: to load it takes most of the time of a look at a notebook."""

    def __init__(self, browser: Browser) -> None:
        self._context = browser.new_context(viewport={"width": WIDTH_PX, "height": HEIGHT_PX})
        self._tabs: dict[str, LabPage] = {}
        self._asked: list[str] = []

    def open(self, url: str, notebook: str) -> LabPage:
        """A notebook and no kernel, in a page that asks nobody but its server."""
        if tab := self._tabs.get(url):
            assert tab.clear()
            tab.open_here_without_kernel(notebook)
        else:
            tab = self._tabs[url] = LabPage(self._context.new_page(), url, SHOTS)
            tab.page.on("request", lambda one: self._asked.append(one.url))
            tab.open_without_kernel(notebook)
        assert tab.kernel_status() == "none"
        own = (*self._tabs, "data:", "blob:", "ws:")
        assert [one for one in self._asked if not one.startswith(own)] == []
        return tab

    def close(self) -> None:
        """Close all."""
        self._context.close()


@pytest.fixture(scope="module")
def pages(browser: Browser) -> Iterator[Pages]:
    """The pages of all tests."""
    pages = Pages(browser)
    yield pages
    pages.close()


def shown(tab: LabPage, name: str) -> Locator:
    """What a cell's outputs show."""
    tab.show(AT[name])
    return tab.cell(AT[name]).locator(".jp-OutputArea")


def is_trusted(tab: LabPage) -> bool:
    """Whether JupyterLab trusts the cell with the run."""
    cells = "window.jupyterapp.shell.currentWidget.content.model.cells"
    tab.wait_for(f"index => {cells}.length > index", arg=AT["run"])
    return tab.page.evaluate(f"index => {cells}.get(index).trusted", AT["run"])


TRUSTED_OR_NOT = pytest.mark.parametrize(
    "notebook", ["saved.ipynb", pytest.param("trusted.ipynb", marks=pytest.mark.slow)]
)


@TRUSTED_OR_NOT
def test_with_the_extension_a_saved_run_is_the_view_that_was_seen_live(
    pages: Pages, lab: str, place: Path, notebook: str
) -> None:
    """When JupyterLab saves it again, it holds the same runs."""
    copied = place / "nb" / f"again-{notebook}"
    shutil.copy(place / "nb" / notebook, copied)
    tab = pages.open(lab, copied.name)
    assert is_trusted(tab) == (notebook == "trusted.ipynb")
    card = shown(tab, "run").locator(".nba-card")
    expect(card).to_contain_text("Lisbon is there, and Atlantis is nowhere.")
    expect(card.locator(".leaflet-container")).to_be_visible()
    expect(card).to_contain_text("There is no place 'Atlantis'.")
    card.locator(".nba-row", has_text="find_place").first.click()
    expect(card.locator(".nba-details").first).to_contain_text("38.71")
    tab.shoot(f"saved-{notebook.removesuffix('.ipynb')}", tab.cell(AT["run"]))
    expect(shown(tab, "large").locator(".nba-card")).to_contain_text("Shortened in 1 place")
    still = shown(tab, "map")
    expect(still.locator(".leaflet-container")).to_be_visible()
    expect(still.locator("img[src^='data:image/svg']")).to_have_count(0)
    tab.save()
    before, after = read(place / "nb" / notebook), read(copied)
    for name in ("run", "large", "map"):
        assert bundle(after, name) == bundle(before, name)
    edits_and_reruns(tab)


def edits_and_reruns(tab: LabPage) -> None:
    """A cell that asks the same is inserted below the run."""
    before = tab.page.evaluate(f"{SHARED_CELLS}.length")
    shown(tab, "run").get_by_title("Edit and re-run").click()
    tab.wait_for(f"count => {SHARED_CELLS}.length === count", arg=before + 1)
    source = tab.page.evaluate(f"{SHARED_CELLS}[{AT['run'] + 1}].source")
    assert "Show me Lisbon and Atlantis." in source
    index = tab.page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex")
    assert index == AT["run"] + 1


def test_what_is_not_as_it_should_be_is_shown_as_html(pages: Pages, lab: str) -> None:
    tab = pages.open(lab, "odd.ipynb")
    problems: list[str] = []
    tab.page.on("pageerror", lambda error: problems.append(f"{error.stack}"))
    for name in ("run", "large"):
        output = shown(tab, name)
        expect(output.locator(".nba-frozen")).to_be_visible()
        expect(output.locator(".nba-card")).to_have_count(0)
    expect(shown(tab, "map").locator("img[src^='data:image/svg']")).to_be_visible()
    assert [one for one in problems if "nbagents" in one] == []


@TRUSTED_OR_NOT
def test_without_the_extension_a_saved_run_is_html_that_opens(
    pages: Pages, plain_lab: str, notebook: str
) -> None:
    tab = pages.open(plain_lab, notebook)
    assert is_trusted(tab) == (notebook == "trusted.ipynb")
    output = shown(tab, "run")
    expect(output.locator(".nba-card")).to_have_count(0)
    expect(output).to_contain_text("Lisbon is there, and Atlantis is nowhere.")
    expect(output.locator("img[src^='data:image/svg']")).to_be_visible()
    expect(output.get_by_text("Error: There is no place 'Atlantis'.")).to_be_visible()
    result = output.locator("pre", has_text="38.71").first
    expect(result).not_to_be_visible()
    output.locator("summary", has_text="find_place").first.click()
    expect(result).to_be_visible()
    tab.shoot(f"saved-plain-{notebook.removesuffix('.ipynb')}", tab.cell(AT["run"]))
    large = shown(tab, "large")
    large.locator("summary", has_text="shortened in 1 place").click()
    expect(large.get_by_text("%nbagents show")).to_be_visible()
    expect(shown(tab, "map").locator("img[src^='data:image/svg']")).to_be_visible()


def test_cells_of_our_magics_have_the_colours_of_what_stands_in_them(
    pages: Pages, lab: str
) -> None:
    tab = pages.open(lab, "magics.ipynb")
    tool, agent, plain = (tab.cell(index).locator(".cm-content") for index in range(3))
    expect(tool.locator(".nba-magic")).to_have_text("%%tool --limit 3")
    expect(agent.locator(".nba-magic")).to_have_text("%%agent -m offline")
    expect(plain.locator(".nba-magic")).to_have_count(0)
    bold = "el => getComputedStyle(el).fontWeight"
    assert agent.get_by_text("large", exact=True).evaluate(bold) == "700"
    assert tool.get_by_text("def", exact=True).evaluate(bold) == "700"
    tab.shoot("saved-magics")
    tab.page.evaluate(f"{SHARED_CELLS}[2].setSource('%%agent\\nIs it **so**?')")
    expect(plain.locator(".nba-magic")).to_have_text("%%agent")
    assert plain.get_by_text("so", exact=True).evaluate(bold) == "700"
    tab.page.evaluate(f"{SHARED_CELLS}[2].setSource('x = 1')")
    expect(plain.locator(".nba-magic")).to_have_count(0)
