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
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from nbagents.errors import ModelError, RunError, ToolError
from nbagents.events import ChildRunLinked, RequestedCall
from nbagents.results import RunLink
from nbagents.runs.drive.control import Ending
from nbagents.runs.drive.loop_thread import LoopThread
from nbagents.runs.lanes import BY_PERSON, CALL_OVER, Lane, tell
from nbagents.runs.people import ToolQuestion
from nbagents.runs.state import Branch
from nbagents.tools.call import CallStopped
from nbagents.tools.context import Unanswered, interruption, is_persons

if TYPE_CHECKING:
    from pydantic import JsonValue, TypeAdapter

    from nbagents.messages import CallRequest
    from nbagents.runs.drive.calls.surroundings import Surroundings
    from nbagents.runs.people import People
    from nbagents.runs.plan import Parent, Plan
    from nbagents.runs.state import Answer, Await, Run
    from nbagents.tools.call import Lanes

T = TypeVar("T")

STOPPED: Final = "The person stopped {name!r}."
EXITED: Final = "A function of {name!r} raised {what}, which ends nothing but its own run."
UNANSWERED: Final = "Nobody answered: {text}"


class RunsAgents(Protocol):
    """An agent, as far as a call that runs it needs to know."""

    name: str

    def begin(self, prompt: str, *, parent: Parent, **options: Any) -> tuple[Run, Plan]:
        """A child run that has not started yet."""
        ...

    def begin_resumed(self, run: str, *, parent: Parent, **options: Any) -> tuple[Run, Plan]:
        """One that goes on with another, which has not started yet."""
        ...

    def read_again(self, run: Run, parent: Parent) -> None:
        """Read the answer of a past one as a value of the type that it must have."""
        ...


