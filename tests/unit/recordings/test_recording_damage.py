"""Recordings that are cut, newer, edited, large, of somebody else, or cannot be written."""

from __future__ import annotations

import errno
import json
import os
from typing import TYPE_CHECKING

import pytest

import nbagents as nba
from nbagents.errors import RecordingError, RecordingMiss
from nbagents.models.scripted import call
from nbagents.recordings import MODES, TextLines, recording_at
from nbagents.recordings.index import Recording

if TYPE_CHECKING:
    from pathlib import Path

    from nbagents.recordings import Mode


@nba.tool(replace=True)
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def file(folder: Path) -> Path:
    return folder / "lesson.recording.jsonl"


def record(folder: Path, prompt: str = "Go", answer: str = "Done.", mode: Mode = "extend") -> None:
    model = nba.ScriptedModel([call("add", a=1, b=2), answer])
    with nba.recording(file(folder), mode):
        nba.Agent(model=model, tools=[add]).run(prompt, log="memory")


def replay(folder: Path, prompt: str = "Go") -> str:
    with nba.recording(file(folder)):
        return nba.Agent(tools=[add]).run(prompt, log="memory").text


def anew(folder: Path) -> Recording:
    """The recording as another kernel reads it."""
    return Recording(TextLines(file(folder).read_text(), name="lesson.recording.jsonl"))


def test_a_cut_last_line_is_told_and_all_before_it_still_answers(tmp_path: Path) -> None:
    record(tmp_path)
    record(tmp_path, "Another")
    data = file(tmp_path).read_bytes()
    file(tmp_path).write_bytes(data[:-40])
    with pytest.warns(UserWarning, match="line 7: it is cut off"):
        assert replay(tmp_path) == "Done."
    with pytest.raises(RecordingMiss, match="It is damaged: line 7: it is cut off"):
        replay(tmp_path, "Another")
    assert file(tmp_path).read_bytes() == data[:-40]


def test_what_is_written_after_a_cut_line_stands_on_a_line_of_its_own(tmp_path: Path) -> None:
    record(tmp_path)
    with file(tmp_path).open("a") as out:
        out.write('{"id": "cut')
    with pytest.warns(UserWarning, match="cut off"):
        record(tmp_path, "Another", "Yes.")
    assert replay(tmp_path, "Another") == "Yes."
    assert '{"id": "cut\n' in file(tmp_path).read_text()


def test_a_newer_form_is_refused_and_left_alone(tmp_path: Path) -> None:
    file(tmp_path).write_text('{"nbagents_recording": 2}\n{"id": "x"}\n')
    before = file(tmp_path).read_bytes()
    for mode in MODES[:3]:
        agent = nba.Agent(model=nba.ScriptedModel(["Hi"]))
        with (
            nba.recording(file(tmp_path), mode),
            pytest.raises(RecordingError, match=r"newer nbagents.*pip install -U"),
        ):
            agent.run("Go", log="memory")
    assert file(tmp_path).read_bytes() == before


@pytest.mark.parametrize("data", [b"\x00\xff\xfe binary", b"hello\nworld\n", b"[1, 2]\n", b'{"a"'])
def test_what_is_no_recording_is_refused_and_left_alone(tmp_path: Path, data: bytes) -> None:
    file(tmp_path).write_bytes(data)
    for mode in MODES[:3]:
        for _ in range(2):  # also when it is asked again
            agent = nba.Agent(model=nba.ScriptedModel(["Hi"]))
            with (
                nba.recording(file(tmp_path), mode),
                pytest.raises(RecordingError, match="is no recording"),
            ):
                agent.run("Go", log="memory")
    assert file(tmp_path).read_bytes() == data


def test_an_empty_file_is_a_recording_of_nothing(tmp_path: Path) -> None:
    file(tmp_path).touch()
    with pytest.raises(RecordingMiss, match="It is empty"):
        replay(tmp_path)
    record(tmp_path)
    assert replay(tmp_path) == "Done."


def test_an_answer_may_be_edited_by_hand_and_the_run_goes_on_from_it(tmp_path: Path) -> None:
    record(tmp_path)
    text = file(tmp_path).read_text()
    edited = text.replace('"text": "Done."', '"text": "Done, and longer than it was."')
    file(tmp_path).write_text(edited)
    said: list[str] = []
    with nba.recording(file(tmp_path)):
        run = nba.Agent(tools=[add]).run("Go", log="memory")
    said += [one.text for one in run.events if one.type == "assistant_delta"]
    assert (run.text, "".join(said)) == ("Done, and longer than it was.",) * 2


