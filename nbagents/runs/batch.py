"""The calls of one step: made together, answered in call order, each exactly once."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from nbagents.events import ToolEnd, ToolStart, ToolUpdate
from nbagents.identity import elapsed_ms, tick_s
from nbagents.messages import CallRequest
from nbagents.results import CallResult
from nbagents.runs.budget import Budget
from nbagents.runs.consent import Consent
from nbagents.runs.lanes import Lane
from nbagents.runs.output import CallOutput
from nbagents.runs.waiting import InTurn
from nbagents.tools.binding import Bound
from nbagents.tools.capture import capturing
from nbagents.tools.context import Context
from nbagents.tools.failures import failure_of
from nbagents.tools.invoke import PreparedCall, perform, prepare
from nbagents.tools.names import split_name
from nbagents.tools.outcome import failed_result
from nbagents.tools.toolbox import toolbox

if TYPE_CHECKING:
    from collections.abc import Coroutine, Mapping, Sequence

    from nbagents.models.model import HostedCall
    from nbagents.runs.host import Host
    from nbagents.runs.record import Run
    from nbagents.tools.handles import Handles
    from nbagents.tools.invoke import Lanes
    from nbagents.tools.tool import Tool

__all__ = ["FAILED", "STOPPED", "UNSAID", "Batch", "Surroundings"]

CANCELLED = "Cancelled before this call {when}: {why}."
STOPPED = "the person stopped the run"
FAILED = "the run failed"
UNSAID = "the model's answer does not say how it ended"
NO_CELL = ("source:", "module:")
"""How the ids of origins begin which no front end has given."""
STILL_RUNNING = " It runs on a thread that cannot be stopped, and may still be running."


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What the calls of a run have around them."""

    lanes: Lanes
    """Which thread they run on."""
    host: Host
    """Who is asked before a call that a person must confirm."""
    passthrough: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Any])
    """What each toolset is handed past the model."""
    is_parallel: bool = True
    """Whether the calls of one step are made together; else one after the other."""


