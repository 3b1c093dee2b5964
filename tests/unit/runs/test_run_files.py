"""What can be wrong with the file of a run: each is said, and nothing is lost."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

import nbagents as nba
from nbagents.errors import RunError
from nbagents.models.scripted import ScriptedModel, call
from nbagents.redaction import MARK, know
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.session import Session
from tests.unit.runs.kept_runs import run_to_keep

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(name="session")
def _session() -> Session:
    return Session(MemoryLog())


@pytest.fixture(name="run")
def _run(session: Session) -> nba.Run:
    return run_to_keep(session)


@pytest.fixture(name="path")
def _path(run: nba.Run, tmp_path: Path) -> Path:
    return run.save(tmp_path / "run.jsonl")


@pytest.mark.parametrize("at", [0.4, 0.97])
def test_a_file_that_was_cut_is_said_and_its_beginning_read(path: Path, at: float) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * at)])
    with pytest.raises(RunError, match=r"ends in .*line \d+: it was cut.*whole=False"):
        nba.Run.load(path)
    with pytest.warns(UserWarning, match="it was cut"):
        part = nba.Run.load(path, whole=False)
    assert part.prompt == "How is it?"
    assert part.status == "unknown" if at < 0.5 else part.is_closed


def test_a_file_without_its_last_line_was_cut(path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    with pytest.raises(RunError, match="it was cut"):
        nba.Run.load(path)


def test_a_line_that_is_no_event_is_named(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join([*lines[:3], '{"type": "other"}\n', *lines[4:]]), encoding="utf-8")
    with pytest.raises(RunError, match=r"Line 4 of .* is no event of a run .*was it edited\?"):
        nba.Run.load(path)
    with pytest.warns(UserWarning, match="Line 4"):
        assert len(nba.Run.load(path, whole=False).events) == 2


def test_a_file_that_was_edited_is_read_and_said_to_be(path: Path) -> None:
    path.write_text(path.read_text("utf-8").replace("Cold.", "Warm."), encoding="utf-8")
    with pytest.warns(UserWarning, match="was changed since it was saved"):
        assert nba.Run.load(path).text == "Warm."


def test_a_file_of_a_newer_version_says_what_to_do(path: Path) -> None:
    text = path.read_text("utf-8")
    path.write_text(text.replace('"version": 1', '"version": 2', 1), encoding="utf-8")
    with pytest.raises(RunError, match="update it"):
        nba.Run.load(path)
    newer = text.replace(f'"nbagents": "{nba.__version__}"', '"nbagents": "9.0"', 1)
    path.write_text(newer.replace('"seq"', '"more":1,"seq"', 1), encoding="utf-8")
    with pytest.raises(RunError, match=r"written by nbagents 9\.0, this is .*: update it"):
        nba.Run.load(path)


@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b"\x00" * 100_000, b'{"format": 1}\n'])
def test_a_file_of_another_kind_is_said_to_be(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes(content)
    with pytest.raises(RunError, match="is no run that was saved"):
        nba.Run.load(path)


def test_a_file_without_its_run_is_said_to_be(path: Path, run: nba.Run) -> None:
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text(lines[0].replace(run.id, "run-other") + "".join(lines[1:]), encoding="utf-8")
    with (
        pytest.warns(UserWarning, match="was changed"),
        pytest.raises(RunError, match="no event of its run run-other"),
    ):
        nba.Run.load(path)


def test_a_disk_that_is_full_loses_nothing(
    run: nba.Run, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = path.read_bytes()

    def full(_file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RunError, match=r"could not be written \(No space left on device\)"):
        run.save(path)
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_what_is_no_saved_run_is_not_written_over(run: nba.Run, tmp_path: Path) -> None:
    notebook = tmp_path / "lesson.ipynb"
    notebook.write_text("{}", encoding="utf-8")
    with pytest.raises(RunError, match="no saved run: it was left as it is"):
        run.save(notebook)
    assert notebook.read_text("utf-8") == "{}"
    with pytest.raises(RunError, match="is a folder"):
        run.save(tmp_path)
    with pytest.raises(RunError, match="There is no folder"):
        run.save(tmp_path / "missing" / "run.jsonl")


def test_a_secret_that_came_to_be_known_later_is_not_saved(
    session: Session, tmp_path: Path
) -> None:
    agent = nba.Agent(model=ScriptedModel(["It is hunter2hunter2."]))
    agent.run("hunter2hunter2?", chat="c", log=session)
    run = nba.Agent(model=ScriptedModel(["ok"])).run("And?", chat="c", log=session)
    know("hunter2hunter2")
    text = run.save(tmp_path / "run.jsonl").read_text("utf-8")
    assert "hunter2" not in text
    assert MARK in text


def test_a_run_that_goes_on_is_not_saved(session: Session, tmp_path: Path) -> None:
    def keep(ctx: nba.Context) -> str:
        with pytest.raises(RunError, match=r"still goes on: wait for its end"):
            session.runs[-1].save(tmp_path / "run.jsonl")
        return ctx.agent_name

    model = ScriptedModel([[call("keep")], "done"])
    assert nba.Agent(tools=[keep], model=model).run("Go", log=session).calls[0].status == "done"
    assert not (tmp_path / "run.jsonl").exists()
