"""One call, from what a model wrote to exactly one result: look up, parse, validate, run, classify.

Nothing that a model or a tool does wrong is raised here, unless the tool says `on_error=None`. Only
a cancellation, the person's interrupt, and an agent that cannot be used go through.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol, TypeGuard, cast

from typing_extensions import TypeIs

from nbagents.errors import ToolArgumentsError, ToolError, ToolNotFoundError, ToolTimeoutError
from nbagents.results import CallResult, Failure
from nbagents.tools.call.failure import failure_of, invalid_arguments
from nbagents.tools.call.prepared_call import PreparedCall
from nbagents.tools.call.return_value import MAX_CONTENT, failed_result, result_of
from nbagents.tools.context import current_sink, ends_in_time, is_persons, run_clock
from nbagents.tools.json_schema import read_arguments
from nbagents.tools.schema import Bound
from nbagents.tools.tool import Tool, ToolOptions
from nbagents.tools.values import MAX_ITEMS

if TYPE_CHECKING:
    from nbagents.messages import CallRequest
    from nbagents.tools.context import Context

CLEANUP_S = 3.0
"""How long an async tool may take to end when it is cancelled; then nobody waits for it."""
SHORTEST_S = 0.05
"""A call that begins when its run's time is all but over has this long."""


class Suspended(BaseException):
    """The run ends here, to be gone on with when somebody has answered; no tool should catch it."""


class CallStopped(ToolError):  # noqa: N818  no error of anybody's
    """The person stopped this call, or the run inside of it, and nothing else."""


class CallRefused(ToolError):  # noqa: N818  no error of anybody's
    """The run inside this call was refused by a check of its agent: the call gives nothing."""


class Unusable(ToolError):  # noqa: N818  it carries the error
    """What the person has made cannot do this call, whatever a model says: no run goes on.

    Args:
        fault: What is wrong with it.
    """

    def __init__(self, fault: Exception) -> None:
        super().__init__(str(fault))
        self.fault = fault


class Lanes(Protocol):
    """Where plain functions run; what is run there raises only `KeyboardInterrupt`, or `Suspended`.

    Limits are of active time: see `ends_in_time`.
    """

    async def on_main(
        self, function: Callable[[], object], timeout_s: float | None = None
    ) -> object:
        """Run on the main thread, where the notebook's objects live.

        Raises:
            ToolTimeoutError: It took longer, counted from when it began, and was interrupted.
        """
        ...

    async def in_thread(
        self, function: Callable[[], object], timeout_s: float | None = None
    ) -> object:
        """Run on a worker thread.

        Raises:
            ToolTimeoutError: It took longer, counted from when it began, and goes on.
        """
        ...


CUT_OFF: Final = (
    "{name!r} was not called: your answer was cut off at the provider's limit of tokens, in the "
    "middle of the arguments. Call it again with shorter ones, or do it in several calls."
)


class Offered(dict[str, Tool]):
    """The tools that calls may be of, where more can be found.

    Args:
        tools: Those that may be called, by name.
        unknown: Says of a name that is none what to do instead.
    """

    def __init__(self, tools: Mapping[str, Tool], unknown: Callable[[str], str]) -> None:
        super().__init__(tools)
        self.unknown = unknown


def prepare(request: CallRequest, offered: Mapping[str, Tool]) -> PreparedCall:
    """Look up the tool and parse the arguments. Nothing is run.

    Args:
        request: What the model asks for.
        offered: The tools that it may call, by name.
    """
    tool = offered.get(request.name)
    arguments, problem = read_arguments(request.arguments)
    failure: Failure | None = None
    if tool is None:
        failure = _unknown(request.name, tuple(offered))
        if isinstance(offered, Offered):
            failure = failure.model_copy(update={"message": offered.unknown(request.name)})
    elif request.is_cut:
        said = CUT_OFF.format(name=tool.name)
        failure = Failure(kind="invalid_call", recovery="correct_call", message=said)
    elif problem is not None:
        failure = _unreadable(tool.name, problem)
    return PreparedCall(request=request, tool=tool, arguments=arguments, failure=failure)


