"""What a tool does wrong is one classified result, and what takes too long is too."""

from __future__ import annotations

import asyncio
import concurrent.futures
import time
from collections.abc import Callable
from typing import Annotated, Any

import pytest
from pydantic import AfterValidator
from trials import CTX, RecordingLanes, failure, forecast, performed, request

from nbagents.errors import ToolArgumentsError, ToolError
from nbagents.tools.call.invocation import perform, prepare
from nbagents.tools.context.interrupts import interruption
from nbagents.tools.tool.definition import Tool, ToolOptions


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
        (KeyboardInterrupt("x"), "internal"),
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


def test_an_interrupt_and_a_cancellation_end_the_run() -> None:
    def stop() -> None:
        raise interruption()

    async def wait() -> None:
        await asyncio.sleep(60)

    async def cancelled() -> None:
        tool = Tool(wait)
        call = prepare(request("wait", "{}"), {"wait": tool})
        task = asyncio.create_task(perform(call, CTX, RecordingLanes()))
        await asyncio.sleep(0.01)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
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
    def plot(frame: object) -> None: ...

    plot.__annotations__["frame"] = "Nowhere"
    kind, message = failure(plot, '{"frame": 1}')
    assert kind == "internal"
    assert "'frame'" in message


def test_lanes_that_break_are_one_result() -> None:
    class Closed:
        async def on_main(
            self, function: Callable[[], object], timeout_s: float | None = None
        ) -> object:
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

    result = performed(give).result
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
    assert (kind, message) == ("timeout", "The tool took longer than 0.02 s.")
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
