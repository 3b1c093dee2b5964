"""`nbagents recording`: what there is, whether it is whole and clean, into a notebook and out."""

from __future__ import annotations

import importlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import nbagents as nba
from nbagents.cli import main
from nbagents.recordings import recording_in
from nbagents.runs.wording import size as in_words

TOKEN = "ghp_" + "a1B2c3D4e5" * 4
NOTEBOOK: dict[str, Any] = {
    "cells": [],
    "metadata": {"kernelspec": {"display_name": "Python 3", "name": "python3"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}

CELL: dict[str, Any] = {
    "cell_type": "code",
    "execution_count": None,
    "id": "a",
    "metadata": {},
    "outputs": [],
}


class Desk:
    """A folder with a notebook, and what the command says there."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.notebook = folder / "lesson.ipynb"
        self.beside = folder / "lesson.recording.jsonl"
        self._capsys = capsys
        self.notebook.write_text(json.dumps(NOTEBOOK, indent=1) + "\n")

    def record(self, *prompts: str) -> None:
        for prompt in prompts:
            with nba.recording(self.beside, mode="extend"):
                model = nba.ScriptedModel([f"To {prompt}."])
                nba.Agent(model=model).run(prompt, log="memory")

    def run(self, *words: str) -> tuple[int, str]:
        self._capsys.readouterr()
        code = main(["recording", *words])
        said = self._capsys.readouterr()
        return code, said.out + said.err


@pytest.fixture
def desk(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Desk:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    return Desk(tmp_path, capsys)


def test_a_list_says_how_much_there_is(desk: Desk) -> None:
    assert desk.run("ls") == (0, "There are no recordings.\n")
    desk.record("Hi", "Bye")
    code, said = desk.run("ls")
    assert code == 0
    assert said.startswith("lesson.recording.jsonl  2 exchanges, scripted, 20")
    size = desk.beside.stat().st_size
    assert said.rstrip().endswith(in_words(size))
    _, said = desk.run("ls", "-a", "lesson.ipynb")
    assert [line.split("  ")[-1] for line in said.splitlines()[1:]] == ["Hi", "Bye"]


def test_a_whole_recording_is_verified(desk: Desk) -> None:
    desk.record("Hi")
    assert desk.run("verify", "lesson.ipynb") == (0, "lesson.recording.jsonl  ok: 1 exchange\n")


def test_a_line_that_was_edited_by_hand_is_named(desk: Desk) -> None:
    desk.record("Hi", "Bye")
    text = desk.beside.read_text()
    desk.beside.write_text(text.replace("To Bye.", "Farewell."))
    code, said = desk.run("verify", str(desk.beside))
    assert code == 0
    assert "line 3 was edited by hand" in said
    assert "line 2" not in said


def test_what_is_damaged_fails_and_stays_as_it_is(desk: Desk) -> None:
    desk.record("Hi", "Bye")
    desk.beside.write_bytes(desk.beside.read_bytes()[:-20])
    before = desk.beside.read_bytes()
    code, said = desk.run("verify", "lesson.ipynb")
    assert code == 1
    assert "1 line cannot be read, the others replay" in said
    assert "line 3: it is cut off" in said
    assert desk.run("ls")[0] == 0
    assert desk.run("embed", "lesson.ipynb")[0] == 2
    assert desk.beside.read_bytes() == before


@pytest.mark.parametrize(
    ("text", "message"),
    [("no recording\n", "is no recording"), ('{"nbagents_recording": 99}\n', "newer nbagents")],
)
def test_what_cannot_be_read_at_all_fails(desk: Desk, text: str, message: str) -> None:
    desk.beside.write_text(text)
    for kind in ("ls", "verify"):
        code, said = desk.run(kind, "lesson.ipynb")
        assert code == 1
        assert message in said


def test_a_secret_is_found_by_its_line_and_never_repeated(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.record("Hi")
    assert desk.run("scan", ".") == (0, "No secrets were found.\n")
    monkeypatch.setenv("SOME_API_KEY", 'quoted "key" of mine')
    line = json.dumps({"a": [TOKEN, {TOKEN: 1}], "b": 'my quoted "key" of mine'})
    desk.beside.write_text(f"{desk.beside.read_text()}{line}\nnot JSON {TOKEN}\n")
    code, said = desk.run("scan", "lesson.ipynb")
    assert code == 1
    assert said.count("lesson.recording.jsonl, line 3:") == 2
    assert said.count("lesson.recording.jsonl, line 4:") == 1
    assert "3 secrets: take them back" in said
    assert TOKEN[:8] not in said
    assert "of mine" not in said


def test_what_is_embedded_is_extracted_as_the_very_same_file(desk: Desk) -> None:
    desk.record("Hi — 😀\u2028", "Bye")
    before, notebook = desk.beside.read_bytes(), desk.notebook.read_bytes()
    code, said = desk.run("embed", "lesson.ipynb")
    assert code == 0
    assert said.startswith("lesson.ipynb holds its recording: 2 exchanges, ")
    whole = in_words(desk.notebook.stat().st_size)
    assert said.rstrip().endswith(f"{in_words(len(before))} of {whole}.")
    desk.beside.unlink()
    assert "lesson.ipynb (in the notebook)  2 exchanges" in desk.run("ls")[1]
    assert desk.run("extract", "lesson.ipynb", "--remove")[0] == 0
    assert desk.beside.read_bytes() == before
    assert desk.notebook.read_bytes() == notebook


@pytest.mark.parametrize(
    ("source", "is_noted"),
    [
        ("%agent --record extend Hi", True),
        ("x = 1\nrun = %agent -m m --record=refresh Hi", True),
        ("%%agent --record extend\nHi", True),
        ("%config NbAgents.record = 'extend'", True),
        ("%agent Hi", False),
        ("%agent --record replay Hi", False),
        ("# %agent --record extend Hi", False),
    ],
)
def test_a_cell_that_would_write_is_named_when_the_notebook_is_to_be_only_read(
    desk: Desk, source: str, *, is_noted: bool
) -> None:
    desk.record("Hi")
    desk.notebook.write_text(json.dumps({**NOTEBOOK, "cells": [{**CELL, "source": source}]}))
    code, said = desk.run("embed", "lesson.ipynb")
    assert code == 0
    assert ("Leave it out before you give the notebook away" in said) is is_noted


def test_one_file_is_enough_to_replay(desk: Desk, tmp_path: Path) -> None:
    desk.record("Hi")
    desk.run("embed", "lesson.ipynb")
    alone = tmp_path / "elsewhere" / "mine.ipynb"
    alone.parent.mkdir()
    shutil.copyfile(desk.notebook, alone)
    with nba.recording(alone):
        assert nba.Agent().run("Hi", log="memory").text == "To Hi."


def test_another_file_is_not_written_over_unless_that_is_asked_for(desk: Desk) -> None:
    desk.record("Hi")
    desk.run("embed", "lesson.ipynb")
    desk.record("Bye")
    newer = desk.beside.read_bytes()
    code, said = desk.run("extract", "lesson.ipynb")
    assert (code, desk.beside.read_bytes()) == (2, newer)
    assert "is there and is another one" in said
    assert desk.run("extract", "lesson.ipynb", "-o", "old.recording.jsonl")[0] == 0
    assert desk.run("extract", "lesson.ipynb", "--force")[0] == 0
    assert desk.beside.read_bytes() == Path("old.recording.jsonl").read_bytes() != newer
    desk.notebook.with_name("one.jsonl").write_bytes(newer)
    assert desk.run("embed", "lesson.ipynb", "--from", "one.jsonl")[0] == 0
    recording = recording_in(desk.notebook)
    assert recording is not None
    assert len(recording.exchanges()) == 2


def test_a_notebook_that_was_trusted_still_is(desk: Desk) -> None:
    nbformat: Any = importlib.import_module("nbformat")  # which has no types
    notary: Any = importlib.import_module("nbformat.sign").NotebookNotary

    def is_trusted() -> bool:
        return bool(notary().check_signature(nbformat.read(desk.notebook, as_version=4)))

    desk.record("Hi")
    desk.run("embed", "lesson.ipynb")
    assert not is_trusted()
    notary().sign(nbformat.read(desk.notebook, as_version=4))
    desk.record("Bye")
    desk.run("embed", "lesson.ipynb")
    assert is_trusted()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["ls", "nothing"], "There is no nothing."),
        (["verify", "lesson.ipynb"], "lesson.ipynb has no recording"),
        (["embed", "lesson.ipynb"], "There is no lesson.recording.jsonl to put in"),
        (["embed", "none.ipynb"], "none.ipynb: It cannot be read"),
        (["extract", "lesson.ipynb"], "There is no recording in lesson.ipynb."),
        (["prune", "none.ipynb"], "There is no none.ipynb."),
        (["refresh", "none.ipynb"], "none.ipynb: It cannot be read"),
        (["embed", "broken.ipynb"], "broken.ipynb: It is no notebook"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(desk: Desk, words: list[str], message: str) -> None:
    Path("broken.ipynb").write_text("broken")
    code, said = desk.run(*words)
    assert code == 2
    assert said.startswith(f"nbagents recording {words[0]}: ")
    assert message in said
    assert len(said.strip().splitlines()) == 1
