"""Performs calls as a run does, for the tests of invoking."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from nbagents.messages import CallRequest
from nbagents.results import CallResult
from nbagents.runs.lanes.workers import in_thread
from nbagents.tools.call.invocation import PreparedCall, perform, prepare
from nbagents.tools.context.context import Context
from nbagents.tools.tool.definition import Tool, ToolOptions

CTX = Context(CallRequest(id="call-1", name="example", arguments="{}"), run_id="run-1")


class RecordingLanes:
    """Runs everything where it stands and writes down which lane was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def on_main(
        self, function: Callable[[], object], timeout_s: float | None = None
    ) -> object:
        self.asked.append("main")
        return function()

    async def in_thread(
        self, function: Callable[[], object], timeout_s: float | None = None
    ) -> object:
        self.asked.append("thread")
        return await in_thread(function, timeout_s)


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
