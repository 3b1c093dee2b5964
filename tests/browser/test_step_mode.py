"""Step mode in JupyterLab: by click and by keyboard, while a cell runs and between cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Tab, Write
    from tests.browser.lab_page import LabPage

LOAD = """
%load_ext nbagents
import nbagents as nba
from nbagents.models.scripted import call

@nba.tool
def warmth(city: str, days: int = 1) -> str:
    "How warm it is."
    return f"{city}: {len(city)} degrees"

def helper():
    steps = [call("warmth", city="Paris"), lambda asked: asked.messages[-1].content]
    model = nba.ScriptedModel(steps)
    return nba.Agent("helper", tools=["warmth"], model=model)

def told(run):
    edits = [one for one in run.events if one.type == "step_edit"]
    print(run.text, "|", ", ".join(f"{one.what} by {one.by}" for one in edits))
"""
CELLS = {
    "load": LOAD,
    "click": "clicked = helper()\nrun = %agent --step -a clicked How warm is it?\ntold(run)",
    "keys": 'told(helper().run("How warm is it?", step=True))',
    "model": 'told(helper().run("How warm is it?", step=True))',
    "awaited": 'told(await helper().arun("How warm is it?", step=True))',
    "behind": 'later = helper().start("How warm is it?", step=True)\nprint("goes on")',
    "after": "told(later.wait(20))",
}
AT = {name: index for index, name in enumerate(CELLS)}


def test_a_run_is_stepped_through_in_a_notebook(write_notebook: Write, new_tab: Tab) -> None:
    write_notebook("steps.ipynb", [source.strip("\n") for source in CELLS.values()])
    tab = new_tab()
    tab.open("steps.ipynb")
    tab.run_to_end(AT["load"])
    step_by_click(tab)
    step_by_keyboard(tab)
    be_the_model(tab)
    step_an_awaited_run(tab)
    step_between_cells(tab)


def step_by_click(tab: LabPage) -> None:
    """Other words, other arguments; what is shown is what is sent and done."""
    tab.run_cell(AT["click"])
    first = step(tab, "click", "Step 1: ask scripted")
    expect(first).to_contain_text("How warm is it?")
    act(first, "edit-message")
    first.get_by_role("textbox").fill("How warm is it in Rome?")
    tab.shoot("steps-1-request", tab.cell(AT["click"]))
    act(first, "continue")
    calls = step(tab, "click", "Step 1: make 1 call")
    act(calls, "call-arguments")
    calls.get_by_role("textbox", name="city").fill("Rome")
    tab.shoot("steps-2-calls", tab.cell(AT["click"]))
    act(calls, "continue")
    last = step(tab, "click", "Step 2: ask scripted")
    expect(last).to_contain_text("How warm is it in Rome?")
    expect(last).to_contain_text("Rome: 4 degrees")
    act(last, "continue")
    said = 'The person changed the arguments to {"city": "Rome"}.\nRome: 4 degrees'
    lines = "message by the person, arguments by the person"
    assert told(tab, "click") == [*f"{said} | {lines}".splitlines()]
    tab.show(AT["click"])
    tab.shoot("steps-3-edited", tab.cell(AT["click"]))


def step_by_keyboard(tab: LabPage) -> None:
    """From the question to the end, with nothing but keys: Enter goes on."""
    tab.run_cell(AT["keys"])
    step(tab, "keys", "Step 1: ask scripted")
    review = tab.cell(AT["keys"]).get_by_role("button", name="Review")
    review.focus()
    review.press("Enter")
    keyboard = tab.page.keyboard
    for _ in range(12):  # to the button; Enter on the card itself would do, too
        if tab.page.evaluate("document.activeElement.dataset.act") == "continue":
            break
        keyboard.press("Tab")
    keyboard.press("Enter")
    for title in ("Step 1: make 1 call", "Step 2: ask scripted"):
        step(tab, "keys", title)
        tab.wait_for("document.activeElement.dataset.kind === 'step'")
        keyboard.press("Enter")
    assert told(tab, "keys") == ["Paris: 5 degrees | "]


def be_the_model(tab: LabPage) -> None:
    """A call of one's own, by the tool's form, and then one's own words."""
    tab.run_cell(AT["model"])
    first = step(tab, "model", "Step 1: ask scripted")
    act(first, "model")
    first.get_by_role("combobox", name="Call a tool").select_option("warmth")
    first.get_by_role("textbox", name="city").fill("Oslo")
    tab.shoot("steps-4-model", tab.cell(AT["model"]))
    act(first, "say")
    act(step(tab, "model", "Step 1: make 1 call"), "continue")
    second = step(tab, "model", "Step 2: ask scripted")
    expect(second).to_contain_text("Oslo: 4 degrees")
    act(second, "model")
    second.get_by_role("textbox", name="You are the model").fill("Four degrees.")
    act(second, "say")
    assert told(tab, "model") == ["Four degrees. | answer by the person, answer by the person"]


def step_an_awaited_run(tab: LabPage) -> None:
    """On the kernel's own loop; the rest is run to the end."""
    tab.run_cell(AT["awaited"])
    act(step(tab, "awaited", "Step 1: ask scripted"), "to-end")
    assert told(tab, "awaited") == ["Paris: 5 degrees | "]


def step_between_cells(tab: LabPage) -> None:
    """A run in the background waits while no cell runs."""
    tab.run_to_end(AT["behind"])
    calls = "Step 1: make 1 call"
    act(step(tab, "behind", "Step 1: ask scripted"), "continue")
    act(step(tab, "behind", calls), "skip")
    act(step(tab, "behind", "Step 2: ask scripted"), "continue")
    expect(tab.cell(AT["behind"]).locator(".nba-await")).to_have_count(0)
    tab.run_to_end(AT["after"])
    said = "Not called: the person skipped this call. | skip by the person"
    assert told(tab, "after") == [said]


def step(tab: LabPage, name: str, title: str) -> Locator:
    """The card of the step that the run waits at."""
    box = tab.cell(AT[name]).locator(".nba-await", has_text=title)
    box.locator("[data-act=continue]").wait_for()
    return box


def act(asked: Locator, what: str) -> None:
    asked.locator(f"[data-act={what}]").first.click()


def told(tab: LabPage, name: str) -> list[str]:
    """What the cell printed at its end."""
    tab.wait_for_end(AT[name])
    assert tab.errors(AT[name]) == []
    return tab.printed(AT[name]).splitlines()
