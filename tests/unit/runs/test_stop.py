"""A stop: felt at once, with a valid log and a valid conversation, and the next run works."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Sequence

import pytest

import nbagents as nba
from nbagents.agents import ToolLike
from nbagents.messages import ToolMessage
from nbagents.runs.drive.entrance import LoopThread, run_blocking
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.people.host import NoHost
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from nbagents.tools.tool.definition import ToolOptions
from tests.unit.runs.desk import agent, double, request, treble, turn


def interrupt_soon(started: threading.Event) -> None:
    def send() -> None:
        started.wait(5)
        time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=send, daemon=True).start()


def stopped(tools: Sequence[ToolLike], started: threading.Event, *names: str) -> Session:
    """Run calls, interrupt them, and give back the session they were logged in."""
    session = Session(MemoryLog())
    interrupt_soon(started)
    calls = [request(f"call-{name}", name) for name in names]
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        agent([turn(*calls), "never"], tools).run("Go", log=session)
    assert time.monotonic() - begun < 5  # the tools would have taken ten seconds
    return session


def assert_valid(session: Session, count: int) -> None:
    """Each call has one end, `cancelled`, and the run's last event is its end."""
    events = session.log.read(session.session_id)
    starts = [event.tool_call_id for event in events if event.type == "tool_start"]
    ends = [(event.tool_call_id, event.status) for event in events if event.type == "tool_end"]
    assert len(starts) == count
    assert ends == [(call_id, "cancelled") for call_id in starts]
    assert events[-1].type == "run_stream_end"


def test_a_stop_ends_sync_async_and_thread_tools_and_the_next_run_works() -> None:
    started = threading.Event()

    async def wait_async() -> None:
        await asyncio.sleep(10)

    def sleep_here() -> None:
        started.set()
        time.sleep(10)

    def sleep_there() -> None:
        time.sleep(10)

    there = nba.Tool(sleep_there, ToolOptions(thread=True))
    session = stopped(
        [wait_async, sleep_here, there], started, "sleep_there", "wait_async", "sleep_here"
    )
    assert_valid(session, 3)
    ends = [e for e in session.log.read(session.session_id) if e.type == "tool_end"]
    assert ["may still be running" in end.content for end in ends] == [True, False, False]
    assert agent(["fine"]).run("Again", log="memory").text == "fine"


def test_a_stop_ends_an_async_tool_that_blocks_its_loop() -> None:
    started = threading.Event()

    async def block() -> None:
        started.set()
        time.sleep(10)  # noqa: ASYNC251  the mistake that this is about

    assert_valid(stopped([block], started, "block"), 1)
    assert agent([turn(request("a", "treble", number=1)), "ok"], [treble]).run("Again").text == "ok"


def test_a_stop_lets_an_async_tool_clean_up() -> None:
    started = threading.Event()
    cleaned: list[bool] = []

    async def hold() -> None:
        started.set()
        try:
            await asyncio.sleep(10)
        finally:
            await asyncio.sleep(0.2)
            cleaned.append(True)

    assert_valid(stopped([hold], started, "hold"), 1)
    assert cleaned == [True]


def test_after_a_stop_every_call_of_the_conversation_has_its_message() -> None:
    started = threading.Event()

    def block() -> None:
        started.set()
        time.sleep(10)

    interrupt_soon(started)
    session = Session(MemoryLog())
    script = agent([turn(request("a", "double", number=1), request("b", "block"))], [double, block])
    run, plan = script.begin("Go", session)
    with pytest.raises(KeyboardInterrupt):
        run_blocking(run, plan)
    told = {m.call_id: m.content for m in run.messages if isinstance(m, ToolMessage)}
    assert told["a"] == "2"
    assert "stopped the run" in told["b"]
    assert run.status == "cancelled"


def test_an_awaited_run_that_is_cancelled_leaves_a_valid_log() -> None:
    session = Session(MemoryLog())

    async def hold() -> None:
        await asyncio.sleep(10)

    async def main() -> None:
        script = agent([turn(request("a", "hold")), "never"], [hold])
        task = asyncio.create_task(script.arun("Go", log=session))
        await asyncio.sleep(0.1)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(main())
    assert_valid(session, 1)


def test_an_abandoned_loop_ends_its_tasks_and_closes() -> None:
    thread = LoopThread()
    asyncio.run_coroutine_threadsafe(asyncio.sleep(60), thread.loop)
    thread.abandon()
    thread.thread.join(5)
    assert thread.loop.is_closed()


class HastyHost(NoHost):
    """A host whose person stops the run before it has taken its first step."""

    def __init__(self) -> None:
        self.runs: list[Run] = []

    @contextlib.contextmanager
    def attend(
        self, run: Run, stop: Callable[[], None], *, is_blocking: bool
    ) -> Generator[HastyHost]:
        self.runs.append(run)
        stop()
        yield self

    def poll(self) -> None:
        """Nothing to hear."""

    def beat(self) -> None:
        """Nothing to show."""


def test_a_stop_before_the_first_step_leaves_a_valid_run_too() -> None:
    host = HastyHost()

    async def hold() -> None:  # should the run get that far
        await asyncio.sleep(10)

    with pytest.raises(KeyboardInterrupt) as caught:
        agent([turn(request("a", "hold")), "never"], [hold]).run("Go", log="memory", host=host)
    (run,) = host.runs
    assert run.status == "cancelled"
    assert run.events[-1].type == "run_stream_end"
    assert caught.value.run is run  # type: ignore[attr-defined]


def test_a_stop_reaches_the_run_that_a_tool_waits_for() -> None:
    started = threading.Event()

    async def hold() -> None:
        started.set()
        await asyncio.sleep(10)

    inner = agent([turn(request("b", "hold")), "never"], [hold])

    def ask() -> str:
        return inner.run("Go", log="memory").text

    session = stopped([ask], started, "ask")
    assert_valid(session, 1)
