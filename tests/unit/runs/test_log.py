"""Logs: append-only, idempotent, read by pages; in memory and in SQLite."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from nbagents.events import RunStart, UserMessageReceived
from nbagents.runs.logs.log import Log, MemoryLog
from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session, open_log, state_folder
from tests.conformance.log_conformance import LogConformance
from tests.unit.runs.desk import event


class TestMemoryLog(LogConformance):
    @pytest.fixture
    def log(self) -> Log:
        return MemoryLog()


class TestSqliteLog(LogConformance):
    @pytest.fixture
    def log(self, tmp_path: Path) -> Iterator[Log]:
        made = SqliteLog(tmp_path / "log.sqlite3")
        yield made
        made.close()


def test_events_from_many_threads_have_one_order_and_none_is_lost() -> None:
    run = Run(Session(MemoryLog()), agent_name="a", prompt="p")

    def emit() -> None:
        for _ in range(200):
            run.emit(lambda stamp: UserMessageReceived(**stamp, text="x"))

    def read() -> None:
        while threads[0].is_alive():
            assert run.tree()["version"] == 1

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
