"""The main job, in JupyterLab and a real browser: ask, look, drag, stop, save, reopen."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Tab, Write
    from tests.browser.lab_page import LabPage

CELLS = {
    "load": """
        %load_ext nbagents
        import asyncio, time
        import nbagents as nba
        PLACES = {"Lisbon": {"lon": -9.14, "lat": 38.71}, "Quito": {"lon": -78.52, "lat": -0.22}}
        maps = nba.map_tools()
        """,
    "define": '''
        %%tool
        def find_place(name: str) -> dict[str, float]:
            """Find where a place is: its longitude and latitude.

            Args:
                name: Name of the place.
            """
            if name not in PLACES:
                raise nba.ToolError(f"There is no place {name!r}.")
            return PLACES[name]
        ''',
    "ask": "run = %agent -m offline -t find_place,maps Move the map to Lisbon.",
    "fail": "lost = %agent -m offline -t find_place Find Atlantis and Quito.",
    "view": "view = nba.MapView(lon=10, lat=50, zoom=4)\nview",
    "busy": """
        until = time.monotonic() + 30
        while view.get_center()["moved_by"] != "user" and time.monotonic() < until:
            time.sleep(0.02)
        print(view.get_center())
        """,
    "next": "print(view.get_center())",
    "wait": '''
        %%tool
        async def wait_for_the_user() -> str:
            """Wait until the user has moved the map of the run."""
            read = maps.tools()[1].function
            while read()["moved_by"] != "user":
                await asyncio.sleep(0.02)
            await asyncio.sleep(600)
            return "moved"
        ''',
    "stop": """
        from nbagents.models.scripted import call
        model = nba.ScriptedModel([
            call("find_place", name="Quito"),
            call("mapAgent--setCenter", lon=-78.52, lat=-0.22, zoom=5),
            nba.ModelTurn(text="Move it where **you** like.", calls=(call("wait_for_the_user"),)),
            "Never said.",
        ])
        guide = nba.Agent("guide", tools=[find_place, maps, wait_for_the_user], model=model)
        guide.run("Show me Quito, then let me look around.")
        """,
    "queued": "print('this cell was queued')",
    "after": "print('moved by', maps.tools()[1].function()['moved_by'])",
    "freeze": "view.freeze()",
}
AT = {name: index for index, name in enumerate(CELLS)}
"""Where each cell stands."""


def test_ask_look_drag_stop_save_and_reopen(write_notebook: Write, new_tab: Tab) -> None:
    write_notebook("job.ipynb", [dedented(source) for source in CELLS.values()])
    tab = new_tab()
    tab.open("job.ipynb")
    for name in ("load", "define"):
        tab.run_to_end(AT[name])
    look_at_a_finished_run(tab)
    look_at_a_failed_call(tab)
    drag_a_map(tab)
    stop_a_run(tab)
    tab.run_to_end(AT["freeze"])
    tab.save()
    tab.shut_down_kernel()
    tab.page.close()
    look_without_a_kernel(new_tab())


def dedented(source: str) -> str:
    """A cell's source without the indentation that it has here."""
    lines = source.strip("\n").splitlines()
    indent = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(line[indent:] for line in lines).rstrip()


def look_at_a_finished_run(tab: LabPage) -> None:
    """The run's calls, its map and its answer are there, and a row opens."""
    tab.run_to_end(AT["ask"])
    assert tab.errors(AT["ask"]) == []
    output = shown(tab, "ask")
    expect(output).to_contain_text("find_place")
    expect(output).to_contain_text("mapAgent--setCenter")
    expect(output.locator(".nba-card .leaflet-container")).to_be_visible()
    (bundle,) = [
        one["data"] for one in tab.outputs(AT["ask"]) if one["output_type"] == "display_data"
    ]
    assert "application/vnd.jupyter.widget-view+json" not in bundle
    assert "data:image/svg" in "".join(bundle["text/html"]), "where our extension is not"
    tab.shoot("1-run")
    output.locator(".nba-row", has_text="find_place").first.click()
    expect(output.locator(".nba-details").get_by_text("38.71").first).to_be_visible()
    tab.shoot("2-row-open")


