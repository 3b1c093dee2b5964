"""The log on disk: committed when it says so, off the loop where that takes waiting, never lost."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import sqlite3
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from nbagents.errors import LogWriteError
from nbagents.events import AnyEvent, UserMessageReceived
from nbagents.runs.logs.sqlite import log as sqlite_log
from nbagents.runs.logs.sqlite.log import SqliteLog
from tests.unit.runs.desk import event


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait for what another thread does, for some seconds at most."""
    until = time.monotonic() + 10
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.01)


async def _committed(log: SqliteLog) -> None:
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


def without_its_table(path: Path) -> SqliteLog:
    """A log that can be opened and not be written."""
    log = SqliteLog(path)
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("drop table events")
    return log


def held(path: Path) -> sqlite3.Connection:
    """Another process that is writing into the same file."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("begin immediate")
    return other


def test_a_commit_that_fails_is_told_to_the_run_that_waits_for_it(tmp_path: Path) -> None:
    log = without_its_table(tmp_path / "log.sqlite3")
    log.append(event(0))
    with pytest.raises(LogWriteError, match="no such table"):
        asyncio.run(_committed(log))
    log.close()


def test_what_failed_once_does_not_fail_those_who_come_later(tmp_path: Path) -> None:
    log = without_its_table(tmp_path / "log.sqlite3")
    log.append(event(0))
    with pytest.raises(LogWriteError):
        log.flush()
    log.flush()
    log.close()


def test_an_error_is_not_forgotten_by_the_next_commit_that_is_good(tmp_path: Path) -> None:
    was_tried = threading.Event()

    class Broken:
        @property
        def session_id(self) -> str:
            was_tried.set()
            raise OSError("the disk is full")

    log = SqliteLog(tmp_path / "log.sqlite3")
    log.append(cast("AnyEvent", Broken()))
    assert was_tried.wait(10)  # by the writer thread, for which nobody waits
    log.append(event(1))
    with pytest.raises(LogWriteError, match="the disk is full"):
        asyncio.run(_committed(log))
    assert [one.seq for one in log.read("s")] == [1]
    log.close()


def test_a_commit_is_made_by_the_thread_that_waits_for_it(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.sqlite3")
    log.append(event(0))
    waiting = log.committed()
    with pytest.raises(StopIteration):  # it ends without waiting for anything
        waiting.send(None)
    log.close()


def test_a_commit_waits_off_the_loop_while_another_process_writes(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.sqlite3")
    other = held(log.path)
    log.append(event(0))

    async def commit() -> list[str]:
        happened: list[str] = []
        waiting = asyncio.ensure_future(log.committed())
        waiting.add_done_callback(lambda _: happened.append("committed"))
        await asyncio.sleep(0.1)
        happened.append("the loop is free")
        other.execute("rollback")
        await waiting
        return happened

    assert asyncio.run(commit()) == ["the loop is free", "committed"]
    assert [one.seq for one in log.read("s")] == [0]
    other.close()
    log.close()


def test_a_file_that_stays_locked_is_an_error_and_no_hang(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_log, "BUSY_MS", 50)
    log = SqliteLog(tmp_path / "log.sqlite3")
    other = held(log.path)
    log.append(event(0))
    with pytest.raises(LogWriteError, match="locked"):
        asyncio.run(_committed(log))
    other.close()
    log.close()


def test_a_commit_waits_off_the_loop_while_a_thread_writes(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.sqlite3")
    other = held(log.path)
    log.append(event(0))
    writing = threading.Thread(target=log.flush)
    writing.start()

    async def commit() -> bool:
        waiting = asyncio.ensure_future(log.committed())
        await asyncio.sleep(0.1)
        was_done = waiting.done()
        other.execute("rollback")
        await waiting
        return was_done

    assert asyncio.run(commit()) is False
    writing.join()
    assert [one.seq for one in log.read("s")] == [0]
    other.close()
    log.close()


def test_who_gives_up_waiting_for_a_commit_disturbs_nobody(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.sqlite3")
    other = held(log.path)

    async def give_up() -> None:
        log.append(event(0))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await log.committed()

    async def give_up_and_stay() -> None:
        await give_up()
        other.execute("rollback")
        await log.committed()

    asyncio.run(give_up())  # its loop is gone when the commit comes
    asyncio.run(give_up_and_stay())
    assert [one.seq for one in log.read("s")] == [0]
    other.close()
    log.close()


def test_a_commit_of_nothing_is_one_too(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.sqlite3")
    asyncio.run(_committed(log))
    assert list(log.read("s")) == []
    log.close()


def test_many_events_at_once_are_not_written_on_the_loop(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.sqlite3")
    for seq in range(2 * sqlite_log.BATCH):
        log.append(event(seq))
    asyncio.run(_committed(log))
    assert len(log.read("s", limit=5000)) == 2 * sqlite_log.BATCH
    log.close()


def test_the_file_beside_the_log_is_filled_again_instead_of_growing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_log, "WAL_BYTES", 100_000)
    monkeypatch.setattr(sqlite_log, "GATHER_S", 0.001)
    log = SqliteLog(tmp_path / "log.sqlite3")
    wal, counted = tmp_path / "log.sqlite3-wal", itertools.count()

    def a_commit_needs_no_room() -> bool:
        before = wal.stat().st_size
        log.append(event(next(counted)))
        asyncio.run(_committed(log))
        return wal.stat().st_size == before

    assert not a_commit_needs_no_room()
    wait_until(a_commit_needs_no_room)
    assert len(log.read("s", limit=100_000)) == next(counted)
    log.close()


def test_the_file_beside_the_log_is_filled_again_while_a_loop_commits_without_a_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_log, "WAL_BYTES", 100_000)
    monkeypatch.setattr(sqlite_log, "GATHER_S", 0.05)
    log = SqliteLog(tmp_path / "log.sqlite3")
    wal, until = tmp_path / "log.sqlite3-wal", time.monotonic() + 10

    async def commit_until_there_is_room() -> None:
        before = -1
        for seq in itertools.count():
            assert time.monotonic() < until
            log.append(event(seq))
            await log.committed()
            if wal.stat().st_size == before:
                return
            before = wal.stat().st_size

    asyncio.run(commit_until_there_is_room())
    log.close()


def test_a_reader_elsewhere_does_not_keep_the_log_from_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_log, "WAL_BYTES", 1)
    monkeypatch.setattr(sqlite_log, "GATHER_S", 0.001)
    log = SqliteLog(tmp_path / "log.sqlite3")
    other = sqlite3.connect(log.path, isolation_level=None)
    other.execute("begin")
    other.execute("select count(*) from events").fetchone()
    for seq in range(20):
        log.append(event(seq))
        asyncio.run(_committed(log))
    assert len(log.read("s")) == 20
    other.close()
    log.close()


def test_a_file_of_the_first_layout_is_read_and_written(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite3"
    with contextlib.closing(sqlite3.connect(path)) as first:
        first.execute(
            "create table events (session_id text not null, seq integer not null, run_id text not"
            " null, event_key text not null, type text not null, at real not null, body text not"
            " null, primary key (session_id, seq), unique (run_id, event_key))"
        )
        one = event(0)
        body = one.model_dump_json()
        row = (one.session_id, 0, one.run_id, one.event_key, one.type, one.at, body)
        first.execute("insert into events values (?, ?, ?, ?, ?, ?, ?)", row)
        first.commit()
    with contextlib.closing(SqliteLog(path)) as log:
        log.append(event(1))
        assert log.read("s") == [event(0), event(1)]
