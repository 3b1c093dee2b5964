"""Stops that meet what is rare: swallowed, inside of others, at a question, unheard."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import io
import os
import signal
import sys
import threading
import time
from concurrent.futures import Future
from typing import Any, Self

import pytest

from nbagents.agents import Agent
from nbagents.messages import ToolMessage
from nbagents.runs.door import LoopThread
from nbagents.runs.host import Host
from nbagents.runs.lanes import Lane, _Job  # pyright: ignore[reportPrivateUsage]  see below
from nbagents.runs.record import Run
from nbagents.tools.tool import Tool, ToolOptions
from tests.unit.runs.desk import ShowingHost, agent, double, request, run_of, turn


def press_stop() -> None:
    """Send SIGINT to this process, as Jupyter does."""
    os.kill(os.getpid(), signal.SIGINT)


def stopped(made: Agent, host: Host | None = None) -> Run:
    """The run of an agent that is stopped."""
    with pytest.raises(KeyboardInterrupt) as caught:
        made.run("Go", log="memory", host=host)
    return run_of(caught.value)


def asked(made: Agent) -> int:
    """How often the model was asked."""
    return len(made.model.requests)  # pyright: ignore  a ScriptedModel


class DeafTool:
    """An async tool that presses stop and then blocks its loop, until the block is left."""

    def __init__(self) -> None:
        self._release = threading.Event()
        self._loop = LoopThread.get()

    async def deaf(self) -> str:
        press_stop()
        self._release.wait(10)
        return "late"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self._release.set()
        self._loop.thread.join(5)
        assert not self._loop.is_alive


@pytest.mark.parametrize("place", ["main", "loop"])
def test_a_stop_that_a_tool_swallows_still_ends_the_run(place: str) -> None:
    def plain() -> str:
        with contextlib.suppress(KeyboardInterrupt):
            press_stop()
            time.sleep(10)
        return "partial"

    async def later() -> str:
        with contextlib.suppress(asyncio.CancelledError):
            press_stop()
            await asyncio.sleep(10)
        return "partial"

    tool = Tool(later if place == "loop" else plain, ToolOptions(name="stubborn"))
    made = agent([turn(request("a", "stubborn")), "an answer"], [tool])
    run = stopped(made)
    assert (run.status, run.text, asked(made)) == ("cancelled", "", 1)


def test_what_was_printed_just_before_a_stop_is_kept() -> None:
    def talk() -> None:
        print("first")
        print("second")
        press_stop()
        time.sleep(10)

    run = stopped(agent([turn(request("a", "talk")), "never"], [talk]), ShowingHost())
    (part,) = run.tree["runs"][run.id]["calls"]["a"]["output"]
    assert part["text"] == "first\nsecond\n"
    types = [event.type for event in run.events]
    assert types.index("tool_end") > max(
        at for at, one in enumerate(types) if one == "tool_output_delta"
    )


def test_a_call_that_has_just_ended_stops_no_run_of_another_call() -> None:
    def job() -> Any:  # the moment itself cannot be hit from outside
        return _Job(int, contextvars.copy_context(), Future(), 0.1)

    outer: Any = Lane(on_stop=lambda: None)
    inner = Lane(on_stop=lambda: None)
    ended, running = job(), job()
    with outer, inner:
        outer._running, outer._in_tool = running, True
        outer._expire(ended)
        assert not inner.stop_asked
        outer._expire(running)
        assert inner.stop_asked


def test_a_run_inside_of_a_thread_is_stopped_with_the_run_around_it() -> None:
    ended = threading.Event()
    runs: list[Run] = []

    async def hold() -> None:
        press_stop()
        await asyncio.sleep(10)

    inner = agent([turn(request("b", "hold")), "never"], [hold])

    def ask() -> str:
        try:
            return inner.run("Go", log="memory").text
        except KeyboardInterrupt as error:
            runs.append(run_of(error))
            raise
        finally:
            ended.set()

    stopped(agent([turn(request("a", "ask")), "never"], [Tool(ask, ToolOptions(thread=True))]))
    assert ended.wait(5), "the run inside goes on"
    assert (runs[0].status, asked(inner)) == ("cancelled", 1)


def test_a_question_that_is_open_at_a_stop_is_resolved_as_cancelled() -> None:
    class Leaving(ShowingHost):
        def confirm(self, run: Run, question: str) -> bool | None:
            press_stop()
            time.sleep(10)
            return True

    made = agent(
        [turn(request("a", "double", number=1)), "never"], [Tool(double, ToolOptions(ask=True))]
    )
    run = stopped(made, Leaving())
    (resolved,) = [event for event in run.events if event.type == "await_resolved"]
    assert resolved.outcome == "cancelled"
    assert resolved.answer is None
    types = [event.type for event in run.events if event.type.startswith(("await", "tool"))]
    assert types == ["await_confirmation", "await_resolved", "tool_end"]


def test_a_run_that_was_given_up_does_not_go_on() -> None:
    with DeafTool() as tool:
        made = agent([turn(request("a", "deaf")), "an answer nobody waits for"], [tool.deaf])
        run = stopped(made)
        before, events = run.messages, len(run.events)
    assert (run.status, asked(made)) == ("cancelled", 1)
    assert run.messages == before
    assert isinstance(before[-1], ToolMessage)
    assert len(run.events) == events


def test_calls_are_captured_after_a_run_was_given_up_inside_of_a_redirect(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def talk() -> None:
        print("hello")

    monkeypatch.setattr("sys.stdout", sys.stdout)  # to be given back whatever happens
    with DeafTool() as tool:
        with contextlib.redirect_stdout(io.StringIO()):  # as a cell's capture does
            stopped(agent([turn(request("a", "deaf")), "never"], [tool.deaf]), ShowingHost())
        run = agent([turn(request("a", "talk")), "ok"], [talk]).run(
            "Go", log="memory", host=ShowingHost()
        )
    (part,) = run.tree["runs"][run.id]["calls"]["a"]["output"]
    assert part["text"] == "hello\n"
