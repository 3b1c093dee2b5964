"""Samples of calls: they show how a tool is used, and tell whether it still does that."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Coroutine, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pydantic_core import to_json

from nbagents.messages import CallRequest
from nbagents.tools.context import Context
from nbagents.tools.invoke import perform, prepare
from nbagents.tools.names import SEPARATOR, split_name
from nbagents.tools.plain import is_sequence
from nbagents.tools.toolset import resolve_tools

if TYPE_CHECKING:
    from nbagents.results import CallResult
    from nbagents.tools.tool import Tool

__all__ = ["UNSAID", "Sample", "check_samples", "differences", "full_name"]

T = TypeVar("T")


class _Unsaid:
    def __repr__(self) -> str:
        return "…"


UNSAID: Final = _Unsaid()
"""What a sample does not say, so that anything will do."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A call and what it should give.

    Args:
        tool: The tool's name; the toolset's prefix may be left out.
        arg: The arguments.
        content: What the model should read; a function of it says whether it will do.
        data: What the person should see, before it becomes JSON.
        passthrough: What the caller hands to the tool past the model.
    """

    tool: str
    arg: Mapping[str, Any] = field(default_factory=dict[str, Any])
    content: str | Callable[[str], bool] | _Unsaid = UNSAID
    data: Any = UNSAID
    passthrough: Mapping[str, Any] = field(default_factory=dict[str, Any])


def check_samples(tools: object, samples: Iterable[Sample] | None = None) -> None:
    """Make every call of the samples, and see that each gives what it should.

    Plain functions run on the calling thread, also in a notebook.

    Args:
        tools: A toolset, a tool, a function, or several of them.
        samples: The samples; `None`: those that the toolset has.

    Raises:
        AssertionError: Some samples do not hold; says what was expected of each, and what it gave.
        ValueError: There are no samples.

    Example:
        >>> def double(number: int) -> int:
        ...     return 2 * number
        >>> check_samples(double, [Sample("double", {"number": 21}, content="42")])
    """
    things = list(tools) if is_sequence(tools) else [tools]
    offered = {tool.name: tool for tool in resolve_tools(things)}
    if samples is None:
        samples = [one for thing in things for one in getattr(thing, "samples", ())]
    listed = list(samples)
    if not listed:
        raise ValueError(
            "There are no samples: give some, e.g. [Sample('name', {...}, content=…)]."
        )
    problems = [words for one in listed if (words := _problem(one, offered))]
    if problems:
        head = f"{len(problems)} of {len(listed)} samples do not hold."
        raise AssertionError("\n".join([head, *problems]))


def _problem(sample: Sample, offered: Mapping[str, Tool]) -> str:
    name = full_name(sample.tool, offered)
    call = CallRequest(id="sample", name=name, arguments=to_json(dict(sample.arg)).decode())
    context = Context(call, passthrough=sample.passthrough)
    result = _waited(lambda lanes: perform(prepare(call, offered), context, lanes))
    wrong = list(differences(sample, result))
    return "\n".join([f"{name} {call.arguments}", *wrong]) if wrong else ""


def full_name(name: str, offered: Mapping[str, Tool]) -> str:
    """The name with its prefix, where only one tool can be meant."""
    meant = [one for one in offered if name == split_name(one)[1]]
    return meant[0] if name not in offered and SEPARATOR not in name and len(meant) == 1 else name


def differences(sample: Sample, result: CallResult) -> Iterable[str]:
    """What a call gave beside what its sample says, in words for the person."""
    expected = sample.content
    if isinstance(expected, _Unsaid):
        if result.failure is not None:
            yield _line("content", expected, result.content)
    elif not (expected(result.content) if callable(expected) else expected == result.content):
        yield _line("content", expected, result.content)
    if sample.data is not UNSAID and not _same(sample.data, result.data):
        yield _line("data", sample.data, result.data)


def _same(expected: Any, given: Any) -> bool:
    if hasattr(expected, "equals"):  # a table
        return bool(expected.equals(given))
    equal: Any = expected == given
    return bool(equal.all()) if hasattr(equal, "all") else bool(equal)  # an array gives one more


def _line(name: str, expected: object, given: object) -> str:
    wanted = getattr(expected, "__name__", None) if callable(expected) else None
    return f"  {name}: expected {wanted or repr(expected)}\n{'':{len(name) + 4}}got      {given!r}"


class _CallersLanes:
    """Plain functions run on the thread that waits, which is where a notebook's objects live."""

    def __init__(self) -> None:
        self.jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()

    async def on_main(
        self, function: Callable[[], object], timeout_s: float | None = None
    ) -> object:
        """Run on the thread that waits; there is nobody who could interrupt it."""
        del timeout_s
        future: Future[object] = Future()
        self.jobs.put(lambda: _settle(future, function))
        return await asyncio.wrap_future(future)

    async def in_thread(
        self, function: Callable[[], object], timeout_s: float | None = None
    ) -> object:
        """Run on a worker thread."""
        del timeout_s
        return await asyncio.to_thread(function)


def _settle(future: Future[object], function: Callable[[], object]) -> None:
    try:
        future.set_result(function())
    except BaseException as error:  # noqa: BLE001  it belongs to whoever waits
        future.set_exception(error)


def _waited(begin: Callable[[_CallersLanes], Coroutine[Any, Any, T]]) -> T:
    """Run on a loop of its own, on its own thread: in a notebook this one has a loop already."""
    lanes = _CallersLanes()
    outcome: Future[T] = Future()

    def run() -> None:
        try:
            outcome.set_result(asyncio.run(begin(lanes)))
        except BaseException as error:  # noqa: BLE001  it belongs to whoever waits
            outcome.set_exception(error)
        finally:
            lanes.jobs.put(None)

    threading.Thread(target=run, name="nbagents-samples", daemon=True).start()
    while (job := lanes.jobs.get()) is not None:
        job()
    return outcome.result()
