"""The calls of one step: made together, answered in call order, each exactly once.

Long: a call goes through what stands here, from its request to its one result.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from nbagents.events import ToolEnd, ToolStart
from nbagents.identity import stopwatch, tick_s
from nbagents.messages import CallRequest
from nbagents.results import CallResult
from nbagents.runs.drive.calls.call_output import CallOutput
from nbagents.runs.drive.calls.child_run import Inside
from nbagents.runs.drive.calls.open_call import OpenCall
from nbagents.runs.drive.calls.recorded_call import made_or_given
from nbagents.runs.drive.step_pauses import calls_pause
from nbagents.runs.lanes import InTurn, Lane, ended, together
from nbagents.runs.plan import cell_of, context_of
from nbagents.runs.policy import Budget, check_tool_output
from nbagents.tools.call import (
    PreparedCall,
    Suspended,
    failed_result,
    failure_of,
    one_line,
    prepare,
)
from nbagents.tools.context import capturing
from nbagents.tools.tool import split_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nbagents.models.model import HostedCall
    from nbagents.runs.drive.calls.surroundings import Surroundings
    from nbagents.runs.people import Settling, Stepper
    from nbagents.runs.state import Run
    from nbagents.tools.call import Lanes
    from nbagents.tools.context import Context
    from nbagents.tools.tool import Tool
    from nbagents.tools.values import Handles

CANCELLED = "Cancelled before this call {when}: {why}."
FAILED = "the run failed"
UNSAID = "the model's answer does not say how it ended"
STILL_RUNNING = " It runs on a thread that cannot be stopped, and may still be running."


class Batch:
    """Makes the calls of a run.

    Args:
        run: What it is written into.
        offered: Gives the tools that calls may be of now, by name.
        around: What the calls have around them.
        settling: Settles what must be before they are made.
        stepper: Shows them before they are made, in step mode.
    """

    def __init__(
        self,
        run: Run,
        offered: Callable[[], Mapping[str, Tool]],
        around: Surroundings,
        settling: Settling,
        stepper: Stepper,
    ) -> None:
        self.is_suspended = False
        """Whether a call waits for a person who is not there: then the run is to end."""
        self._run = run
        self._offered = offered
        self._around = around
        self._budget = Budget()
        self._settling = settling
        self._stepper = stepper
        self._open: dict[str, OpenCall] = {}
        self._cell_of = cache(cell_of)
        self._elapsed_ms = stopwatch()

    async def make(
        self,
        requests: Sequence[CallRequest],
        offered: Mapping[str, Tool] | None = None,
    ) -> list[CallResult]:
        """Make these calls together: the main thread's one after the other, all others at once.

        A call's start is in the log before its tool runs, and no earlier: after a crash, what was
        never started can be told from what may have happened.

        Args:
            requests: The calls.
            offered: The tools that they may be of, by name; by default those that are offered.

        Raises:
            asyncio.CancelledError: The run was stopped, or one of its tools was interrupted.
            Suspended: A call waits for a person; all others have ended.
            Exception: What a tool raised that says `on_error=None`.
        """
        tools, known = self._offered() if offered is None else offered, self._run.results
        calls = [
            self._opened(prepare(request, tools)) for request in requests if request.id not in known
        ]
        for call in calls:
            self._open[call.id] = call
        if self._stepper.waits:
            calls = await self._stepped(calls)
        alone = len(calls) == 1 or not self._around.is_parallel
        if len(calls) > 1:
            await self._make_all(calls, alone=alone)
        else:
            await self._one_by_one(calls)
        if self.is_suspended:
            raise Suspended
        return [known[request.id] for request in requests]

    async def _stepped(self, calls: Sequence[OpenCall]) -> Sequence[OpenCall]:
        """Those that are still to be made when somebody has looked at them, in step mode."""
        try:
            looked_at = {one.id for one in calls if self._settling.was_settled(one.prepared)}
            made = await self._stepper.before_calls(
                [one for one in calls if one.id not in looked_at],
                partial(calls_pause, self._run),
                lambda one: self._context(one, one.handles),
                self._end,
            )
            kept = looked_at | {one.id for one in made}
            return [one for one in calls if one.id in kept]
        except Suspended:
            self.is_suspended = True
            raise

    def stop_call(self, call_id: str, cause: str) -> None:
        """Stop one call; on the loop."""
        call = self._open.get(call_id)
        if call is not None:
            call.stop(cause)

    async def _make_all(self, calls: Sequence[OpenCall], *, alone: bool) -> None:
        free = [call for call in calls if call.handles is self._run.handles]
        ordered = self._run.handles.in_order(len(free))
        for call, handles in zip(free, ordered, strict=True):
            call.handles = handles
        try:
            await self._split(calls, alone=alone)
        finally:
            self._run.handles.release(ordered)

    async def _split(self, calls: Sequence[OpenCall], *, alone: bool) -> None:
        """Make what must wait its turn one by one, and beside it all the rest at once."""
        queued: list[OpenCall] = []
        at_once: list[OpenCall] = []
        settling: list[OpenCall] = []
        for call in calls:
            if self._settling.is_open(call.prepared):
                settling.append(call)
                if not alone:  # a person is asked about all of them together
                    call.settling = asyncio.ensure_future(self._settle(call))
            if alone or call.is_for_main:
                queued.append(call)
            elif call.settling is None and not self._is_spent(call):
                at_once.append(call)
        later = [call for call in settling if not alone and not call.is_for_main]
        try:
            if not at_once and not later:
                await self._one_by_one(queued)
            else:
                await self._start(at_once)
                waiting = [self._one_by_one([call]) for call in later]
                await together([*map(self._finish, at_once), *waiting, self._one_by_one(queued)])
        finally:  # what is asked about calls whose turn never came is asked no more
            await ended([call.settling for call in settling if call.settling is not None])

    def hosted(self, part: HostedCall) -> None:
        """Write down a call that the provider makes itself."""
        call = self._open.get(part.id)
        if call is None:
            call = self._opened(_hosted(part, self._offered()))
            call.started_s = tick_s()
            self._open[part.id] = call
            self._tell_start(call)
        if part.result is not None:
            self._end(call, part.result)

    def told_of(self, call_id: str) -> CallResult:
        """What the model is told of a call."""
        content = CANCELLED.format(when="started", why=FAILED)
        return self._run.results.get(call_id) or CallResult(content=content, status="cancelled")

    def close_open_calls(self, why: str) -> None:
        """Give each call that is still open its one result: cancelled."""
        for call in tuple(self._open.values()):
            when = "started" if call.started_s is None else "ended"
            self._end(call, _cancelled(call, CANCELLED.format(when=when, why=why)))

    async def _one_by_one(self, calls: Sequence[OpenCall]) -> None:
        for call in calls:
            if (call.settling is None and self._is_dropped(call)) or self._is_spent(call):
                continue
            if self._settling.is_open(call.prepared) and not await self._is_settled(call):
                continue
            if self._is_dropped(call):
                continue
            lane = self._around.lanes
            if call.is_for_main and isinstance(lane, Lane) and lane.takes_turns:
                await self._finish(call, self._in_turn(call, lane))
                continue
            await self._start([call])
            await self._finish(call)

    async def _is_settled(self, call: OpenCall) -> bool:
        """Whether a call may be made; one that may not be has its result, or waits for a person."""
        settling = call.settling or asyncio.ensure_future(self._settle(call))
        call.settling = settling
        try:
            return await settling
        except asyncio.CancelledError:
            if not call.was_stopped or not settling.cancelled():
                raise
            self._end(call, CallResult(content=call.why_stopped, status="cancelled"))
            return False
        except Suspended:
            self.is_suspended = True
            self._open.pop(call.id, None)
            return False

    async def _settle(self, call: OpenCall) -> bool:
        context = self._context(call, call.handles)
        call.prepared, refused = await self._settling.settled(call.prepared, context)
        if refused is not None:
            self._end(call, refused)
        return refused is None

    def _is_dropped(self, call: OpenCall) -> bool:
        """Whether it was stopped before its turn came; then the call has ended."""
        if call.was_stopped:
            self._end(call, CallResult(content=call.why_stopped, status="cancelled"))
        return call.was_stopped

    def _is_spent(self, call: OpenCall) -> bool:
        """Whether the tool has failed too often to be called again; then the call has ended."""
        refusal = self._budget.refusal(call.tool)
        if refusal is not None:
            self._end(call, failed_result(refusal))
        return refusal is not None

    async def _start(self, calls: Sequence[OpenCall]) -> None:
        for call in calls:
            call.prepared = call.prepared.seen(self._context(call, call.handles))
            call.started_s = tick_s()
            self._tell_start(call)
        await self._run.session.log.committed()

    def _in_turn(self, call: OpenCall, lane: Lane) -> InTurn:
        """The lanes of a call that begins when its turn on the main thread comes."""
        lock = self._run.session.lock  # so that nothing is said of a wait that is over

        def say(what: str) -> None:
            with lock:
                if call.started_s is None and not call.output.is_over:
                    call.output.tell(f"Waiting for {what}")

        def begin() -> None:
            with lock:
                self._begin(call)
            self._run.session.log.flush()

        return InTurn(lane, say, begin)

    def _begin(self, call: OpenCall) -> None:
        if call.started_s is None:  # and not when it is made again
            call.started_s = tick_s()
            self._tell_start(call)

    def _tell_start(self, call: OpenCall) -> None:
        request, tool = call.prepared.request, call.tool
        self._run.emit(
            lambda stamp: ToolStart(
                **stamp,
                tool_call_id=request.id,
                tool_name=request.name,
                **call.prepared.told,
                taken=call.prepared.taken,
                display_hint=tool and tool.title,
                source_hash=tool and tool.source_hash,
                cell_id=tool and self._cell_of(tool),
            )
        )

    async def _finish(self, call: OpenCall, lanes: Lanes | None = None) -> None:
        """Make a call, again where that may help, and write down how it ended.

        Raises:
            Exception: What the tool raised, if it says `on_error=None`.
        """
        if self._is_dropped(call):
            return
        call.task = asyncio.current_task()
        try:
            while True:
                result = await self._performed(call, lanes or self._around.lanes)
                wait_s = self._budget.wait_s(call.tool, result)
                if wait_s is None:
                    break
                call.output.progress(f"{result.content} Trying again.")
                await asyncio.sleep(wait_s)
        except asyncio.CancelledError:
            if not call.takes_stop():
                raise
            result = _cancelled(call, call.why_stopped)
        except Suspended:
            self.is_suspended = True
            self._open.pop(call.id, None)
            call.output.end()
            return
        except Exception as error:
            self._begin(call)
            self._end(call, failed_result(failure_of(error)))
            raise
        finally:
            call.task = None
        self._begin(call)  # also what never came as far as its turn, e.g. for its arguments
        self._end(call, self._budget.told(call.tool, result))

    async def _performed(self, call: OpenCall, lanes: Lanes) -> CallResult:
        is_checked = call.tool is not None and bool(call.tool.options.output_guardrails)
        handles = call.handles.held_back() if is_checked else call.handles
        context = self._context(call, handles)
        prepared = call.prepared.seen(context)
        call.prepared = prepared
        call.output.context = context
        try:
            with capturing(call.output), self._run.common.keeping_fault():
                frozen = self._around.frozen(call.prepared.request.name)
                result = await made_or_given(
                    prepared,
                    context,
                    lanes,
                    frozen,
                    keep=call.handles.keep,
                    links=call.inside.links,
                )
        finally:
            call.output.context = None  # a context knows its call: nothing is to go in a circle
        if (fault := self._run.common.fault) is not None:  # in a run inside, or what it asked
            raise fault
        if is_checked:
            result = await check_tool_output(
                result, call.prepared, run=self._run, context=context, lanes=lanes
            )
        if call.prepared.said:
            shown = result.preview or one_line(result.content)  # a row has no room for both
            result = replace(result, content=call.prepared.said + result.content, preview=shown)
        return result

    def _end(self, call: OpenCall, result: CallResult) -> None:
        request = call.prepared.request
        if self._open.pop(request.id, None) is None:
            return
        call.inside.stop()  # whatever still goes on in it, on a thread, is to end
        if links := call.inside.links:
            result = replace(result, run_links=tuple(links))
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
                **result.told,
                duration_ms=0.0 if call.started_s is None else self._elapsed_ms(call.started_s),
            )
        )

    def _opened(self, prepared: PreparedCall) -> OpenCall:
        echoes = not self._around.host.shows_output
        output = CallOutput(self._run, prepared.request, echoes=echoes)
        handles, past = self._run.handles, self._around.past.get(prepared.request.id)
        if past is not None and past.handle is not None:
            handles = handles.named(past.handle)
        is_async = prepared.tool is not None and prepared.tool.is_async
        inside = Inside(prepared.request, self._around, is_async=is_async)
        return OpenCall(prepared, output, handles, inside)

    def _context(self, call: OpenCall, handles: Handles) -> Context:
        request, run = call.prepared.request, self._run
        return context_of(
            run,
            request,
            agent_name=run.last_agent,
            passthrough=self._side_data(call),
            handles=handles,
            output=call.output,
            inside=call.inside,
        )

    def _side_data(self, call: OpenCall) -> Mapping[str, Any]:
        """By the toolset's name now, else by the one that it had before a view renamed it."""
        name, tool, given = call.prepared.request.name, call.tool, self._around.passthrough
        now, before = split_name(name)[0] or name, tool and tool.original_toolset
        return given.get(now, given.get(before or now, {}))


def _cancelled(call: OpenCall, said: str) -> CallResult:
    if call.started_s is not None and call.tool is not None and call.tool.thread:
        said += STILL_RUNNING
    return CallResult(content=said, status="cancelled")


def _hosted(part: HostedCall, offered: Mapping[str, Tool]) -> PreparedCall:
    request = CallRequest(id=part.id, name=part.name, arguments="")
    return PreparedCall(request=request, tool=offered.get(part.name), arguments=part.arguments)
