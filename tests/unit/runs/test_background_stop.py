"""Stops of runs in the background: felt at once, met in the right place, and the process ends."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest

from nbagents.runs.drive.background import stop_all
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.session import Session
from tests.unit.runs.behind import on_loop, press_stop_when, soon_after, types, until
from tests.unit.runs.desk import agent, double, request, turn


def test_an_interrupt_between_cells_stops_the_run_whose_tool_it_meets_and_nothing_else() -> None:
    started = threading.Event()

    def sleep() -> None:
        started.set()
        time.sleep(10)

    press_stop_when(started)
    made = agent([turn(request("a", "sleep")), "never"], [sleep])
    before = signal.getsignal(signal.SIGINT)
    run = on_loop(lambda: made.start("Go", log="memory"))
    assert (run.status, run.calls[0].status) == ("cancelled", "cancelled")
    assert types(run)[-1] == "run_stream_end"
    assert signal.getsignal(signal.SIGINT) == before


def test_an_interrupt_that_meets_a_tool_also_reaches_who_waits_on_the_main_thread() -> None:
    started = threading.Event()

    def sleep() -> None:
        started.set()
        time.sleep(10)

    run = agent([turn(request("a", "sleep")), "never"], [sleep]).start("Go", log="memory")
    press_stop_when(started)
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as caught:
        run.wait()
    assert time.monotonic() - begun < 5
    assert (run.status, getattr(caught.value, "run", None)) == ("cancelled", run)


def test_an_interrupted_wait_stops_the_run() -> None:
    started = threading.Event()

    async def hold() -> None:
        started.set()
        await asyncio.sleep(10)

    run = agent([turn(request("a", "hold")), "never"], [hold]).start("Go", log="memory")
    press_stop_when(started)
    with pytest.raises(KeyboardInterrupt):
        run.wait()
    assert run.status == "cancelled"


def test_a_stop_from_elsewhere_interrupts_the_tool_and_nobody_who_waits() -> None:
    started = threading.Event()

    def sleep() -> None:
        started.set()
        time.sleep(10)

    run = agent([turn(request("a", "sleep")), "never"], [sleep]).start("Go", log="memory")
    soon_after(started, run.stop)
    assert run.wait(5).status == "cancelled"


def test_a_stop_of_a_call_that_waits_for_its_turn_ends_the_run_at_once() -> None:
    run = agent([turn(request("a", "double", number=1)), "never"], [double]).start(
        "Go", log="memory"
    )
    until(lambda: "tool_update" in types(run))
    run.stop()
    until(lambda: run.is_closed)
    assert (run.status, run.calls[0].status) == ("cancelled", "cancelled")
    assert "before this call started" in str(run.calls[0].content)
    assert run.wait(5).text == ""


def test_a_stop_that_nobody_hears_is_given_up_and_the_next_run_works() -> None:
    started, release = threading.Event(), threading.Event()

    async def block() -> None:
        started.set()
        release.wait(10)

    run = agent([turn(request("a", "block")), "never"], [block]).start("Go", log="memory")
    started.wait(5)
    run.stop()
    assert run.wait(5).status == "cancelled"
    assert agent(["fine"]).start("Again", log="memory").wait(5).text == "fine"
    release.set()


def stop_newest(session: Session) -> None:
    session.runs[-1].stop()


def test_a_run_in_a_cell_is_stopped_by_its_own_handle() -> None:
    session, started = Session(MemoryLog()), threading.Event()

    def sleep() -> None:
        started.set()
        time.sleep(10)

    soon_after(started, partial(stop_newest, session))
    with pytest.raises(KeyboardInterrupt):
        agent([turn(request("a", "sleep")), "never"], [sleep]).run("Go", log=session)
    assert session.runs[-1].status == "cancelled"


def test_an_awaited_run_is_stopped_by_its_own_handle_also_in_a_tool_that_blocks() -> None:
    session, started = Session(MemoryLog()), threading.Event()

    def sleep() -> None:
        started.set()
        time.sleep(10)

    soon_after(started, partial(stop_newest, session))
    begun = time.monotonic()
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(agent([turn(request("a", "sleep")), "never"], [sleep]).arun("Go", log=session))
    assert time.monotonic() - begun < 5
    assert session.runs[-1].status == "cancelled"


EXIT = """
import asyncio, sys, time
import nbagents as nba

async def hold() -> str:
    await asyncio.sleep(60)
    return ""

def plain() -> str:
    return ""

def asks(tool):
    call = nba.CallRequest(id="a", name=tool.__name__, arguments="{}")
    model = nba.ScriptedModel([nba.ModelTurn(calls=(call,)), nba.ModelTurn(text="never")])
    return nba.Agent(tools=[tool], model=model)

runs = [asks(hold).start("Go"), asks(plain).start("Go")]
time.sleep(0.5)
"""


@pytest.mark.medium
def test_a_process_ends_soon_and_leaves_a_valid_log_behind(tmp_path: Path) -> None:
    from nbagents.runs.logs.sqlite.log import SqliteLog  # opens a file

    begun = time.monotonic()
    env = {**os.environ, "NBAGENTS_STATE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", EXIT],
        env=env,
        capture_output=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stderr.decode()) == (0, "")
    assert time.monotonic() - begun < 15
    log = SqliteLog(tmp_path / "log.sqlite3")
    ended = [
        event.type
        for summary in log.find("")
        for event in log.read(summary.session_id)
        if event.run_id == summary.run_id
    ]
    log.close()
    assert ended.count("run_stream_end") == 2


def test_all_runs_in_the_background_are_stopped_at_once() -> None:
    async def hold() -> None:
        await asyncio.sleep(10)

    made = [agent([turn(request("a", "hold")), "never"], [hold]) for _ in range(3)]
    runs = [one.start("Go", log="memory") for one in made]
    begun = time.monotonic()
    stop_all()
    assert time.monotonic() - begun < 2
    assert [run.status for run in runs] == ["cancelled"] * 3
