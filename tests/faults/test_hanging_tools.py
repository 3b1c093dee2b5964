"""Tools that hang, which can be timed out and stopped, and tools that change their process."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

import nbagents as nba
from nbagents.runs.drive.entrance import run_blocking
from nbagents.tools.call import invocation as invoke
from tests.faults.leaving import assert_sound, call_of, ends_of, run_to_the_end
from tests.faults.one_tool import assert_next_run_works, ended_with, in_each_place, tool_of
from tests.unit.runs.desk import agent, request, turn

if TYPE_CHECKING:
    from pathlib import Path

    from nbagents.runs.state.run.run import Run
    from nbagents.runs.state.session import Session

TOO_LONG_S = 600

# What it hangs in


async def never() -> None:
    """Hang."""
    await asyncio.sleep(TOO_LONG_S)


def hang() -> None:
    """Hang, as Python code does."""
    until = time.monotonic() + TOO_LONG_S
    while time.monotonic() < until:
        time.sleep(0.01)


def doze() -> None:
    """Hang in one long call."""
    time.sleep(TOO_LONG_S)


HANGING = {
    "main": (hang, False),
    "main-in-one-call": (doze, False),
    "async": (never, False),
}


@pytest.mark.parametrize("where", HANGING)
def test_a_tool_that_hangs_times_out(session: Session, where: str) -> None:
    function, thread = HANGING[where]
    ended = ended_with(session, tool_of(function, thread=thread, timeout_s=0.1))
    call = call_of(ended.run)
    assert (ended.run.status, call.status, call.failure.kind) == (
        *("completed", "timed_out", "timeout"),
    )
    assert call.content == "The tool took longer than 0.1 s."


def test_a_thread_that_hangs_times_out_and_is_said_to_go_on(session: Session) -> None:
    goes_on = threading.Event()

    def it() -> None:
        """Hang."""
        goes_on.wait()

    ended = ended_with(session, tool_of(it, thread=True, timeout_s=0.1))
    goes_on.set()
    assert ends_of(ended.run) == ("completed", "timed_out")
    assert call_of(ended.run).content == (
        "The tool took longer than 0.1 s. It may still be running."
    )


@pytest.mark.parametrize("limit", ["tool", "run"])
def test_an_async_tool_that_swallows_its_cancellation_times_out_and_is_said_to_go_on(
    session: Session, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(invoke, "CLEANUP_S", 0.02)
    goes_on = threading.Event()

    async def it() -> str:
        """Hang, whatever is said."""
        while not goes_on.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.to_thread(goes_on.wait, TOO_LONG_S)
        return "late"

    own_s, run_s = (0.1, None) if limit == "tool" else (None, 0.1)
    steps = [turn(request("call-1", "it")), "So be it."]
    ended = run_to_the_end(agent(steps, [tool_of(it, timeout_s=own_s)], timeout_s=run_s), session)
    assert_next_run_works(session)
    goes_on.set()
    assert call_of(ended.run).status == "timed_out"
    assert ended.run.status == ("completed" if limit == "tool" else "limit")
    assert call_of(ended.run).content.endswith("It may still be running.")
    assert_sound(ended.run)


def test_one_on_the_main_thread_that_ends_late_has_timed_out(session: Session) -> None:
    def it() -> str:
        """Hang, and make nothing of an interrupt."""
        with contextlib.suppress(KeyboardInterrupt):
            hang()
        return "late"

    ended = ended_with(session, tool_of(it, timeout_s=0.1))
    assert ends_of(ended.run) == ("completed", "timed_out")
    steps = [turn(request("call-1", "it")), "So be it."]
    run = asyncio.run(agent(steps, [tool_of(it, timeout_s=0.1)]).arun("Go", log=session))
    assert ends_of(run) == ("completed", "timed_out")


@pytest.mark.parametrize("where", HANGING)
def test_a_tool_that_hangs_is_stopped(session: Session, where: str) -> None:
    function, thread = HANGING[where]
    run = stopped(session, tool_of(function, thread=thread))
    call = call_of(run)
    assert (run.status, call.status) == ("cancelled", "cancelled")
    assert call.content == "Cancelled before this call ended: run.stop() stopped the run."


def test_a_thread_that_hangs_is_left_alone_when_the_run_is_stopped(session: Session) -> None:
    goes_on = threading.Event()

    def it() -> None:
        """Hang."""
        goes_on.wait()

    run = stopped(session, tool_of(it, thread=True))
    goes_on.set()
    assert run.status == "cancelled"
    assert "may still be running" in call_of(run).content


def stopped(session: Session, tool: nba.Tool) -> Run:
    """A run that is stopped when its tool has begun, from another thread."""
    it = agent([turn(request("call-1", tool.name)), "Never said."], [tool])
    run, plan = it.begin("Hang.", session)

    def stop(event: Any) -> None:  # Any: one of all events
        if event.type == "tool_start":
            threading.Timer(0.05, run.stop).start()

    run.listen(stop)
    with pytest.raises(KeyboardInterrupt):
        run_blocking(run, plan)
    assert_sound(run)
    assert_next_run_works(session)
    return run


# What it does to the process


def test_a_tool_that_deletes_its_own_source_is_called_again(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "vanishing.py"
    source.write_text(
        'import pathlib\n\ndef vanish() -> str:\n    "Vanish."\n'
        "    pathlib.Path(__file__).unlink(missing_ok=True)\n    return 'gone'\n"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    import vanishing  # pyright: ignore[reportMissingImports]

    steps = [turn(request("a", "vanish")), turn(request("b", "vanish")), "Both gone."]
    ended = run_to_the_end(agent(steps, [vanishing.vanish]), session)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    assert not source.exists()
    assert ended.run.status == "completed"
    assert [(call.status, call.content) for call in ended.run.calls] == [("done", "gone")] * 2
    monkeypatch.delitem(sys.modules, "vanishing")


@pytest.mark.parametrize("place", ["main", "thread"])
def test_a_tool_may_run_an_agent_inside_itself(session: Session, place: str) -> None:
    def it() -> str:
        """Ask another."""
        return agent(["From inside."]).run("And you?", log=session).text

    ended = ended_with(session, in_each_place(it)[place])
    assert ends_of(ended.run) == ("completed", "done")
    assert call_of(ended.run).content == "From inside."


def test_an_async_tool_that_would_block_its_own_loop_is_told_what_to_write(
    session: Session,
) -> None:
    def it() -> str:
        """Ask another."""
        return agent(["From inside."]).run("And you?", log=session).text

    ended = ended_with(session, in_each_place(it)["async"])
    assert ends_of(ended.run) == ("completed", "failed")
    assert "await agent.arun(...)" in call_of(ended.run).content


def test_an_async_tool_that_stops_its_loop_ends_its_run_only(session: Session) -> None:
    async def it() -> None:
        """Stop."""
        asyncio.get_running_loop().stop()
        await asyncio.sleep(TOO_LONG_S)

    ended = ended_with(session, tool_of(it))
    assert ends_of(ended.run) == ("cancelled", "cancelled")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_tool_may_use_processes(session: Session) -> None:
    def it() -> int:
        """Add in processes."""
        with multiprocessing.get_context("fork").Pool(2) as pool:
            return sum(pool.map(abs, [-1, -2, -3]))

    ended = ended_with(session, in_each_place(it)["main"])
    assert ends_of(ended.run) == ("completed", "done")
    assert call_of(ended.run).content == "6"


def test_a_tool_that_takes_the_interrupts_handler_does_not_make_the_run_deaf(
    session: Session,
) -> None:
    def it() -> str:
        """Take it."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        return "taken"

    before = signal.getsignal(signal.SIGINT)
    with contextlib.ExitStack() as stack:
        stack.callback(signal.signal, signal.SIGINT, before)
        ended = ended_with(session, in_each_place(it)["main"])
        assert signal.getsignal(signal.SIGINT) is before
    assert call_of(ended.run).content == "taken"
