"""Samples of calls, made as a run makes its calls: each gives what it should, or that is said."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic_core import to_json

from nbagents.errors import RunError
from nbagents.messages import CallRequest
from nbagents.runs.drive.loop_thread import LoopThread
from nbagents.runs.lanes import Lane
from nbagents.tools.call import perform, prepare
from nbagents.tools.context import Context, interruption
from nbagents.tools.tool import Sample, differences, full_name, resolve_tools
from nbagents.tools.values import is_sequence

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Mapping

    from nbagents.tools.tool import Tool

T = TypeVar("T")


def check_samples(tools: object, samples: Iterable[Sample] | None = None) -> None:
    """Make every call of the samples, and see that each gives what it should.

    Plain functions run on the calling thread, also in a notebook.

    Args:
        tools: A toolset, a tool, a function, or several of them.
        samples: The samples; `None`: those that the toolset has.

    Raises:
        AssertionError: Some samples do not hold; says what was expected of each, and what it gave.
        KeyboardInterrupt: It was stopped.
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
    problems = _waited(lambda lane: _problems(listed, offered, lane))
    if problems:
        head = f"{len(problems)} of {len(listed)} samples do not hold."
        raise AssertionError("\n".join([head, *problems]))


async def _problems(
    samples: Iterable[Sample], offered: Mapping[str, Tool], lane: Lane
) -> list[str]:
    problems = [await _problem(one, offered, lane) for one in samples]
    return [words for words in problems if words]


async def _problem(sample: Sample, offered: Mapping[str, Tool], lane: Lane) -> str:
    name = full_name(sample.tool, offered)
    call = CallRequest(id="sample", name=name, arguments=to_json(dict(sample.arg)).decode())
    context = Context(call, passthrough=sample.passthrough)
    result = await perform(prepare(call, offered), context, lane)
    wrong = list(differences(sample, result))
    return "\n".join([f"{name} {call.arguments}", *wrong]) if wrong else ""


def _waited(make: Callable[[Lane], Coroutine[Any, Any, T]]) -> T:
    """Wait for what runs on the loop thread; what belongs on this thread runs here meanwhile.

    Raises:
        KeyboardInterrupt: It was stopped; what it was doing is cancelled.
        RunError: This is the loop thread, which would wait for itself.
    """
    thread = LoopThread.get()
    if threading.get_ident() == thread.ident:
        raise RunError("check_samples would block the loop that it needs: call it elsewhere.")
    outcome: Future[T] = Future()

    async def work() -> None:
        try:
            outcome.set_result(await make(lane))
        except BaseException as error:  # noqa: BLE001  it belongs to whoever waits
            outcome.set_exception(error)

    lane = Lane(on_stop=lambda: None)  # the wait ends with it
    with lane:
        job = thread.start(work, lane.wake)
        lane.wait(lambda: job.is_done or lane.stop_asked)
    if lane.stop_asked:
        thread.loop.call_soon_threadsafe(job.cancel)
        thread.abandon()  # something may block it
        raise interruption()
    return outcome.result()
