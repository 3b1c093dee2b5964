"""`%agent --step`: what it is in Python, where nobody is, and what is saved of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.unit.notebook.conftest import Notebook

AGENT = """
import nbagents as nba
from nbagents.models.scripted import call

@nba.tool
def double(number: int) -> int:
    "Double a number."
    return 2 * number

def helper(**options):
    model = nba.ScriptedModel([call("double", number=2), "Four."])
    return nba.Agent("helper", tools=["double"], model=model, **options)

mine = helper()
"""
RUN_JSON = "application/vnd.nbagents.run.v1+json"


def test_the_magic_says_itself_in_python(notebook: Notebook) -> None:
    notebook.run(AGENT)
    said = notebook.run("%agent --step --show-python -a mine Double 2.").stdout
    assert "step=True" in said


def test_where_nobody_is_it_goes_on_and_says_so(notebook: Notebook) -> None:
    notebook.run(AGENT)
    cell = notebook.run("run = %agent --step -a mine Double 2.")
    assert cell.error is None
    assert notebook["run"].text == "Four."
    assert "Nobody can step through the run here" in cell.texts[-1]
    assert "Nobody can step through the run here" in str(cell.bundles[-1]["text/html"])


def test_it_is_suspended_and_gone_on_with_step_by_step(notebook: Notebook) -> None:
    notebook.run(AGENT)
    cell = notebook.run("run = %agent --step --on-await suspend -a mine Double 2.")
    run = notebook["run"]
    assert run.status == "suspended"
    saved = cell.bundles[-1][RUN_JSON]
    (asked,) = saved["tree"]["runs"][run.id]["awaits"]
    assert asked["title"] == "Step 1: ask scripted"
    assert "pause" not in asked
    assert "waits for you" in cell.texts[-1]
    notebook.run("mine = helper(on_await=lambda asked: asked.kind == 'step')")
    again = notebook.run(f"again = %agent -a mine --resume {run.id}")
    assert again.error is None
    kinds = [one.type for one in notebook["again"].events]
    assert kinds.count("await_step") == 3


def test_the_saved_notebook_shows_each_edit(notebook: Notebook) -> None:
    notebook.run(AGENT)
    look = """
def look(pause):
    if pause.is_request:
        return nba.Edit(text="Six.") if pause.step == 2 else None
    return nba.Edit(arguments={"number": 3})
run = mine.run("Double 2.", step=look)
"""
    (bundle,) = [one for one in notebook.run(look).bundles if RUN_JSON in one]
    html, text = str(bundle["text/html"]), str(bundle["text/plain"])
    for said in ("tep 1: step (look) changed the arguments", "tep 2: step (look) answered in the"):
        assert said in html
        assert said in text
    (run,) = bundle[RUN_JSON]["tree"]["runs"].values()
    assert [one["what"] for one in run["edits"]] == ["arguments", "answer"]
    (made,) = run["calls"].values()
    assert (made["arguments"], made["proposed"], made["changed_by"]) == (
        {"number": 3},
        {"number": 2},
        "step (look)",
    )


@pytest.mark.medium
def test_a_notebook_that_steps_through_a_run_does_not_hang_where_nobody_is(tmp_path: Path) -> None:
    """As under nbconvert: in a blocking cell, in an awaiting one, and in the background."""
    cells = [
        "%load_ext nbagents\n" + AGENT,
        "%agent --step -a mine Double 2.",
        "print((await helper().arun('Double 2.', step=True)).text)",
        "print(helper().start('Double 2.', step=True).wait(60).text)",
    ]
    v4: Any = nbformat.v4
    made: Any = v4.new_notebook()
    made.cells = [v4.new_code_cell(one) for one in cells]
    NotebookClient(
        made, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    shown = json.dumps(made.cells[1].outputs)
    assert "Nobody can step through the run here" in shown
    assert "Four." in shown
    for cell in made.cells[2:]:
        assert "Four." in json.dumps(cell.outputs)
