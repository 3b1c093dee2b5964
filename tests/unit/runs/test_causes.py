"""Who did what: a run, or a call, is said to be stopped by a person only where a person did it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
from collections.abc import Callable

import pytest

import nbagents as nba
from nbagents.events import AnyEvent
from nbagents.runs.drive.background import start_run, stop_all
from nbagents.runs.drive.entrance import run_async, run_blocking
from nbagents.runs.lanes import causes
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.plan.plan import Plan
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from tests.unit.runs.desk import agent, request, turn

TOO_LONG_S = 60


async def hang() -> None:
    """Hang."""
    await asyncio.sleep(TOO_LONG_S)


async def cancel_itself() -> None:
    """End the task that it is in."""
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    await asyncio.sleep(TOO_LONG_S)


def raise_interrupt() -> None:
    """Raise what an interrupt raises."""
    raise KeyboardInterrupt


async def wait_too_long(ctx: nba.Context) -> str:
    """Have a run inside that takes longer than this call may."""
    inner = agent([turn(request("inner", "hang")), "Never."], [hang])
    return (await ctx.run(inner, "Go.")).text


def at_start(run: Run, act: Callable[[], object]) -> None:
    """Do something when the first tool begins, on a thread of its own."""

    def hear(event: AnyEvent) -> None:
        if event.type == "tool_start":
            threading.Timer(0.02, act).start()

    run.listen(hear)


def by_tool(_run: Run) -> None:
    """Nothing more than what the tool does."""


def by_stop(run: Run) -> None:
    at_start(run, run.stop)


def by_interrupt(run: Run) -> None:
    at_start(run, lambda: os.kill(os.getpid(), signal.SIGINT))


def blocking(run: Run, plan: Plan) -> None:
    run_blocking(run, plan)


def awaited(run: Run, plan: Plan) -> None:
    asyncio.run(run_async(run, plan))


def behind(run: Run, plan: Plan) -> None:
    start_run(run, plan)
    run.wait(20)


ENDS: dict[str, tuple[nba.Tool, Callable[[Run], None], Callable[[Run, Plan], None], str]] = {
    "an interrupt": (nba.tool(hang), by_interrupt, blocking, causes.BY_PERSON),
    "run.stop()": (nba.tool(hang), by_stop, blocking, causes.BY_CODE),
    "run.stop(), awaited": (nba.tool(hang), by_stop, awaited, causes.BY_CODE),
    "run.stop(), behind": (nba.tool(hang), by_stop, behind, causes.BY_CODE),
    "its own task": (nba.tool(cancel_itself), by_tool, blocking, causes.TASK_CANCELLED),
    "its own task, awaited": (nba.tool(cancel_itself), by_tool, awaited, causes.TASK_CANCELLED),
    "its own task, behind": (nba.tool(cancel_itself), by_tool, behind, causes.TASK_CANCELLED),
}


@pytest.mark.parametrize("how", ENDS)
def test_what_stopped_a_run_is_what_its_calls_and_its_end_say(how: str) -> None:
    tool, act, drive, cause = ENDS[how]
    it = agent([turn(request("a", tool.name)), "Never."], [tool])
    run, plan = it.begin("Go.", Session(MemoryLog()))
    act(run)
    with contextlib.suppress(BaseException):  # each way raises its own
        drive(run, plan)
    assert run.status == "cancelled"
    assert run.calls[0].content == f"Cancelled before this call ended: {cause}."
    failure = run.tree()["runs"][run.id]["failure"]
    said = failure and failure["message"]
    assert said == (None if cause in causes.STOPS else f"Cancelled: {cause}.")


@pytest.mark.parametrize("drive", [blocking, awaited, behind])
def test_a_tool_that_raises_what_an_interrupt_raises_is_no_person(
    drive: Callable[[Run, Plan], None],
) -> None:
    tool = nba.tool(raise_interrupt)
    it = agent([turn(request("a", tool.name)), "Told."], [tool])
    run, plan = it.begin("Go.", Session(MemoryLog()))
    with contextlib.suppress(KeyboardInterrupt):
        drive(run, plan)
    assert "person" not in (run.calls[0].content or "")


def test_a_tool_that_stops_its_run_is_named() -> None:
    def leave() -> str:
        """Stop the run."""
        begun[0].stop()
        return "stopped"

    run, plan = agent([turn(request("a", "leave")), "Never."], [leave]).begin(
        "Go.", Session(MemoryLog())
    )
    begun = [run]
    with pytest.raises(KeyboardInterrupt):
        run_blocking(run, plan)
    assert run.why_cancelled == causes.BY_TOOL


def test_the_end_of_the_process_is_no_person() -> None:
    run = agent([turn(request("a", "hang")), "Never."], [hang]).start(
        "Go.", log=Session(MemoryLog())
    )
    stop_all()
    assert run.why_cancelled == causes.BY_EXIT


def test_a_run_inside_whose_call_was_over_says_so() -> None:
    slow = nba.tool(timeout_s=0.05)(wait_too_long)
    run = agent([turn(request("a", slow.name)), "Told."], [slow]).run("Go.", log="memory")
    (child,) = run.children
    assert (run.calls[0].status, child.status) == ("timed_out", "cancelled")
    assert child.calls[0].content == f"Cancelled before this call ended: {causes.CALL_OVER}."


def test_a_run_inside_that_ended_its_own_task_was_stopped_by_nobody() -> None:
    async def ask(ctx: nba.Context) -> str:
        """Have a run inside that ends its task."""
        inner = agent([turn(request("b", "cancel_itself")), "Never."], [cancel_itself])
        return (await ctx.run(inner, "Go.")).text

    run = agent([turn(request("a", "ask")), "Told."], [ask]).run("Go.", log="memory")
    assert run.status == "completed"
    assert causes.TASK_CANCELLED in (run.calls[0].content or "")
    assert "person" not in (run.calls[0].content or "")


@pytest.mark.parametrize(
    ("cause", "said"), list(causes.CALL_STOPPED.items()), ids=["person", "code", "tool"]
)
def test_who_stopped_a_call_by_itself_is_said(cause: str, said: str) -> None:
    run, plan = agent([turn(request("a", "hang")), "Told."], [hang]).begin(
        "Go.", Session(MemoryLog())
    )
    at_start(run, lambda: run.stop_part(run.id, "a", cause=cause))
    run_blocking(run, plan)
    assert (run.status, run.calls[0].content) == ("completed", said)
