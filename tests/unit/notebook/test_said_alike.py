"""Wherever a run is spoken of, the same is said of what came of it."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from nbagents.agents import Agent
from nbagents.models.model import ModelTurn
from nbagents.models.scripted import ScriptedModel, call
from nbagents.runs.state.session import Session, open_log, use_session
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.notebook.conftest import Notebook
from tests.unit.notebook.trees import html_of

FILES = {
    "done": "fetch",
    "failed": "breaks",
    "denied": "wipe",
}


def fetch() -> str:
    """Fetch it."""
    return "here"


def breaks() -> str:
    """Break."""
    raise ValueError("The service is down.")


def wipe() -> str:
    """Wipe the disk."""
    raise AssertionError("It was to be denied.")


WIPE = Tool(wipe, ToolOptions(destructive=True))
KINDS = [
    kinds for many in range(4) for kinds in itertools.combinations_with_replacement(FILES, many)
]


@pytest.mark.parametrize("kinds", KINDS, ids=lambda kinds: "-".join(kinds) or "none")
def test_the_same_words_everywhere(notebook: Notebook, kinds: tuple[str, ...]) -> None:
    """The summary, `%agent` alone, the list of runs, the card as HTML and as text, the tree."""
    use_session(Session(open_log("memory")))
    steps: Any = (
        [[call(FILES[kind]) for kind in kinds], "I am ready."] if kinds else ["I am ready."]
    )
    agent = Agent(model=ScriptedModel(steps), tools=[fetch, breaks, WIPE], approval="never")
    run = agent.run("Look")
    words = run.summary
    assert run.status == "completed"
    assert words.startswith("done") == ("done" in kinds or not kinds)
    assert f"{words}: Look" in notebook.run("%agent").texts[0]
    (listed,) = (
        line for line in notebook.run("%nbagents runs").texts[0].splitlines() if run.id in line
    )
    assert f"  {words}  " in listed
    shown = notebook.run(f"%nbagents show {run.id}")
    assert f"): {words}, " in shown.texts[0].splitlines()[0]
    assert words in html_of(shown.bundles[0])
    assert str(run.tree()).splitlines()[0] == shown.texts[0].splitlines()[0]
    assert words in repr(run)


def test_what_a_model_says_that_it_did_not_serve_is_part_of_the_words(notebook: Notebook) -> None:
    use_session(Session(open_log("memory")))
    turn = ModelTurn(text="1 USD is 151 JPY.", unmet=("GBP", "25"))
    run = Agent(model=ScriptedModel([turn])).run("USD, GBP and JPY")
    assert run.summary == "done; did not use “GBP”, “25”"
    for line in ("%agent", "%nbagents runs", f"%nbagents show {run.id}"):
        assert run.summary in notebook.run(line).texts[0]


def test_the_list_says_how_long_a_run_took_and_which_goes_on_with_which(notebook: Notebook) -> None:
    use_session(Session(open_log("memory")))
    model = ScriptedModel([[call("wipe")], "Left alone."])
    agent = Agent(model=model, tools=[WIPE], approval="ask", on_await="suspend")
    waiting = agent.run("Wipe it")
    assert waiting.summary == "suspended"
    resumed = agent.resume(waiting, answer=False)
    assert resumed.summary == "denied: its only call was denied"
    text = notebook.run("%nbagents runs").texts[0]
    lines = {line.split()[0]: line for line in text.splitlines() if line.strip()}
    assert "gone on with by another run" in lines[waiting.id]
    assert "goes on with another run" in lines[resumed.id]
    assert "Took" in text