def look_at_a_failed_call(tab: LabPage) -> None:
    """A tool that failed is said to have failed, and the run went on."""
    tab.run_to_end(AT["fail"])
    assert tab.errors(AT["fail"]) == []
    expect(shown(tab, "fail")).to_contain_text("There is no place 'Atlantis'.")
    tab.show(AT["fail"])
    tab.shoot("3-failed-call")


def drag_a_map(tab: LabPage) -> None:
    """Where the user drags a map is read while a cell is busy, and by the next cell."""
    tab.run_to_end(AT["view"])
    view = tab.cell(AT["view"]).locator(".leaflet-container")
    expect(view).to_be_visible()
    tab.show(AT["view"])
    tab.run_cell(AT["busy"])
    view.scroll_into_view_if_needed()
    drag(tab, view, right_px=120, down_px=60)
    tab.wait_for_end(AT["busy"])
    lon, lat = center(tab.printed(AT["busy"]))
    assert "'moved_by': 'user'" in tab.printed(AT["busy"])
    assert lon < 9, "dragged to the right, so it shows what is west"
    assert lat > 51, "dragged down, so it shows what is north"
    tab.run_to_end(AT["next"])
    assert tab.printed(AT["next"]) == tab.printed(AT["busy"])
    view.scroll_into_view_if_needed()
    tab.shoot("4-map-dragged")


def stop_a_run(tab: LabPage) -> None:
    """In a run that goes on, a row opens and its map can be dragged; Stop ends it at once."""
    tab.run_to_end(AT["wait"])
    tab.run_cell(AT["stop"])
    tab.run_cell(AT["queued"])
    tab.show(AT["stop"])
    live = tab.cell(AT["stop"]).locator(".nba-card")
    expect(live.locator(".nba-call[data-status=running]")).to_be_visible()
    live.locator(".nba-row", has_text="find_place").click()
    expect(live.locator(".nba-details").first).to_contain_text("Quito")
    stage = live.locator(".leaflet-container")
    stage.scroll_into_view_if_needed()
    drag(tab, stage, right_px=100, down_px=0)
    tab.wait_for_kernel("busy")  # the page says idle for a moment after each of its messages
    tab.shoot("5-live")
    live.locator(".nba-stop").click()
    tab.wait_for_end(AT["stop"])
    assert tab.errors(AT["stop"]) == ["KeyboardInterrupt"]
    assert tab.execution_counts()[AT["queued"]] is None, "a stop drops what was queued"
    expect(shown(tab, "stop")).to_contain_text(re.compile("stopped|cancelled", re.IGNORECASE))
    tab.show(AT["stop"])
    tab.shoot("6-stopped")
    tab.run_to_end(AT["after"])
    assert tab.printed(AT["after"]) == "moved by user\n"


def look_without_a_kernel(tab: LabPage) -> None:
    """The saved notebook shows each run and the map, and nothing waits for a kernel."""
    tab.open_without_kernel("job.ipynb")
    assert tab.kernel_status() == "none"
    for name in ("ask", "fail", "stop"):
        tab.show(AT[name])
        expect(shown(tab, name)).to_contain_text("find_place")
    tab.show(AT["ask"])
    expect(shown(tab, "ask").locator(".nba-card .leaflet-container")).to_be_visible()
    shown(tab, "ask").locator(".nba-row", has_text="find_place").first.click()
    tab.shoot("7-reopened")
    tab.show(AT["view"])
    expect(shown(tab, "view").locator(".leaflet-container")).to_be_visible()
    tab.shoot("8-reopened-map")
    tab.show(AT["stop"])
    tab.shoot("9-reopened-end")


def shown(tab: LabPage, name: str) -> Locator:
    """What a cell's outputs show."""
    return tab.cell(AT[name]).locator(".jp-OutputArea")


def drag(tab: LabPage, thing: Locator, *, right_px: int, down_px: int) -> None:
    """Drag from the middle of a thing, slowly enough not to throw it."""
    box = thing.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse = tab.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + right_px, y + down_px, steps=12)
    tab.page.wait_for_timeout(200)  # a hand that rests before it lets go
    mouse.up()


def center(printed: str) -> tuple[float, float]:
    """Longitude and latitude in what `print(view.get_center())` printed."""
    lon, lat = re.findall(r"'(?:lon|lat)': (-?[\d.]+)", printed)
    return float(lon), float(lat)
