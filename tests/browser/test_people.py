"""People in the loop, in JupyterLab: they approve, edit, deny, fill in, choose, and stop a part.

All of it while a cell runs, some of it two levels down, between cells, and by keyboard alone.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.kernels.releases import RELEASES

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Tab, Write
    from tests.browser.lab_page import LabPage

RUN_JSON = "application/vnd.nbagents.run.v1+json"
QUESTIONS = 8

LOAD = """
%load_ext nbagents
import asyncio, time
import nbagents as nba
from nbagents.models.scripted import call

@nba.tool(destructive=True)
def wipe(path: str, times: int = 1) -> str:
    "Wipe a file."
    return f"wiped {path} {times}x"

@nba.tool
def book(city: str, nights: int) -> str:
    "Book a room."
    return f"{nights} nights in {city}"

@nba.tool
def pick(ctx: nba.Context) -> str:
    "Let the person pick."
    return ctx.ask("Which colour?", options=["red", "green"])

@nba.tool
async def watch(place: str) -> str:
    "Watch a place for ever."
    await asyncio.sleep(600)
    return "never"

@nba.tool
def look(place: str) -> str:
    "Look at a place."
    return f"{place} is there"

steps = [call("wipe", path="deep.txt"), "low is done"]
low = nba.Agent("low", tools=["wipe"], model=nba.ScriptedModel(steps))
middle = nba.Agent(
    "middle",
    tools=[low.as_tool("ask_low", "Ask."), "watch"],
    model=nba.ScriptedModel(
        [call("ask_low", input="Go"), "middle is done", call("watch", place="Rome"), "never"]
    ),
)

def asks(*steps, **options):
    tools = ["wipe", "book", "pick", "watch", "look", middle.as_tool("ask_middle", "Ask.")]
    model = nba.ScriptedModel([*steps, "All is done."])
    return nba.Agent("boss", tools=tools, model=model, **options)

def told(run):
    for one in run.calls:
        print(one.name, one.status, "|", one.content)
"""
CELLS = {
    "load": LOAD,
    "confirm": """
calls = [call("wipe", path="a.txt"), call("wipe", path="b.txt"), call("look", place="Lima")]
run = asks(calls).run("Clean up.")
told(run)
""",
    "edit": 'run = asks(call("wipe", path="c.txt", times=2)).run("Clean up.")\ntold(run)',
    "remember": 'run = asks(call("wipe", path="d.txt")).run("Clean up.")\ntold(run)',
    "again": 'run = asks(call("wipe", path="e.txt")).run("Clean up.")\ntold(run)',
    "form": """
from nbagents.runs.state.session import use_session
use_session(None)  # what was remembered is of a session: begin another one
run = asks(call("book", city="Oslo"), on_missing="ask").run("Book.")
told(run)
""",
    "pick": 'run = asks(call("pick")).run("Pick.")\ntold(run)',
    "awaited": """
run = await asks(call("wipe", path="f.txt"), approval="ask").arun("Clean up.")
told(run)
""",
    "nested": """
run = asks(call("ask_middle", input="Go")).run("Ask below.")
told(run)
""",
    "parts": """
run = asks([call("watch", place="Quito"), call("ask_middle", input="Watch")]).run("Watch.")
told(run)
""",
    "behind": 'later = asks(call("wipe", path="g.txt")).start("Clean up.")\nprint("goes on")',
    "after": "told(later.wait(20))",
    "keys": 'run = asks(call("wipe", path="h.txt")).run("Clean up.")\ntold(run)',
    "quick": """