class Inside:
    """The door of one call to its run; what `Context.run` and `Context.ask` stand on.

    Args:
        request: The call.
        around: What the call has around it.
        is_async: Whether it awaits what it asks for.
    """

    def __init__(self, request: CallRequest, around: Surroundings, *, is_async: bool) -> None:
        self._request = request
        self._call_id = request.id
        self._tool_name = request.name
        self._is_async = is_async
        self._around = around
        self._past = around.past.get(request.id)
        self._is_used = False
        self.links: list[RunLink] = []
        self._waiting: list[Lane] = []
        """The lanes of threads that wait for something here."""

    def stop(self) -> None:
        """Its call is over: no thread waits here any longer, and no run goes on inside."""
        for lane in tuple(self._waiting):
            lane.stop(CALL_OVER)
        if self._is_used:
            self._around.people.withdraw(self._call_id)

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
        past, parent = self._past, self._around.parent_of(self._call_id)
        before = past.runs.pop(0) if past and past.runs else None
        if before is not None and past and before not in past.unheard:
            return self._again(agent, before, parent, shared, tool_input)
        parent.spending.refuse_child()
        child, plan = agent.begin(
            prompt, parent=parent, vars=shared, attach=attached, labels=labels
        )
        if isinstance(before, str):
            plan = replace(plan, resumed_from=before)  # it takes the place of that one
        return self._begun(child, plan, tool_input)

    def _begun(self, child: Run, plan: Plan, tool_input: object) -> object:
        child.tool_input = tool_input
        return self._through(lambda lanes, _: self._driven(child, plan, lanes))

    def _again(
        self,
        agent: RunsAgents,
        before: Callable[[], Run] | str | Branch,
        parent: Parent,
        shared: Mapping[str, object] | None,
        tool_input: object,
    ) -> object:
        """A run inside that was there before the run was suspended."""
        if callable(before):
            done = before()
            return self._recalled(lambda: _as_it_ended(done, agent, parent))
        if isinstance(before, Branch):
            child, plan = before.begin(agent, parent, shared)
        else:
            child, plan = agent.begin_resumed(before, parent=parent, vars=shared)
        return self._begun(child, plan, tool_input)

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
        return self._asked(
            text,
            text,
            lambda people: asking.question(people, self._call_id, self._tool_name),
            asking.read,
        )

    def external(self) -> object:
        """What somebody outside says that the call gives; see `Context.external`."""
        request = self._request

        def read(answer: Answer) -> JsonValue:
            given = answer.value
            if answer.action != "answer" or not isinstance(given, dict) or request.id not in given:
                raise ValueError(f"Give the result of {request.name} under {request.id!r}.")
            return given[request.id]

        def question(people: People) -> Await:
            return people.question(
                "external_tools",
                call_id=request.id,
                tool_name=request.name,
                title=request.name,
                calls=(RequestedCall.of(request),),
            )

        return self._asked(request.id, f"the result of {request.name}", question, read)

    def _asked(
        self,
        words: str,
        what: str,
        question: Callable[[People], Await],
        read: Callable[[Answer], T],
    ) -> object:
        """What a person says to a question of the call's, or has said before it was made again.

        Args:
            words: By which it is told from other questions of the call.
            what: What it is called where nobody answers.
            question: Makes it.
            read: What an answer means.
        """

        def meant(said: Answer | None, read: Callable[[Answer], T | None]) -> T | None:
            if said is None or said.action == "deny":
                raise _unanswered(what, said)
            return read(said)

        said = self._past and self._past.answer_to(words)
        if said is not None:
            return self._recalled(lambda: meant(said, read))

        async def ask(_lanes: Lanes, people: People) -> object:
            answer, value = await people.ask(question(people), read) or (None, None)
            return meant(answer, lambda _: value)

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

    def _recalled(self, give: Callable[[], object]) -> object:
        """What was there before the run was gone on with."""
        return _later(give) if self._is_async else give()

    async def _driven(self, child: Run, plan: Plan, lanes: Lanes) -> Run:
        """Drive a run inside of the call, linked to it.

        Raises:
            CallStopped: It was stopped by itself.
            Exception: What ended it, if it did not end well.
        """
        task, loop = (
            asyncio.ensure_future(self._linked(child, plan, lanes)),
            asyncio.get_running_loop(),
        )
        child.driven_in(asyncio.current_task())
        thread_id = threading.get_ident()
        ending = Ending(
            lambda _: tell(loop, task.cancel), lambda: threading.get_ident() == thread_id
        )
        child.controlled_by(ending)
        try:
            with ending:
                await task
        except asyncio.CancelledError:
            here = asyncio.current_task()
            if here is not None and here.cancelling():
                raise
            raise CallStopped(_stopped_words(child.agent_name, child.why_cancelled)) from None
        return child

    async def _linked(self, child: Run, plan: Plan, lanes: Lanes) -> None:
        """Link a run to the call and drive it; one that is stopped before has never been."""
        run = self._around.run
        link = RunLink(
            run_id=child.id,
            agent_name=child.agent_name,
            parent_run_id=run.id,
            parent_tool_call_id=self._call_id,
        )
        self.links.append(link)
        run.adopt(child)  # whoever hears of the link may look for the run
        run.emit(
            lambda stamp: ChildRunLinked(
                **stamp,
                tool_call_id=self._call_id,
                tool_name=self._tool_name,
                child_run_id=child.id,
                child_agent_name=child.agent_name,
            )
        )
        try:
            await self._around.drive(child, plan, lanes)
        except (SystemExit, KeyboardInterrupt, GeneratorExit) as error:
            # In a task the first two would end the whole loop.
            if is_persons(error):
                raise asyncio.CancelledError("interrupted") from None
            said = {"name": child.agent_name, "what": type(error).__name__}
            raise RunError(EXITED.format(**said)) from error

    def _through(self, make: Callable[[Lanes, People], Coroutine[Any, Any, T]]) -> object:
        self._is_used = True
        if self._is_async:
            return make(self._around.lanes, self._around.people)
        return self._blocking(make)

    def _blocking(self, make: Callable[[Lanes, People], Coroutine[Any, Any, T]]) -> T:
        """Wait on this thread, which serves what must run on it, and hears the person."""
        is_main = threading.current_thread() is threading.main_thread()
        found: list[T] = []

        def stop() -> None:
            thread.loop.call_soon_threadsafe(job.cancel)

        lane = Lane(on_stop=stop)
        lanes: Lanes = lane if is_main else self._around.lanes
        listening = self._around.host.listen() if is_main else contextlib.nullcontext()
        thread = LoopThread.get()
        if threading.get_ident() == thread.ident:
            raise ToolError("An async tool awaits this: write `await ctx.…`.", kind="internal")

        async def work() -> None:
            found.append(await make(lanes, self._around.people.on(lanes)))

        self._waiting.append(lane)
        try:
            with lane, listening as poll:
                lane.poll = poll
                job = thread.start(work, lane.wake)
                lane.wait(lambda: job.is_done or not thread.is_alive)
                if lane.stop_asked:
                    raise interruption()
                job.raise_error(self._around.run)
        finally:
            self._waiting.remove(lane)
        return found[0]


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
    failure = done.node["failure"] or {}
    if done.status == "cancelled":
        said = failure.get("message")
        stopped = STOPPED.format(name=done.agent_name)
        raise CallStopped(f"{done.agent_name!r}: {said}" if said else stopped)
    if done.status == "failed":
        kind = ModelError if failure.get("kind") == "unavailable" else RunError
        raise kind(failure.get("message") or f"The run of {done.agent_name!r} failed.")
    agent.read_again(done, parent)
    return done


def _stopped_words(name: str, why: str) -> str:
    """What is said of a run inside that was stopped by itself."""
    return STOPPED.format(name=name) if why == BY_PERSON else f"{name!r}: Cancelled: {why}."


async def _later(give: Callable[[], T]) -> T:
    return give()
