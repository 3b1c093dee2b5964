"""A map that an agent inside of a call moves is the map of that run: on the page, in the file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.browser.conftest import Tab, Write

LOAD = """
%load_ext nbagents
import nbagents as nba
from nbagents.models.scripted import call

view = nba.MapView()

def guide(maps):
    steps = [call("mapAgent--setCenter", lon=139.76, lat=35.68), "Tokyo is in the middle."]
    return nba.Agent("guide", tools=[maps], model=nba.ScriptedModel(steps))

def boss(maps):
    asks = guide(maps).as_tool("ask_guide", "Ask the guide to show a place.")
    steps = [call("ask_guide", input="Show Tokyo"), "There it is."]
    return nba.Agent("boss", tools=[asks], model=nba.ScriptedModel(steps))
"""
RUN = 'run = boss(nba.map_tools()).run("Show me Tokyo.")'
MOVE = """
other = boss(nba.map_tools(view)).run("Show me Tokyo.")
print(round(view.get_center()["lon"]), len(other.data), len(other.children[0].data))
"""


def test_a_child_moves_the_map(write_notebook: Write, new_tab: Tab) -> None:
    path = write_notebook("family.ipynb", [one.strip() for one in (LOAD, RUN, MOVE)])
    tab = new_tab()
    tab.open("family.ipynb")
    for at in range(3):
        tab.run_to_end(at)
    assert tab.printed(2) == "140 0 1\n"
    card = tab.cell(1)
    expect(card.locator(".nba-map, [data-kind=map], canvas").first).to_be_visible()
    tab.show(1)
    tab.shoot("family-map", card)
    tab.save()
    notebook = json.loads(path.read_text(encoding="utf-8"))
    (output,) = notebook["cells"][1]["outputs"]
    assert "139.76" in "".join(output["data"]["text/html"]) + "".join(output["data"]["text/plain"])
