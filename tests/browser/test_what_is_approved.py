"""What a person approves in JupyterLab is what runs: defaults, long numbers, one changed field."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.browser.conftest import Tab, Write
    from tests.browser.lab_page import LabPage

RUN_JSON = "application/vnd.nbagents.run.v1+json"
LOAD = """
%load_ext nbagents
import nbagents as nba
from nbagents.models.scripted import call

table = object()

@nba.tool(destructive=True)
def wipe(
    ctx: nba.Context, disk: int, euros: float, label: str = "old", passes: int = 3,
    force: bool = True, count: int | None = None, helper=len,
) -> str:
    "Wipe a disk."
    print(repr((disk, euros, label, passes, force, count)))
    ctx.show(nba.ui.json({"freed": disk + 2, "share": euros}))
    return "Wiped."

def asks(**arguments):
    steps = [call("wipe", **arguments), "Done."]
    return nba.Agent("boss", tools=[wipe], model=nba.ScriptedModel(steps))
"""
ASK = """
run = asks(disk=9007199254740993, euros=1.0, passes=None, count=None).run("Wipe it.")
print(run.calls[0].content)
"""


def test_one_changed_field_changes_nothing_else(write_notebook: Write, new_tab: Tab) -> None:
    path = write_notebook("approved.ipynb", [LOAD.strip("\n"), ASK.strip("\n")])
    tab = new_tab()
    tab.open("approved.ipynb")
    tab.run_to_end(0)
    tab.run_cell(1)
    asked = tab.cell(1).locator(".nba-await")
    shown = asked.locator(".nba-arguments")
    expect(shown).to_contain_text("9007199254740993")
    lines = [one.inner_text().split() for one in shown.locator("> div").all()]
    assert [line for line in lines if line[0] == "euros"] == [["euros", "1.0"]]
    assert {line[0] for line in lines if line[-1] == "(default)"} == {
        *("label", "passes", "force", "count", "helper")
    }
    assert ["passes", "3", "(default)"] in lines
    tab.shoot("consent-1-asked", tab.cell(1))
    asked.locator("[data-act=edit]").click()
    expect(asked.get_by_role("textbox", name="disk")).to_have_value("9007199254740993")
    expect(asked.get_by_role("textbox", name="passes")).to_have_value("")
    expect(asked).to_contain_text("default: 3")
    asked.get_by_role("textbox", name="label").fill("new")
    tab.shoot("consent-2-edited", tab.cell(1))
    asked.locator("[data-act=approve-edited]").click()
    tab.wait_for_end(1)
    done(tab)
    tab.save()
    (kept,) = saved_calls(path.read_text(encoding="utf-8"))
    assert kept["arguments"]["disk"] == {"$number": "9007199254740993"}
    assert kept["arguments"]["euros"] == {"$number": "1.0"}
    assert set(kept["defaults"]) == {"passes", "force", "count", "helper"}


def done(tab: LabPage) -> None:
    """The card says what ran, and the tool says the same."""
    assert tab.errors(1) == []
    ran = "(9007199254740993, 1.0, 'new', 3, True, None)"
    card = tab.cell(1)
    expect(card).to_contain_text("disk=9007199254740993, euros=1.0")
    card.locator(".nba-row").first.click()
    expect(card).to_contain_text(ran)
    expect(card.locator(".nba-json")).to_contain_text("9007199254740995")
    tab.shoot("consent-3-done", card)


def saved_calls(text: str) -> list[dict[str, dict[str, object]]]:
    """The calls of all runs in a notebook."""
    outputs = [one for cell in json.loads(text)["cells"] for one in cell["outputs"]]
    runs = [
        one["data"][RUN_JSON]["tree"]["runs"] for one in outputs if RUN_JSON in one.get("data", {})
    ]
    return [call for run in runs for one in run.values() for call in one["calls"].values()]
