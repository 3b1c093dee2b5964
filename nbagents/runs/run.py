"""The one driver of a run: asks the model, makes the calls, logs what happens."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from nbagents.errors import ModelError, OutputError
from nbagents.events import (
    AssistantTurn,
    Guardrail,
    PromptRendered,
    RequestedCall,
    RunStart,
    RunStreamEnd,
    UsageReported,
    UserMessageReceived,
    Workflow,
)
from nbagents.messages import AssistantMessage, CallRequest, ToolMessage
from nbagents.models.model import (
    HostedCall,
    Model,
    ModelRequest,
    ModelTurn,
    ToolSpec,
)
from nbagents.results import Failure
from nbagents.runs.batch import FAILED, STOPPED, UNSAID, Batch, Surroundings
from nbagents.runs.loop import AskModel, CallTools, Outcome, agent_loop, told
from nbagents.runs.speech import Speech
from nbagents.tools.capture import streams_captured
from nbagents.tools.names import split_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nbagents.events import RunStatus
    from nbagents.messages import Message
    from nbagents.results import CallResult
    from nbagents.runs.answer_form import AnswerForm
    from nbagents.runs.host import Host
    from nbagents.runs.record import Run
    from nbagents.tools.handles import Handles
    from nbagents.tools.invoke import Lanes
    from nbagents.tools.tool import Tool

MAX_SAID = 300
"""Characters of an answer that are quoted in an error."""

__all__ = ["Driver", "Plan", "first_request", "spec_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that a run needs to know before it starts."""

    agent_name: str
    model: Model
    tools: tuple[Tool, ...] = ()
    messages: tuple[Message, ...] = ()
    """The conversation so far; its last message is what the person asks now."""
    shared: tuple[str, ...] = ()
    """What is handed over with the prompt, a line each."""
    passthrough: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Any])
    form: AnswerForm | None = None
    """The form that the answer must have."""
    is_parallel: bool = True
    settings: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    max_steps: int = 10


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
        self._specs = tuple(spec_of(tool) for tool in plan.tools)
        self._names = tuple(tool.name for tool in plan.tools)
        self._memo: dict[str, object] = {}
        self._messages: list[Message] = list(plan.messages)
        self._call_ids: set[str] = set()
        self._is_refused = False
        around = Surroundings(
            lanes=lanes, host=host, passthrough=plan.passthrough, is_parallel=plan.is_parallel
        )
        offered = {tool.name: tool for tool in plan.tools}
        self.batch = Batch(run, offered, around)

    async def drive(self) -> None:
        """Run to the end.

        Raises:
            ModelError: The model failed; the run's status is `failed`.
            OutputError: The answer has not the form that was asked for.
            asyncio.CancelledError: The run was stopped; its log and messages are valid.
        """
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
        self._close(outcome.status)

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
                **stamp, agent_name=plan.agent_name, model=plan.model.name, tools=self._names
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
        if self._is_refused:
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
        wrong = form.complaint(text) if form and not self._is_refused else None
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
        if status not in ("running", "unknown"):
            run.emit(lambda stamp: Workflow(**stamp, phase=status, failure=failure))
        run.emit(lambda stamp: RunStreamEnd(**stamp))

    async def _steps(self) -> Outcome:
        loop = agent_loop(
            self._messages,
            max_steps=self._plan.max_steps,
            complaint=self._complaint if self._plan.form else None,
        )
        try:
            need = next(loop)
            while not self._run.is_closed:
                if isinstance(need, AskModel):
                    need = loop.send(await self._ask(need))
                else:
                    need = loop.send(await self._call(need))
        except StopIteration as stop:
            outcome: Outcome = stop.value
            return outcome
        raise asyncio.CancelledError("the run was ended from outside")

    async def _ask(self, need: AskModel) -> AssistantMessage:
        names = () if need.is_final else self._names
        phase = "synthesizing" if need.is_final else "planning"
        self._run.emit(lambda stamp: Workflow(**stamp, phase=phase, step=need.step))
        self._run.emit(
            lambda stamp: PromptRendered(
                **stamp, step=need.step, message_count=len(need.messages), tools=names
            )
        )
        request = request_of(
            self._plan,
            need.messages,
            () if need.is_final else self._specs,
            self._run.handles,
            self._memo,
        )
        turn = await self._listen(request, need.step)
        calls = () if need.is_final else turn.calls  # what is not offered cannot be called
        message = AssistantMessage(
            text=turn.text,
            calls=self._with_own_ids(calls),
            native=turn.native,
            native_of=turn.native_of,
        )
        self._said(message, turn, need.step)
        return message

    async def _listen(self, request: ModelRequest, step: int) -> ModelTurn:
        """Hear the model out, passing on what it says as it comes."""
        speech = Speech(self._run, step)
        turn: ModelTurn | None = None
        hosted: dict[str, str] = {}
        try:
            async for part in self._plan.model.stream(request):  # to its end: it can clean up
                if isinstance(part, ModelTurn):
                    turn = part
                elif isinstance(part, HostedCall):
                    speech.flush()
                    call_id = hosted.get(part.id) or self._own_id(part.id)
                    hosted[part.id] = call_id
                    self.batch.hosted(replace(part, id=call_id))
                else:
                    speech.hear(part)
        finally:
            speech.flush_thoughts() if turn is not None else speech.flush()
        self._is_refused = turn is not None and turn.refused
        if turn is None:
            name = self._plan.model.name
            raise ModelError(f"The model {name!r} stopped without ending its turn.")
        return turn

    def _said(self, message: AssistantMessage, turn: ModelTurn, step: int) -> None:
        calls = tuple(
            RequestedCall(id=call.id, name=call.name, arguments=call.arguments)
            for call in message.calls
        )
        usage = turn.usage
        self._run.emit(
            lambda stamp: AssistantTurn(
                **stamp,
                step=step,
                text=message.text,
                calls=calls,
                citations=turn.citations,
                refused=turn.refused,
            )
        )
        self._run.emit(
            lambda stamp: UsageReported(
                **stamp,
                step=step,
                model=self._plan.model.name,
                input_tokens=usage.input_tokens,
                output_tokens=usage.output_tokens,
                cached_tokens=usage.cached_tokens,
            )
        )

    def _with_own_ids(self, calls: tuple[CallRequest, ...]) -> tuple[CallRequest, ...]:
        """Calls whose ids are new to this run: some providers count from 0 in each answer."""
        return tuple(replace(call, id=self._own_id(call.id)) for call in calls)

    def _own_id(self, given: str) -> str:
        wanted = given or "call"
        call_id, again = wanted, 1
        while call_id in self._call_ids:
            again += 1
            call_id = f"{wanted}-{again}"
        self._call_ids.add(call_id)
        return call_id

    async def _call(self, need: CallTools) -> list[CallResult]:
        self._run.emit(lambda stamp: Workflow(**stamp, phase="executing_tools", step=need.step))
        return await self.batch.make(need.calls)

    def _answer_open_calls(self) -> None:
        """Give each call of an unfinished batch its message: a provider refuses calls without."""
        last = self._messages[-1] if self._messages else None
        if not isinstance(last, AssistantMessage):
            return
        self._messages += [told(call, self.batch.told_of(call.id)) for call in last.calls]


def request_of(
    plan: Plan,
    messages: Sequence[Message],
    tools: tuple[ToolSpec, ...],
    handles: Handles,
    memo: dict[str, object],
) -> ModelRequest:
    """What a model is asked."""
    return ModelRequest(
        messages=messages,
        tools=tools,
        settings=plan.settings,
        output=plan.form and plan.form.spec,
        handles=handles.infos() if handles else (),
        parallel=plan.is_parallel,
        memo=memo,
    )


def first_request(plan: Plan, handles: Handles) -> ModelRequest:
    """What a run would ask first."""
    return request_of(plan, plan.messages, tuple(map(spec_of, plan.tools)), handles, {})


def spec_of(tool: Tool) -> ToolSpec:
    """What a model is told of a tool."""
    return ToolSpec(
        name=tool.name,
        description=tool.description,
        parameters=tool.parameters,
        strict=tool.strict,
        strict_note=tool.strict_note,
        hosted=tool.options.hosted,
        handles=tool.schema.handles,
        defer=tool.options.defer,
        toolset=split_name(tool.name)[0],
    )
