"""The one driver of a run: asks the model, makes the calls, logs what happens."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pydantic import JsonValue

from nbagents.errors import ModelError
from nbagents.events import (
    AssistantDelta,
    AssistantTurn,
    PromptRendered,
    RequestedCall,
    RunStart,
    RunStreamEnd,
    Thought,
    ToolArgsDelta,
    UsageReported,
    UserMessageReceived,
    Workflow,
)
from nbagents.messages import AssistantMessage, CallRequest, SystemMessage, ToolMessage, UserMessage
from nbagents.models.model import (
    CallDelta,
    Model,
    ModelRequest,
    ModelTurn,
    TextDelta,
    ThoughtDelta,
    ToolSpec,
)
from nbagents.results import Failure
from nbagents.runs.batch import FAILED, STOPPED, Batch
from nbagents.runs.loop import AskModel, CallTools, Outcome, agent_loop

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.events import RunStatus
    from nbagents.messages import Message
    from nbagents.results import CallResult
    from nbagents.runs.record import Run
    from nbagents.tools.invoke import Lanes
    from nbagents.tools.tool import Tool

__all__ = ["Driver", "Plan"]

DELTA_S = 0.04
"""Deltas that come closer together than this become one event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that a run needs to know before it starts."""

    agent_name: str
    model: Model
    tools: tuple[Tool, ...] = ()
    instructions: str = ""
    settings: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    max_steps: int = 10


class Driver:
    """Drives one run to its end.

    Args:
        run: What it is written into.
        plan: What is to be done.
        lanes: Which thread the calls run on.
    """

    def __init__(self, run: Run, plan: Plan, lanes: Lanes) -> None:
        self._run = run
        self._plan = plan
        self._specs = tuple(spec_of(tool) for tool in plan.tools)
        self._names = tuple(tool.name for tool in plan.tools)
        self._memo: dict[str, object] = {}
        self._messages: list[Message] = []
        self._call_ids: set[str] = set()
        self.batch = Batch(run, {tool.name: tool for tool in plan.tools}, lanes)

    async def drive(self) -> None:
        """Run to the end.

        Raises:
            ModelError: The model failed; the run's status is `failed`.
            asyncio.CancelledError: The run was stopped; its log and messages are valid.
        """
        try:
            self._open()
            await asyncio.sleep(0)  # a stop that came before the first step is felt here
            outcome = await self._steps()
            self._conclude(outcome)
        except (asyncio.CancelledError, KeyboardInterrupt) as error:
            self.abort("cancelled", error)
            raise
        except BaseException as error:
            self.abort("failed", error)
            raise
        self._close(outcome.status)

    def abort(self, status: RunStatus, error: BaseException) -> None:
        """Leave a valid log and valid messages behind a run that does not end by itself."""
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
        if plan.instructions:
            self._messages.append(SystemMessage(text=plan.instructions))
        self._messages.append(UserMessage(text=run.prompt))
        run.emit(
            lambda stamp: RunStart(
                **stamp, agent_name=plan.agent_name, model=plan.model.name, tools=self._names
            )
        )
        run.emit(lambda stamp: UserMessageReceived(**stamp, text=run.prompt))

    def _conclude(self, outcome: Outcome) -> None:
        """Where the tools had the last word, it is the answer."""
        last = self._messages[-1]
        if isinstance(last, ToolMessage) and outcome.text:
            self._messages.append(AssistantMessage(text=outcome.text))
            self._run.emit(
                lambda stamp: AssistantTurn(**stamp, step=outcome.step, text=outcome.text)
            )

    def _close(self, status: RunStatus, failure: Failure | None = None) -> None:
        run = self._run
        run.messages = tuple(self._messages)
        if status not in ("running", "unknown"):
            run.emit(lambda stamp: Workflow(**stamp, phase=status, failure=failure))
        run.emit(lambda stamp: RunStreamEnd(**stamp))

    async def _steps(self) -> Outcome:
        loop = agent_loop(self._messages, max_steps=self._plan.max_steps)
        try:
            need = next(loop)
            while True:
                if isinstance(need, AskModel):
                    need = loop.send(await self._ask(need))
                else:
                    need = loop.send(await self._call(need))
        except StopIteration as stop:
            outcome: Outcome = stop.value
            return outcome

    async def _ask(self, need: AskModel) -> AssistantMessage:
        names = () if need.is_final else self._names
        phase = "synthesizing" if need.is_final else "planning"
        self._run.emit(lambda stamp: Workflow(**stamp, phase=phase, step=need.step))
        self._run.emit(
            lambda stamp: PromptRendered(
                **stamp, step=need.step, message_count=len(need.messages), tools=names
            )
        )
        request = ModelRequest(
            messages=need.messages,
            tools=() if need.is_final else self._specs,
            settings=self._plan.settings,
            memo=self._memo,
        )
        turn = await self._listen(request, need.step)
        calls = () if need.is_final else turn.calls  # what is not offered cannot be called
        message = AssistantMessage(text=turn.text, calls=self._with_own_ids(calls))
        self._said(message, turn, need.step)
        return message

    async def _listen(self, request: ModelRequest, step: int) -> ModelTurn:
        """Hear the model out, passing on what it says as it comes."""
        speech = Speech(self._run, step)
        turn: ModelTurn | None = None
        async for part in self._plan.model.stream(request):  # to its end, so that it can clean up
            if isinstance(part, ModelTurn):
                turn = part
            else:
                speech.hear(part)
        speech.flush_thoughts()
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
            lambda stamp: AssistantTurn(**stamp, step=step, text=message.text, calls=calls)
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
        fresh: list[CallRequest] = []
        for call in calls:
            wanted = call.id or "call"
            call_id, again = wanted, 1
            while call_id in self._call_ids:
                again += 1
                call_id = f"{wanted}-{again}"
            self._call_ids.add(call_id)
            fresh.append(call if call_id == call.id else replace(call, id=call_id))
        return tuple(fresh)

    async def _call(self, need: CallTools) -> list[CallResult]:
        self._run.emit(lambda stamp: Workflow(**stamp, phase="executing_tools", step=need.step))
        return await self.batch.make(need.calls)

    def _answer_open_calls(self) -> None:
        """Give each call of an unfinished batch its message: a provider refuses calls without."""
        last = self._messages[-1] if self._messages else None
        if not isinstance(last, AssistantMessage):
            return
        for call in last.calls:
            content, failed = self.batch.told_of(call.id)
            self._messages.append(
                ToolMessage(call_id=call.id, name=call.name, content=content, failed=failed)
            )


class Speech:
    """What a model says in one step, passed on in events that do not come too thick."""

    def __init__(self, run: Run, step: int) -> None:
        self._run = run
        self._step = step
        self._text = ""
        self._thought = ""
        self._next_s = 0.0
        self._arguments: dict[str, str] = {}

    def hear(self, part: TextDelta | ThoughtDelta | CallDelta) -> None:
        """Take a part; pass on what has gathered when it is time."""
        if isinstance(part, TextDelta):
            self._text += part.text
        elif isinstance(part, ThoughtDelta):
            self._thought += part.text
        else:
            self._pass_on_call(part)
        if self._text and time.monotonic() >= self._next_s:
            self.flush_thoughts()
            self._pass_on_text()

    def flush_thoughts(self) -> None:
        """Pass on what was thought; unlike text, no later event repeats it."""
        if self._thought:
            thought, self._thought = self._thought, ""
            self._run.emit(lambda stamp: Thought(**stamp, step=self._step, text=thought))

    def _pass_on_text(self) -> None:
        text, self._text = self._text, ""
        self._run.emit(lambda stamp: AssistantDelta(**stamp, step=self._step, text=text))
        self._next_s = time.monotonic() + DELTA_S

    def _pass_on_call(self, part: CallDelta) -> None:
        """Hold the first pieces back: most calls come whole, and then the turn says it all."""
        self.flush_thoughts()
        is_first = part.id not in self._arguments
        self._arguments[part.id] = self._arguments.get(part.id, "") + part.text
        if is_first:
            self._next_s = max(self._next_s, time.monotonic() + DELTA_S)
        if not part.id or time.monotonic() < self._next_s:
            return
        self._next_s = time.monotonic() + DELTA_S
        text, self._arguments[part.id] = self._arguments[part.id], ""
        self._run.emit(
            lambda stamp: ToolArgsDelta(
                **stamp, tool_call_id=part.id, tool_name=part.name, text=text
            )
        )


def spec_of(tool: Tool) -> ToolSpec:
    """What a model is told of a tool."""
    return ToolSpec(
        name=tool.name,
        description=tool.description,
        parameters=tool.parameters,
        strict=tool.strict,
    )
