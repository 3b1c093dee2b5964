"""The calls of one step: made together, answered in call order, each exactly once."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbagents.events import ToolData, ToolEnd, ToolOutputDelta, ToolStart, ToolUpdate
from nbagents.identity import elapsed_ms, tick_s
from nbagents.results import CallResult
from nbagents.tools.context import Context
from nbagents.tools.invoke import PreparedCall, perform, prepare

if TYPE_CHECKING:
    from collections.abc import Coroutine, Mapping, Sequence

    from nbagents.messages import CallRequest
    from nbagents.results import Payload
    from nbagents.runs.record import Run
    from nbagents.tools.invoke import Lanes
    from nbagents.tools.tool import Tool

__all__ = ["FAILED", "STOPPED", "Batch"]

CANCELLED = "Cancelled before this call {when}: {why}."
STOPPED = "the person stopped the run"
FAILED = "the run failed"
STILL_RUNNING = " It runs on a thread that cannot be stopped, and may still be running."


@dataclass(slots=True)
class _OpenCall:
    """A call that has no result yet."""

    prepared: PreparedCall
    started_s: float | None = None

    @property
    def id(self) -> str:
        return self.prepared.request.id

    @property
    def tool(self) -> Tool | None:
        return self.prepared.tool

    @property
    def is_for_main(self) -> bool:
        """Whether it waits for the one main thread."""
        tool = self.tool
        return tool is not None and not tool.is_async and not tool.thread


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
        self._open: dict[str, _OpenCall] = {}
        self._results: dict[str, CallResult] = {}

    async def make(self, requests: Sequence[CallRequest]) -> list[CallResult]:
        """Make these calls together: the main thread's one after the other, all others at once.

        A call's start is in the log before its tool runs, and no earlier: after a crash, what was
        never started can be told from what may have happened.

        Raises:
            asyncio.CancelledError: The run was stopped, or one of its tools was interrupted.
        """
        calls = [_OpenCall(prepare(request, self._offered)) for request in requests]
        for call in calls:
            self._open[call.id] = call
        queued = [call for call in calls if call.is_for_main]
        at_once = [call for call in calls if not call.is_for_main]
        if len(calls) == 1:
            await self._one_by_one(calls)
        else:
            await self._start(at_once)
            await _together([*map(self._finish, at_once), self._one_by_one(queued)])
        return [self._results[request.id] for request in requests]

    def told_of(self, call_id: str) -> tuple[str, bool]:
        """What the model is told of a call, and whether it failed."""
        result = self._results.get(call_id)
        if result is None:
            return CANCELLED.format(when="started", why=FAILED), True
        return result.content, result.status != "done"

    def close_open_calls(self, why: str) -> None:
        """Give each call that is still open its one result: cancelled."""
        for call in tuple(self._open.values()):
            when = "started" if call.started_s is None else "ended"
            content = CANCELLED.format(when=when, why=why)
            if call.started_s is not None and call.tool is not None and call.tool.thread:
                content += STILL_RUNNING
            self._end(call, CallResult(content=content, status="cancelled"))

    async def _one_by_one(self, calls: Sequence[_OpenCall]) -> None:
        for call in calls:
            await self._start([call])
            await self._finish(call)

    async def _start(self, calls: Sequence[_OpenCall]) -> None:
        for call in calls:
            call.started_s = tick_s()
            self._tell_start(call)
        await self._run.session.log.committed()

    def _tell_start(self, call: _OpenCall) -> None:
        request, tool = call.prepared.request, call.tool
        self._run.emit(
            lambda stamp: ToolStart(
                **stamp,
                tool_call_id=request.id,
                tool_name=request.name,
                arguments=call.prepared.arguments,
                display_hint=tool and tool.title,
                source_hash=tool and tool.source_hash,
            )
        )

    async def _finish(self, call: _OpenCall) -> None:
        self._end(call, await perform(call.prepared, self._context(call.prepared), self._lanes))

    def _end(self, call: _OpenCall, result: CallResult) -> None:
        request = call.prepared.request
        if self._open.pop(request.id, None) is None:
            return
        self._results[request.id] = result
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
                duration_ms=0.0 if call.started_s is None else elapsed_ms(call.started_s),
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


async def _together(making: Sequence[Coroutine[None, None, None]]) -> None:
    """Run all; when one raises, or is cancelled, so are the others."""
    tasks = [asyncio.ensure_future(one) for one in making]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()  # raises what a call raised
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
