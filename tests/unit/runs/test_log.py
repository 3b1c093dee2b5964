"""Logs: append-only, idempotent, read by pages; in memory and in SQLite."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from nbagents.events import AnyEvent, RunStart, UserMessageReceived
from nbagents.runs.logs.log import Log, MemoryLog
from nbagents.runs.logs.sqlite import SqliteLog
from nbagents.runs.record import Run
from nbagents.runs.session import Session, open_log, state_folder
from tests.unit.runs.desk import event


def start(seq: int, run: str) -> AnyEvent:
    return RunStart(
        **event(seq, run=run).model_dump(exclude={"type", "text", "shared"}),
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


def test_of_runs_that_began_at_once_the_later_one_is_newer(log: Log) -> None:
    for seq, run in enumerate(["run-1", "run-2", "run-3"]):
        log.append(start(seq, run).model_copy(update={"at": 5.0}))
    assert [run.run_id for run in log.runs()] == ["run-3", "run-2", "run-1"]
    assert [one.run_id for one in log.entries(limit=2)] == ["run-3", "run-2"]


def test_a_run_is_found_by_the_beginning_of_its_id(log: Log) -> None:
    for seq, run in enumerate(["run-a1", "run-b", "run-a2"]):
        log.append(start(seq, run))
    assert [run.run_id for run in log.find("run-a")] == ["run-a2", "run-a1"]
    assert [run.run_id for run in log.find("run-b")] == ["run-b"]
    assert list(log.find("run-c")) == []
    assert list(log.find("%")) == []


def test_one_run_can_be_read_alone_by_pages(log: Log) -> None:
    for seq in range(9):
        log.append(event(seq, run=f"run-{seq % 2}"))
    first = log.read("s", run_id="run-0", limit=3)
    rest = log.read("s", run_id="run-0", after_seq=first[-1].seq)
    assert [one.seq for one in [*first, *rest]] == [0, 2, 4, 6, 8]
    assert list(log.read("other", run_id="run-0")) == []


def test_the_place_of_the_next_event_is_known(log: Log) -> None:
    assert log.next_seq("s") == 0
    log.append(event(0))
    log.append(event(7))
    assert (log.next_seq("s"), log.next_seq("other")) == (8, 0)


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