async def perform(
    call: PreparedCall, context: Context, lanes: Lanes, *, max_content: int = MAX_CONTENT
) -> CallResult:
    """Validate, run, normalise and classify one call.

    Args:
        call: What `prepare` gave; its arguments may have been changed since.
        context: What a tool gets that asks for its `Context`.
        lanes: Where plain functions run; async ones run here.
        max_content: Characters of the result that the model is given at most.

    Raises:
        asyncio.CancelledError: The run was cancelled, or the tool interrupted.
        Exception: What went wrong, if the tool says `on_error=None`, or the person made it so that
            it cannot be used.
    """
    tool = call.tool
    if tool is None:
        return failed_result(call.failure or _unknown(call.request.name, ()))
    try:
        outcome = await _outcome(call, tool, context, lanes, max_content)
    except (asyncio.CancelledError, Suspended):
        raise
    except BaseException as error:  # noqa: BLE001  a call is the boundary: it becomes a result
        if is_persons(error):  # in a task it would end the whole loop
            raise asyncio.CancelledError("interrupted") from None
        outcome = Raised(error)
    if isinstance(outcome, Raised):
        return await _told(tool, outcome, context, lanes, max_content)
    return outcome


@dataclass(frozen=True, slots=True)
class Raised:
    """What a call raised, which is still to be told."""

    error: BaseException
    failure: Failure | None = None
    """Its classification, where that is known already."""


async def _outcome(
    call: PreparedCall, tool: Tool, context: Context, lanes: Lanes, max_content: int
) -> CallResult | Raised:
    """The result, or what stands in its way."""
    if call.failure is not None:
        return Raised(ToolArgumentsError(call.failure.message), call.failure)
    bound = call.bound(context)
    if not isinstance(bound, Bound):
        failure = invalid_arguments(tool.name, bound)
        return Raised(ToolArgumentsError(failure.message), failure)
    running = _Running(tool, context, max_content)
    return await running.in_its_place(bound, lanes, is_async=tool.is_async)


async def _told(
    tool: Tool, raised: Raised, context: Context, lanes: Lanes, max_content: int
) -> CallResult:
    """What the model is told of an error: by the tool's own word, if it has one.

    Raises:
        Exception: The error itself, if the tool says `on_error=None`; what makes it unusable.
    """
    error, on_error = raised.error, tool.options.on_error
    if isinstance(error, CallStopped):
        return CallResult(content=str(error), status="cancelled")
    if isinstance(error, CallRefused):
        return CallResult(content=str(error), status="denied")
    if isinstance(error, Unusable):
        raise error
    failure = raised.failure or failure_of(error)
    if on_error == "tell" or not isinstance(error, Exception):
        return failed_result(failure)
    if on_error is None:
        raise error
    words = Tool(lambda: on_error(context, error), ToolOptions(name="on_error", thread=tool.thread))
    saying = _Running(words, context, max_content)
    said = await saying.in_its_place(Bound([], {}), lanes, is_async=tool.is_async)
    if isinstance(said, Raised):
        return failed_result(failure_of(said.error))
    return failed_result(failure.model_copy(update={"message": said.content}))