quick = asks(*[call("wipe", path=f"{n}.txt") for n in range(8)]).run("Clean up.")
print(sum(one.status == "done" for one in quick.calls))
""",
}
AT = {name: index for index, name in enumerate(CELLS)}


def test_people_are_asked_and_heard(write_notebook: Write, new_tab: Tab) -> None:
    ask_people(write_notebook, new_tab)


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES)
def test_people_are_asked_and_heard_on_other_kernels(write_notebook: Write, new_tab: Tab) -> None:
    ask_people(write_notebook, new_tab)


def ask_people(write_notebook: Write, new_tab: Tab) -> None:
    """Ask in every way, one after the other, in one notebook."""
    path = write_notebook("people.ipynb", [source.strip("\n") for source in CELLS.values()])
    tab = new_tab()
    tab.open("people.ipynb")
    tab.run_to_end(AT["load"])
    approve_and_deny(tab)
    edit(tab)
    remember(tab)
    fill_in(tab)
    choose(tab)
    answer_an_awaited_run(tab)
    approve_two_levels_down(tab)
    stop_parts(tab)
    answer_between_cells(tab)
    answer_by_keyboard(tab)
    answer_one_after_the_other(tab)
    tab.save()
    kept = saved_runs(json.loads(path.read_text(encoding="utf-8")))
    confirmed = next(iter(kept["confirm"]["runs"].values()))
    decided = {
        one["arguments"]["path"]: one["authorization"] for one in calls_of(confirmed, "wipe")
    }
    assert decided["a.txt"]["approved"]
    assert decided["b.txt"]["note"] == "keep it"


def approve_and_deny(tab: LabPage) -> None:
    """Two calls wait at once: one is allowed, the other is not, and the model is told why."""
    tab.run_cell(AT["confirm"])
    asked = open_awaits(tab, "confirm")
    expect(asked).to_have_count(2)
    expect(asked.first).to_contain_text("It may destroy something")
    tab.shoot("people-1-asked", tab.cell(AT["confirm"]))
    act(asked.first, "approve")
    expect(asked).to_have_count(1)
    act(asked.first, "note")
    asked.first.get_by_role("textbox", name="Why not?").fill("keep it")
    tab.shoot("people-2-note", tab.cell(AT["confirm"]))
    act(asked.first, "deny-noted")
    assert told(tab, "confirm") == [
        "wipe done | wiped a.txt 1x",
        "wipe denied | The person did not allow this call, and says: keep it",
        "look done | Lima is there",
    ]
    tab.show(AT["confirm"])
    tab.shoot("people-3-decided", tab.cell(AT["confirm"]))


def edit(tab: LabPage) -> None:
    """What does not fit is said, and the form stays; then the call is made with what was edited."""
    tab.run_cell(AT["edit"])
    (asked := open_awaits(tab, "edit").first).wait_for()
    act(asked, "edit")
    asked.get_by_role("textbox", name="path").fill("other.txt")
    asked.get_by_role("textbox", name="times").fill("a lot")
    act(asked, "approve-edited")
    expect(asked.locator(".nba-fault").first).to_be_visible()
    tab.shoot("people-4-edited", tab.cell(AT["edit"]))
    asked.get_by_role("textbox", name="times").fill("3")
    act(asked, "approve-edited")
    (line,) = [one for one in told(tab, "edit") if "wiped" in one]
    assert line.endswith("wiped other.txt 3x")
    tab.show(AT["edit"])
    tab.shoot("people-5-both", tab.cell(AT["edit"]))


def remember(tab: LabPage) -> None:
    """Who does not want to be asked again is not."""
    tab.run_cell(AT["remember"])
    (asked := open_awaits(tab, "remember").first).wait_for()
    act(asked, "remember")
    assert told(tab, "remember") == ["wipe done | wiped d.txt 1x"]
    tab.run_to_end(AT["again"])
    assert told(tab, "again") == ["wipe done | wiped e.txt 1x"]


def fill_in(tab: LabPage) -> None:
    """A form asks for what the call lacks."""
    tab.run_cell(AT["form"])
    (asked := open_awaits(tab, "form").first).wait_for()
    tab.shoot("people-6-form", tab.cell(AT["form"]))
    asked.get_by_role("textbox", name="nights").fill("3")
    asked.get_by_role("textbox", name="nights").press("Enter")
    assert told(tab, "form")[-1].endswith("3 nights in Oslo")


def choose(tab: LabPage) -> None:
    """A plain tool asks on the main thread, which hears the answer all the same."""
    tab.run_cell(AT["pick"])
    (asked := open_awaits(tab, "pick").first).wait_for()
    tab.shoot("people-7-choice", tab.cell(AT["pick"]))
    asked.get_by_role("button", name="green").click()
    assert told(tab, "pick") == ["pick done | green"]


def answer_an_awaited_run(tab: LabPage) -> None:
    """A run that is awaited in a cell is asked about in the same way."""
    tab.run_cell(AT["awaited"])
    (asked := open_awaits(tab, "awaited").first).wait_for()
    act(asked, "approve")
    assert told(tab, "awaited") == ["wipe done | wiped f.txt 1x"]


def approve_two_levels_down(tab: LabPage) -> None:
    """What a run inside of a run asks is in sight, and answered where it stands."""
    tab.run_cell(AT["nested"])
    (asked := open_awaits(tab, "nested").first).wait_for()
    expect(asked).to_be_visible()
    tab.shoot("people-8-nested", tab.cell(AT["nested"]))
    act(asked, "approve")
    assert told(tab, "nested") == ["ask_middle done | middle is done"]
    tab.show(AT["nested"])
    tab.shoot("people-9-nested-done", tab.cell(AT["nested"]))


def stop_parts(tab: LabPage) -> None:
    """One call is stopped, then a run inside; the run itself goes on to its end."""
    tab.run_cell(AT["parts"])
    card = tab.cell(AT["parts"])
    expect(card.locator(".nba-call[data-status=running]")).to_have_count(3)
    tab.shoot("people-10-parts", card)
    card.get_by_role("button", name="Stop watch").first.click()
    expect(card.locator(".nba-call[data-status=cancelled]")).to_have_count(1)
    card.get_by_role("button", name="About this run of middle").click()
    card.get_by_role("button", name="Stop middle").click()
    lines = told(tab, "parts")
    assert lines[0] == "watch cancelled | The person stopped this call."
    assert lines[1].startswith("ask_middle cancelled |")
    expect(card).to_contain_text("All is done.")


def answer_between_cells(tab: LabPage) -> None:
    """A run in the background asks, and is answered while no cell runs."""
    tab.run_to_end(AT["behind"])
    (asked := open_awaits(tab, "behind").first).wait_for()
    act(asked, "approve")
    expect(asked).to_have_count(0)
    tab.run_to_end(AT["after"])
    assert told(tab, "after") == ["wipe done | wiped g.txt 1x"]


def answer_by_keyboard(tab: LabPage) -> None:
    """Nothing but keys: to the question, to the button, and there."""
    tab.run_cell(AT["keys"])
    open_awaits(tab, "keys").first.wait_for()
    review = tab.cell(AT["keys"]).get_by_role("button", name="Review")
    review.focus()
    review.press("Enter")
    keyboard = tab.page.keyboard
    for _ in range(8):
        if tab.page.evaluate("document.activeElement.dataset.act") == "approve":
            break
        keyboard.press("Tab")
    keyboard.press("Enter")
    assert told(tab, "keys") == ["wipe done | wiped h.txt 1x"]


def answer_one_after_the_other(tab: LabPage) -> None:
    """Each answer is taken at once: its question leaves the page, and the next one comes."""
    tab.run_cell(AT["quick"])
    asked = tab.cell(AT["quick"]).locator(".nba-await")
    for _ in range(QUESTIONS):
        expect(asked).to_have_count(1)
        said = asked.get_attribute("data-await")
        act(asked, "approve")
        expect(tab.cell(AT["quick"]).locator(f".nba-await[data-await='{said}']")).to_have_count(0)
    tab.wait_for_end(AT["quick"])
    assert tab.printed(AT["quick"]) == f"{QUESTIONS}\n"


def open_awaits(tab: LabPage, name: str) -> Locator:
    return tab.cell(AT[name]).locator(".nba-await")


def act(asked: Locator, what: str) -> None:
    asked.locator(f"[data-act={what}]").click()


def told(tab: LabPage, name: str) -> list[str]:
    """What the cell printed at its end."""
    tab.wait_for_end(AT[name])
    assert tab.errors(AT[name]) == []
    return tab.printed(AT[name]).splitlines()


def calls_of(run: Any, name: str) -> list[Any]:  # Any: a run's saved JSON
    return [call for call in run["calls"].values() if call["name"] == name]


def saved_runs(notebook: Any) -> dict[str, Any]:  # Any: nbformat's JSON
    """The trees that the file keeps, by cell."""
    found: dict[str, Any] = {}
    for name, at in AT.items():
        for output in notebook["cells"][at]["outputs"]:
            if RUN_JSON in output.get("data", {}):
                found[name] = output["data"][RUN_JSON]["tree"]
    return found
