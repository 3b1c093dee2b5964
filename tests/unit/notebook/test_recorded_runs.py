"""Which recording holds in a notebook: by option, setting, environment, and what lies beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from IPython.core.error import UsageError

import nbagents as nba
from nbagents.errors import RecordingError, RecordingMiss
from nbagents.models.model import ModelTurn, TextDelta
from nbagents.notebook.extension import load, unload
from nbagents.recordings import embed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.unit.notebook.conftest import Cell, Notebook

ANSWER = "A recorded answer."


class Teacher:
    """A model that costs something: each question that it is asked counts."""

    name = "teacher"

    def __init__(self, said: str = ANSWER) -> None:
        self.said = said
        self.asked = 0

    async def stream(self, request: Any) -> AsyncIterator[Any]:
        del request
        self.asked += 1
        yield TextDelta(text=self.said)
        yield ModelTurn(text=self.said)


class Lesson:
    """A notebook in a folder, with a model that is asked only if somebody wants that."""

    def __init__(self, notebook: Notebook, folder: Path) -> None:
        self.notebook = notebook
        self.path = folder / "lesson.ipynb"
        self.path.write_text(json.dumps({"cells": [], "metadata": {}, "nbformat": 4}))
        self.beside = folder / "lesson.recording.jsonl"
        self.model = Teacher()
        notebook.shell.user_ns["model"] = self.model
        assert notebook.run("import nbagents as nba; guide = nba.Agent(model=model)").error is None

    def ask(self, options: str = "", prompt: str = "Hi") -> Cell:
        return self.notebook.run(f"%agent -a guide {options} {prompt}")

    def text(self, options: str = "") -> str:
        cell = self.ask(options)
        assert cell.error is None, cell.stderr
        return cell.value.text

    def record(self) -> bytes:
        """The teacher's file, as a lesson is shipped."""
        assert self.text("--record extend") == ANSWER
        self.model.said, self.model.asked = "A live answer.", 0
        return self.beside.read_bytes()


