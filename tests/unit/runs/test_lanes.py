"""Threads and stops: calls run where they belong, and a stop breaks nothing."""

from __future__ import annotations

import asyncio
import contextvars
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from nbagents.runs.lanes.inline_lane import InlineLanes
from nbagents.runs.lanes.lane import Lane
from nbagents.runs.lanes.signals import shield
from nbagents.runs.lanes.workers import in_thread


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """A loop on a thread of its own, as the door has one."""
    made = asyncio.new_event_loop()
    thread = threading.Thread(target=made.run_forever, daemon=True)
    thread.start()
    yield made
    made.call_soon_threadsafe(made.stop)
    thread.join()
    made.close()


def interrupt_when(ready: threading.Event, delay_s: float = 0.05) -> threading.Thread:
    """Send SIGINT to this process, as Jupyter does, once `ready` is set."""

    def send() -> None:
        ready.wait(5)
        time.sleep(delay_s)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send, daemon=True)
    thread.start()
    return thread


def wait_for(
    lane: Lane, loop: asyncio.AbstractEventLoop, function: Callable[[], object]
) -> BaseException | object:
    """Run one call on the waiting thread; what it gave, or the error it ended with."""
    future = asyncio.run_coroutine_threadsafe(lane.on_main(function), loop)
    future.add_done_callback(lambda _: lane.wake())
    with lane:
        lane.wait(future.done)
    return future.exception() if not future.cancelled() else asyncio.CancelledError()


def test_a_call_runs_on_the_thread_that_waits(loop: asyncio.AbstractEventLoop) -> None:
    lane = Lane(on_stop=lambda: None)
    threads: list[threading.Thread] = []
    assert wait_for(lane, loop, lambda: threads.append(threading.current_thread())) is None
    assert threads == [threading.main_thread()]


def test_a_call_sees_the_context_it_was_made_in() -> None:
    cell = contextvars.ContextVar("cell", default="none")

    async def make() -> object:
        cell.set("In [3]")
        return await in_thread(cell.get)

    assert asyncio.run(make()) == "In [3]"


def test_a_call_that_raises_gives_its_error_to_its_caller(
    loop: asyncio.AbstractEventLoop,
) -> None:
    error = wait_for(Lane(on_stop=lambda: None), loop, lambda: 1 / 0)
    assert isinstance(error, ZeroDivisionError)


def sleep() -> None:
    time.sleep(10)


def spin() -> None:
    end = time.monotonic() + 10
    while time.monotonic() < end:
        pass


def listen() -> None:
    left, right = socket.socketpair()
    with left, right:
        left.recv(1)


@pytest.mark.parametrize("tool", [sleep, spin, listen])
def test_an_interrupt_ends_a_blocking_tool_at_once(
    loop: asyncio.AbstractEventLoop, tool: Callable[[], None]
) -> None:
    lane = Lane(on_stop=lambda: None)
    started = threading.Event()

    def call() -> None:
        started.set()
        tool()

    interrupt_when(started)
    begun = time.monotonic()
    error = wait_for(lane, loop, call)
    assert isinstance(error, asyncio.CancelledError)
    assert lane.stop_asked
    assert time.monotonic() - begun < 5  # the tool would have taken ten seconds


def test_an_interrupt_while_waiting_raises_nothing_and_asks_for_a_stop() -> None:
    stopped = threading.Event()
    lane = Lane(on_stop=stopped.set)
    ready = threading.Event()
    ready.set()
    interrupt_when(ready)
    with lane:
        lane.wait(stopped.is_set)
    assert lane.stop_asked


def test_an_interrupt_during_the_poll_raises_nothing_in_it() -> None:
    polls: list[str] = []
    stopped = threading.Event()
    lane = Lane(on_stop=stopped.set)

    def poll() -> None:
        if not polls:
            polls.append("begun")
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)
            polls.append("ended")

    lane.poll = poll
    with lane:
        lane.wait(stopped.is_set)
    assert polls == ["begun", "ended"]


def test_what_is_shielded_ends_before_the_interrupt_is_raised(
    loop: asyncio.AbstractEventLoop,
) -> None:
    steps: list[str] = []

    def tool() -> None:
        with shield:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)
            steps.append("written")
        steps.append("not reached")

    assert isinstance(wait_for(Lane(on_stop=lambda: None), loop, tool), asyncio.CancelledError)
    assert steps == ["written"]


def test_a_stop_from_another_thread_interrupts_the_tool(loop: asyncio.AbstractEventLoop) -> None:
    lane = Lane(on_stop=lambda: None)
    started = threading.Event()

    def stop() -> None:
        started.wait(5)
        time.sleep(0.05)
        lane.stop()

    threading.Thread(target=stop, daemon=True).start()

    def tool() -> None:
        started.set()
        time.sleep(10)

    assert isinstance(wait_for(lane, loop, tool), asyncio.CancelledError)


def test_calls_that_were_queued_when_the_stop_came_do_not_start(
    loop: asyncio.AbstractEventLoop,
) -> None:
    ran: list[int] = []
    lane = Lane(on_stop=lambda: None)
    lane.stop()
    error = wait_for(lane, loop, lambda: ran.append(1))
    assert isinstance(error, asyncio.CancelledError)
    assert ran == []


def test_the_previous_handler_of_interrupts_comes_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    with Lane(on_stop=lambda: None):
        assert signal.getsignal(signal.SIGINT) != before
    assert signal.getsignal(signal.SIGINT) == before


def test_an_awaited_call_is_interrupted_in_place_and_the_loop_lives_on() -> None:
    async def main() -> str:
        with pytest.raises(asyncio.CancelledError):
            await asyncio.ensure_future(InlineLanes().on_main(sleep))
        return "alive"

    ready = threading.Event()
    ready.set()
    interrupt_when(ready, 0.1)
    assert asyncio.run(main()) == "alive"


def test_off_the_main_thread_a_lane_leaves_signals_alone(
    loop: asyncio.AbstractEventLoop,
) -> None:
    seen: list[object] = []

    def work() -> None:
        lane = Lane(on_stop=lambda: None)
        wait_for(lane, loop, lambda: seen.append(threading.current_thread()))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [thread]
