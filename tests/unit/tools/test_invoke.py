"""One call, from what a model wrote to exactly one classified result."""

from __future__ import annotations

import asyncio
import concurrent.futures
import datetime as dt
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any

import pytest
from pydantic import AfterValidator, Field

from nbagents.errors import ToolArgumentsError, ToolError
from nbagents.messages import CallRequest
from nbagents.results import CallResult, Result
from nbagents.tools.context import Context
from nbagents.tools.invoke import PreparedCall, perform, prepare
from nbagents.tools.tool import Tool, ToolOptions
from nbagents.tools.toolbox import Toolbox

CTX = Context(run_id="run-1", call_id="call-1", tool_name="example")


class RecordingLanes:
    """Runs everything where it stands and writes down which lane was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def on_main(self, function: Callable[[], object]) -> object:
        self.asked.append("main")
        return function()

    async def in_thread(self, function: Callable[[], object]) -> object:
        self.asked.append("thread")
        return await asyncio.get_running_loop().run_in_executor(None, function)


@dataclass(frozen=True)
class Trial:
    """A call that was performed."""

    result: CallResult
    lanes: list[str]
    prepared: PreparedCall


def request(name: str, arguments: str) -> CallRequest:
    return CallRequest(id="call-1", name=name, arguments=arguments)


def performed(
    function: Callable[..., Any],
    arguments: str = "{}",
    options: ToolOptions | None = None,
    **more: Any,
) -> Trial:
    tool = Tool(function, options)
    lanes = RecordingLanes()
    prepared = prepare(request(tool.name, arguments), {tool.name: tool})
    return Trial(asyncio.run(perform(prepared, CTX, lanes, **more)), lanes.asked, prepared)


def failure(function: Callable[..., Any], arguments: str = "{}", **more: Any) -> tuple[str, str]:
    """Kind and message of the failure that the call must be."""
    result = performed(function, arguments, **more).result
    assert result.failure is not None
    assert result.content == result.failure.message
    assert result.status == ("timed_out" if result.failure.kind == "timeout" else "failed")
    return result.failure.kind, result.failure.message


def forecast(city: str, days: Annotated[int, Field(le=7)] = 3) -> str:
    return f"{city} {days}"


def test_a_plain_function_runs_on_the_main_lane() -> None:
    trial = performed(forecast, '{"city": "Rome"}')
    assert trial.result == CallResult(content="Rome 3")
    assert trial.lanes == ["main"]
    assert trial.prepared.arguments == {"city": "Rome"}


def test_a_threaded_function_runs_on_the_thread_lane() -> None:
    def where() -> str:
        return str(threading.current_thread() is threading.main_thread())

    trial = performed(where, options=ToolOptions(thread=True))
    assert (trial.result.content, trial.lanes) == ("False", ["thread"])


def test_an_async_function_is_awaited_without_a_lane() -> None:
    async def later(day: dt.date) -> int:
        await asyncio.sleep(0)
        return day.year

    trial = performed(later, '{"day": "2026-01-02"}')
    assert (trial.result.content, trial.lanes) == ("2026", [])


def test_a_plain_function_may_give_an_awaitable() -> None:
    async def later() -> str:
        return "done"

    def start() -> Awaitable[str]:
        return later()

    trial = performed(start)
    assert (trial.result.content, trial.lanes) == ("done", ["main"])


def test_the_result_is_made_on_the_lane_because_it_may_be_bound_to_the_thread() -> None:
    class Bound:
        def __str__(self) -> str:
            return threading.current_thread().name

    def give() -> Bound:
        return Bound()

    content = performed(give, options=ToolOptions(thread=True)).result.content
    assert content != threading.main_thread().name


def test_the_context_is_given() -> None:
    def who(ctx: Context) -> str:
        return f"{ctx.run_id} {ctx.call_id}"

    assert performed(who).result.content == "run-1 call-1"


@pytest.mark.parametrize("arguments", ["", "  ", "{}"])
def test_no_arguments_may_be_written_as_nothing(arguments: str) -> None:
    def now() -> str:
        return "now"

    assert performed(now, arguments).result.content == "now"


def test_arguments_may_be_changed_between_prepare_and_perform() -> None:
    tool = Tool(forecast)
    prepared = prepare(request("forecast", '{"city": "Rome"}'), {"forecast": tool})
    changed = replace(prepared, arguments={"city": "Oslo", "days": 1})
    assert asyncio.run(perform(changed, CTX, RecordingLanes())).content == "Oslo 1"


def test_null_for_an_optional_parameter_means_its_default() -> None:
    assert performed(forecast, '{"city": "Rome", "days": null}').result.content == "Rome 3"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("{", "no valid JSON"),
        ('{"city": "Rome"} and more', "no valid JSON"),
        ('{"city": "\\ud800"}', "no valid JSON"),
        ("[1]", "no JSON object"),
        ("null", "no JSON object"),
        ('"Rome"', "no JSON object"),
        ("[" * 5000, "no valid JSON"),
    ],
)
def test_arguments_that_are_no_object_are_told(arguments: str, words: str) -> None:
    kind, message = failure(forecast, arguments)
    assert kind == "invalid_call"
    assert words in message


def test_the_raw_text_is_kept_where_it_is_no_json() -> None:
    assert performed(forecast, "{oops").prepared.arguments == "{oops"


def test_arguments_that_do_not_fit_are_told_field_by_field() -> None:
    result = performed(forecast, '{"citty": "Rome", "days": 9}').result
    assert result.failure is not None
    assert (result.failure.kind, result.failure.recovery) == ("invalid_call", "correct_call")
    assert {(one.field, one.constraint) for one in result.failure.issues} == {
        ("city", "missing"),
        ("citty", "extra_forbidden"),
        ("days", "less_than_equal"),
    }
    assert "Did you mean 'city'?" in result.content
    assert "- days: Input should be less than or equal to 7; given: 9" in result.content


def test_an_unknown_tool_is_told_with_close_names() -> None:
    box = Toolbox()
    box.add(Tool(forecast))
    for offered in (box, {"forecast": box["forecast"]}):
        prepared = prepare(request("forecst", "{}"), offered)
        assert prepared.tool is None
        result = asyncio.run(perform(prepared, CTX, RecordingLanes()))
        assert result.failure is not None
        assert (result.failure.kind, result.failure.recovery) == ("invalid_call", "correct_call")
        assert result.content == "There is no tool 'forecst'. Did you mean 'forecast'?"


def test_an_unknown_tool_among_none_asks_for_another_plan() -> None:
    prepared = prepare(request("forecast", "{}"), {})
    assert prepared.failure is not None
    assert prepared.failure.recovery == "replan"


def test_nothing_runs_when_the_arguments_do_not_fit() -> None:
    assert performed(forecast, '{"days": 9}').lanes == []


def test_a_tool_error_is_the_tools_own_word_to_the_model() -> None:
    def book() -> None:
        raise ToolError("No room is free on that day.")

    result = performed(book).result
    assert result.failure is not None
    assert (result.failure.kind, result.failure.recovery) == ("domain_rejection", "correct_call")
    assert result.content == "No room is free on that day."
    assert result.failure.debug_message is None


def test_an_exception_is_told_by_type_and_text_and_its_traceback_is_for_the_person() -> None:
    def divide(a: int) -> float:
        return a / 0

    result = performed(divide, '{"a": 1}').result
    assert result.failure is not None
    assert (result.failure.kind, result.failure.recovery) == ("internal", "replan")
    assert result.content == "ZeroDivisionError: division by zero"
    assert "return a / 0" in str(result.failure.debug_message)
    assert "nbagents/tools" not in str(result.failure.debug_message)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (TimeoutError("slow"), "timeout"),
        (ConnectionRefusedError("no"), "unavailable"),
        (ToolArgumentsError("not so"), "invalid_call"),
        (FileNotFoundError("x"), "internal"),
        (StopIteration("x"), "internal"),
        (SystemExit(1), "internal"),
        (GeneratorExit("x"), "internal"),
        (RecursionError("x"), "internal"),
        (MemoryError(), "internal"),
    ],
    ids=lambda one: type(one).__name__,
)
@pytest.mark.parametrize("lane", ["main", "thread", "async"])
def test_whatever_a_tool_raises_is_one_result(error: BaseException, kind: str, lane: str) -> None:
    def fail() -> None:
        raise error

    async def fail_later() -> None:
        raise error

    function = fail_later if lane == "async" else fail
    assert failure(function, options=ToolOptions(name="f", thread=lane == "thread"))[0] == kind


def test_an_interrupt_and_a_cancellation_go_through() -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    async def wait() -> None:
        await asyncio.sleep(60)

    async def cancelled() -> None:
        tool = Tool(wait)
        call = prepare(request("wait", "{}"), {"wait": tool})
        task = asyncio.create_task(perform(call, CTX, RecordingLanes()))
        await asyncio.sleep(0.01)
        task.cancel()
        await task

    with pytest.raises(KeyboardInterrupt):
        performed(stop)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())


def test_a_cancelled_task_inside_of_a_tool_does_not_cancel_the_run() -> None:
    async def outer() -> None:
        inner = asyncio.create_task(asyncio.sleep(60))
        inner.cancel()
        await inner

    def future() -> None:
        made: concurrent.futures.Future[None] = concurrent.futures.Future()
        made.cancel()
        made.result()

    assert failure(outer) == ("internal", "CancelledError")
    assert failure(future) == ("internal", "CancelledError")


def test_an_error_in_a_group_is_told_as_itself() -> None:
    async def outer() -> None:
        async def inner() -> None:
            raise ConnectionResetError("gone")

        async with asyncio.TaskGroup() as group:
            group.create_task(inner())

    assert failure(outer) == ("unavailable", "ConnectionResetError: gone")


def test_a_validator_that_breaks_is_one_result() -> None:
    def odd(value: Any) -> Any:
        raise KeyError("broken")

    def take(x: Annotated[int, AfterValidator(odd)]) -> None: ...

    assert failure(take, '{"x": 1}')[0] == "internal"


def test_a_tool_that_cannot_be_read_is_one_result() -> None:
    def plot(frame: threading.Thread) -> None: ...

    kind, message = failure(plot, '{"frame": 1}')
    assert kind == "internal"
    assert "'frame'" in message


def test_lanes_that_break_are_one_result() -> None:
    class Closed:
        async def on_main(self, function: Callable[[], object]) -> object:
            raise RuntimeError("closed")

        in_thread = on_main

    call = prepare(request("forecast", '{"city": "a"}'), {"forecast": Tool(forecast)})
    result = asyncio.run(perform(call, CTX, Closed()))
    assert result.content == "RuntimeError: closed"


def test_a_result_that_cannot_be_read_is_malformed() -> None:
    class Broken:
        def __str__(self) -> str:
            raise ValueError("no text")

    def give() -> Any:
        return Broken()

    def show() -> Any:
        return Result("fine", data={"kind": "x", "value": Broken()})

    for one in (give, show):
        result = performed(one).result
        assert result.failure is not None
        assert result.failure.kind == "malformed_result"


def test_an_async_tool_that_takes_too_long_is_stopped() -> None:
    ended: list[str] = []

    async def sleep() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append("stopped")
            raise

    kind, message = failure(sleep, options=ToolOptions(timeout_s=0.02))
    assert (kind, message) == ("timeout", "'sleep' took longer than 0.02 s.")
    assert ended == ["stopped"]


def test_a_thread_that_takes_too_long_may_still_run_and_that_is_said() -> None:
    def sleep() -> None:
        time.sleep(0.2)

    kind, message = failure(sleep, options=ToolOptions(timeout_s=0.02, thread=True))
    assert kind == "timeout"
    assert "may still be running" in message


def test_a_tools_own_timeout_is_not_taken_for_ours() -> None:
    async def ask() -> None:
        raise TimeoutError("the server is slow")

    kind, message = failure(ask, options=ToolOptions(timeout_s=60))
    assert (kind, message) == ("timeout", "TimeoutError: the server is slow")


def test_a_large_result_is_cut_and_says_how_much_is_missing() -> None:
    def read() -> str:
        return "x" * 1_000

    result = performed(read, max_content=100).result
    assert result.content.startswith("x" * 100 + "\n[Cut")
    assert "900 are missing" in result.content
    assert result.bounds is not None
    assert (result.bounds.returned, result.bounds.total, result.bounds.truncated) == (
        100,
        1000,
        True,
    )


def test_a_command_does_not_ask_for_another_step_but_its_failure_does() -> None:
    def move(*, fail: bool = False) -> str:
        if fail:
            raise ToolError("stuck")
        return "moved"

    command = ToolOptions(command=True)
    assert performed(move, options=command).result.has_next is False
    assert performed(move, '{"fail": true}', options=command).result.has_next is None
    assert performed(move).result.has_next is None


def test_a_simple_call_costs_well_under_a_hundred_microseconds() -> None:
    tool = Tool(forecast)
    lanes = RecordingLanes()
    offered = {"forecast": tool}
    asked = request("forecast", '{"city": "Rome", "days": 5}')

    async def many(count: int) -> float:
        began = time.perf_counter()
        for _ in range(count):
            await perform(prepare(asked, offered), CTX, lanes)
        return (time.perf_counter() - began) / count

    asyncio.run(many(10))  # builds the schema
    assert min(asyncio.run(many(300)) for _ in range(5)) < 100e-6
