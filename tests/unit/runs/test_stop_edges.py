"""Stops and time limits that meet what is rare: swallowed, nested, at a question, unheard, late."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import functools
import io
import os
import signal
import sys
import threading
import time
from concurrent.futures import Future
from types import FrameType
from typing import Any, Self

import pytest

from nbagents.agents import Agent
from nbagents.messages import ToolMessage
from nbagents.models.model import ModelRequest
from nbagents.runs.drive.entrance import LoopThread
from nbagents.runs.lanes import inline_lane as inline_lanes
from nbagents.runs.lanes.inline_lane import InlineLanes
from nbagents.runs.lanes.lane import Lane, _Job  # pyright: ignore[reportPrivateUsage]  see below
from nbagents.runs.people.host import Host
from nbagents.runs.state.desk import Answer, Await
from nbagents.runs.state.run.run import Run
from nbagents.tools.context.capture import streams_captured
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
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
        assert not self._loop.thread.is_alive()


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
    (part,) = run.tree()["runs"][run.id]["calls"]["a"]["output"]
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
        def ask(self, run: Run, question: Await) -> Answer | None:
            press_stop()
            time.sleep(10)
            return Answer(action="approve")

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
    (part,) = run.tree()["runs"][run.id]["calls"]["a"]["output"]
    assert part["text"] == "hello\n"


def test_the_limit_of_a_plain_function_holds_for_the_awaitable_it_returns() -> None:
    async def slow() -> str:
        await asyncio.sleep(10)
        return "late"

    @functools.wraps(slow)
    def logged() -> object:
        return slow()

    run = agent(
        [turn(request("a", "slow")), "ok"], [Tool(logged, ToolOptions(timeout_s=0.05))]
    ).run("Go", log="memory")
    assert (run.calls[0].status, run.status) == ("timed_out", "completed")


def test_an_ended_call_takes_nothing_more_and_its_prints_are_heard_elsewhere(
    capsys: pytest.CaptureFixture[str],
) -> None:
    release, ended = threading.Event(), threading.Event()

    def slow(ctx: Context) -> str:
        ctx.progress("at work")
        release.wait(5)
        print("late")
        ctx.progress("late")
        ctx.show({"kind": "late"})
        ctx.log("late")
        ended.set()
        return "done"

    def answer(_request: ModelRequest) -> str:
        release.set()
        assert ended.wait(5)
        return "ok"

    tool = Tool(slow, ToolOptions(thread=True, timeout_s=0.05))
    with streams_captured():  # as by another run, which goes on
        run = agent([turn(request("a", "slow")), answer], [tool]).run(
            "Go", log="memory", host=ShowingHost()
        )
    types = [event.type for event in run.events]
    assert not [one for one in types[types.index("tool_end") + 1 :] if one.startswith("tool")]
    assert run.tree()["runs"][run.id]["calls"]["a"]["progress"] == {
        "message": "at work",
        "fraction": None,
    }
    assert capsys.readouterr().out == "late\n"


def test_the_time_of_a_call_counts_from_when_a_worker_takes_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("nbagents.runs.lanes.workers._slots", threading.Semaphore(1))

    def hold() -> str:
        time.sleep(0.5)
        return "held"

    def quick() -> str:
        return "quick"

    tools = [
        Tool(hold, ToolOptions(thread=True)),
        Tool(quick, ToolOptions(thread=True, timeout_s=0.3)),
    ]
    calls = turn(request("a", "hold"), *(request(f"b{at}", "quick") for at in range(3)))
    run = agent([calls, "ok"], tools).run("Go", log="memory")
    assert [call.status for call in run.calls] == ["done"] * 4


def test_a_thread_that_took_too_long_is_not_tried_again_beside_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("nbagents.runs.policy.budget.FIRST_WAIT_S", 0.0)
    release, begun = threading.Event(), list[int]()

    def slow() -> None:
        begun.append(1)
        release.wait(5)

    tool = Tool(slow, ToolOptions(thread=True, timeout_s=0.05, retries=2, idempotent=True))
    run = agent([turn(request("a", "slow")), "ok"], [tool]).run("Go", log="memory")
    release.set()
    assert (begun, run.calls[0].status) == ([1], "timed_out")


@pytest.mark.parametrize(
    ("place", "error"),
    [
        ("main", asyncio.CancelledError),
        ("thread", asyncio.CancelledError),
        ("loop", asyncio.CancelledError),
        ("thread", KeyboardInterrupt),
        ("loop", KeyboardInterrupt),
    ],
)
def test_what_looks_like_a_stop_and_is_none_is_a_failure_of_the_call(
    place: str, error: type[BaseException]
) -> None:
    def plain() -> str:
        raise error("mine")

    async def later() -> str:
        raise error("mine")

    function = later if place == "loop" else plain
    tool = Tool(function, ToolOptions(name="odd", thread=place == "thread"))
    run = agent([turn(request("a", "odd")), "ok"], [tool]).run("Go", log="memory")
    assert (run.status, run.calls[0].status) == ("completed", "failed")
    assert run.calls[0].content == f"{error.__name__}: mine"


class Moment:
    """A trace that presses stop at one moment of the frames of one file."""

    def __init__(self, file: str, at: int) -> None:
        self._file, self._left = file, at

    def __call__(self, frame: FrameType, _event: str, _arg: object) -> Moment | None:
        if frame.f_code.co_filename != self._file or self._left < 0:
            return None
        self._left -= 1
        if self._left < 0:
            sys.settrace(None)
            press_stop()
        return self


def pressed_at(moment: Moment) -> list[str]:
    """Who heard a stop at one moment of a call that is over at once, but has a time limit."""
    heard: list[str] = []
    before = signal.signal(signal.SIGINT, lambda _number, _frame: heard.append("outside"))
    tracing = sys.gettrace()
    sys.settrace(moment)
    try:
        InlineLanes().on_main(int, 2.0).send(None)  # pyright: ignore  a coroutine that never waits
    except StopIteration:
        pass
    except asyncio.CancelledError:
        heard.append("call")
    except KeyboardInterrupt:
        heard.append("the loop")
    finally:
        sys.settrace(tracing)
    for thread in threading.enumerate():
        if thread.name == "nbagents-timer":
            thread.join(10)  # one that was not cancelled rings, and is heard
    signal.signal(signal.SIGINT, before)
    return heard


def test_a_stop_at_any_moment_of_an_awaited_call_is_heard_once_and_the_clock_is_stopped() -> None:
    at = 0
    while heard := pressed_at(Moment(inline_lanes.__file__, at)):
        assert heard in (["call"], ["outside"])
        at += 1
    assert at > 20


def test_a_stop_that_an_awaited_plain_tool_swallows_still_ends_the_run() -> None:
    def stubborn() -> str:
        with contextlib.suppress(KeyboardInterrupt):
            press_stop()
            time.sleep(10)
        return "partial"

    made = agent([turn(request("a", "stubborn")), "an answer"], [stubborn])
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(made.arun("Go", log="memory"))
    assert asked(made) == 1
