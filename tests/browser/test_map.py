"""The map in JupyterLab and a real browser: layers, clicks that a model is told of, tiles."""

from __future__ import annotations

import http.server
import re
import threading
import zlib
from contextlib import contextmanager
from struct import pack
from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Generator

    from playwright.sync_api import Locator

    from tests.browser.conftest import Tab, Write
    from tests.browser.lab_page import LabPage

LOAD = """
import asyncio, time
import nbagents as nba
from nbagents.models.scripted import call
ROUTE = {"type": "Feature", "properties": {"name": "<i>Ferry</i>", "hours": 20}, "geometry":
    {"type": "LineString", "coordinates": [[10.2, 54.3], [10.8, 55.9], [10.7, 59.8]]}}
view = nba.MapView(height_px=300, title="Trip")
view.add_layer(ROUTE, "Ferries")
view.set_pin(10.75, 59.91, "Oslo")
view.fit_bounds(8, 54, 13, 60)
clicked = view.on_click(lambda click: print("heard", click.label))
view
"""
RUN = """
maps = nba.map_tools(view)
async def wait_for_a_click() -> str:
    "Wait until the user has clicked."
    while not view.clicks:
        await asyncio.sleep(0.02)
    return "clicked"
model = nba.ScriptedModel([
    call("wait_for_a_click"),
    lambda request: str(request.messages[-1]).split("content=")[-1],
])
run = nba.Agent("guide", tools=[maps, wait_for_a_click], model=model).run("Wait for a click.")
print(run.text)
"""
BUSY = """
until = time.monotonic() + 30
while len(view.clicks) < 2 and time.monotonic() < until:
    time.sleep(0.02)
print(view.clicks[-1].payload())
"""
TILED = """
good = nba.MapView(10, 50, 4, 200, tiles="URL/tiles/{z}/{x}/{y}.png", attribution="© <b>us</b>")
bad = nba.MapView(10, 50, 4, 200, tiles="URL/gone/{z}/{x}/{y}.png", attribution="© them")
display(good, bad)
"""
CELLS = [
    "%load_ext nbagents",
    LOAD.strip(),
    RUN.strip(),
    BUSY.strip(),
    TILED.strip(),
    "many = [nba.MapView(15 * number - 140, 30, 5, 120) for number in range(20)]\ndisplay(*many)",
    "for one in many: one.set_center(0, 0, 3)",
]
VIEW, RUNNING, WAITING, TILES, MANY, MOVE = range(1, 7)


def test_a_map_is_drawn_on_clicked_and_its_model_told(write_notebook: Write, new_tab: Tab) -> None:
    with tile_server() as url:
        write_notebook("map.ipynb", [cell.replace("URL", url) for cell in CELLS])
        tab = new_tab()
        errors: list[str] = []
        tab.page.on("pageerror", lambda error: errors.append(str(error)))
        tab.open("map.ipynb")
        for cell in (0, VIEW):
            tab.run_to_end(cell)
        view = look_at_a_layer(tab)
        click_while_a_run_waits(tab, view)
        click_while_a_cell_is_busy(tab, view)
        look_at_tiles(tab)
        look_at_twenty(tab)
    assert errors == []


def look_at_a_layer(tab: LabPage) -> Locator:
    """The map shows its bounds, pin and layer, and draws something."""
    view = tab.cell(VIEW).locator(".nba-map")
    words = (
        r"^Trip: map at 10\.5° E, 57\.1\d?° N, zoom [45][\d.]*, 1 pin, 1 layer \(Oslo, Ferries\)"
    )
    expect(view).to_have_attribute("aria-label", re.compile(words))
    tab.show(VIEW)
    return view


def click_while_a_run_waits(tab: LabPage, view: Locator) -> None:
    """A click on a feature shows its properties, and the run's next request tells of it."""
    tab.run_cell(RUNNING)
    expect(tab.cell(RUNNING).locator(".nba-call[data-status=running]")).to_be_visible()
    view.scroll_into_view_if_needed()
    click(view, right_px=6)
    popup = view.locator(".nba-map-popup")
    expect(popup).to_contain_text("<i>Ferry</i>")
    expect(popup).to_contain_text("hours20")
    tab.wait_for_end(RUNNING)
    said = tab.printed(RUNNING)
    assert "On the map 'Trip', the user clicked '<i>Ferry</i>' of the layer 'Ferries' at" in said
    expect(tab.cell(VIEW).locator(".jp-OutputArea")).to_contain_text("heard <i>Ferry</i>")
    tab.shoot("map-popup", view)


def click_while_a_cell_is_busy(tab: LabPage, view: Locator) -> None:
    """A click is read by the very cell that is running."""
    tab.run_cell(WAITING)
    click(view, right_px=-200)
    tab.wait_for_end(WAITING)
    assert "'on': 'map'" in tab.printed(WAITING)


def look_at_tiles(tab: LabPage) -> None:
    """Tiles are shown, and thanked as text; where there are none that is said, on the map."""
    tab.run_to_end(TILES)
    tab.show(TILES)
    good, bad = tab.cell(TILES).locator(".nba-map").all()
    expect(good.locator("img.leaflet-tile-loaded").first).to_be_attached()
    expect(good.locator(".nba-map-source")).to_have_text("© <b>us</b>")
    expect(bad.locator(".nba-map-sorry")).to_contain_text("could not be loaded")
    expect(bad.locator(".nba-map-source")).to_have_text("Natural Earth")
    expect(bad.locator("img")).to_have_count(0)
    tab.shoot("map-tiles", tab.cell(TILES))


def look_at_twenty(tab: LabPage) -> None:
    """Twenty maps stand on one page, all follow, and all go with their cell."""
    tab.run_to_end(MANY)
    maps = tab.cell(MANY).locator(".nba-map")
    expect(maps).to_have_count(20)
    tab.run_to_end(MOVE)
    expect(tab.cell(MANY).locator("[aria-label^='Map at 0°, 0°, zoom 3']")).to_have_count(20)
    maps.last.scroll_into_view_if_needed()
    tab.wait_for("map => map.querySelector('canvas').width > 300", arg=maps.last.element_handle())


def click(view: Locator, *, right_px: int = 0, down_px: int = 0) -> None:
    """Click so far from the middle of a map."""
    box = view.bounding_box()
    assert box is not None
    view.page.mouse.click(
        box["x"] + box["width"] / 2 + right_px, box["y"] + box["height"] / 2 + down_px
    )


@contextmanager
def tile_server() -> Generator[str]:
    """A server on this machine that has tiles under `tiles/`, and nothing else."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Tiles)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


class Tiles(http.server.BaseHTTPRequestHandler):
    """Gives every tile as one grey square."""

    def do_GET(self) -> None:
        if not self.path.startswith("/tiles/"):
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.end_headers()
        self.wfile.write(TILE)

    def log_message(self, format: str, *_said: object) -> None:  # noqa: A002  its name is that
        """Say nothing."""


def png(side_px: int, grey: int) -> bytes:
    """A square in one grey, as a PNG."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return pack(">I", len(data)) + name + data + pack(">I", zlib.crc32(name + data))

    row = b"\0" + bytes([grey]) * (side_px - 1) + b"\xa0"
    head = pack(">IIBBBBB", side_px, side_px, 8, 0, 0, 0, 0)
    pixels = zlib.compress(row * (side_px - 1) + b"\0" + b"\xa0" * side_px)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


TILE = png(256, 0xD8)
