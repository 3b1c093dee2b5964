"""Logs: append-only, idempotent, read by pages; in memory and in SQLite."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from nbagents.errors import LogWriteError
from nbagents.events import AnyEvent, RunStart, UserMessageReceived
from nbagents.runs import sqlite_log
from nbagents.runs.log import Log, MemoryLog
from nbagents.runs.record import Run
from nbagents.runs.session import Session, open_log, state_folder
from nbagents.runs.sqlite_log import SqliteLog


def event(seq: int, *, run: str = "run-1", session: str = "s", key: str | None = None) -> AnyEvent:
    return UserMessageReceived(
        seq=seq,
        at=float(seq),
        event_key=key or str(seq),
        session_id=session,
        turn_id="t",
        run_id=run,
        parent_run_id=None,
        parent_tool_call_id=None,
        labels={"a": "b"},
        text=f"text {seq} é",
    )


def start(seq: int, run: str) -> AnyEvent:
    return RunStart(
        **event(seq, run=run).model_dump(exclude={"type", "text"}),
        agent_name="a",
        model="m",
        tools=(),
    )


@pytest.fixture(params=["memory", "sqlite"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    made: Log = MemoryLog() if request.param == "memory" else SqliteLog(tmp_path / "log.sqlite3")
    yield made
    made.close()


def test_what_is_appended_is_read_back_in_order(log: Log) -> None:
    events = [event(seq) for seq in range(5)]
    for one in events:
        log.append(one)
    assert list(log.read("s")) == events


def test_reading_goes_by_pages(log: Log) -> None:
    for seq in range(7):
        log.append(event(seq))
    first = log.read("s", limit=3)
    second = log.read("s", after_seq=first[-1].seq, limit=3)
    assert [one.seq for one in [*first, *second]] == [0, 1, 2, 3, 4, 5]
    assert [one.seq for one in log.read("s", after_seq=5)] == [6]
    assert list(log.read("s", after_seq=6)) == []


def test_the_same_event_again_changes_nothing(log: Log) -> None:
    log.append(event(0, key="k"))
    log.append(event(1, key="k"))
    assert [one.seq for one in log.read("s")] == [0]


def test_sessions_are_apart(log: Log) -> None:
    log.append(event(0))
    log.append(event(0, session="other", run="run-2"))
    assert [one.session_id for one in log.read("other")] == ["other"]


def test_the_newest_runs_come_first(log: Log) -> None:
    for seq, run in enumerate(["run-1", "run-2", "run-3"]):
        log.append(start(seq, run))
    assert [run.run_id for run in log.runs(limit=2)] == ["run-3", "run-2"]


async def _committed(log: Log) -> None:
    await log.committed()


def test_committed_waits_until_another_process_could_read_it(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.sqlite3")
    log.append(event(0))
    asyncio.run(_committed(log))
    other = sqlite3.connect(tmp_path / "log.sqlite3")
    assert other.execute("select count(*) from events").fetchone() == (1,)
    other.close()
    log.close()


def test_a_log_survives_its_process(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite3"
    log = SqliteLog(path)
    log.append(event(0))
    log.close()
    log.close()
    again = SqliteLog(path)
    assert [one.seq for one in again.read("s")] == [0]
    again.close()


def test_only_its_owner_may_read_a_log(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "folder" / "log.sqlite3")
    assert stat.S_IMODE(log.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(log.path.parent.stat().st_mode) == 0o700
    log.close()


def test_a_log_is_in_wal_mode_where_the_file_system_can(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.sqlite3")
    assert log.journal_mode == "wal"
    log.close()


def test_a_file_system_without_wal_gets_an_ordinary_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = sqlite3.connect

    class NoWal(sqlite3.Connection):
        def execute(self, sql: str, *parameters: object) -> sqlite3.Cursor:  # type: ignore[override]
            if "wal" in sql:
                raise sqlite3.OperationalError("locking protocol")
            return super().execute(sql, *parameters)  # type: ignore[arg-type]

    def connect(*args: object, **options: object) -> sqlite3.Connection:
        return real(*args, **options, factory=NoWal)  # type: ignore[call-overload,no-any-return]

    monkeypatch.setattr(sqlite_log.sqlite3, "connect", connect)
    log = SqliteLog(tmp_path / "log.sqlite3")
    log.append(event(0))
    assert [one.seq for one in log.read("s")] == [0]
    assert log.journal_mode == "truncate"
    log.close()


def test_a_write_that_fails_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.sqlite3")
    log.append(event(0))
    log.flush()
    other = sqlite3.connect(tmp_path / "log.sqlite3")
    other.execute("drop table events")
    other.commit()
    other.close()
    log.append(event(1))
    with pytest.raises(LogWriteError, match="NBAGENTS_STATE_DIR"):
        log.flush()
    log.close()


def test_two_kernels_write_one_file(tmp_path: Path) -> None:
    logs = [SqliteLog(tmp_path / "log.sqlite3") for _ in range(2)]
    for seq in range(200):
        for number, one in enumerate(logs):
            one.append(event(seq, session=f"s{number}", run=f"run-{number}"))
    for number, one in enumerate(logs):
        assert len(one.read(f"s{number}", limit=1000)) == 200
        one.close()


def test_events_from_many_threads_have_one_order_and_none_is_lost() -> None:
    run = Run(Session(MemoryLog()), agent_name="a", prompt="p")

    def emit() -> None:
        for _ in range(200):
            run.emit(lambda stamp: UserMessageReceived(**stamp, text="x"))

    def read() -> None:
        while threads[0].is_alive():
            assert run.tree["version"] == 1

    run.emit(lambda stamp: RunStart(**stamp, agent_name="a", model="m", tools=()))
    threads = [threading.Thread(target=emit) for _ in range(6)]
    threads += [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    logged = run.session.log.read(run.session.session_id, limit=10_000)
    assert [one.seq for one in logged] == list(range(1201))
    assert list(run.events) == list(logged)
    assert len({one.event_key for one in logged}) == 1201


def test_half_a_character_pair_is_written_as_a_question_mark(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.sqlite3")
    log.append(event(0).model_copy(update={"text": "half \ud83d"}))
    log.append(event(1))
    first, second = log.read("s")
    assert isinstance(first, UserMessageReceived)
    assert first.text == "half ?"
    assert second == event(1)
    log.close()


def test_a_closed_log_says_so_instead_of_waiting(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.sqlite3")
    log.close()
    with pytest.raises(LogWriteError, match="is closed"):
        log.append(event(0))
    with pytest.raises(LogWriteError, match="is closed"):
        log.flush()


def test_a_log_that_cannot_be_opened_again_releases_those_who_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = SqliteLog(tmp_path / "log.sqlite3")

    def refuse(path: Path) -> sqlite3.Connection:
        raise sqlite3.OperationalError(f"unable to open {path.name}")

    monkeypatch.setattr(sqlite_log, "connect", refuse)
    log.append(event(0))
    with pytest.raises(LogWriteError, match="unable to open"):
        log.flush()
    log.close()


def test_the_state_folder_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NBAGENTS_STATE_DIR", str(tmp_path / "mine"))
    assert state_folder() == tmp_path / "mine"
    monkeypatch.delenv("NBAGENTS_STATE_DIR")
    assert state_folder().name == "nbagents"


def test_a_state_folder_that_cannot_be_written_is_said_and_replaced(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("NBAGENTS_STATE_DIR", str(tmp_path / "file" / "below"))
    with pytest.warns(UserWarning, match="temporary folder"):
        log = open_log("sqlite")
    log.append(event(0))
    assert len(log.read("s")) == 1
    log.close()
