"""A log that cannot be written or read: clear words, and a process that goes on."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import warnings
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from nbagents.errors import LogReadError, LogWriteError
from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.state.session import Session, current_session, open_log
from nbagents.runs.tree.folding import fold
from tests.faults.leaving import assert_sound, run_to_the_end
from tests.unit.runs.desk import agent, double, request, run_of, turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from nbagents.agents import Agent
    from nbagents.events import AnyEvent
    from nbagents.runs.state.run.run import Run
    from nbagents.runs.tree.nodes import RunNode

ROOT = Path(__file__).resolve().parents[2]
HEADER = 100
"""Bytes in which SQLite notes how a file was opened."""


def doubling() -> Agent:
    return agent([turn(request("call-1", "double", number=2)), "Four."], [double])


def log_of_30_runs(path: Path) -> None:
    with closing(SqliteLog(path)) as log:
        session = Session(log)
        for _ in range(30):
            doubling().run("Double 2.", log=session)


def said_by(error: BaseException) -> tuple[Run, str]:
    return run_of(error), str(error)


def fill(log: SqliteLog) -> Callable[[], object]:
    """Let a log's file grow no more: its limit stands for the disk's; gives how to lift it."""
    writer = log._writer  # pyright: ignore[reportPrivateUsage]  SQLite keeps it by connection
    (pages,) = writer.execute("pragma page_count").fetchone()
    writer.execute(f"pragma max_page_count = {pages}")
    return lambda: writer.execute("pragma max_page_count = 100000")


# No room


def test_a_full_disk_fails_the_run_with_words_and_the_next_one_works_when_there_is_room(
    tmp_path: Path,
) -> None:
    with closing(SqliteLog(tmp_path / "log.sqlite3")) as log:
        session = Session(log)
        assert run_to_the_end(doubling(), session).run.status == "completed"
        give_room = fill(log)
        run, said = said_by(fails(session, prompt="Double 2. " * 2_000))
        assert run.status == "failed"
        assert "database or disk is full" in said
        assert "Free some space, or set NBAGENTS_STATE_DIR" in said
        assert run.events[-1].type == "run_stream_end"
        assert [message.role for message in run.messages][-1] in ("assistant", "tool", "user")
        give_room()
        assert run_to_the_end(doubling(), session).run.status == "completed"


def fails(session: Session, prompt: str) -> LogWriteError:
    with pytest.raises(LogWriteError) as caught:
        doubling().run(prompt, log=session)
    return caught.value


def test_an_end_that_finds_no_room_is_told_by_its_own_run_not_by_the_next_one(
    tmp_path: Path,
) -> None:
    with closing(SqliteLog(tmp_path / "log.sqlite3")) as log:
        session = Session(log)
        assert run_to_the_end(doubling(), session).run.status == "completed"
        give_room = fill(log)
        with pytest.raises(LogWriteError, match="database or disk is full") as caught:
            agent([turn(text="A long story. " * 5_000)]).run("Tell me.", log=session)
        run = run_of(caught.value)
        assert run.status == "completed"
        assert run.text.startswith("A long story.")
        give_room()
        assert run_to_the_end(doubling(), session).run.status == "completed"


LIMITED = """
import resource, sys
from pathlib import Path
from nbagents.errors import LogWriteError
from nbagents.runs.state.session import Session
from nbagents.runs.logs.sqlite.log import SqliteLog
from tests.faults.test_bad_logs import doubling

log = SqliteLog(Path(sys.argv[1]))
session = Session(log)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, resource.RLIM_INFINITY))
done = 0
try:
    while True:
        doubling().run("Double 2. " * 2_000, log=session)
        done += 1
