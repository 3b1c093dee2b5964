"""Runs in the background: their plain tools take turns on the main thread, and wait for it."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from nbagents.agents import Agent
from nbagents.errors import ModelError, RunError
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.session import Session
from nbagents.tools.tool.definition import Tool, ToolOptions
from nbagents.tools.tool.registry import toolbox
from tests.unit.runs.behind import on_loop, types, until
from tests.unit.runs.desk import ShowingHost, agent, double, request, treble, turn


def call_of(run: Run, call_id: str = "a") -> dict[str, object]:
    return dict(run.tree()["runs"][run.id]["calls"][call_id])


def test_without_a_loop_a_plain_tool_waits_until_somebody_waits_and_says_so() -> None:
    threads: list[threading.Thread] = []

    def look() -> str:
        threads.append(threading.current_thread())
        return "seen"

    run = agent([turn(request("a", "look")), "done"], [look]).start("Go", log="memory")
    until(lambda: "tool_update" in types(run))
    waiting = call_of(run)
    assert (waiting["status"], waiting["started_at"]) == ("preparing", None)
    assert waiting["progress"] == {"message": "Waiting for run.wait()", "fraction": None}
    assert run.wait(5) is run
    assert (run.status, run.text, threads) == ("completed", "done", [threading.main_thread()])
    assert call_of(run)["progress"] is None


def test_between_other_things_a_plain_tool_runs_on_the_loop_of_the_main_thread() -> None:
    threads: list[threading.Thread] = []

    def look() -> str:
        threads.append(threading.current_thread())
        return "seen"

    made = agent([turn(request("a", "look")), turn(request("b", "look")), "done"], [look])
    run = on_loop(lambda: made.start("Go", log="memory"))
    assert (run.status, threads) == ("completed", [threading.main_thread()] * 2)


def test_while_the_main_thread_is_busy_the_call_is_said_to_wait_for_the_kernel() -> None:
    made = agent([turn(request("a", "double", number=4)), "done"], [double])

    def start() -> Run:
        run = made.start("Go", log="memory")
        until(lambda: "tool_update" in types(run))  # a cell that computes
        assert call_of(run)["progress"] == {"message": "Waiting for the kernel", "fraction": None}
        return run

    run = on_loop(start)
    assert types(run).index("tool_start") > types(run).index("tool_update")
    assert call_of(run)["content"] == "8"


def test_the_start_of_a_call_is_on_disk_before_its_tool_runs() -> None:
    class Slow(MemoryLog):
        flushed: tuple[str, ...] = ()

        def flush(self) -> None:
            self.flushed = tuple(event.type for event in self.read(session.session_id))

    log = Slow()
    session = Session(log)
    seen: list[tuple[str, ...]] = []
    made = agent([turn(request("a", "look")), "done"], [Tool(lambda: seen.append(log.flushed) or "",
                 ToolOptions(name="look"))])  # fmt: skip
    made.start("Go", log=session).wait(5)
    assert seen[0][-1] == "tool_start"


def test_async_and_thread_tools_wait_for_nobody() -> None:
    there = Tool(double, ToolOptions(thread=True))
    calls = turn(request("a", "treble", number=1), request("b", "double", number=2))
    run = agent([calls, "done"], [treble, there]).start("Go", log="memory")
    until(lambda: run.is_closed)
    assert [call.content for call in run.calls] == ["3", "4"]


def test_a_failed_run_keeps_its_error_which_is_raised_by_the_wait(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = agent([ModelError("no model")]).start("Go", log="memory")
    until(lambda: run.is_closed)
    assert (run.status, str(run.error)) == ("failed", "no model")
    with pytest.raises(ModelError, match="no model"):
        run.wait(5)
    assert capsys.readouterr() == ("", "")


def test_a_wait_that_takes_too_long_says_so_and_the_run_goes_on() -> None:
    go = threading.Event()

    async def hold() -> str:
        while not go.is_set():  # noqa: ASYNC110  set by another thread
            await asyncio.sleep(0.005)
        return "held"

    run = agent([turn(request("a", "hold")), "done"], [hold]).start("Go", log="memory")
    with pytest.raises(TimeoutError, match="goes on"):
        run.wait(0.05)
    go.set()
    assert run.wait(5).status == "completed"


def test_another_thread_may_wait_too() -> None:
    run = agent([turn(request("a", "treble", number=1)), "done"], [treble]).start(
        "Go", log="memory"
    )
    texts: list[str] = []
    thread = threading.Thread(target=lambda: texts.append(run.wait(5).text))
    thread.start()
    thread.join()
    assert texts == ["done"]


def test_a_time_limit_counts_from_the_turn_and_interrupts_the_tool() -> None:
    def sleep() -> None:
        time.sleep(10)

    tool = Tool(sleep, ToolOptions(timeout_s=0.2))
    made = agent([turn(request("a", "sleep")), "done"], [tool])

    def start() -> Run:
        run = made.start("Go", log="memory")
        time.sleep(0.4)  # a cell that takes longer than the tool may
        return run

    run = on_loop(start)
    assert (run.status, run.calls[0].status) == ("completed", "timed_out")
    assert 0.2 <= (run.calls[0].duration or 0) < 2


def test_a_call_whose_turn_does_not_come_within_the_runs_time_times_out() -> None:
    made = agent([turn(request("a", "double", number=1)), "done"], [double], timeout_s=0.3)
    run = made.start("Go", log="memory")
    until(lambda: run.is_closed)
    assert (run.status, run.calls[0].status) == ("limit", "timed_out")
    assert "main thread" in str(run.calls[0].content)


def test_arguments_that_do_not_fit_take_no_turn_and_are_started_and_ended() -> None:
    made = agent([turn(request("a", "double", number="x")), "done"], [double])
    run = made.start("Go", log="memory")
    until(lambda: run.is_closed)
    assert [one for one in types(run) if one.startswith("tool_")] == ["tool_start", "tool_end"]
    assert run.calls[0].status == "failed"


def test_ten_runs_take_turns_in_the_order_in_which_they_asked() -> None:
    order: list[int] = []

    def note(number: int) -> str:
        order.append(number)
        return "noted"

    def start() -> list[Run]:
        runs: list[Run] = []
        for number in range(10):
            steps = [turn(request("a", "note", number=number)), "done"]
            runs.append(agent(steps, [note]).start("Go", log="memory"))
            until(lambda: "tool_update" in types(runs[-1]))
        return runs

    runs = start()
    for run in runs:
        assert run.wait(5).status == "completed"
    assert order == list(range(10))


def test_a_run_in_a_cell_lets_those_in_the_background_have_turns_while_it_waits() -> None:
    behind = agent([turn(request("a", "double", number=21)), "done"], [double])

    async def watch() -> str:
        """Wait for what goes on in the background."""
        run = behind.start("Go", log="memory")
        while not run.is_closed:  # noqa: ASYNC110  another thread ends it
            await asyncio.sleep(0.005)
        return str(run.calls[0].content)

    made = agent([turn(request("a", "watch")), "done"], [watch])
    assert made.run("Go", log="memory").calls[0].content == "42"


@pytest.mark.parametrize("is_async", [False, True])
def test_a_tool_cannot_wait_for_its_own_run(is_async: bool) -> None:  # noqa: FBT001  a parameter
    session = Session(MemoryLog())

    def plain() -> str:
        return session.runs[-1].wait().text

    async def later() -> str:
        return session.runs[-1].wait().text

    tool = Tool(later if is_async else plain, ToolOptions(name="wait"))
    run = agent([turn(request("a", "wait")), "done"], [tool]).start("Go", log=session).wait(5)
    failure = run.calls[0].failure
    assert failure is not None
    assert "wait for" in failure.message


def test_a_run_that_is_driven_here_cannot_be_waited_for() -> None:
    session = Session(MemoryLog())

    def wait() -> str:
        return session.runs[-1].wait().text

    run = agent([turn(request("a", "wait")), "done"], [wait]).run("Go", log=session)
    failure = run.calls[0].failure
    assert failure is not None
    assert "cannot wait for it" in failure.message
    assert run.wait(1) is run


def test_a_person_is_asked_where_somebody_waits() -> None:
    host = ShowingHost(answer=True)
    tool = Tool(double, ToolOptions(ask=True))
    made = agent([turn(request("a", "double", number=1)), "done"], [tool])
    run = made.start("Go", log="memory", host=host).wait(5)
    assert (run.calls[0].content, len(host.asked)) == ("2", 1)


def test_the_cell_that_defines_a_tool_is_told_with_its_start() -> None:
    from nbagents.tools.context.origin import Origin  # only here

    toolbox.add(Tool(double), origin=Origin("cell-7", "In [7]"))
    toolbox.add(Tool(treble), origin=Origin("source:abc", "In [8]"))
    calls = turn(request("a", "double", number=1), request("b", "treble", number=1))
    run = Agent("t", tools=["double", "treble"], model=agent([calls, "done"]).model).run(
        "Go", log="memory"
    )
    assert [call_of(run, one)["cell_id"] for one in ("a", "b")] == ["cell-7", None]


def test_what_only_one_run_waits_for_is_refused_where_it_would_block_the_loop() -> None:
    other = agent([turn(request("a", "double", number=1)), "done"], [double])

    async def wait() -> str:
        run = other.start("Go", log="memory")
        try:
            return run.wait().text
        except RunError as error:
            run.stop()
            return str(error)

    run = agent([turn(request("a", "wait")), "done"], [wait]).start("Go", log="memory").wait(5)
    assert "asyncio.to_thread(run.wait)" in str(run.calls[0].content)
