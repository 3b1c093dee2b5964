"""`nbagents view`: runs of files, notebooks and the log, as text and as one page."""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

import nbagents as nba
from nbagents.cli import main
from nbagents.models.scripted import ScriptedModel
from nbagents.notebook.saved import text_tree
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.session import Session, use_session
from tests.unit.runs.kept_runs import run_to_keep, saved_in_notebook

if TYPE_CHECKING:
    from pathlib import Path

Said = pytest.CaptureFixture[str]


@pytest.fixture(name="run")
def _run() -> nba.Run:
    session = Session(MemoryLog())
    use_session(session)
    return run_to_keep(session)


@pytest.fixture(name="notebook")
def _notebook(run: nba.Run, tmp_path: Path) -> Path:
    other = nba.Agent(model=ScriptedModel(["Hi."])).run("Greet", log=run.session)
    return saved_in_notebook(tmp_path / "lesson.ipynb", run, other)


class Addresses(HTMLParser):
    """What a page names that a browser would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.found += [value or "" for name, value in attrs if name in ("src", "href", "srcset")]


def test_a_saved_run_is_printed_as_its_tree(run: nba.Run, tmp_path: Path, capsys: Said) -> None:
    path = run.save(tmp_path / "run.jsonl")
    assert main(["view", str(path)]) == 0
    assert capsys.readouterr().out == f"{text_tree(run.tree(), run.id)}\n"


def test_all_runs_of_a_notebook_are_printed_or_one(notebook: Path, capsys: Said) -> None:
    assert main(["view", str(notebook)]) == 0
    said = capsys.readouterr().out
    assert said.index("How is it?") < said.index("Greet")
    assert main(["view", str(notebook), "--run", "2"]) == 0
    said = capsys.readouterr().out
    assert "Greet" in said
    assert "How is it?" not in said


def test_a_run_of_the_log_is_found_by_the_beginning_of_its_id(run: nba.Run, capsys: Said) -> None:
    assert main(["view", run.id[:11]]) == 0
    assert capsys.readouterr().out == f"{text_tree(run.tree(), run.id)}\n"


def test_in_a_terminal_what_failed_is_red(
    run: nba.Run, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert main(["view", run.id]) == 0
    said = capsys.readouterr().out
    assert re.search(r"\x1b\[31mfailed\x1b\[0m +weather\(city=\"Atlantis\"", said)
    assert re.search(r"\x1b\[32mdone\x1b\[0m +weather\(city=\"Oslo\"", said)
    plain = re.sub(r"\x1b\[\d+m", "", said)
    assert plain == f"{text_tree(run.tree(), run.id)}\n"


@pytest.mark.parametrize("count", [1, 2])
def test_a_page_asks_nobody_for_anything(
    notebook: Path, run: nba.Run, capsys: Said, count: int
) -> None:
    out = notebook.with_suffix(".html")
    which = ["--run", "1"] if count == 1 else []
    assert main(["view", str(notebook), *which, "--html", str(out)]) == 0
    assert f"{count} run" in capsys.readouterr().out
    page = Addresses()
    page.feed(out.read_text("utf-8"))
    assert [one for one in page.found if not one.startswith(("data:", "#"))] == []
    assert "script" not in page.tags
    text = out.read_text("utf-8")
    assert "How is it?" in text
    assert ("Greet" in text) == (count == 2)
    if count == 1:
        assert text == run.to_html()


def test_a_page_may_be_printed(notebook: Path, run: nba.Run, capsys: Said) -> None:
    assert main(["view", str(notebook), "--run", run.id, "--html", "-"]) == 0
    assert capsys.readouterr().out == run.to_html()


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("run-nothing", "There is no run 'run-nothing' in this log"),
        ("missing.ipynb", "There is no notebook missing.ipynb"),
        ("missing.jsonl", "There is no file missing.jsonl"),
    ],
)
def test_what_cannot_be_shown_is_said_in_a_line(capsys: Said, named: str, said: str) -> None:
    use_session(Session(MemoryLog()))
    assert main(["view", named]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(f"nbagents view: {said}")


def test_a_notebook_without_runs_says_so(tmp_path: Path, capsys: Said) -> None:
    path = tmp_path / "empty.ipynb"
    path.write_text('{"cells": []}', encoding="utf-8")
    assert main(["view", str(path)]) == 1
    assert "holds no run" in capsys.readouterr().err


def test_a_place_that_cannot_be_written_is_said(notebook: Path, capsys: Said) -> None:
    out = notebook.parent / "missing" / "out.html"
    assert main(["view", str(notebook), "--html", str(out)]) == 1
    assert "could not be written" in capsys.readouterr().err


def test_only_a_page_is_written_over(notebook: Path, capsys: Said) -> None:
    """A slip of the hand, the notebook itself as the page, loses nothing."""
    was = notebook.read_bytes()
    assert main(["view", str(notebook), "--html", str(notebook)]) == 1
    assert "is there already and no page" in capsys.readouterr().err
    assert notebook.read_bytes() == was
    out = notebook.with_name("out.html")
    for _ in range(2):
        assert main(["view", str(notebook), "--html", str(out)]) == 0
