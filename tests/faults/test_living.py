"""A run is of unknown outcome only where its kernel is gone: a lock tells, however it ended."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from nbagents.errors import RunError
from nbagents.runs.logs.ledger import newest_runs, tree_of
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.state.session import Session
from tests.unit.runs.desk import agent

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KERNEL = """
import os, sys, threading, time
from pathlib import Path
from nbagents.agents import Agent
from nbagents.models.scripted import ScriptedModel, call
from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.state.session import Session

def wait() -> str:
    "Wait."
    if sys.argv[2] == "forks" and os.fork() == 0:
        os.write(1, b"\\nchild %d\\n" % os.getpid())
        time.sleep(600)
        os._exit(0)
    print("begun", flush=True)
    if sys.argv[2] == "crashes":
        input()
        os._exit(1)
    input()
    return "waited"

log = SqliteLog(Path(sys.argv[1]))
session = Session(log, session_id="theirs")
steps = [call("wait"), "Done."]
Agent("waiter", tools=[wait], model=ScriptedModel(steps)).run("Wait.", log=session)
print("ended", flush=True)
input()
"""


class Kernel:
    """A process whose run goes on until it is told."""

    def __init__(self, path: Path, how: str = "") -> None:
        command = [sys.executable, "-c", KERNEL, str(path), how]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def says(self, word: str) -> str:
        """Read until it says a word; the line."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(word):
                return line
        raise AssertionError(f"It never said {word!r}.")

    def tell(self) -> None:
        """Let it go on."""
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def end(self) -> None:
        """See that nothing of it is left."""
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()


@pytest.fixture(name="log")
def _log(tmp_path: Path) -> Iterator[SqliteLog]:
    log = SqliteLog(tmp_path / "log.sqlite3")
    yield log
    log.close()


def status_of(log: SqliteLog) -> tuple[str, str]:
    """How the newest run stands, in the list and in the tree."""
    (entry,) = newest_runs(log, limit=1)
    return entry.status, tree_of(log, "theirs")["runs"][entry.run_id]["status"]


def kill(kernel: Kernel) -> None:
    kernel.process.kill()


def exit_hard(kernel: Kernel) -> None:
    kernel.tell()


def stop_and_kill(kernel: Kernel) -> None:
    os.kill(kernel.process.pid, signal.SIGSTOP)
    os.kill(kernel.process.pid, signal.SIGKILL)


ENDS = {"killed": ("", kill), "crashed": ("crashes", exit_hard), "stopped": ("", stop_and_kill)}


@pytest.mark.parametrize("how", ENDS)
def test_a_run_in_another_kernel_goes_on_until_that_one_is_gone(log: SqliteLog, how: str) -> None:
    argument, end = ENDS[how]
    kernel = Kernel(log.path, argument)
    try:
        kernel.says("begun")
        assert log.living.where("theirs") == "elsewhere"
        assert status_of(log) == ("running", "running")
        end(kernel)
        kernel.process.wait()
        assert log.living.where("theirs") is None
        assert status_of(log) == ("unknown", "unknown")
    finally:
        kernel.end()


def test_a_kernel_that_is_stopped_lives(log: SqliteLog) -> None:
    kernel = Kernel(log.path)
    try:
        kernel.says("begun")
        os.kill(kernel.process.pid, signal.SIGSTOP)
        assert status_of(log) == ("running", "running")
    finally:
        kernel.end()


def test_a_run_that_goes_on_in_another_kernel_is_not_gone_on_with_nor_its_session(
    log: SqliteLog,
) -> None:
    kernel = Kernel(log.path)
    try:
        kernel.says("begun")
        assert status_of(log) == ("running", "running")
        (entry,) = newest_runs(log, limit=1)
        with pytest.raises(RunError, match="still goes on in another kernel"):
            agent(["Mine."]).resume(entry.run_id, log=Session(log))
        with pytest.raises(RunError, match="goes on in another kernel"):
            Session.reopen(log, "theirs")
        kernel.tell()
        kernel.says("ended")
        assert status_of(log) == ("completed", "completed")
    finally:
        kernel.end()
    assert Session.reopen(log, "theirs").session_id == "theirs"


def test_a_process_that_the_kernel_forked_does_not_keep_it_alive(log: SqliteLog) -> None:
    kernel = Kernel(log.path, "forks")
    child = 0
    try:
        child = int(kernel.says("child").split()[1])
        kernel.process.kill()
        kernel.process.wait()
        assert log.living.where("theirs") is None
    finally:
        if child:
            os.kill(child, signal.SIGKILL)
        kernel.end()


@pytest.mark.parametrize("is_memory", [True, False])
def test_a_session_of_this_process_lives_for_as_long_as_somebody_has_it(
    tmp_path: Path, *, is_memory: bool
) -> None:
    log = MemoryLog() if is_memory else SqliteLog(tmp_path / "log.sqlite3")
    session: Session | None = Session(log, session_id="own")
    assert log.living.where("own") is None
    run = agent(["Hi."]).run("Go", log=session)
    assert log.living.where("own") == "here"
    del session, run
    until_nobody_lives(log)
    log.close()


def until_nobody_lives(log: MemoryLog | SqliteLog) -> None:
    """Wait for it: the loop's thread lets a run go a moment after that has ended."""
    deadline_s = time.monotonic() + 60
    while log.living.where("own") is not None:
        assert time.monotonic() < deadline_s
        gc.collect()
        time.sleep(0.01)


def test_what_dead_kernels_left_is_cleared_away_and_looking_changes_nothing(tmp_path: Path) -> None:
    log, other = (SqliteLog(tmp_path / "log.sqlite3") for _ in range(2))
    folder = tmp_path / "log.sqlite3.alive"
    session = Session(log, session_id="one")
    agent(["Hi."]).run("Go", log=session)
    (folder / "left-by-a-dead-one").touch()
    assert [other.living.where("one") for _ in range(3)] == ["elsewhere"] * 3
    second = Session(other, session_id="two")
    agent(["Hi."]).run("Go", log=second)
    assert len(list(folder.iterdir())) == 2
    log.close()
    assert other.living.where("one") is None
    other.close()
    assert list(folder.iterdir()) == []


def test_where_there_are_no_locks_a_log_is_written_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "log.sqlite3.alive").write_text("no folder can be made here")
    log = SqliteLog(tmp_path / "log.sqlite3")
    run = agent(["Hi."]).run("Go", log=Session(log))
    assert run.status == "completed"
    log.close()
