"""Parts of a run end in order: queued calls, calls stopped twice, children of a blocked loop."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from nbagents.agents import Agent
from nbagents.errors import RunError
from nbagents.models.scripted import ScriptedModel
from nbagents.runs.drive.entrance import run_blocking
from nbagents.runs.drive.loop_thread import LoopThread
from nbagents.runs.logs.log import MemoryLog
from nbagents.runs.state.session import Session
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions
from tests.unit.runs.desk import agent, request, run_of, turn

if TYPE_CHECKING:
    from collections.abc import Callable

END_S = 10.0


def test_a_queued_call_that_is_stopped_before_its_turn_is_never_made() -> None:
    made: list[int] = []
    stopped = threading.Event()

    def slow(number: int) -> int:
        "Wait."
        made.append(number)
        threading.Thread(target=stop).start()
        assert stopped.wait(END_S)
        return number

    def stop() -> None:
        run.stop_call("b")
        LoopThread.get().loop.call_soon_threadsafe(stopped.set)

    calls = turn(request("a", "slow", number=1), request("b", "slow", number=2))
    run, plan = agent([calls, "end"], [slow]).begin("Go", Session(MemoryLog()))
    run_blocking(run, plan)
    assert (run.status, made) == ("completed", [1])
    assert [call.status for call in run.calls] == ["done", "cancelled"]
    assert [one.tool_call_id for one in run.events if one.type == "tool_start"] == ["a"]


def test_a_call_that_is_stopped_twice_is_not_the_end_of_its_run() -> None:
    begun = threading.Event()

    async def slow() -> str:
        "Wait."
        begun.set()
        await asyncio.sleep(END_S)
        return "done"

    def stop() -> None:
        assert begun.wait(END_S)
        run.stop_call("a")
        run.stop_call("a")

    run, plan = agent([turn(request("a", "slow")), "end"], [slow]).begin("Go", Session(MemoryLog()))
    threading.Thread(target=stop).start()
    run_blocking(run, plan)
    assert (run.status, run.calls[0].status) == ("completed", "cancelled")


def test_a_run_inside_that_blocks_the_loop_ends_before_the_run_above_it() -> None:
    begun, over = threading.Event(), threading.Event()

    async def block() -> str:
        "Block the loop, as no async tool should."
        begun.set()
        over.wait(END_S)
        return "done"

    low = Agent("low", tools=[block], model=ScriptedModel([turn(request("c", "block")), "end"]))
    run = agent([turn(request("a", "low", input="x")), "end"], [low]).start(
        "Go", log=Session(MemoryLog())
    )
    assert begun.wait(END_S)
    run.stop()
    try:
        run.wait(END_S)
        (child,) = run.children
        assert (run.status, child.status) == ("cancelled", "cancelled")
        ends = [one.run_id for one in run.events if one.type == "run_stream_end"]
        assert ends == [child.id, run.id]
        assert [one.tool_call_id for one in run.events if one.type == "tool_end"] == ["c", "a"]
    finally:
        over.set()


def test_a_run_inside_of_a_thread_ends_when_its_call_is_over_for_another_reason() -> None:
    begun = threading.Event()

    async def long() -> str:
        "Wait."
        begun.set()
        await asyncio.sleep(END_S)
        return "done"

    def ask_low(ctx: Context) -> str:
        "Ask."
        return ctx.run(low, "x").text

    async def fail() -> str:
        "Fail."
        await asyncio.to_thread(begun.wait, END_S)
        raise ValueError("no")

    low = Agent("low", tools=[long], model=ScriptedModel([turn(request("c", "long")), "end"]))
    tools = [Tool(ask_low, ToolOptions(thread=True)), Tool(fail, ToolOptions(on_error=None))]
    session = Session(MemoryLog())
    made = agent([turn(request("a", "ask_low"), request("b", "fail")), "end"], tools)
    with pytest.raises(ValueError, match="no"):
        made.run("Go", log=session)
    events = list(session.events("debug"))
    assert events[-1].type == "run_stream_end"
    assert sorted(one.tool_call_id for one in events if one.type == "tool_end") == ["a", "b", "c"]
    time.sleep(0.05)
    assert len(list(session.events("debug"))) == len(events)


def _exit(*_: Any) -> Any:
    raise SystemExit(3)


async def _exit_later(*_: Any) -> Any:
    raise SystemExit(3)


@pytest.mark.parametrize(
    "options",
    [
        {"input_guardrails": (_exit,)},
        {"input_guardrails": (_exit_later,)},
        {"output_guardrails": (_exit,)},
        {"ask": _exit},
        {"ask": _exit_later},
    ],
)
@pytest.mark.parametrize("count", [1, 2])
def test_a_check_that_exits_refuses_and_ends_no_loop(options: Any, count: int) -> None:
    def look() -> str:
        "Look."
        return "seen"

    tool = Tool(look, ToolOptions(**options))
    calls = turn(*(request(f"c{number}", "look") for number in range(count)))
    low = Agent("low", tools=[tool], model=ScriptedModel([calls, "end"]), on_await="deny")
    thread = LoopThread.get()
    run = agent([turn(request("a", "low", input="x")), "end"], [low]).run("Go", log="memory")
    assert (run.status, thread.is_alive, LoopThread.get()) == ("completed", True, thread)
    (child,) = run.children
    assert all("seen" not in (call.content or "") for call in child.calls)
    assert run.events[-1].type == "run_stream_end"


@pytest.mark.parametrize("answers", [_exit, _exit_later])
def test_a_function_that_answers_and_exits_ends_its_runs_and_no_loop(answers: Any) -> None:
    def look() -> str:
        "Look."
        return "seen"

    low = Agent(
        "low",
        tools=[Tool(look, ToolOptions(ask=True))],
        model=ScriptedModel([turn(request("c", "look")), "end"]),
        on_await=answers,
    )
    thread = LoopThread.get()
    with pytest.raises(RunError, match=r"called exit\(\)") as caught:
        agent([turn(request("a", "low", input="x")), "end"], [low]).run("Go", log="memory")
    run = run_of(caught.value)
    assert (run.status, run.calls[0].status, run.children[0].status) == ("failed",) * 3
    assert thread.is_alive


@pytest.mark.parametrize("stopped", [0, 1])
@pytest.mark.parametrize("part", ["run", "call"])
def test_of_two_plain_tools_that_wait_in_the_background_one_is_stopped_alone(
    stopped: int, part: str
) -> None:
    def asking(ctx: Context) -> str:
        "Ask."
        return str(ctx.ask("Well?"))

    def low(name: str) -> Agent:
        steps = [turn(request("a", "asking")), "ok"]
        return Agent(name, tools=[asking], model=ScriptedModel(steps))

    calls = turn(request("0", "low_0", input="x"), request("1", "low_1", input="x"))
    boss = agent([calls, "end"], [low("low_0"), low("low_1")], on_await="wait")
    run = boss.start("Go", log="memory")

    def drive() -> None:
        until(lambda: len(run.awaiting) == 2)
        child = next(one for one in run.children if one.agent_name == f"low_{stopped}")
        if part == "run":
            child.stop()
        else:
            child.stop_call("a")
        until(lambda: child.calls[0].status == "cancelled")
        (question,) = run.awaiting
        question.answer("Yes.")

    driving = threading.Thread(target=drive)
    driving.start()
    run.wait(END_S)
    driving.join()
    statuses = {one.agent_name: one.calls[0].status for one in run.children}
    assert run.status == "completed"
    assert statuses == {f"low_{stopped}": "cancelled", f"low_{1 - stopped}": "done"}


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + END_S
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.005)
