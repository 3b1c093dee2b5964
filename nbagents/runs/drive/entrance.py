"""The one sync door: a run on a private loop thread, while the calling thread waits in its lane.

Works anywhere, also under a running loop. The host puts around a run what it needs to be seen: a
display, and a way to hear clicks while the cell runs.
"""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, TypeVar

from nbagents.errors import RunError
from nbagents.runs.drive.control import BEAT_S, Ending, with_beat
from nbagents.runs.drive.driver import Driver
from nbagents.runs.drive.loop_thread import LoopThread, Stopping, stopped_by_person
from nbagents.runs.lanes import BY_PERSON, LOOP_ENDED, InlineLanes, Lane, contained, tell
from nbagents.runs.people import current_host
from nbagents.runs.plan import Plan

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from nbagents.events import AnyEvent
    from nbagents.runs.people import Host
    from nbagents.runs.state import Run

R = TypeVar("R", bound="Run")

TICK_S = 0.1
"""How often an awaited run lets the kernel notice an interrupt."""


def run_blocking(run: R, plan: Plan, *, host: Host | None = None) -> R:
    """Drive a run to its end, and give it, while this thread runs its main-thread tools.

    Raises:
        KeyboardInterrupt: It was stopped.
        ModelError: The model failed.
        RunError: Called where it would wait for itself, or cancelled from inside.
    """
    __tracebackhide__ = True
    thread = LoopThread.get()
    if threading.get_ident() == thread.ident:
        raise RunError(
            "agent.run() would block the loop that it needs. In an async tool, write"
            " `await agent.arun(...)`."
        )
    stopping = Stopping(thread)
    lane = _lane_of(run, stopping)
    host = host or current_host()
    driver = Driver(run, plan, lane, host)
    attending = host.attend(run, lane.stop, is_blocking=True)
    ending = Ending(lane.stop, lambda: lane.thread_id == threading.get_ident() or lane.is_around())
    run.controlled_by(ending)
    with ending, lane, attending as attendance:
        lane.poll = attendance.poll
        job = thread.start(lambda: with_beat(driver.drive(), attendance, BEAT_S), lane.wake)
        stopping.watch(job)
        try:
            lane.wait(lambda: job.is_done or stopping.has_given_up() or not thread.is_alive)
        finally:
            if not job.is_done:
                run.stopped(lane.cause or LOOP_ENDED)
                stopping.begin()
                driver.abort("cancelled", KeyboardInterrupt())
                thread.abandon()
        if not lane.stop_asked:
            job.raise_error(run)
    if lane.stop_asked:
        raise stopped_by_person(run)
    return run


def _lane_of(run: Run, stopping: Stopping) -> Lane:

    def stop() -> None:
        run.stopped(lane.cause or BY_PERSON)
        stopping.begin()

    lane = Lane(on_stop=stop)
    return lane


async def run_async(run: R, plan: Plan, *, host: Host | None = None) -> R:
    """Drive a run on the running loop, and give it.

    Raises:
        asyncio.CancelledError: It was stopped.
        ModelError: The model failed.
    """
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    host = host or current_host()
    is_main = threading.current_thread() is threading.main_thread()
    lanes = InlineLanes(loop if is_main else None, on_stop=run.stopped)
    driver = Driver(run, plan, lanes, host)
    thread_id = threading.get_ident()

    def stop(cause: str = BY_PERSON) -> None:
        run.stopped(cause)
        lanes.stop()
        if task is not None and not run.is_closed:
            tell(loop, task.cancel)

    ending = Ending(stop, lambda: thread_id == threading.get_ident())
    run.controlled_by(ending)
    with contained(), ending, host.attend(run, stop, is_blocking=False) as attendance:
        await with_beat(driver.drive(), attendance, TICK_S)
    return run


async def stream_events(run: Run, plan: Plan) -> AsyncIterator[AnyEvent]:
    """Drive a run on the running loop and yield its events as they come."""
    queue: asyncio.Queue[AnyEvent | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def take(event: AnyEvent | None) -> None:
        loop.call_soon_threadsafe(queue.put_nowait, event)

    end_listening = run.listen(take)
    task = asyncio.ensure_future(run_async(run, plan))
    task.add_done_callback(lambda _: take(None))
    try:
        while (event := await queue.get()) is not None:
            yield event
        await task
    finally:
        end_listening()
        task.cancel()
        await asyncio.wait([task])
