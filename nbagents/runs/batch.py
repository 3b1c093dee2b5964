"""The calls of one step: made together, answered in call order, each exactly once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from nbagents.events import ToolData, ToolEnd, ToolOutputDelta, ToolStart, ToolUpdate
from nbagents.identity import elapsed_ms, tick_s
from nbagents.results import CallResult
from nbagents.tools.context import Context
from nbagents.tools.invoke import PreparedCall, perform, prepare

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nbagents.messages import CallRequest
    from nbagents.results import Payload
    from nbagents.runs.record import Run
    from nbagents.tools.invoke import Lanes
    from nbagents.tools.tool import Tool

__all__ = ["Batch"]

STOPPED = "Cancelled: the person stopped the run before this call ended."
NEVER_STARTED = "Cancelled: the person stopped the run before this call started."
STILL_RUNNING = " It runs on a thread that cannot be stopped, and may still be running."


class Batch:
    """Makes the calls of a run.

    Args:
        run: What it is written into.
        offered: The tools, by name.
        lanes: Which thread the calls run on.
    """

    def __init__(self, run: Run, offered: Mapping[str, Tool], lanes: Lanes) -> None:
        self._run = run
        self._offered = offered
        self._lanes = lanes
        self._open: dict[str, tuple[PreparedCall, float]] = {}
        self._contents: dict[str, str] = {}

    async def make(self, requests: Sequence[CallRequest]) -> list[CallResult]:
        """Make these calls together.

        Raises:
            asyncio.CancelledError: The run was stopped, or one of its tools was interrupted.
        """
        calls = [prepare(request, self._offered) for request in requests]
        for call in calls:
            self._start(call)
        await self._run.session.log.committed()
        if len(calls) == 1:
            return [await self._finish(calls[0])]
        tasks = [asyncio.ensure_future(self._finish(call)) for call in calls]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
            for task in done:
                task.result()  # raises what a call raised
            return [task.result() for task in tasks]
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    def content_of(self, call_id: str) -> str:
        """What the model is told of a call, also of one that never ended."""
        return self._contents.get(call_id, NEVER_STARTED)

    def close_open_calls(self) -> None:
        """Give each call that is still open its one result: cancelled."""
        for call, started_s in tuple(self._open.values()):
            is_thread = call.tool is not None and call.tool.thread
            content = STOPPED + (STILL_RUNNING if is_thread else "")
            self._end(call, CallResult(content=content, status="cancelled"), started_s)

    def _start(self, call: PreparedCall) -> None:
        request, tool = call.request, call.tool
        self._open[request.id] = (call, tick_s())
        self._run.emit(
            lambda stamp: ToolStart(
                **stamp,
                tool_call_id=request.id,
                tool_name=request.name,
                arguments=call.arguments,
                display_hint=tool and tool.title,
                source_hash=tool and tool.source_hash,
            )
        )

    async def _finish(self, call: PreparedCall) -> CallResult:
        started_s = tick_s()
        result = await perform(call, self._context(call), self._lanes)
        self._end(call, result, started_s)
        return result

    def _end(self, call: PreparedCall, result: CallResult, started_s: float) -> None:
        request = call.request
        if self._open.pop(request.id, None) is None:
            return
        self._contents[request.id] = result.content
        if result.data is not None:
            self._run.keep(request.id, result.data)
        for index, payload in enumerate(result.payloads):
            self._show(request, payload, f"{request.id}/{index}")
        self._run.emit(
            lambda stamp: ToolEnd(
                **stamp,
                tool_call_id=request.id,
                tool_name=request.name,
                call_run_id=self._run.id,
                status=result.status,
                content=result.content,
                preview=result.preview,
                has_next=result.has_next,
                failure=result.failure,
                bounds=result.bounds,
                duration_ms=elapsed_ms(started_s),
            )
        )

    def _context(self, call: PreparedCall) -> Context:
        request, run = call.request, self._run
        return Context(
            run_id=run.id,
            call_id=request.id,
            tool_name=request.name,
            agent_name=run.agent_name,
            labels=run.labels,
            on_progress=lambda message, fraction: self._progress(request, message, fraction),
            on_log=lambda text: self._log(request, text),
            on_show=lambda payload, name: self._show(request, payload, f"{request.id}/{name}"),
        )

    def _progress(self, request: CallRequest, message: str, fraction: float | None) -> None:
        self._run.emit(
            lambda stamp: ToolUpdate(
                **stamp,
                tool_call_id=request.id,
                tool_name=request.name,
                message=message,
                fraction=fraction,
            )
        )

    def _log(self, request: CallRequest, text: str) -> None:
        self._run.emit(
            lambda stamp: ToolOutputDelta(
                **stamp,
                tool_call_id=request.id,
                tool_name=request.name,
                stream="log",
                text=text if text.endswith("\n") else text + "\n",
            )
        )

    def _show(self, request: CallRequest, payload: Payload, payload_id: str) -> None:
        self._run.emit(
            lambda stamp: ToolData(
                **stamp,
                tool_call_id=request.id,
                tool_name=request.name,
                payload_id=payload_id,
                payload=payload,
            )
        )
