"""What a call may ask of the run that it belongs to: a run of its own, or a person's answer.

An `async def` tool awaits it on the run's loop. A plain one blocks its thread, which meanwhile
serves the main-thread calls of the run inside, or only hears clicks.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar, cast

from nbagents.errors import ModelError, RunError, ToolError
from nbagents.events import ChildRunLinked, RequestedCall
from nbagents.results import RunLink
from nbagents.runs.drive.loop_thread import LoopThread
from nbagents.runs.lanes import BY_PERSON, CALL_OVER, Lane
from nbagents.runs.people import ToolQuestion
from nbagents.runs.state import Answer, Branch, Past
from nbagents.tools.call import CallStopped
from nbagents.tools.context import Unanswered, interruption, is_persons

if TYPE_CHECKING:
    from pydantic import JsonValue, TypeAdapter

    from nbagents.messages import CallRequest
    from nbagents.runs.drive.calls.surroundings import Surroundings
    from nbagents.runs.people import People
    from nbagents.runs.plan import Parent, Plan
    from nbagents.runs.state import Run
    from nbagents.tools.call import Lanes

T = TypeVar("T")

STOPPED: Final = "The person stopped {name!r}."
EXITED: Final = "A function of {name!r} raised {what}, which ends nothing but its own run."
UNANSWERED: Final = "Nobody answered: {text}"


class RunsAgents(Protocol):
    """An agent, as far as a call that runs it needs to know."""

    name: str

    def begin(
        self,
        prompt: str,
        *,
        parent: Parent,
        vars: Mapping[str, object] | None,  # noqa: A002  the magic's word
        attach: Any,
        labels: Mapping[str, str] | None,
    ) -> tuple[Run, Plan]:
        """A child run that has not started yet."""
        ...


class Inside:
    """The door of one call to its run; what `Context.run` and `Context.ask` stand on.

    Args:
        request: The call.
        parent: What runs inside of it come from.
        around: What the call has around it.
        is_async: Whether it awaits what it asks for.
    """

    def __init__(
        self,
        request: CallRequest,
        parent: Parent,
        around: Surroundings,
        *,
        is_async: bool,
    ) -> None:
        self._run = parent.run
        self._request = request
        self._call_id = request.id
        self._tool_name = request.name
        self._is_async = is_async
        self._parent = parent
        self._drive = around.drive
        self._around = around
        self._people = around.people
        self._past = around.past.get(request.id) or Past()
        self.links: list[RunLink] = []
        self._waiting: list[Lane] = []
        """The lanes of threads that wait for something here."""

    def stop(self) -> None:
        """Its call is over: no thread waits here any longer, and no run goes on inside."""
        for lane in tuple(self._waiting):
            lane.stop(CALL_OVER)
        self._people.withdraw(self._call_id)

    def run(
        self,
        agent: RunsAgents,
        prompt: str,
        shared: Mapping[str, object] | None,
        attached: Any,
        labels: Mapping[str, str] | None,
        tool_input: object,
    ) -> object:
        """A run of another agent; what blocks gives the run, what awaits a coroutine of it."""
        before = self._past.runs.pop(0) if self._past.runs else None
        is_heard = before is not None and before not in self._past.unheard
        if before is not None and is_heard:
            return self._again(agent, before, shared, tool_input)
        self._parent.spending.refuse_child()
        child, plan = agent.begin(
            prompt, parent=self._parent, vars=shared, attach=attached, labels=labels
        )
        if isinstance(before, str):
            plan = replace(plan, resumed_from=before)  # it takes the place of that one
        child.tool_input = tool_input
        return self._through(lambda lanes, _: self._driven(child, plan, lanes))

    def _again(
        self,
        agent: RunsAgents,
        before: Callable[[], Run] | str | Branch,
        shared: Mapping[str, object] | None,
        tool_input: object,
    ) -> object:
        """A run inside that was there before the run was suspended."""
        if callable(before):
            done = before()

            def give() -> Run:
                return _as_it_ended(done, agent, self._parent)

            return _later(give) if self._is_async else give()
        if isinstance(before, Branch):
            child, plan = before.begin(agent, self._parent, shared)
        else:
            resume = cast("Any", agent).begin_resumed  # Any: an agent, which stands above this room
            child, plan = resume(before, parent=self._parent, vars=shared)
        child.tool_input = tool_input
        return self._through(lambda lanes, _: self._driven(child, plan, lanes))

    def ask(
        self,
        text: str,
        options: Sequence[object] | None,
        form: TypeAdapter[Any] | None,
        *,
        multiple: bool,
    ) -> object:
        """A person's answer; see `Context.ask`."""
        asking = ToolQuestion(text, options or (), form, multiple=multiple)
        if (said := self._past.answer_to(text)) is not None:
            return self._recalled(text, said, asking.read)

        async def ask(_lanes: Lanes, people: People) -> object:
            question = asking.question(people, self._call_id, self._tool_name)
            answered = await people.ask(question, asking.read)
            if answered is None or answered[0].action == "deny":
                raise _unanswered(text, answered and answered[0])
            return answered[1]

        return self._through(ask)

    def external(self) -> object:
        """What somebody outside says that the call gives; see `Context.external`."""
        request = self._request
        asked = RequestedCall(id=request.id, name=request.name, arguments=request.arguments)

        def read(answer: Answer) -> JsonValue:
            given = answer.value
            if answer.action != "answer" or not isinstance(given, dict) or request.id not in given:
                raise ValueError(f"Give the result of {request.name} under {request.id!r}.")
            return given[request.id]

        if (said := self._past.answer_to(request.id)) is not None:
            return self._recalled(f"the result of {request.name}", said, read)

        async def ask(_lanes: Lanes, people: People) -> object:
            question = people.question(
                "external_tools",
                call_id=request.id,
                tool_name=request.name,
                title=request.name,
                calls=(asked,),
            )
            answered = await people.ask(question, read)
            if answered is None or answered[0].action == "deny":
                raise _unanswered(f"the result of {request.name}", answered and answered[0])
            return answered[1]

        return self._through(ask)

    async def on_main(self, function: Callable[[], Any], timeout_s: float | None) -> object:
        """What a function gives on the main thread; see `Context.on_main`."""
        try:
            return await self._around.lanes.on_main(function, timeout_s)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            raise interruption() from None  # it ends the run, not only what was waited for

    def _recalled(self, text: str, said: Answer, read: Callable[[Answer], T]) -> object:
        """What was answered before the run was gone on with."""

        def given() -> T:
            if said.action == "deny":
                raise _unanswered(text, said)
            return read(said)

        return _later(given) if self._is_async else given()

    async def _driven(self, child: Run, plan: Plan, lanes: Lanes) -> Run:
        """Drive a run inside of the call, linked to it.

        Raises:
            CallStopped: It was stopped by itself.
            Exception: What ended it, if it did not end well.
        """
        task = asyncio.ensure_future(self._linked(child, plan, lanes))
        child.driven_in(asyncio.current_task())
        child.controlled_by(_ChildControl(task, asyncio.get_running_loop()))
        try:
            await task
        except asyncio.CancelledError:
            here = asyncio.current_task()
            if here is not None and here.cancelling():
                raise
            raise CallStopped(_stopped_words(child.agent_name, child.why_cancelled)) from None
        return child

    async def _linked(self, child: Run, plan: Plan, lanes: Lanes) -> None:
        """Link a run to the call and drive it; one that is stopped before has never been."""
        link = RunLink(
            run_id=child.id,
            agent_name=child.agent_name,
            parent_run_id=self._run.id,
            parent_tool_call_id=self._call_id,
        )
        self.links.append(link)
        self._run.adopt(child)  # whoever hears of the link may look for the run
        self._run.emit(
            lambda stamp: ChildRunLinked(
                **stamp,
                tool_call_id=self._call_id,
                tool_name=self._tool_name,
                child_run_id=child.id,
                child_agent_name=child.agent_name,
            )
        )
        try:
            await self._drive(child, plan, lanes)
        except (SystemExit, KeyboardInterrupt, GeneratorExit) as error:
            # In a task the first two would end the whole loop.
            if is_persons(error):
                raise asyncio.CancelledError("interrupted") from None
            said = {"name": child.agent_name, "what": type(error).__name__}
            raise RunError(EXITED.format(**said)) from error

    def _through(self, make: Callable[[Lanes, People], Coroutine[Any, Any, T]]) -> object:
        if self._is_async:
            return make(self._around.lanes, self._people)
        return self._blocking(make)

    def _blocking(self, make: Callable[[Lanes, People], Coroutine[Any, Any, T]]) -> T:
        """Wait on this thread, which serves what must run on it, and hears the person."""
        is_main = threading.current_thread() is threading.main_thread()
        found: list[T] = []
        lane = Lane(on_stop=lambda: stop())  # noqa: PLW0108  made below
        lanes: Lanes = lane if is_main else self._around.lanes
        listening = self._around.host.listen() if is_main else contextlib.nullcontext()
        thread = LoopThread.get()
        if threading.get_ident() == thread.ident:
            raise ToolError("An async tool awaits this: write `await ctx.…`.", kind="internal")

        async def work() -> None:
            found.append(await make(lanes, self._people.on(lanes)))

        def stop() -> None:
            thread.loop.call_soon_threadsafe(job.cancel)

        self._waiting.append(lane)
        try:
            with lane, listening as poll:
                lane.poll = poll
                job = thread.start(work, lane.wake)
                lane.wait(lambda: job.is_done or not thread.is_alive)
                if lane.stop_asked:
                    raise interruption()
                job.raise_error(self._run)
        finally:
            self._waiting.remove(lane)
        return found[0]