def test_a_question_may_be_edited_by_hand(tmp_path: Path) -> None:
    record(tmp_path)
    text = file(tmp_path).read_text().replace('"text": "Go"', '"text": "Go on"')
    file(tmp_path).write_text(text)
    assert replay(tmp_path, "Go on") == "Done."


@pytest.mark.parametrize(
    ("was", "made"),
    [
        ('"text": "Done."', '"text": 7'),
        ('"answer": {"text"', '"unanswer": {"text"'),
        ('"asked": [{"role": "user"', '"asked": [{"rôle": "user"'),
    ],
)
def test_a_line_that_was_edited_to_nonsense_is_told_with_its_number(
    tmp_path: Path, was: str, made: str
) -> None:
    record(tmp_path)
    text = file(tmp_path).read_text()
    assert was in text
    file(tmp_path).write_text(text.replace(was, made))
    with pytest.warns(UserWarning, match=r"line \d: it is not as a recording has it"):
        Recording(TextLines(file(tmp_path).read_text(), name="a")).sync()


def test_a_conflict_of_git_is_named(tmp_path: Path) -> None:
    record(tmp_path)
    lines = file(tmp_path).read_text().splitlines(keepends=True)
    file(tmp_path).write_text("".join([*lines[:2], "<<<<<<< HEAD\n", *lines[2:], ">>>>>>> b\n"]))
    with pytest.warns(UserWarning, match="a conflict of git"):
        assert replay(tmp_path) == "Done."


def test_the_recording_of_another_notebook_answers_nothing_and_says_so(tmp_path: Path) -> None:
    record(tmp_path, "Zebra", "Stripes.")
    with pytest.raises(RecordingMiss, match="has no answer to this"):
        replay(tmp_path, "What is the capital of France, and how many people live there?")


def test_a_refresh_leaves_lines_alone_that_cannot_be_read(tmp_path: Path) -> None:
    record(tmp_path)
    with file(tmp_path).open("a") as out:
        out.write("what is this?\n")
    with pytest.warns(UserWarning, match="no JSON"):
        record(tmp_path, answer="Anew.", mode="refresh")
    text = file(tmp_path).read_text()
    assert "what is this?" in text
    assert '"Done."' not in text
    assert replay(tmp_path) == "Anew."


def test_a_full_disk_is_a_sentence_and_the_file_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(tmp_path)
    before = file(tmp_path).read_bytes()

    def full(out: int, data: bytes) -> int:
        really(out, bytes(data)[:10])  # a part of it still fitted
        raise OSError(errno.ENOSPC, "No space left on device")

    def unsynced(out: int) -> None:
        full(out, b"")

    def partly(out: int) -> None:
        full(out, b"{")

    really = os.write
    monkeypatch.setattr("nbagents.recordings.lines.os.write", full)
    monkeypatch.setattr("nbagents.disk.os.fsync", unsynced)
    with pytest.raises(RecordingError, match=r"no space left on device\. Make room on the disk"):
        record(tmp_path, "Another")
    monkeypatch.setattr("nbagents.disk.os.fsync", partly)
    with pytest.raises(RecordingError, match="stays as it was"):
        recording_at(file(tmp_path)).keep_only(lambda _: False)
    monkeypatch.undo()
    assert file(tmp_path).read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == [file(tmp_path).name]
    assert replay(tmp_path) == "Done."


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with (
        nba.recording(tmp_path / "none" / "a.recording.jsonl", "extend"),
        pytest.raises(RecordingError, match="Make the folder"),
    ):
        nba.Agent(model=nba.ScriptedModel(["Hi"])).run("Go", log="memory")


def test_a_large_recording_is_read_once_and_then_only_what_is_new(tmp_path: Path) -> None:
    record(tmp_path)
    with file(tmp_path).open("a") as out:
        for number in range(2_000):
            said = {"role": "user", "text": f"Question {number} " + "x" * 2_000}
            told = {"id": f"id-{number}", "asked": [said], "answer": {"text": "y"}, "take": "t"}
            out.write(json.dumps({**told, "model": "m", "recorded": "2026-01-01"}) + "\n")
    recording = recording_at(file(tmp_path))
    assert len(recording.exchanges()) == 2_002
    first = recording.exchanges()[0]
    record(tmp_path, "Another")
    assert recording.exchanges()[0] is first
    assert len(recording.exchanges()) == 2_004


def test_pruning_keeps_what_is_wanted_with_all_that_it_goes_on_with(tmp_path: Path) -> None:
    record(tmp_path)
    record(tmp_path, "Another", "Yes.")
    recording = recording_at(file(tmp_path))
    last = recording.exchanges()[1]
    assert recording.keep_only(lambda one: one.id == last.id) == 3
    assert replay(tmp_path) == "Done."
    with pytest.raises(RecordingMiss):
        replay(tmp_path, "Another")
