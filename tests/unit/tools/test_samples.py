"""Samples that show how a tool is used, and test it."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from typing import Any

import pytest
from libraries import cities, np

from nbagents.results import Result
from nbagents.runs.drive.sample_run import check_samples
from nbagents.tools.tool.definition import Tool, ToolOptions
from nbagents.tools.tool.function_agent import FunctionAgent
from nbagents.tools.tool.sample import Sample
from nbagents.tools.tool.toolset import toolset_of


def double(number: int) -> Any:
    return Result(str(2 * number), {"n": number})


async def later(number: int) -> int:
    await asyncio.sleep(0)
    return number


def told(tools: Any, *samples: Sample) -> str:
    with pytest.raises(AssertionError) as caught:
        check_samples(tools, samples)
    return str(caught.value)


def test_samples_that_hold_say_nothing() -> None:
    check_samples(double, [Sample("double", {"number": 2}, content="4", data={"n": 2})])
    check_samples([double, later], [Sample("later", {"number": 2}, content="2")])
    check_samples(Tool(double, ToolOptions(thread=True)), [Sample("double", {"number": 1})])


def test_each_sample_that_does_not_hold_says_what_it_gave() -> None:
    words = told(
        double,
        Sample("double", {"number": 1}, content="3", data={"n": 2}),
        Sample("double", {"number": 1}, content="2"),
        Sample("double", {"number": 1}, content=str.isalpha),
    )
    assert words.splitlines() == [
        "2 of 3 samples do not hold.",
        'double {"number":1}',
        "  content: expected '3'",
        "           got      '2'",
        "  data: expected {'n': 2}",
        "        got      {'n': 1}",
        'double {"number":1}',
        "  content: expected isalpha",
        "           got      '2'",
    ]


def test_a_call_that_fails_does_not_hold_unless_that_was_expected() -> None:
    assert "The arguments do not fit" in told(double, Sample("double", {"number": "x"}))
    assert "There is no tool 'triple'" in told(double, Sample("triple"))
    check_samples(double, [Sample("double", {}, content=lambda text: "required" in text)])


def test_the_prefix_of_a_toolset_may_be_left_out_where_one_tool_is_meant() -> None:
    both = [toolset_of("a", [double]), toolset_of("b", [double])]
    check_samples(both[0], [Sample("double", {"number": 1}, content="2")])
    check_samples(both, [Sample("b--double", {"number": 1}, content="2")])
    assert "There is no tool 'double'" in told(both, Sample("double", {"number": 1}))


def test_a_function_agent_brings_its_own_samples() -> None:
    sample = Sample("go", content="go Oslo", passthrough={"home": "Oslo"})

    def travel(func: str, data: dict[str, Any]) -> str:
        return f"{func} {data['home']}"

    agent = FunctionAgent("trip", travel, [{"name": "go"}], samples=[sample])
    check_samples(agent)
    check_samples([agent, double])


def test_without_samples_there_is_nothing_to_hold() -> None:
    with pytest.raises(ValueError, match="no samples"):
        check_samples(double)


def test_tables_and_arrays_are_compared_whole() -> None:
    def table() -> Any:
        return Result("a table", cities())

    def zeros() -> Any:
        return Result("zeros", np.zeros(3))

    check_samples(
        [table, zeros], [Sample("table", data=cities()), Sample("zeros", data=np.zeros(3))]
    )
    assert "data" in told(zeros, Sample("zeros", data=np.ones(3)))
    assert "data" in told(table, Sample("table", data=cities(4)))


def test_plain_functions_run_on_the_calling_thread_also_under_a_loop() -> None:
    def where() -> str:
        return threading.current_thread().name

    async def check() -> None:
        check_samples(where, [Sample("where", content=threading.current_thread().name)])

    asyncio.run(check())


def stop_soon(begun: threading.Event) -> None:
    begun.wait(10)
    time.sleep(0.05)  # until it waits: a signal just before that would be slept through
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


@pytest.mark.parametrize("under_a_loop", [False, True])
@pytest.mark.parametrize("is_async", [False, True])
def test_a_stop_ends_the_check_as_an_interrupt(*, under_a_loop: bool, is_async: bool) -> None:
    begun, ended = threading.Event(), threading.Event()

    def slow() -> None:
        begun.set()
        try:
            time.sleep(60)
        finally:
            ended.set()

    async def slow_async() -> None:
        begun.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    def check() -> None:
        stopping = threading.Thread(target=stop_soon, args=(begun,))
        stopping.start()
        tool = Tool(slow_async if is_async else slow, ToolOptions(name="slow"))
        with pytest.raises(KeyboardInterrupt):
            check_samples(tool, [Sample("slow")])
        stopping.join()

    async def checked() -> None:
        check()

    asyncio.run(checked()) if under_a_loop else check()
    assert ended.wait(10)
    check_samples(double, [Sample("double", {"number": 2}, content="4")])


def test_an_interrupt_by_the_person_ends_the_check() -> None:
    def stop() -> None:
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        check_samples(stop, [Sample("stop")])


@pytest.mark.parametrize("thread", [False, True])
def test_a_time_limit_holds(*, thread: bool) -> None:
    options = ToolOptions(name="slow", timeout_s=0.05, thread=thread)
    over = threading.Event()

    def slow() -> str:
        over.wait(60)
        return "too late"

    words = told(Tool(slow, options), Sample("slow"))
    over.set()
    assert "0.05" in words
    assert "too late" not in words


def test_it_does_not_wait_for_itself() -> None:
    async def check() -> None:
        check_samples(double, [Sample("double", {"number": 2})])

    words = told(check, Sample("check"))
    assert "would block the loop that it needs" in words