class _ChildControl:
    """Stops a run inside of a call; whoever waits for it waits for the call."""

    def __init__(self, task: asyncio.Future[None], loop: asyncio.AbstractEventLoop) -> None:
        self._task = task
        self._loop = loop
        self._ended = threading.Event()
        task.add_done_callback(lambda _: self._ended.set())

    def stop(self, cause: str) -> None:
        """Stop it; from any thread."""
        del cause  # the run knows it
        with contextlib.suppress(RuntimeError):  # the loop was closed
            self._loop.call_soon_threadsafe(self._task.cancel)

    def wait(self, timeout_s: float | None) -> None:
        """Wait for its end."""
        self._ended.wait(timeout_s)


def _unanswered(text: str, answer: Answer | None) -> Unanswered:
    said = UNANSWERED.format(text=text)
    if answer is not None and answer.note:
        said += f" They say: {answer.note}"
    return Unanswered(said, kind="domain_rejection", recovery="replan")


def _as_it_ended(done: Run, agent: RunsAgents, parent: Parent) -> Run:
    """A run inside that had ended, given again as it was given the first time.

    Raises:
        CallStopped: It had been stopped.
        RunError: It had failed; a `ModelError` where its model did.
    """
    if done.status == "cancelled":
        failure = done.tree()["runs"][done.id]["failure"] or {}
        said = failure.get("message")
        stopped = STOPPED.format(name=done.agent_name)
        raise CallStopped(f"{done.agent_name!r}: {said}" if said else stopped)
    if done.status == "failed":
        failure = done.tree()["runs"][done.id]["failure"] or {}
        kind = ModelError if failure.get("kind") == "unavailable" else RunError
        raise kind(failure.get("message") or f"The run of {done.agent_name!r} failed.")
    cast("Any", agent).read_again(done, parent)  # Any: as above
    return done


def _stopped_words(name: str, why: str) -> str:
    """What is said of a run inside that was stopped by itself."""
    return STOPPED.format(name=name) if why == BY_PERSON else f"{name!r}: Cancelled: {why}."


async def _later(give: Callable[[], T]) -> T:
    return give()
