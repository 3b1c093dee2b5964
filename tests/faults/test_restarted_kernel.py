"""A run that is suspended in one kernel is gone on with in the next one, by the magic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kernels.front_end import FrontEnd

if TYPE_CHECKING:
    from pathlib import Path

CELL = """
%load_ext nbagents
import pathlib
import nbagents as nba
from nbagents.models.scripted import call

DONE = pathlib.Path({done!r})

def did(what: str) -> str:
    with DONE.open("a") as file:
        file.write(what + " ")
    return what

@nba.tool
def look() -> str:
    "Look."
    return did("looked")

@nba.tool(destructive=True)
def wipe() -> str:
    "Wipe."
    return did("wiped")

low = nba.Agent("low", tools=["wipe"], model=nba.ScriptedModel({low}))
boss = nba.Agent(
    "boss",
    tools=["look", low.as_tool("ask_low", "Ask.")],
    model=nba.ScriptedModel({boss}),
)
"""
SUSPEND = "%agent -a boss --on-await suspend -o run Clean up.\nprint(run.id, run.status)"
RESUME = "%agent -a boss --resume {run_id} --approval auto -o run\nprint(run.text, run.status)"
AGAIN = "%agent -a boss --resume {run_id} --approval auto"


def test_a_suspended_run_goes_on_after_a_restart_and_repeats_nothing(tmp_path: Path) -> None:
    done = tmp_path / "done.txt"
    first = CELL.format(
        done=str(done),
        low='[call("wipe")]',
        boss='[[call("look"), call("ask_low", input="Wipe it.")]]',
    )
    with FrontEnd(None, state=tmp_path) as front_end:
        front_end.run(first)
        run_id, status = front_end.printed(front_end.run(SUSPEND)).split()
        front_end.kill()
    assert (status, done.read_text()) == ("suspended", "looked ")
    second = CELL.format(done=str(done), low='["low is done"]', boss='["All is done."]')
    with FrontEnd(None, state=tmp_path) as front_end:
        front_end.run(second)
        request = front_end.run(RESUME.format(run_id=run_id))
        assert front_end.errors(request) == []
        *text, status = front_end.printed(request).split()
        assert (" ".join(text), status) == ("All is done.", "completed")
        again = front_end.run(AGAIN.format(run_id=run_id))
        assert "gone on with already" in front_end.printed(again)
    assert done.read_text() == "looked wiped "
