"""What a cell shows of `session.history()` and of a run that was loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.notebook.saved import RUN_MIME

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.notebook.conftest import Notebook

ASK = "import nbagents as nba\nrun = nba.Agent(model=nba.ScriptedModel(['Hi.'])).run('Greet <b>')"


def test_a_history_is_a_table(notebook: Notebook) -> None:
    notebook.run(ASK)
    cell = notebook.run("run.session.history()")
    (bundle,) = cell.bundles
    assert "<table" in bundle["text/html"]
    assert "Greet &lt;b&gt;" in bundle["text/html"]
    text = bundle["text/plain"]
    assert text.startswith("1 run, the newest first\n")
    assert notebook["run"].id in text
    assert text.endswith("history[0].load() is the run itself, as is nba.Run.load(RUN).")


def test_an_empty_history_says_so(notebook: Notebook) -> None:
    notebook.run(ASK)
    (text,) = notebook.run("run.session.history(agent='nobody')").texts
    assert text == "No runs"


def test_a_loaded_run_is_shown_as_a_card(notebook: Notebook, tmp_path: Path) -> None:
    notebook.run(ASK)
    path = str(tmp_path / "run.jsonl")
    notebook.run(f"run.save({path!r})")
    shown = notebook.run("run").bundles
    loaded = notebook.run(f"nba.Run.load({path!r})").bundles
    assert [RUN_MIME in one for one in loaded] == [True]
    assert loaded == shown
