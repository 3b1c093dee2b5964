"""One call, from what a model wrote to exactly one result: look up, parse, validate, run, classify.

Nothing that a model or a tool does wrong is raised here. Only a cancellation and the person's
interrupt go through.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol, cast

from pydantic_core import from_json

from nbagents.errors import ToolNotFoundError
from nbagents.results import CallResult, Failure
from nbagents.tools.binding import Bound
from nbagents.tools.failures import failure_of, invalid_arguments
from nbagents.tools.outcome import MAX_CONTENT, failed_result, result_of
from nbagents.tools.plain import clean_text

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.messages import CallRequest
    from nbagents.tools.context import Context
    from nbagents.tools.tool import Tool

__all__ = ["Lanes", "PreparedCall", "perform", "prepare"]


class Lanes(Protocol):
    """Where plain functions run. What is run there raises only `KeyboardInterrupt`."""

    async def on_main(self, function: Callable[[], object]) -> object:
        """Run on the main thread, where the notebook's objects live."""
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
    arguments, problem = _parsed(request.arguments)
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
    """
    if call.tool is None or call.failure is not None:
        return failed_result(call.failure or _unknown(call.request.name, ()))
    running = _Running(call.tool, max_content)
    try:
        bound = call.tool.bind(call.arguments, context)
        if not isinstance(bound, Bound):
            return failed_result(invalid_arguments(call.tool.name, bound))
        return await running.within_time(bound, lanes)
    except asyncio.CancelledError:
        raise
    except KeyboardInterrupt:
        # In a task it would end the whole loop.
        raise asyncio.CancelledError("interrupted") from None
    except BaseException as error:  # noqa: BLE001  a call is the boundary: it becomes a result
        return failed_result(failure_of(error))


@dataclass(frozen=True, slots=True)
class _Running:
    """How one call of one tool runs."""

    tool: Tool
    max_content: int

    async def within_time(self, bound: Bound, lanes: Lanes) -> CallResult:
        """The result, or that it took too long."""
        if self.tool.timeout_s is None:
            return await self.in_its_place(bound, lanes)
        deadline = asyncio.timeout(self.tool.timeout_s)
        try:
            async with deadline:
                return await self.in_its_place(bound, lanes)
        except TimeoutError:
            if deadline.expired():
                return failed_result(self._too_late())
            raise

    async def in_its_place(self, bound: Bound, lanes: Lanes) -> CallResult:
        """Run where the tool belongs."""
        if self.tool.is_async:
            return await self.awaited(self.tool.run(*bound.args, **bound.kwargs))
        lane = lanes.in_thread if self.tool.thread else lanes.on_main
        outcome = await lane(partial(self.called, bound))
        if isinstance(outcome, CallResult):
            return outcome
        return await self.awaited(cast("Awaitable[object]", outcome))

    def called(self, bound: Bound) -> CallResult | Awaitable[object]:
        """Run a plain function where it stands, result included: it may be bound to the thread.

        What it raises becomes a result here, since a future cannot carry every exception.
        """
        try:
            value = self.tool.run(*bound.args, **bound.kwargs)
            if type(value) is not str and isinstance(value, Awaitable):
                return cast("Awaitable[object]", value)
            return result_of(self.tool, value, max_content=self.max_content)
        except (asyncio.CancelledError, KeyboardInterrupt):
            raise
        except BaseException as error:  # noqa: BLE001  a call is the boundary: it becomes a result
            return failed_result(failure_of(error))

    async def awaited(self, value: Awaitable[object]) -> CallResult:
        """Wait for an async function."""
        try:
            given = await value
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            # Nobody cancelled the call: something that the tool waited for was cancelled.
            return failed_result(failure_of(error))
        return result_of(self.tool, given, max_content=self.max_content)

    def _too_late(self) -> Failure:
        rest = "" if self.tool.is_async else " It may still be running."
        return Failure(
            kind="timeout",
            recovery="replan",
            message=f"{self.tool.name!r} took longer than {self.tool.timeout_s:g} s.{rest}",
        )


def _parsed(text: str) -> tuple[JsonValue, str | None]:
    """The arguments, or the raw text and what is wrong with it."""
    text = clean_text(text)
    if not text.strip():
        return {}, None  # what some providers send for a call without arguments
    try:
        value = cast("JsonValue", from_json(text, allow_inf_nan=False))
    except ValueError as error:
        return text, f"they are no valid JSON ({error})"
    return value, None if isinstance(value, dict) else "they are no JSON object"


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