@pytest.fixture
def lesson(notebook: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lesson:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NBAGENTS_NOTEBOOK", str(tmp_path / "lesson.ipynb"))
    return Lesson(notebook, tmp_path)


def test_nothing_is_written_that_nobody_has_asked_for(lesson: Lesson) -> None:
    assert lesson.text() == ANSWER
    assert lesson.text("--record live") == ANSWER
    assert lesson.text("--record off") == ANSWER
    assert not lesson.beside.exists()


def test_what_lies_beside_the_notebook_is_replayed_and_left_as_it_is(lesson: Lesson) -> None:
    before = lesson.record()
    assert [lesson.text(), lesson.text(), lesson.text("--record replay")] == [ANSWER] * 3
    assert isinstance(lesson.ask(prompt="Something new").error, RecordingMiss)
    assert lesson.text("--record live") == lesson.text("--record off") == "A live answer."
    assert lesson.model.asked == 2
    assert lesson.beside.read_bytes() == before


def test_a_run_in_python_is_replayed_as_that_of_a_magic(lesson: Lesson) -> None:
    lesson.record()
    cell = lesson.notebook.run("guide.run('Hi', log='memory').text")
    assert cell.value == ANSWER
    cell = lesson.notebook.run("guide.run('Something new', log='memory')")
    assert isinstance(cell.error, RecordingMiss)


def test_extend_asks_for_what_is_missing_and_refresh_for_all(lesson: Lesson) -> None:
    lesson.record()
    assert lesson.ask("--record extend", "Something new").value.text == "A live answer."
    assert lesson.text("--record extend") == ANSWER
    assert lesson.model.asked == 1
    assert lesson.text("--record refresh") == "A live answer."
    assert lesson.text() == "A live answer."


def test_the_nearest_word_holds(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    lesson.record()
    lesson.model.said = "Live."
    monkeypatch.setenv("NBAGENTS_RECORD", "off")
    assert lesson.text() == "Live."
    lesson.notebook.run("%config NbAgents.record = 'replay'")
    assert lesson.text() == ANSWER
    assert lesson.text("--record live") == "Live."
    source = "with nba.recording('lesson.ipynb'):\n    run = %agent -a guide --record live Hi"
    assert lesson.notebook.run(source).error is None
    assert lesson.notebook["run"].text == ANSWER
    own = "own = nba.Agent(model=nba.Recorded(model, mode='live'))"
    assert lesson.notebook.run(own.replace("mode=", "None, ")).error is None
    source = "with nba.recording('lesson.ipynb'):\n    run = %agent -a own Hi"
    assert lesson.notebook.run(source).error is None
    assert lesson.notebook["run"].text == "Live."


def test_a_recording_is_named_on_the_line_or_once(lesson: Lesson, tmp_path: Path) -> None:
    other = tmp_path / "other.recording.jsonl"
    lesson.record()
    lesson.beside.rename(other)
    assert lesson.text() == "A live answer."
    assert lesson.text("--recording other.recording.jsonl") == ANSWER
    lesson.notebook.run("%config NbAgents.recording = 'other'")
    assert lesson.text() == ANSWER
    lesson.notebook.run("%config NbAgents.recording = None")
    assert lesson.text("--recording new.recording.jsonl --record extend") == "A live answer."
    assert (tmp_path / "new.recording.jsonl").is_file()
    assert not lesson.beside.exists()


def test_what_is_in_the_notebook_is_replayed(lesson: Lesson) -> None:
    lesson.record()
    content = json.loads(lesson.path.read_text())
    embed(content, lesson.beside.read_text())
    lesson.beside.unlink()
    lesson.path.write_text(json.dumps(content))
    assert lesson.text() == ANSWER
    failed = lesson.ask("--record extend", "Something new").error
    assert isinstance(failed, RecordingError)
    assert "nbagents recording extract lesson.ipynb" in str(failed)
    assert not lesson.beside.exists()


@pytest.mark.parametrize("say", ["--record replay", "config", "NBAGENTS_RECORD"])
def test_to_replay_what_is_not_there_asks_nobody(
    lesson: Lesson, say: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    option = say if say.startswith("--") else ""
    if say == "config":
        lesson.notebook.run("%config NbAgents.record = 'replay'")
    elif not option:
        monkeypatch.setenv(say, "replay")
    failed = lesson.ask(option).error
    assert isinstance(failed, RecordingError)
    assert "lesson.recording.jsonl" in str(failed)
    assert lesson.model.asked == 0


def test_models_that_ask_nobody_are_spared_where_nobody_names_the_recording(
    lesson: Lesson, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NBAGENTS_RECORD", "replay")
    lesson.notebook.run("script = nba.Agent(model=nba.ScriptedModel(['By script.']))")
    assert lesson.notebook.run("%agent -a script Hi").value.text == "By script."
    assert lesson.notebook.run("%agent -m offline Hi").error is None
    assert lesson.notebook.run("%agent Hi").error is None  # nothing is there to replay
    monkeypatch.delenv("NBAGENTS_RECORD")
    lesson.record()
    assert lesson.notebook.run("%agent -m offline Hi").error is None
    assert lesson.notebook.run("%agent Hi").value.text == ANSWER  # a student without a key
    named = lesson.notebook.run("%agent -m offline --record replay Something new").error
    assert isinstance(named, RecordingMiss)


def test_where_the_notebook_is_not_known_it_is_said_what_to_do(
    lesson: Lesson, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NBAGENTS_NOTEBOOK")
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    assert lesson.text() == ANSWER
    for mode in ("extend", "refresh", "replay"):
        failed = lesson.ask(f"--record {mode}").error
        assert isinstance(failed, RecordingError)
        assert "nothing here says which notebook this is. Name the file" in str(failed)
    assert lesson.text("--record extend --recording here.recording.jsonl") == ANSWER


def test_a_servers_word_is_written_to_only_where_the_cell_is_in_the_notebook(
    lesson: Lesson, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NBAGENTS_NOTEBOOK")
    monkeypatch.setenv("JPY_SESSION_NAME", str(lesson.path))
    line = "%agent -a guide --record extend Hi"
    failed = lesson.notebook.run(line, cell_id="cell-1").error
    assert isinstance(failed, RecordingError)
    assert "Save it and run the cell again" in str(failed)
    assert not lesson.beside.exists()
    lesson.path.write_text(json.dumps({"cells": [{"id": "cell-1"}], "metadata": {}}))
    assert lesson.notebook.run(line, cell_id="cell-1").error is None
    assert lesson.beside.is_file()


def test_a_notebook_that_was_renamed_replays_what_it_had(
    lesson: Lesson, monkeypatch: pytest.MonkeyPatch
) -> None:
    lesson.record()
    monkeypatch.delenv("NBAGENTS_NOTEBOOK")
    monkeypatch.setenv("JPY_SESSION_NAME", str(lesson.path))
    lesson.path.rename(lesson.path.with_name("renamed.ipynb"))
    assert lesson.text() == ANSWER


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--record sometimes", "--record is one of replay, extend, refresh, live, off"),
        ("--recording .", "is a folder: name a file in it"),
        ("--recording none.recording.jsonl", "There is no recording"),
        ("--recording package:no_such_course", "There is no package 'no_such_course'"),
        ("--frozen-tools", "--frozen-tools gives the results of a recording, and there is none"),
        ("--pace=0", "--pace wants a number above 0, not '0'"),
        ("--pace=fast", "--pace wants a number above 0, not 'fast'"),
    ],
)
def test_what_is_wrong_fails_the_cell_in_one_line_and_asks_nobody(
    lesson: Lesson, options: str, message: str
) -> None:
    cell = lesson.ask(options)
    assert isinstance(cell.error, (UsageError, RecordingError))
    assert message in str(cell.error)
    assert len((cell.stdout + cell.stderr).strip().splitlines()) == 1
    assert lesson.model.asked == 0


def test_a_variable_that_means_nothing_fails_the_cell_and_asks_nobody(
    lesson: Lesson, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NBAGENTS_RECORD", "sometimes")
    for source in ("%agent -a guide Hi", "guide.run('Hi')"):
        failed = lesson.notebook.run(source).error
        assert isinstance(failed, RecordingError)
        assert "NBAGENTS_RECORD must be one of 'replay', 'extend'" in str(failed)
    assert lesson.model.asked == 0


def test_pace_takes_a_value_behind_its_sign_only(lesson: Lesson) -> None:
    lesson.record()
    cell = lesson.ask("--pace", "4 hours in Oslo?")
    assert isinstance(cell.error, RecordingMiss)
    assert "4 hours in Oslo?" in str(cell.error)
    assert lesson.text("--pace=100") == ANSWER


def test_frozen_tools_do_not_run(lesson: Lesson) -> None:
    tool = "%%tool\ndef ring() -> str:\n    'Ring.'\n    rung.append(1)\n    return 'rung'\n"
    lesson.notebook.run("from nbagents.models.scripted import call; rung = []")
    lesson.notebook.run(tool)
    script = "ringer = nba.Agent(tools=['ring'], model=nba.ScriptedModel([call('ring'), 'Done.']))"
    lesson.notebook.run(script)
    assert lesson.notebook.run("%agent -a ringer --record extend Ring.").error is None
    lesson.notebook.run("ringer = nba.Agent(tools=['ring'])")
    assert lesson.notebook.run("%agent -a ringer Ring.").value.text == "Done."
    assert lesson.notebook["rung"] == [1, 1]
    run = lesson.notebook.run("%agent -a ringer --frozen-tools Ring.").value
    assert run.calls[0].content == "rung"
    assert lesson.notebook["rung"] == [1, 1]


def test_a_branch_is_recorded_and_replayed(lesson: Lesson) -> None:
    lesson.record()
    run = lesson.ask().value
    line = f"-a guide --fork {run.id} --step 1 Say more."
    said = lesson.notebook.run(f"%agent --show-python --record extend {line}").stdout
    assert 'mode="extend"' in said
    branch = lesson.notebook.run(f"%agent --record extend {line}")
    assert branch.error is None, branch.stderr
    assert branch.value.text == "A live answer."
    again = lesson.notebook.run(f"%agent {line}")
    assert again.error is None, again.stderr
    assert again.value.replayed is not None
    assert lesson.model.asked == 1


def test_a_dry_run_says_as_much_where_a_recording_holds(lesson: Lesson) -> None:
    without = str(lesson.ask("-m offline --dry-run").value)
    lesson.record()
    assert str(lesson.ask("-m offline --dry-run --record replay").value) == without


def test_a_dry_run_asks_for_no_recording_and_writes_none(lesson: Lesson) -> None:
    assert lesson.ask("--dry-run --record extend").error is None
    assert not lesson.beside.exists()


@pytest.mark.parametrize(
    ("options", "written"),
    [
        ("", None),
        ("--record extend", 'with nbagents.recording("lesson.recording.jsonl", mode="extend"):'),
        ("--record live", 'with nbagents.recording(mode="live"):'),
        ("--pace=2 --frozen-tools", "pace=2.0, frozen_tools=True):"),
        ("--recording other.recording.jsonl --record refresh", '"other.recording.jsonl"'),
    ],
)
def test_python_says_the_same(lesson: Lesson, options: str, written: str | None) -> None:
    lesson.record()
    said = lesson.ask(f"--show-python {options}").stdout
    assert written is None or written in " ".join(said.split()).replace("( ", "(").replace(
        ", )", ")"
    )
    assert ("recording(" in said) == (written is not None)
    lesson.beside.with_name("other.recording.jsonl").write_text('{"nbagents_recording": 1}\n')
    ran = lesson.notebook.run(said)
    assert ran.error is None, said


@pytest.mark.parametrize("magic", ["%agent", "%nbagents"])
def test_the_status_says_which_recording_holds(lesson: Lesson, magic: str) -> None:
    def said() -> str:
        return " ".join(lesson.notebook.run(magic).texts)

    assert "none" in said()
    lesson.record()
    assert "lesson.recording.jsonl beside the notebook: replay" in said()
    lesson.notebook.run("%config NbAgents.record = 'extend'")
    assert "lesson.recording.jsonl beside the notebook: extend, because %config says so" in said()
    lesson.notebook.run("%config NbAgents.recording = 'none.recording.jsonl'")
    lesson.notebook.run("%config NbAgents.record = 'replay'")
    assert "There is no recording" in said()


def test_a_file_that_cannot_be_written_is_said_and_fails_the_cell(lesson: Lesson) -> None:
    failed = lesson.ask("--record extend --recording no/folder.recording.jsonl").error
    assert isinstance(failed, RecordingError)
    assert "Make the folder" in str(failed)


def test_without_the_extension_nothing_is_looked_for(lesson: Lesson) -> None:
    lesson.record()
    unload(lesson.notebook.shell)
    assert nba.Agent(model=lesson.model).run("Hi", log="memory").text == "A live answer."
    load(lesson.notebook.shell)
