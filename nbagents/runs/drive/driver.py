"""The one driver of a run: asks the model, makes the calls, logs what happens."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from nbagents.errors import LogWriteError, ModelError, RecordingError
from nbagents.events import (
    Handoff,
    PromptRendered,
    RunStart,
    RunStreamEnd,
    UserMessageReceived,
    Workflow,
)
from nbagents.recordings import calls_of, run_over
from nbagents.redaction import know, refresh
from nbagents.results import Failure
from nbagents.runs.drive.calls import FAILED, UNSAID, Batch, Surroundings
from nbagents.runs.drive.dialogue import Dialogue
from nbagents.runs.drive.kept_past import tell_kept
from nbagents.runs.drive.steps import Steps
from nbagents.runs.lanes import STOPS, tell
from nbagents.runs.people import Consent, People, Settling, Stepper
from nbagents.runs.plan import Parent, Plan, origin_of
from nbagents.runs.policy import Spending
from nbagents.runs.state import taken_classes
from nbagents.runs.tree import shown_message
from nbagents.tools.call import Suspended
from nbagents.tools.context import streams_captured
from nbagents.tracebacks import clean_error

if TYPE_CHECKING:
    from nbagents.events import RunStatus
    from nbagents.recordings import FrozenCalls
    from nbagents.runs.people import Host
    from nbagents.runs.state import Run
    from nbagents.tools.call import Lanes


class Driver:
    """Drives one run to its end.

    Args:
        run: What it is written into.
        plan: What is to be done.
        lanes: Which thread the calls run on.
        host: Who can ask the person.
    """

    def __init__(self, run: Run, plan: Plan, lanes: Lanes, host: Host) -> None:
        self._run = run
        self._plan = plan
        self._dialogue = Dialogue(plan)
        above = plan.parent and plan.parent.spending
        self._spending = Spending(
            plan.limits,
            above,
            plan.policy.prices,
            agent_name=plan.agent_name,
            before=plan.spent,
        )
        run.caps = self._spending
        run.schemas = lambda: {one.name: one.schema.parameters for one in plan.known_tools}
        self._host = host
        self._lanes = lanes
        self._inside: list[Driver] = []
        self._people = people = People(run, host, lanes, plan, self._spending)
        stepper = Stepper(run, people, lanes, self._spending, plan.step)
        settling = Settling(
            Consent(run, people, lanes, plan.approval),
            people,
            run,
            lanes,
            asks_missing=plan.on_missing == "ask",
            past=plan.past,
        )
        around = Surroundings(
            run=run,
            lanes=lanes,
            host=host,
            people=people,
            drive=self._drive_inside,
            frozen=self._frozen,
            parent_of=self._parent_of,
            past=plan.past,
            passthrough=plan.passthrough,
            is_parallel=plan.is_parallel,
        )
        run.handles.taken_by(lambda: taken_classes(self._steps.offered.values()))
        run.results.update(plan.finished)  # their calls are not made again
        self.batch = Batch(run, lambda: self._steps.offered, around, settling, stepper)
        self._steps = Steps(run, plan, self._dialogue, self._spending, self.batch, lanes, stepper)

    async def drive(self) -> None:
        """Run to the end, or to where it is suspended; then the log has it, if the kernel dies.

        Raises:
            Suspended: It waits for a person, and so does the run that it is inside of.
            ModelError: The model failed; the run's status is `failed`.
            OutputError: The answer has not the form that was asked for.
            LogWriteError: The log could not be written.
            asyncio.CancelledError: The run was stopped; its log and messages are valid.
        """
        self._know_secrets()
        self._spending.begin()
        loop = asyncio.get_running_loop()
        stop = self.batch.stop_call
        self._run.driven_by(lambda call_id, why: tell(loop, lambda: stop(call_id, why)))
        try:
            self._open()
            self._spending.refuse_unpriced((self._plan.model.name,))
            await asyncio.sleep(0)  # a stop that came before the first step is felt here
            with streams_captured():
                outcome = await self._steps.to_end()
        except Suspended:
            self._close("suspended")
            if self._plan.parent is not None:
                raise
            await self._run.session.log.committed()
            return
        except (asyncio.CancelledError, KeyboardInterrupt) as error:
            self.abort("cancelled", error)
            raise
        except BaseException as error:
            told = await self._failed(error)
            if told is not error:  # it could not be kept from quoting a secret
                raise told from None
            raise
        self.batch.close_open_calls(UNSAID)
        self._close(outcome.status, self._steps.limit_failure(outcome))
        if self._plan.parent is None:
            await self._run.session.log.committed()

    async def _failed(self, error: BaseException) -> BaseException:
        """Leave behind what `abort` does, and have the log keep it before anybody hears of it."""
        told = self.abort("failed", error)
        if self._plan.parent is None and isinstance(error, Exception):
            with contextlib.suppress(LogWriteError):  # the error itself says more
                await self._run.session.log.committed()
        return told

    def abort(self, status: RunStatus, error: BaseException) -> BaseException:
        """Leave a valid log and valid messages behind a run that does not end by itself.

        Returns:
            What ended it, without secrets: the same error, wherever that is possible.
        """
        if self._run.is_closed:  # given up already, by the thread that waited
            return error
        for inner in tuple(self._inside):  # those that a blocked loop cannot end any more
            inner.abort(status, error)
        refresh()
        if isinstance(error, RecordingError):  # of no tool: it ends all runs of the tree
            self._run.common.fault = error
        error = clean_error(error)
        self._people.withdraw()
        why = self._run.why_cancelled if status == "cancelled" else FAILED
        self.batch.close_open_calls(why)
        self._dialogue.answer_open(self.batch.told_of)
        self._run.error = error
        failure = None
        if status == "failed":
            kind = "unavailable" if isinstance(error, ModelError) else "internal"
            failure = Failure(kind=kind, recovery="finish", message=str(error))
        elif why not in STOPS:
            failure = Failure(kind="internal", recovery="finish", message=f"Cancelled: {why}.")
        self._close(status, failure)
        return error

    def _know_secrets(self) -> None:
        """See that nothing is written that the environment, or the model, keeps a secret."""
        if self._plan.parent is None:
            refresh()
        know(getattr(self._plan.model, "api_key", None))

    def _open(self) -> None:
        run, plan = self._run, self._plan
        run.emit(
            lambda stamp: RunStart(
                **stamp,
                agent_name=run.agent_name,
                model=plan.model.name,
                tools=tuple(tool.name for tool in plan.tools),
                limits=plan.limits.model_copy(update={"max_steps": plan.max_steps}),
                chat=plan.chat,
                forked_from=plan.kept and plan.kept.forked_from,
                resumed_from=plan.resumed_from,
                approval=plan.approval,
            )
        )
        run.emit(lambda stamp: UserMessageReceived(**stamp, text=run.prompt, shared=plan.shared))
        if plan.kept is not None:
            run.last_agent = plan.agent_name
            tell_kept(run, plan.kept)
        elif plan.resumed_from is not None:
            self._tell_past(plan)

    def _tell_past(self, plan: Plan) -> None:
        """Log who holds the run and what was said, so that its log goes on by itself."""
        run = self._run
        if plan.agent_name != run.agent_name:
            run.last_agent = plan.agent_name
            run.emit(
                lambda stamp: Handoff(
                    **stamp,
                    from_agent=run.agent_name,
                    to_agent=plan.agent_name,
                    model=plan.model.name,
                )
            )
        earlier, before, news = self._dialogue.unlogged(run.node)
        run.common.history.keep(run.id, run.session.chats.shown.of(before))
        run.emit(
            lambda stamp: PromptRendered(
                **stamp,
                step=0,
                message_count=len(plan.messages),
                tools=(),
                messages=tuple(map(shown_message, news)),
                earlier=earlier,
            )
        )

    def _close(self, status: RunStatus, failure: Failure | None = None) -> None:
        run = self._run
        if run.parent is None:
            run.session.hold(run)
            run_over(run.id, is_whole=status not in ("failed", "cancelled"))
        run.messages = tuple(self._dialogue.messages)
        if self._plan.chat is not None:
            run.session.chats.end(self._plan.chat, run, self._dialogue.turn)
        if status not in ("running", "unknown"):
            run.emit(lambda stamp: Workflow(**stamp, phase=status, failure=failure))
        run.emit(lambda stamp: RunStreamEnd(**stamp))
        self._spending.end()

    async def _drive_inside(self, run: Run, plan: Plan, lanes: Lanes) -> None:
        inner = Driver(run, plan, lanes, self._host)
        self._inside.append(inner)
        try:
            await inner.drive()
        finally:
            self._inside.remove(inner)

    def _frozen(self, name: str) -> FrozenCalls | None:
        """The recorded results of calls of a tool; one that finds others is always made."""
        plan = self._steps.plan
        if plan.shelf is not None and plan.shelf.is_finder(name):
            return None
        return calls_of(plan.model, lambda: origin_of(self._run))

    def _parent_of(self, call_id: str) -> Parent:
        return Parent(
            run=self._run, call_id=call_id, plan=self._steps.plan, spending=self._spending
        )
