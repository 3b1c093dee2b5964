"""Several kernels write into one file at once, and each of them is read back whole."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from nbagents.runs.logs.ledger import newest_runs
from nbagents.runs.logs.sqlite.log import SqliteLog

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.medium

WRITERS = 3
RUNS = 100
STEPS = 20

WRITE = """
import sys
from pathlib import Path
from nbagents.events import AssistantTurn, RunStart, RunStreamEnd, UsageReported, Workflow
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from nbagents.runs.logs.sqlite.log import SqliteLog

path, name, runs, steps, twice = sys.argv[1:]
log = SqliteLog(Path(path))
session = Session(log, session_id=name)
print("ready", flush=True)
input()
used = {"model": "m", "input_tokens": 1, "output_tokens": 1, "cached_tokens": 0}
for number in range(int(runs)):
    run = Run(session, agent_name=name, prompt="p")
    run.emit(lambda stamp: RunStart(**stamp, agent_name=name, model="m", tools=()))
    for step in range(int(steps)):
        run.emit(lambda stamp: AssistantTurn(**stamp, step=step, text="é" * 50))
        run.emit(lambda stamp: UsageReported(**stamp, step=step, **used))
        if not step % 5:
            log.flush()
    run.emit(lambda stamp: Workflow(**stamp, phase="completed"))
    run.emit(lambda stamp: RunStreamEnd(**stamp))
    if twice == "twice":
        for event in run.events:
            log.append(event)
log.close()
"""


def written(path: Path, *, twice: str) -> None:
    """Have some processes write at once, each its own session."""
    made = [
        subprocess.Popen(
            [sys.executable, "-c", WRITE, str(path), f"s{n}", str(RUNS), str(STEPS), twice],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for n in range(WRITERS)
    ]
    for one in made:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    for one in made:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    for one in made:
        one.communicate(timeout=100)
        assert one.returncode == 0


def test_each_of_them_is_read_back_whole_also_where_it_repeats_itself(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite3"
    written(path, twice="twice")
    each = RUNS * (2 * STEPS + 3)
    with closing(SqliteLog(path)) as log:
        for number in range(WRITERS):
            events = log.read(f"s{number}", limit=10 * each)
            assert [one.seq for one in events] == list(range(each))
            assert len({(one.run_id, one.event_key) for one in events}) == each
        entries = newest_runs(log, limit=10_000)
        assert len(entries) == WRITERS * RUNS
        assert {one.status for one in entries} == {"completed"}
        assert {one.usage.total_tokens for one in entries} == {2 * STEPS}


def test_a_kernel_that_is_killed_while_it_writes_leaves_a_log_that_others_go_on_with(
    tmp_path: Path,
) -> None:
    path = tmp_path / "log.sqlite3"
    killed = subprocess.Popen(
        [sys.executable, "-c", WRITE, str(path), "killed", "100000", "20", "once"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert killed.stdout is not None
    assert killed.stdin is not None
    assert killed.stdout.readline() == "ready\n"
    killed.stdin.write("go\n")
    killed.stdin.flush()
    with closing(SqliteLog(path)) as log:
        while len(log.read("killed", limit=3000)) < 3000:
            pass
        killed.kill()
        killed.communicate()
        events = log.read("killed", limit=1_000_000)
        assert [one.seq for one in events] == list(range(len(events)))
        entries = newest_runs(log, limit=1_000_000)
        assert {one.status for one in entries[1:]} == {"completed"}
        assert entries[0].status in ("completed", "unknown")
    written(path, twice="once")
    with closing(SqliteLog(path)) as log:
        assert len(newest_runs(log, limit=10_000, only="s0")) == RUNS
