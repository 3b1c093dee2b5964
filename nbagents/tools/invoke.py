"""One call, from what a model wrote to exactly one result: look up, parse, validate, run, classify.

Nothing that a model or a tool does wrong is raised here, unless the tool says `on_error=None`. Only
a cancellation and the person's interrupt go through.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol, cast

from nbagents.errors import ToolArgumentsError, ToolNotFoundError, ToolTimeoutError
from nbagents.results import CallResult, Failure
from nbagents.tools.arguments import read_arguments
from nbagents.tools.binding import Bound
from nbagents.tools.capture import current_sink
from nbagents.tools.failures import failure_of, invalid_arguments
from nbagents.tools.outcome import MAX_CONTENT, failed_result, result_of
from nbagents.tools.plain import MAX_ITEMS

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.messages import CallRequest
    from nbagents.tools.context import Context
    from nbagents.tools.tool import Tool

__all__ = ["Lanes", "PreparedCall", "perform", "prepare"]


class Lanes(Protocol):
    """Where plain functions run. What is run there raises only `KeyboardInterrupt`."""

    async def on_main(
        self, function: Callable[[], object], timeout_s: float | None = None
    ) -> object:
        """Run on the main thread, where the notebook's objects live.

        Raises:
            ToolTimeoutError: It took longer, counted from when it began, and was interrupted.
        """
        ...

    async def in_thread(self, function: Callable[[], object]) -> object:
        """Run on a worker thread."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedCall:
    """A call whose tool and arguments are known, or why they are not."""

    request: CallRequest
    tool: Tool | None
    arguments: JsonValue
    """The parsed arguments; the raw text where it is no JSON."""
    failure: Failure | None = None


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
        Exception: What went wrong, if the tool says `on_error=None`.
    """
    tool = call.tool
    if tool is None:
        return failed_result(call.failure or _unknown(call.request.name, ()))
    try:
        outcome = await _outcome(call, tool, context, lanes, max_content)
    except asyncio.CancelledError:
        raise
    except KeyboardInterrupt:
        # In a task it would end the whole loop.
        raise asyncio.CancelledError("interrupted") from None
    except BaseException as error:  # noqa: BLE001  a call is the boundary: it becomes a result
        outcome = Raised(error)
    if isinstance(outcome, Raised):
        return await _told(tool, outcome, context, max_content)
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
    bound = tool.bind(call.arguments, context)
    if not isinstance(bound, Bound):
        failure = invalid_arguments(tool.name, bound)
        return Raised(ToolArgumentsError(failure.message), failure)
    return await _Running(tool, context, max_content).within_time(bound, lanes)


async def _told(tool: Tool, raised: Raised, context: Context, max_content: int) -> CallResult:
    """What the model is told of an error: by the tool's own word, if it has one.

    Raises:
        Exception: The error itself, if the tool says `on_error=None`.
    """
    error, on_error = raised.error, tool.options.on_error
    failure = raised.failure or failure_of(error)
    if on_error == "tell" or not isinstance(error, Exception):
        return failed_result(failure)
    if on_error is None:
        raise error
    try:
        said = on_error(context, error)
        if isinstance(said, Awaitable):
            said = await cast("Awaitable[object]", said)
    except Exception as broken:  # noqa: BLE001  it is a tool's code too
        return failed_result(failure_of(broken))
    told = result_of(tool, said, max_content=max_content).content
    return failed_result(failure.model_copy(update={"message": told}))


@dataclass(frozen=True, slots=True)
class _Running:
    """How one call of one tool runs."""

    tool: Tool
    context: Context
    max_content: int

    async def within_time(self, bound: Bound, lanes: Lanes) -> CallResult | Raised:
        """The result, or that it took too long."""
        limit_s = self.tool.timeout_s
        if limit_s is None or not (self.tool.is_async or self.tool.thread):
            return await self.in_its_place(bound, lanes, limit_s)
        deadline = asyncio.timeout(limit_s)
        try:
            async with deadline:
                return await self.in_its_place(bound, lanes, None)
        except TimeoutError:
            if not deadline.expired():
                raise
            return Raised(ToolTimeoutError(limit_s, is_still_running=self.tool.thread))

    async def in_its_place(
        self, bound: Bound, lanes: Lanes, limit_s: float | None
    ) -> CallResult | Raised:
        """Run where the tool belongs."""
        if self.tool.is_async:
            return await self.awaited(self.tool.run(*bound.args, **bound.kwargs))
        work = partial(self.called, bound)
        if self.tool.thread:
            outcome = await lanes.in_thread(work)
        else:
            outcome = await lanes.on_main(work, limit_s)
        if isinstance(outcome, (CallResult, Raised)):
            return outcome
        return await self.awaited(cast("Awaitable[object]", outcome))

    def called(self, bound: Bound) -> CallResult | Raised | Awaitable[object]:
        """Run a plain function where it stands, result included: it may be bound to the thread.

        What it raises is given back, since a future cannot carry every exception.
        """
        try:
            value = self.tool.run(*bound.args, **bound.kwargs)
            if isinstance(value, AsyncIterator):
                return _gathered(cast("AsyncIterator[object]", value))
            if type(value) is not str and isinstance(value, Awaitable):
                return cast("Awaitable[object]", value)
            return self.result(value)
        except (asyncio.CancelledError, KeyboardInterrupt):
            raise
        except BaseException as error:  # noqa: BLE001  a call is the boundary: it becomes a result
            _close_output(None)
            return Raised(error)

    async def awaited(self, value: Awaitable[object]) -> CallResult | Raised:
        """Wait for an async function."""
        try:
            given = await value
            if isinstance(given, AsyncIterator):
                given = await _gathered(cast("AsyncIterator[object]", given))
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            # Nobody cancelled the call: something that the tool waited for was cancelled.
            return Raised(error)
        return self.result(given)

    def result(self, value: object) -> CallResult:
        """What the tool returned, normalised; what it showed besides is complete then."""
        result = result_of(
            self.tool, value, max_content=self.max_content, handles=self.context.handles
        )
        _close_output(value)
        return result


async def _gathered(items: AsyncIterator[object]) -> list[object]:
    """What an iterator gives, which may have no end."""
    found: list[object] = []
    async for one in items:
        found.append(one)
        if len(found) == MAX_ITEMS:
            break
    return found


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
