"""The one driver of a run: asks the model, makes the calls, logs what happens."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from nbagents.errors import ModelError, OutputError
from nbagents.events import (
    AssistantTurn,
    Guardrail,
    RunStart,
    RunStreamEnd,
    ToolEnd,
    UserMessageReceived,
    Workflow,
)
from nbagents.messages import AssistantMessage, CallRequest, ToolMessage
from nbagents.results import Failure
from nbagents.runs.asking import Asking
from nbagents.runs.batch import FAILED, STOPPED, UNSAID, Batch, Surroundings
from nbagents.runs.limits import Spending, not_made
from nbagents.runs.loop import AskModel, CallTools, Outcome, agent_loop, told
from nbagents.runs.plan import Plan
from nbagents.tools.capture import streams_captured

if TYPE_CHECKING:
    from nbagents.events import RunStatus
    from nbagents.messages import Message
    from nbagents.results import CallResult
    from nbagents.runs.answer_form import AnswerForm
    from nbagents.runs.host import Host
    from nbagents.runs.record import Run
    from nbagents.tools.invoke import Lanes

MAX_SAID = 300
"""Characters of an answer that are quoted in an error."""

__all__ = ["Driver", "Plan"]


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
        self._messages: list[Message] = list(plan.messages)
        self._spending = Spending(plan.limits)
        around = Surroundings(
            lanes=lanes, host=host, passthrough=plan.passthrough, is_parallel=plan.is_parallel
        )
        offered = {tool.name: tool for tool in plan.tools}
        self.batch = Batch(run, offered, around)
        self._asking = Asking(run, plan, self._messages, self._spending, self.batch.hosted)

    async def drive(self) -> None:
        """Run to the end.

        Raises:
            ModelError: The model failed; the run's status is `failed`.
            OutputError: The answer has not the form that was asked for.
            asyncio.CancelledError: The run was stopped; its log and messages are valid.
        """
        self._spending.begin()
        try:
            self._open()
            await asyncio.sleep(0)  # a stop that came before the first step is felt here
            with streams_captured():
                outcome = await self._steps()
            self._conclude(outcome)
        except (asyncio.CancelledError, KeyboardInterrupt) as error:
            self.abort("cancelled", error)
            raise
        except BaseException as error:
            self.abort("failed", error)
            raise
        self.batch.close_open_calls(UNSAID)
        self._close("limit" if self._asking.ran_out_of_time else outcome.status)

    def abort(self, status: RunStatus, error: BaseException) -> None:
        """Leave a valid log and valid messages behind a run that does not end by itself."""
        if self._run.is_closed:  # given up already, by the thread that waited
            return
        self.batch.close_open_calls(STOPPED if status == "cancelled" else FAILED)
        self._answer_open_calls()
        self._run.error = error
        failure = None
        if status == "failed":
            kind = "unavailable" if isinstance(error, ModelError) else "internal"
            failure = Failure(kind=kind, recovery="finish", message=str(error))
        self._close(status, failure)

    def _open(self) -> None:
        run, plan = self._run, self._plan
        run.emit(
            lambda stamp: RunStart(
                **stamp,
                agent_name=plan.agent_name,
                model=plan.model.name,
                tools=tuple(tool.name for tool in plan.tools),
                limits=plan.limits.model_copy(update={"max_steps": plan.max_steps}),
                chat=plan.chat,
            )
        )
        run.emit(lambda stamp: UserMessageReceived(**stamp, text=run.prompt, shared=plan.shared))

    def _conclude(self, outcome: Outcome) -> None:
        """Where the tools had the last word, it is the answer."""
        last = self._messages[-1]
        if isinstance(last, ToolMessage) and outcome.text:
            self._messages.append(AssistantMessage(text=outcome.text))
            self._run.emit(
                lambda stamp: AssistantTurn(**stamp, step=outcome.step, text=outcome.text)
            )

        if self._plan.form is not None:
            self._run.answer(self._read(self._plan.form, outcome.text))

    def _read(self, form: AnswerForm, text: str) -> object:
        """The answer as a value.

        Raises:
            OutputError: It has not the form that was asked for.
        """
        if self._asking.is_refused:
            raise OutputError(f"The model refuses to answer: {text}")
        try:
            return form.read(text)
        except OutputError as error:
            told_once = str(error).rpartition("\n")[0]
            raise OutputError(
                f"The model's answer has not the form {form.spec.name!r}, also after it was asked "
                f"to correct it. {told_once} It said: {text[:MAX_SAID]}"
            ) from error

    def _complaint(self, text: str) -> str | None:
        """What the model is asked to correct in its answer."""
        form = self._plan.form
        wrong = form.complaint(text) if form and not self._asking.is_refused else None
        if wrong is not None:
            self._run.emit(
                lambda stamp: Guardrail(
                    **stamp, name="form", stage="output", passed=False, message=wrong
                )
            )
        return wrong

    def _close(self, status: RunStatus, failure: Failure | None = None) -> None:
        run = self._run
        run.messages = tuple(self._messages)
        run.session.hold(run)
        if self._plan.chat is not None:
            run.session.chats.end(self._plan.chat, run)
        if status not in ("running", "unknown"):
            run.emit(lambda stamp: Workflow(**stamp, phase=status, failure=failure))
        run.emit(lambda stamp: RunStreamEnd(**stamp))

    async def _steps(self) -> Outcome:
        loop = agent_loop(
            self._messages,
            max_steps=self._plan.max_steps,
            is_spent=lambda: self._spending.is_over,
            complaint=self._complaint if self._plan.form else None,
        )
        try:
            need = next(loop)
            while not self._run.is_closed:
                if isinstance(need, AskModel):
                    need = loop.send(await self._asking.ask(need))
                else:
                    need = loop.send(await self._call(need))
        except StopIteration as stop:
            outcome: Outcome = stop.value
            return outcome
        raise asyncio.CancelledError("the run was ended from outside")

    async def _call(self, need: CallTools) -> list[CallResult]:
        self._run.emit(lambda stamp: Workflow(**stamp, phase="executing_tools", step=need.step))
        granted = self._spending.take_calls(len(need.calls))
        results = await self.batch.make(need.calls[:granted]) if granted else []
        return results + [self._skip(call) for call in need.calls[granted:]]

    def _skip(self, call: CallRequest) -> CallResult:
        """End a call for which there is no room, without making it."""
        result = not_made(self._plan.limits.max_calls)
        self._run.emit(
            lambda stamp: ToolEnd(
                **stamp,
                tool_call_id=call.id,
                tool_name=call.name,
                call_run_id=self._run.id,
                status=result.status,
                content=result.content,
                failure=result.failure,
                duration_ms=0.0,
            )
        )
        return result

    def _answer_open_calls(self) -> None:
        """Give each call of an unfinished batch its message: a provider refuses calls without."""
        last = self._messages[-1] if self._messages else None
        if not isinstance(last, AssistantMessage):
            return
        self._messages += [told(call, self.batch.told_of(call.id)) for call in last.calls]
