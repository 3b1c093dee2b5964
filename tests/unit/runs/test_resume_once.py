"""A run is gone on with once: by one run, in one process, and not by two ways at the same time."""

from __future__ import annotations

import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from nbagents.agents import Agent
from nbagents.errors import RunError
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.logs.log import Log, MemoryLog
from nbagents.runs.logs.sqlite import tables
from nbagents.runs.logs.sqlite.log import SqliteLog
from nbagents.runs.state.session import Session
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import agent, request, turn


@pytest.fixture(name="log", params=["memory", "sqlite"])
def _log(request: Any, tmp_path: Path) -> Log:
    return MemoryLog() if request.param == "memory" else SqliteLog(tmp_path / "log.sqlite3")


def test_of_two_kernels_one_may(tmp_path: Path) -> None:
    one, other = (SqliteLog(tmp_path / "log.sqlite3") for _ in range(2))
    assert one.claim("run-a", "run-b", 100.0) == "run-b"
    assert other.claim("run-a", "run-c", 100.0) == "run-b"


def test_a_file_of_this_version_that_lacks_the_table_gets_it(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite3"
    SqliteLog(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("drop table claims")
        assert tables.version(connection) == tables.VERSION
    log = SqliteLog(path)
    assert log.claim("run-a", "run-b", 100.0) == "run-b"


def paying(done: list[int]) -> Tool:
    def pay(n: int) -> str:
        "Pay."
        done.append(n)
        return f"paid {n}"

    return Tool(pay, ToolOptions(ask=True))


def test_a_run_that_another_kernel_has_just_claimed_is_not_gone_on_with(log: Log) -> None:
    done: list[int] = []
    made = agent([turn(request("a", "pay", n=1)), "done"], [paying(done)], on_await="suspend")
    run = made.run("Go", log=Session(log))
    log.claim(run.id, "run-of-another-kernel", time.time())
    assert log.resumed_by(run.id) is None
    with pytest.raises(RunError, match="gone on with already, by run-of-another-kernel"):
        made.resume(run, answer=True)
    assert done == []


def test_of_two_kernels_that_begin_at_the_same_moment_one_goes_on(tmp_path: Path) -> None:
    made = agent([turn(request("a", "pay", n=1)), "done"], [paying([])], on_await="suspend")
    logs = [SqliteLog(tmp_path / "log.sqlite3") for _ in range(4)]
    run = made.run("Go", log=Session(logs[0]))
    start, said = threading.Barrier(len(logs)), list[str]()

    def go_on(log: Log) -> None:
        start.wait()
        try:
            said.append(made.begin_resumed(run.id, log=Session(log), answer=True)[0].id)
        except RunError as error:
            said.append(str(error))

    threads = [threading.Thread(target=go_on, args=(log,)) for log in logs]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(one.startswith("run-") for one in said) == [False, False, False, True]


def inside_of(done: list[int]) -> tuple[Agent, Agent]:
    steps = [turn(request("a", "pay", n=5)), "inner", "inner again"]
    inner = Agent("inner", tools=[paying(done)], model=ScriptedModel(steps))
    top = agent([turn(request("i", "inner", input="x")), "done"], [inner], on_await="suspend")
    return inner, top


@pytest.mark.parametrize("is_top_first", [True, False])
def test_a_run_inside_of_another_is_gone_on_with_by_that_one_alone(
    is_top_first: bool,  # noqa: FBT001
) -> None:
    done: list[int] = []
    inner, top = inside_of(done)
    first = top.run("Go", log="memory")
    (child,) = first.children
    if is_top_first:
        assert top.resume(first, answer=True).status == "completed"
    with pytest.raises(RunError, match=f"inside of {first.id}: resume that one"):
        inner.resume(child.id, log=first.session, answer=True)
    if not is_top_first:
        assert top.resume(first, answer=True).status == "completed"
    assert done == [5]