except LogWriteError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(doubling().run("And now?", log=session).status)
log.close()
print(done)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")
def test_a_system_that_refuses_to_write_fails_the_run_and_spoils_nothing(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite3"
    said, status, done = told_by("-c", LIMITED, str(path)).splitlines()
    assert "could not be written" in said
    assert "Free some space" in said
    assert status == "completed"
    with closing(SqliteLog(path)) as log:
        (session_id,) = {run.session_id for run in log.find("")}
        runs = runs_of(log, session_id)
    whole = [run for run in runs.values() if run["status"] == "completed"]
    assert len(whole) >= int(done)  # of the run before, the end may not have been written yet
    assert all(run["calls"]["call-1"]["content"] == "4" for run in whole)
    assert list(runs.values())[-1]["prompt"] == "And now?"
    assert list(runs.values())[-1]["status"] == "completed"


def told_by(*command: str) -> str:
    """What a process of ours prints."""
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    return done.stdout


def runs_of(log: SqliteLog, session_id: str) -> dict[str, RunNode]:
    events: list[AnyEvent] = []
    while page := log.read(session_id, after_seq=events[-1].seq if events else -1):
        events += page
    return fold(events)["runs"]


# No folder


def test_a_state_folder_that_cannot_be_written_is_said_and_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("NBAGENTS_STATE_DIR", str(tmp_path / "file" / "state"))
    with pytest.warns(UserWarning, match="The state folder cannot be written .*NBAGENTS_STATE_DIR"):
        session = current_session()
    assert run_to_the_end(doubling(), session).run.status == "completed"


def test_a_log_whose_place_is_taken_is_said_and_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "state" / "log.sqlite3").mkdir(parents=True)
    monkeypatch.setenv("NBAGENTS_STATE_DIR", str(tmp_path / "state"))
    with pytest.warns(UserWarning, match="The state folder cannot be written"):
        session = current_session()
    assert run_to_the_end(doubling(), session).run.status == "completed"


# No log


def cut_to(share: float) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        log_of_30_runs(path)
        os.truncate(path, int(path.stat().st_size * share))

    return damage


def of_no_program(path: Path) -> None:
    path.write_text("Dear diary,\n" * 999)


def of_another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("create table events (a)")


def of_a_newer_version(path: Path) -> None:
    log_of_30_runs(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("pragma user_version = 99")


DAMAGE: dict[str, tuple[Callable[[Path], None], str]] = {
    "no-database": (of_no_program, "move it away"),
    "half-of-it": (cut_to(0.5), "move it away"),
    "nearly-all-of-it": (cut_to(0.95), "move it away"),
    "of-another-program": (of_another_program, "move it away"),
    "of-a-newer-version": (of_a_newer_version, "was written by a newer nbagents: update nbagents"),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_a_file_that_is_no_log_is_said_left_alone_and_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    damage, said = DAMAGE[what]
    path = tmp_path / "log.sqlite3"
    damage(path)
    before = path.read_bytes()
    monkeypatch.setenv("NBAGENTS_STATE_DIR", str(tmp_path))
    with pytest.warns(UserWarning, match=said):
        session = current_session()
    assert run_to_the_end(doubling(), session).run.status == "completed"
    assert path.read_bytes()[HEADER:] == before[HEADER:]
    with pytest.raises(LogReadError, match=said):
        open_log("sqlite", path=path)


def test_a_log_that_is_damaged_inside_fails_a_run_with_words(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite3"
    log_of_30_runs(path)
    with path.open("r+b") as file:
        file.seek(2 * 4096)
        file.write(b"\xa5" * 4096)
    with closing(SqliteLog(path)) as log:
        run, said = said_by(fails(Session(log), "Double 2."))
    assert run.status == "failed"
    assert "Move it away, or set NBAGENTS_STATE_DIR" in said


def test_an_event_of_a_newer_version_is_said_where_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite3"
    log_of_30_runs(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("""update events set body = replace(body, '"usage"', '"novelty"')""")
    with closing(SqliteLog(path)) as log:
        (session_id,) = {run.session_id for run in log.find("")}
        with pytest.raises(LogReadError, match="update nbagents"):
            log.read(session_id)
        run = run_to_the_end(doubling(), Session(log)).run
        assert run.status == "completed"


def test_an_empty_file_becomes_a_log(tmp_path: Path) -> None:
    (tmp_path / "log.sqlite3").touch()
    with warnings.catch_warnings(), closing(SqliteLog(tmp_path / "log.sqlite3")) as log:
        assert run_to_the_end(doubling(), Session(log)).run.status == "completed"


# Several writers


def test_two_processes_write_one_log_at_once_and_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite3"
    command = [sys.executable, "-m", "tests.faults.busy_writer", str(path)]
    names = ["one", "two"]
    writers = [
        subprocess.Popen(
            [*command, name, "1"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in names
    ]
    said = [writer.communicate() for writer in writers]
    assert [errors for _, errors in said] == ["", ""]
    with closing(SqliteLog(path)) as log:
        for name, (count, _) in zip(names, said, strict=True):
            assert seqs_of(log, name) == list(range(int(count)))
            runs = runs_of(log, name)
            assert {run["status"] for run in runs.values()} == {"completed"}
        run = doubling().run("Double 2.", log=Session(log))
        assert_sound(run)


def seqs_of(log: SqliteLog, session_id: str) -> list[int]:
    found: list[int] = []
    while page := log.read(session_id, after_seq=found[-1] if found else -1):
        found += [event.seq for event in page]
    return found
