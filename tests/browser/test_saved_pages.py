"""A saved notebook outside JupyterLab: an HTML file with no network, Notebook 7, Voilà."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SHOTS, WIDTH_PX
from tests.browser.lab_page import WAIT_MS
from tests.browser.lab_server import free_port, lab_server, place_extension, private_folders
from tests.browser.saved import CELLS, convert, notebook_of, write

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

GOES_ON = """
import asyncio
async def wait_for_ever() -> str:
    '''Wait.'''
    await asyncio.sleep(600)
    return "never"
waiter = nba.ScriptedModel([call("wait_for_ever"), "Never said."])
run = nba.Agent("waiter", tools=[wait_for_ever], model=waiter).start("Wait for ever.")
"""
NOTHING_ELSEWHERE = tuple(
    f"--HTMLExporter.{name}="
    for name in ("require_js_url", "mathjax_url", "jquery_url", "mermaid_js_url")
)
"""nbconvert's own page fetches scripts from elsewhere, unless it is told not to."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, saved_notebook: Path) -> Path:
    """A folder with the notebook, executed, and not."""
    folder = tmp_path_factory.mktemp("pages")
    shutil.copy(saved_notebook, folder / "saved.ipynb")
    write(folder / "fresh.ipynb", notebook_of(*CELLS.values()))
    return folder


@pytest.mark.parametrize(
    "is_executed",
    [
        pytest.param(True, id="as it was saved"),
        pytest.param(False, id="while converting", marks=pytest.mark.slow),
    ],
)
def test_an_html_file_shows_every_run_and_asks_nobody_for_anything(
    browser: Browser, place: Path, *, is_executed: bool
) -> None:
    notebook, execute = ("saved", ()) if is_executed else ("fresh", ("--execute",))
    convert(place / f"{notebook}.ipynb", "--to", "html", *execute, *NOTHING_ELSEWHERE)
    page, asked = opened(browser, place / f"{notebook}.html")
    assert asked == []
    shows_the_runs(page)
    page.screenshot(path=SHOTS / f"saved-nbconvert-{notebook}.png")
    page.context.close()


@pytest.mark.slow
def test_what_nbconvert_itself_fetches_is_the_same_with_our_runs_as_without(
    browser: Browser, place: Path
) -> None:
    convert(place / "saved.ipynb", "--to", "html", "--HTMLExporter.theme=dark", "--output", "ours")
    convert(place / "fresh.ipynb", "--to", "html", "--HTMLExporter.theme=dark", "--output", "bare")
    page, asked = opened(browser, place / "ours.html")
    bare, asked_by_itself = opened(browser, place / "bare.html")
    assert sorted(asked) == sorted(asked_by_itself)
    shows_the_runs(page)
    page.screenshot(path=SHOTS / "saved-nbconvert-dark.png")
    for one in (page, bare):
        one.context.close()


def opened(browser: Browser, file: Path) -> tuple[Page, list[str]]:
    """A file in a browser that has no network, and what it asked of others."""
    scheme = "dark" if file.stem == "ours" else "light"
    context = browser.new_context(
        viewport={"width": WIDTH_PX, "height": 2400}, offline=True, color_scheme=scheme
    )
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    page.goto(file.as_uri(), wait_until="load")
    return page, [one for one in asked if not one.startswith(("file:", "data:", "blob:"))]


def shows_the_runs(page: Page) -> None:
    """The frozen run is there, its map is drawn, and its rows open."""
    run = page.locator(".nba-frozen", has_text="guide").first
    expect(run).to_contain_text("Lisbon is there, and Atlantis is nowhere.")
    picture = run.locator("img[src^='data:image/svg']")
    assert picture.evaluate("async el => { await el.decode(); return el.naturalWidth }") > 100
    expect(run.get_by_text("Error: There is no place 'Atlantis'.")).to_be_visible()
    result = run.locator("pre", has_text="38.71").first
    run.locator("summary", has_text="find_place").first.click()
    expect(result).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("has_extension", [True, False], ids=["with", "without"])
def test_notebook_7_shows_a_saved_run_as_jupyterlab_does(
    browser: Browser, place: Path, tmp_path: Path, *, has_extension: bool
) -> None:
    context = browser.new_context(viewport={"width": WIDTH_PX, "height": 1500})
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    with lab_server(place, tmp_path, app="notebook", has_extension=has_extension) as url:
        page.goto(f"{url}/notebooks/saved.ipynb")
        output = page.locator(".jp-OutputArea", has_text="Atlantis is nowhere").last
        output.scroll_into_view_if_needed()
        if has_extension:
            expect(output.locator(".nba-card")).to_be_visible()
            expect(output.locator(".leaflet-container")).to_be_visible()
            output.locator(".nba-row", has_text="find_place").first.click()
            expect(output.locator(".nba-details").first).to_contain_text("38.71")
        else:
            shows_the_runs(page)
        page.screenshot(
            path=SHOTS / f"saved-notebook7-{'with' if has_extension else 'without'}.png"
        )
        context.close()


@pytest.mark.slow
def test_voila_shows_runs_live_where_it_is_told_that_a_page_watches(
    browser: Browser, place: Path, tmp_path: Path
) -> None:
    context = browser.new_context(viewport={"width": WIDTH_PX, "height": 2000})
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    write(place / "dashboard.ipynb", notebook_of(*CELLS.values(), GOES_ON))
    with voila(place / "dashboard.ipynb", tmp_path) as url:
        page.goto(url)
        ended = page.locator(".nba-card", has_text="Atlantis is nowhere").first
        expect(ended).to_be_visible()
        expect(ended.locator(".leaflet-container")).to_be_visible()
        live = page.locator(".nba-card", has_text="wait_for_ever")
        expect(live.locator(".nba-call[data-status=running]")).to_be_visible()
        page.screenshot(path=SHOTS / "saved-voila.png", full_page=True)
        live.locator(".nba-stop").click()
        # The kernel ends the view. Voilà passes no update on to what it has drawn.
        expect(live).to_have_count(0)
        expect(page.get_by_text("did not see the end of this run")).to_be_visible()
        context.close()


@contextmanager
def voila(notebook: Path, private: Path) -> Generator[str]:
    """Serve one notebook with Voilà; gives its address."""
    url = f"http://127.0.0.1:{(port := free_port())}/"
    command = [sys.executable, "-m", "voila", str(notebook), "--no-browser", f"--port={port}"]
    place_extension(private / "share" / "labextensions")
    environment = {
        **os.environ,
        **private_folders(private),
        "JUPYTER_PATH": str(private / "share"),
        "NBAGENTS_FRONTEND": "live",
    }
    with (private / "voila.log").open("wb") as log:
        server = subprocess.Popen(
            [*command, "--Voila.ip=127.0.0.1"],
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        wait_until_up(f"{url}voila/static/", server)
        yield url
    finally:
        server.terminate()
        server.wait()


def wait_until_up(url: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers, whatever it says."""
    deadline = time.monotonic() + WAIT_MS / 1000
    while time.monotonic() < deadline and server.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=WAIT_MS / 1000).close()
        except urllib.error.HTTPError:
            return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.2)
        else:
            return
    raise RuntimeError("Voilà did not start; its log lies in the test's folder.")
