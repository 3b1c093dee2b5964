"""A process that is killed between any two events leaves a log that reads back."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from nbagents.runs.logs.history import read_tree
from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.state.session import Session
from nbagents.runs.tree.folding import fold, settle
from tests.faults.dying import CALLS, dying_agent, session_of
from tests.faults.leaving import assert_calls_end_once, assert_sound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nbagents.events import AnyEvent
    from nbagents.runs.tree.nodes import RunNode

ROOT = Path(__file__).resolve().parents[2]
MOST = 80
"""More events than the run has."""
SESSIONS = {session_of(nth) for nth in range(1, MOST)}
ENDED = ("done", "failed")


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteLog]:
    """The log that all those processes have written, one after the other."""
    path = tmp_path_factory.mktemp("killed") / "log.sqlite3"
    command = [sys.executable, "-m", "tests.faults.dying", str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    with closing(SqliteLog(path)) as log:
        yield log


def events_of(log: SqliteLog, nth: int) -> list[AnyEvent]:
    return list(log.read(session_of(nth)))


def count_of(log: SqliteLog) -> int:
    """How many events the run has that was not killed."""
    return len({one.session_id for one in log.find("")[: MOST * 2]} & SESSIONS) - 1


def test_the_run_that_was_not_killed_has_a_child_and_calls_that_overlap(killed: SqliteLog) -> None:
    tree = fold(events_of(killed, count_of(killed) + 1))
    outer, inner = tree["runs"].values()
    assert inner["parent_run_id"] == outer["id"]
    assert inner["parent_tool_call_id"] == "child"
    assert {call_id: call["status"] for call_id, call in outer["calls"].items()} == {
        **dict.fromkeys(CALLS, "done"),
        **dict.fromkeys(["unknown", "broken"], "failed"),
    }


def test_every_event_of_the_run_was_killed_after(killed: SqliteLog) -> None:
    count = count_of(killed)
    assert len(events_of(killed, count + 1)) == count < MOST - 1


@pytest.mark.parametrize("nth", range(1, MOST))
def test_a_run_that_was_killed_after_its_nth_event_reads_back(killed: SqliteLog, nth: int) -> None:
    events = events_of(killed, nth)
    if nth > count_of(killed) + 1:
        assert events == []
        return
    assert [event.seq for event in events] == list(range(min(nth, count_of(killed))))
    runs = settle(fold(events))["runs"]
    for run in runs.values():
        own = [event for event in events if event.run_id == run["id"]]
        assert run["status"] == ("completed" if is_over(own) else "unknown")
        assert_calls_stand_as_logged(run, own)
    ended = {event.run_id for event in events if event.type == "run_stream_end"}
    assert all(run["parent_run_id"] in runs for run in runs.values() if run["parent_run_id"])
    for run_id in ended:
        own = [event for event in events if event.run_id == run_id]
        assert own[-1].type == "run_stream_end"
        assert_calls_end_once(own)


def is_over(events: list[AnyEvent]) -> bool:
    """Whether a run of which these are the events has said how it ended."""
    phases = [event.phase for event in events if event.type == "workflow"]
    return phases[-1:] == ["completed"]


def assert_calls_stand_as_logged(run: RunNode, events: list[AnyEvent]) -> None:
    """What has ended says how; what was begun, or only asked for, is of unknown outcome."""
    started = {event.tool_call_id for event in events if event.type == "tool_start"}
    ended = Counter(event.tool_call_id for event in events if event.type == "tool_end")
    assert set(ended.values()) <= {1}
    assert set(run["calls"]) <= {*CALLS, "inside"}
    for call_id, call in run["calls"].items():
        assert (call["status"] in ENDED) == (call_id in ended)
        assert call["status"] in (*ENDED, "unknown")
        assert (call["started_at"] is not None) == (call_id in started)


def test_the_next_process_goes_on_with_the_same_file(killed: SqliteLog) -> None:
    run = dying_agent().run("Go.", log=Session(killed))
    assert_sound(run)
    assert run.status == "completed"
    assert [call.id for call in run.calls] == list(CALLS)


def test_what_is_read_for_people_says_unknown_too(killed: SqliteLog) -> None:
    statuses = {
        nth: next(iter(read_tree(killed, session_of(nth), is_over=True)["runs"].values()))["status"]
        for nth in (1, 9, count_of(killed))
    }
    assert statuses == {1: "unknown", 9: "unknown", count_of(killed): "completed"}
