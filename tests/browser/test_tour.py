"""The tour, as somebody meets it who opens it in JupyterLab and runs all of it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.browser.conftest import Tab

TOUR = Path(__file__).resolve().parents[2] / "notebooks" / "tour.ipynb"


def test_the_tour_runs_live_and_every_run_is_shown(folder: Path, new_tab: Tab) -> None:
    shutil.copy(TOUR, folder)
    tab = new_tab()
    tab.open("tour.ipynb")
    tab.do("notebook:clear-all-cell-outputs")
    tab.run_all()
    ended = [index for index, count in enumerate(tab.execution_counts()) if count]
    assert ended
    assert [name for index in ended for name in tab.errors(index)] == []
    outputs = [output for index in ended for output in tab.outputs(index)]
    assert [output for output in outputs if output.get("name") == "stderr"] == []
    index = tab.find("Move the map to Reykjavík")
    tab.show(index)
    output = tab.cell(index).locator(".jp-OutputArea")
    expect(output.locator(".nba-card .leaflet-container")).to_be_visible()
    output.locator(".nba-row", has_text="find_place").first.click()
    tab.shoot("tour-run", tab.cell(index))
    tab.show(tab.find("Find Atlantis and Quito"))
    tab.shoot("tour-failed-call")