@dataclass(slots=True)
class _OpenCall:
    """A call that has no result yet."""

    prepared: PreparedCall
    output: CallOutput
    handles: Handles
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
        around: What the calls have around them.
    """

    def __init__(self, run: Run, offered: Mapping[str, Tool], around: Surroundings) -> None:
        self._run = run
        self._offered = offered
        self._around = around
        self._budget = Budget()
        self._consent = Consent(run, around.host, around.lanes)
        self._open: dict[str, _OpenCall] = {}
        self._results: dict[str, CallResult] = {}
        self._cells: dict[str, str | None] = {}

    async def make(self, requests: Sequence[CallRequest]) -> list[CallResult]:
        """Make these calls together: the main thread's one after the other, all others at once.

        A call's start is in the log before its tool runs, and no earlier: after a crash, what was
        never started can be told from what may have happened.

        Raises:
            asyncio.CancelledError: The run was stopped, or one of its tools was interrupted.
            Exception: What a tool raised that says `on_error=None`.
        """
        calls = [self._opened(prepare(request, self._offered)) for request in requests]
        for call in calls:
            self._open[call.id] = call
        alone = len(calls) == 1 or not self._around.is_parallel
        if len(calls) > 1:
            await self._make_all(calls, alone=alone)
        else:
            await self._one_by_one(calls)
        return [self._results[request.id] for request in requests]

    async def _make_all(self, calls: Sequence[_OpenCall], *, alone: bool) -> None:
        ordered = self._run.handles.in_order(len(calls))
        for call, handles in zip(calls, ordered, strict=True):
            call.handles = handles
        try:
            await self._split(calls, alone=alone)
        finally:
            self._run.handles.release(ordered)

    async def _split(self, calls: Sequence[_OpenCall], *, alone: bool) -> None:
        """Make what must wait its turn one by one, and beside it all the rest at once."""
        queued: list[_OpenCall] = []
        at_once: list[_OpenCall] = []
        for call in calls:
            if alone or self._is_in_line(call):
                queued.append(call)
            elif not self._is_spent(call):
                at_once.append(call)
        if not at_once:
            await self._one_by_one(queued)
        else:
            await self._start(at_once)
            await _together([*map(self._finish, at_once), self._one_by_one(queued)])

    def _is_in_line(self, call: _OpenCall) -> bool:
        """Whether it waits for the calls before it: for the main thread, or for the person."""
        return call.is_for_main or self._consent.is_needed(call.prepared)

    def hosted(self, part: HostedCall) -> None:
        """Write down a call that the provider makes itself."""
        call = self._open.get(part.id)
        if call is None:
            call = self._opened(_hosted(part, self._offered))
            call.started_s = tick_s()
            self._open[part.id] = call
            self._tell_start(call)
        if part.result is not None:
            self._end(call, part.result)

    def told_of(self, call_id: str) -> CallResult:
        """What the model is told of a call."""
        content = CANCELLED.format(when="started", why=FAILED)
        return self._results.get(call_id) or CallResult(content=content, status="cancelled")

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
            if self._is_spent(call):
                continue
            refused = None
            if self._consent.is_needed(call.prepared) and self._fits(call):
                refused = await self._consent.refusal(call.prepared)
            if refused is not None:
                self._end(call, refused)
                continue
            lane = self._around.lanes
            if call.is_for_main and isinstance(lane, Lane) and lane.takes_turns:
                await self._finish(call, self._in_turn(call, lane))
                continue
            await self._start([call])
            await self._finish(call)

    def _is_spent(self, call: _OpenCall) -> bool:
        """Whether the tool has failed too often to be called again; then the call has ended."""
        refusal = self._budget.refusal(call.tool)
        if refusal is not None:
            self._end(call, failed_result(refusal))
        return refusal is not None

    async def _start(self, calls: Sequence[_OpenCall]) -> None:
        for call in calls:
            call.started_s = tick_s()
            self._tell_start(call)
        await self._run.session.log.committed()

    def _in_turn(self, call: _OpenCall, lane: Lane) -> InTurn:
        """The lanes of a call that begins when its turn on the main thread comes."""
        lock = self._run.session.lock  # so that nothing is said of a wait that is over

        def say(what: str) -> None:
            with lock:
                if call.started_s is None and not call.output.is_over:
                    self._tell_wait(call, f"Waiting for {what}")

        def begin() -> None:
            with lock:
                self._begin(call)
            self._run.session.log.flush()

        return InTurn(lane, say, begin)

    def _begin(self, call: _OpenCall) -> None:
        if call.started_s is None:  # and not when it is made again
            call.started_s = tick_s()
            self._tell_start(call)

    def _tell_wait(self, call: _OpenCall, message: str) -> None:
        request = call.prepared.request
        self._run.emit(
            lambda stamp: ToolUpdate(
                **stamp,
                tool_call_id=request.id,
                tool_name=request.name,
                message=message,
                fraction=None,
            )
        )

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
                cell_id=tool and self._cell_id(tool),
            )
        )

    def _cell_id(self, tool: Tool) -> str | None:
        if tool.name not in self._cells:  # looked up once
            self._cells[tool.name] = _cell_of(tool)
        return self._cells[tool.name]

    async def _finish(self, call: _OpenCall, lanes: Lanes | None = None) -> None:
        """Make a call, again where that may help, and write down how it ended.

        Raises:
            Exception: What the tool raised, if it says `on_error=None`.
        """
        try:
            while True:
                result = await self._performed(call, lanes or self._around.lanes)
                wait_s = self._budget.wait_s(call.tool, result)
                if wait_s is None:
                    break
                call.output.progress(f"{result.content} Trying again.")
                await asyncio.sleep(wait_s)
        except Exception as error:
            self._begin(call)
            self._end(call, failed_result(failure_of(error)))
            raise
        self._begin(call)  # also what never came as far as its turn, e.g. for its arguments
        self._end(call, self._budget.told(call.tool, result))

    async def _performed(self, call: _OpenCall, lanes: Lanes) -> CallResult:
        with capturing(call.output):
            return await perform(call.prepared, self._context(call), lanes)

    def _end(self, call: _OpenCall, result: CallResult) -> None:
        request = call.prepared.request
        if self._open.pop(request.id, None) is None:
            return
        self._results[request.id] = result
        self._run.keep(request.id, request.name, result)
        for index, payload in enumerate(result.payloads):
            call.output.show(payload, f"result-{index}")
        call.output.end()
        self._run.emit(
            lambda stamp: ToolEnd(
                **stamp,
                tool_call_id=request.id,
                tool_name=request.name,
                call_run_id=self._run.id,
                status=result.status,
                content=result.content,
                preview=result.preview,
                handle=result.handle,
                has_next=result.has_next,
                failure=result.failure,
                bounds=result.bounds,
                duration_ms=0.0 if call.started_s is None else elapsed_ms(call.started_s),
            )
        )

    def _opened(self, prepared: PreparedCall) -> _OpenCall:
        echoes = not self._around.host.shows_output
        output = CallOutput(self._run, prepared.request, echoes=echoes)
        return _OpenCall(prepared, output, self._run.handles)

    def _fits(self, call: _OpenCall) -> bool:
        """Whether the call can be made at all, so that it is worth asking about."""
        tool = call.tool
        if tool is None:
            return False
        try:
            return isinstance(tool.bind(call.prepared.arguments, self._context(call)), Bound)
        except Exception:  # noqa: BLE001  a tool's own types may raise; the call will tell of it
            return False

    def _context(self, call: _OpenCall) -> Context:
        request, run = call.prepared.request, self._run
        return Context(
            request,
            run_id=run.id,
            agent_name=run.agent_name,
            labels=run.labels,
            passthrough=self._side_data(call),
            handles=call.handles,
            output=call.output,
        )

    def _side_data(self, call: _OpenCall) -> Mapping[str, Any]:
        """By the toolset's name now, else by the one that it had before a view renamed it."""
        name, tool, given = call.prepared.request.name, call.tool, self._around.passthrough
        now, before = split_name(name)[0] or name, tool and tool.original_toolset
        return given.get(now, given.get(before or now, {}))


def _hosted(part: HostedCall, offered: Mapping[str, Tool]) -> PreparedCall:
    request = CallRequest(id=part.id, name=part.name, arguments="")
    return PreparedCall(request=request, tool=offered.get(part.name), arguments=part.arguments)


def _cell_of(tool: Tool) -> str | None:
    """The cell that defines a tool now, by the id that the front end knows it by."""
    if tool.name not in tuple(toolbox) or toolbox[tool.name].function is not tool.function:
        return None
    cell_id = toolbox.origin(tool.name).cell_id
    return None if cell_id.startswith(NO_CELL) else cell_id


async def _together(making: Sequence[Coroutine[None, None, None]]) -> None:
    """Run all; when one raises, or is cancelled, so are the others."""
    tasks = [asyncio.ensure_future(one) for one in making]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        for task in tasks:  # in call order: `done` is a set
            if task in done:
                task.result()  # raises what a call raised
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)  # so that asyncio complains of none
