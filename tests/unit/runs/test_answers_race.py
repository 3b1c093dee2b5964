"""Answers and stops that come at once, too late, twice, or where a run itself is waited for."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from nbagents.errors import RunError
from nbagents.messages import CallRequest
from nbagents.runs.drive.background import start_run
from nbagents.runs.drive.entrance import run_async, run_blocking
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.people.host import NoHost
from nbagents.runs.state.desk import Answer, Await, Desk, Posed
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import agent, request, turn


def wipe(path: str) -> str:
    "Wipe."
    return f"wiped {path}"


WIPE = Tool(wipe, ToolOptions(ask=True))
END_S = 10.0


def begun(calls: list[CallRequest], tools: list[Any], **options: Any) -> tuple[Run, Any]:
    made = agent([turn(*calls), "end"], tools, **{"on_await": "wait", **options})
    return made.begin("Go", Session(MemoryLog()))


def until(holds: Callable[[], object]) -> None:
    """Wait until something holds."""
    end_s = time.monotonic() + END_S
    while not holds() and time.monotonic() < end_s:
        time.sleep(0.005)
    assert holds()


def unresolved(run: Run) -> set[str]:
    """What was asked, and never said to be over."""
    dumped = [one.model_dump() for one in run.events]
    over = {one["await_id"] for one in dumped if one["type"] == "await_resolved"}
    return {one["await_id"] for one in dumped if "await_id" in one} - over


def test_a_stop_withdraws_what_is_asked_about_calls_whose_turn_never_came() -> None:
    run, plan = begun([request("a", "wipe", path="1"), request("b", "wipe", path="2")], [WIPE])
    start_run(run, plan)
    until(lambda: len(run.awaiting) == 2)
    run.stop()
    run.wait(END_S)
    assert (run.status, run.awaiting, unresolved(run)) == ("cancelled", (), set())


@pytest.mark.parametrize("is_thread", [False, True])
@pytest.mark.parametrize("stops_all", [False, True])
def test_a_stop_withdraws_what_a_plain_tool_asks(*, is_thread: bool, stops_all: bool) -> None:
    left = threading.Event()

    def name(ctx: Context) -> str:
        "Ask."
        try:
            return ctx.ask("Name?")
        finally:
            left.set()

    run, plan = begun([request("a", "name")], [Tool(name, ToolOptions(thread=is_thread))])
    start_run(run, plan)

    def stop() -> None:
        until(lambda: run.awaiting)
        if stops_all:
            run.stop()
        else:
            run.stop_call("a")

    threading.Thread(target=stop).start()
    run.wait(END_S)
    assert run.status == ("cancelled" if stops_all else "completed")
    assert left.wait(END_S)
    assert (run.calls[0].status, run.awaiting, unresolved(run)) == ("cancelled", (), set())
    assert run.events[-1].type == "run_stream_end"


def test_an_answer_on_the_loop_that_waits_for_it_does_not_wait_for_itself() -> None:
    async def go() -> Run:
        run, plan = begun([request("a", "wipe", path="1")], [WIPE])
        going = asyncio.ensure_future(run_async(run, plan))
        await asyncio.to_thread(until, lambda: run.awaiting)
        asked = run.awaiting[0]
        with pytest.raises(ValueError, match="path"):
            asked.approve({"path": 7})
        asked.approve({"path": "2"})
        await asyncio.wait_for(going, END_S)
        return run

    done: list[Run] = []
    thread = threading.Thread(target=lambda: done.append(asyncio.run(go())), daemon=True)
    thread.start()
    thread.join(END_S)
    assert done
    assert "wiped 2" in (done[0].calls[0].content or "")


def test_an_answer_that_something_else_gave_is_said_not_to_be_taken() -> None:
    def denies(_: Await) -> None:
        until(lambda: said)

    said: list[BaseException | None] = []
    run, plan = begun([request("a", "wipe", path="1")], [WIPE], on_await=denies)

    def approve() -> None:
        until(lambda: run.awaiting)
        answered = run.resolve(run.awaiting[0].id, {"action": "approve"})
        said.append(None)
        said.append(answered.exception(END_S))

    thread = threading.Thread(target=approve)
    thread.start()
    run_blocking(run, plan)
    thread.join(END_S)
    assert run.calls[0].status == "denied"
    assert isinstance(said[1], RunError)


def test_an_answer_in_the_moment_of_a_stop_is_refused_in_words() -> None:
    desk = Desk()
    question = Await(id="q", kind="confirmation", run_id="r", agent_name="tester")
    posed = Posed(question, check=lambda _: None, loop=asyncio.new_event_loop())
    posed.loop.close()
    desk.put(posed)

    def cancelled_just_now() -> bool:
        posed.said.cancel()
        return False

    real, posed.said.done = posed.said.done, cancelled_just_now
    with pytest.raises(RunError, match="Nobody waits"):
        desk.answer("q", Answer(action="approve"))
    posed.said.done = real
    assert desk.take(posed)
    assert not desk.take(posed)


def test_of_two_answers_at_once_one_is_taken() -> None:
    run, plan = begun([request("a", "wipe", path="1")], [WIPE])
    start_run(run, plan)
    until(lambda: run.awaiting)
    asked, said = run.awaiting[0], list[object]()
    both = threading.Barrier(2)

    def approve() -> None:
        both.wait()
        try:
            said.append(asked.approve())
        except RunError as error:
            said.append(error)

    threads = [threading.Thread(target=approve) for _ in range(2)]
    for thread in threads:
        thread.start()
    run.wait(END_S)
    for thread in threads:
        thread.join(END_S)
    assert sorted(one is None for one in said) == [False, True]
    assert run.calls[0].status == "done"


class _Slow(NoHost):
    """Nobody types for a while."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def hears(self, run: Run) -> bool:
        return False

    def ask(self, run: Run, question: Await) -> Answer | None:
        threading.Thread(target=self.run.awaiting[0].approve).start()
        time.sleep(END_S)
        return None


@pytest.mark.parametrize("is_blocking", [True, False])
def test_a_click_of_a_page_that_came_late_ends_the_typing(*, is_blocking: bool) -> None:
    run, plan = begun([request("a", "wipe", path="1")], [WIPE], on_await="ask")
    began_s = time.monotonic()
    if is_blocking:
        run_blocking(run, plan, host=_Slow(run))
    else:
        asyncio.run(run_async(run, plan, host=_Slow(run)))
    assert (run.status, run.calls[0].status) == ("completed", "done")
    assert time.monotonic() - began_s < END_S