@dataclass(frozen=True, slots=True)
class _Running:
    """How one call of one tool runs."""

    tool: Tool
    context: Context
    max_content: int

    async def in_its_place(
        self, bound: Bound, lanes: Lanes, *, is_async: bool
    ) -> CallResult | Raised:
        """Run where the tool belongs, within its time."""
        limit_s = self._limit_s()
        outcome: object
        if is_async:
            outcome = self.called(bound)
        else:
            lane = lanes.in_thread if self.tool.thread else lanes.on_main
            outcome = await lane(partial(self.called, bound), limit_s)
        if isinstance(outcome, (CallResult, Raised)):
            return outcome
        waiting = self.awaited(cast("Awaitable[object]", outcome))
        return await (waiting if limit_s is None else _limited(waiting, limit_s))

    def _limit_s(self) -> float | None:
        """The tool's own limit, or what is left of its run's time."""
        own_s, clock = self.tool.timeout_s, run_clock.get()
        end_s = None if clock is None else clock.left_s()
        if end_s is None:
            return own_s
        left_s = max(end_s, SHORTEST_S)
        return left_s if own_s is None else min(own_s, left_s)

    def called(self, bound: Bound) -> CallResult | Raised | Awaitable[object]:
        """Run a function where it stands, result included: it may be bound to the thread.

        What it raises is given back, since a future cannot carry every exception.
        """
        try:
            if self.tool.options.external:
                return cast("Awaitable[object]", self.context.external())
            value = self.tool.run(*bound.args, **bound.kwargs)
            if _is_stream(value):
                return _gathered(value)
            if _is_awaitable(value):
                return value
            return self.result(value)
        except BaseException as error:
            _close_output(None)
            if isinstance(error, Suspended) or is_persons(error):
                raise
            return Raised(error)  # a call is the boundary: it becomes a result

    async def awaited(self, value: Awaitable[object]) -> CallResult | Raised:
        """Wait for an async function."""
        task = asyncio.current_task()
        try:
            given = await value
            if _is_awaitable(given):
                given = await given  # e.g. `return ctx.run(...)`
            if _is_stream(given):
                given = await _gathered(given)
        except BaseException as error:
            _close_output(None)
            if isinstance(error, asyncio.CancelledError) and (task is None or task.cancelling()):
                raise
            if is_persons(error):  # in a task it would end the whole loop
                raise asyncio.CancelledError("interrupted") from None
            if isinstance(error, Suspended):
                raise
            # A cancellation that nobody asked for is of something that the tool waited for.
            return Raised(error)
        if task is not None and task.cancelling():  # the tool has swallowed it
            _close_output(None)
            raise asyncio.CancelledError
        return self.result(given)

    def result(self, value: object) -> CallResult:
        """What the tool returned, normalised; what it showed besides is complete then."""
        result = result_of(
            self.tool, value, max_content=self.max_content, handles=self.context.handles
        )
        _close_output(value)
        return result


async def _limited(waiting: Awaitable[CallResult | Raised], limit_s: float) -> CallResult | Raised:
    """What is awaited, or that it took too long."""
    ending = asyncio.ensure_future(waiting)
    try:
        if await ends_in_time(ending, limit_s):
            return ending.result()
        is_over = await _is_cancelled(ending)
    except asyncio.CancelledError:
        await _is_cancelled(ending)
        raise
    if not is_over:
        return Raised(ToolTimeoutError(limit_s, is_still_running=True))
    if not ending.cancelled() and isinstance(error := ending.exception(), Suspended):
        raise error
    return Raised(ToolTimeoutError(limit_s))


async def _is_cancelled(ending: asyncio.Future[CallResult | Raised]) -> bool:
    """Cancel, and wait a while; whether it has ended. What swallows its cancellation goes on."""
    ending.cancel()
    await asyncio.wait([ending], timeout=CLEANUP_S)
    if not ending.done():
        _left.add(ending)
        ending.add_done_callback(_let_go)
    return ending.done()


_left: set[asyncio.Future[CallResult | Raised]] = set()
"""What goes on though nobody waits for it: a loop alone would let it be collected."""


def _let_go(ended: asyncio.Future[CallResult | Raised]) -> None:
    _left.discard(ended)
    if not ended.cancelled():
        ended.exception()  # so that asyncio complains of none


async def _gathered(items: AsyncIterator[object]) -> object:
    """What an iterator gives, which may have no end: one item more than are taken of a result."""
    found: list[object] = []
    async for one in items:
        found.append(one)
        if len(found) > MAX_ITEMS:
            return iter(found)
        await asyncio.sleep(0)  # one that never waits could not be stopped
    return found


def _is_stream(value: object) -> TypeIs[AsyncIterator[object]]:
    return isinstance(value, AsyncIterator)


def _is_awaitable(value: object) -> TypeGuard[Awaitable[object]]:
    return type(value) is not str and isinstance(value, Awaitable)


def _close_output(returned: object) -> None:
    sink = current_sink()
    if sink is not None:
        sink.close(returned)


def _unreadable(tool_name: str, problem: str) -> Failure:
    return Failure(
        kind="invalid_call",
        recovery="correct_call",
        message=f"The arguments of {tool_name!r} cannot be used: {problem}. "
        "Call it again with one JSON object.",
    )


def _unknown(name: str, offered: tuple[str, ...]) -> Failure:
    return Failure(
        kind="invalid_call",
        recovery="correct_call" if offered else "replan",
        message=str(ToolNotFoundError(name, offered)),
    )
