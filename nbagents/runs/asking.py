"""How a run asks its model: what it tells it, and what it hears."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from nbagents.errors import ModelError
from nbagents.events import (
    AssistantTurn,
    PromptRendered,
    RequestedCall,
    UsageReported,
    Workflow,
)
from nbagents.messages import AssistantMessage, CallRequest, UserMessage
from nbagents.models.model import HostedCall, ModelTurn
from nbagents.runs.plan import request_of, spec_of
from nbagents.runs.rendered import shown_message, shown_tools
from nbagents.runs.speech import Speech

if TYPE_CHECKING:
    from collections.abc import Callable

    from nbagents.messages import Message
    from nbagents.models.model import ModelRequest, ToolSpec
    from nbagents.runs.limits import Spending
    from nbagents.runs.loop import AskModel
    from nbagents.runs.plan import Plan
    from nbagents.runs.record import Run

__all__ = ["Asking"]

OUT_OF_TIME = "(The run's time is over.)"
"""What is said below an answer that did not come in time."""


class Asking:
    """The run's side of the talk with its model.

    Args:
        run: What it is written into.
        plan: What is to be done.
        messages: The conversation, which grows in place.
        spending: What the run may still spend.
        hosted: Told of calls that the provider makes itself.
    """

    def __init__(
        self,
        run: Run,
        plan: Plan,
        messages: list[Message],
        spending: Spending,
        hosted: Callable[[HostedCall], None],
    ) -> None:
        self.is_refused = False
        """Whether the newest answer says that the model refuses."""
        self.ran_out_of_time = False
        self._run = run
        self._plan = plan
        self._messages = messages
        self._spending = spending
        self._hosted = hosted
        self._specs = tuple(spec_of(tool) for tool in plan.tools)
        self._names = tuple(tool.name for tool in plan.tools)
        self._memo: dict[str, object] = {}
        self._call_ids: set[str] = set()
        self._rendered = 0
        self._offered: tuple[ToolSpec, ...] | None = None
        self._news = tuple({tool.options.news: None for tool in plan.tools if tool.options.news})

    async def ask(self, need: AskModel) -> AssistantMessage:
        """Ask, and log what the model says as it comes."""
        phase = "synthesizing" if need.is_final else "planning"
        self._run.emit(lambda stamp: Workflow(**stamp, phase=phase, step=need.step))
        self._tell_news()
        specs = () if need.is_final else self._specs
        self._render(need, specs)
        request = request_of(self._plan, self._messages, specs, self._run.handles, self._memo)
        turn = await self._in_time(request, need)
        calls = () if need.is_final else turn.calls  # what is not offered cannot be called
        message = AssistantMessage(
            text=turn.text,
            calls=self._with_own_ids(calls),
            native=turn.native,
            native_of=turn.native_of,
        )
        self._said(message, turn, need.step)
        return message

    def _tell_news(self) -> None:
        """Tell the model what the person did since it was asked last, if anything."""
        said = [words for ask in self._news if (words := ask())]
        said += self._run.take_notices()
        if said:
            self._messages.append(UserMessage(text="\n".join(said), is_notice=True))

    def _render(self, need: AskModel, specs: tuple[ToolSpec, ...]) -> None:
        """Log what a request is made of, but for what the run's own events say already."""
        news = need.messages[self._rendered :]
        if self._rendered:
            news = [one for one in news if isinstance(one, UserMessage)]
        self._rendered = len(need.messages)
        are_new, self._offered = specs is not self._offered, specs
        self._run.emit(
            lambda stamp: PromptRendered(
                **stamp,
                step=need.step,
                message_count=len(need.messages),
                tools=self._names if specs else (),
                messages=tuple(map(shown_message, news)),
                schemas=shown_tools(specs) if are_new else None,
            )
        )

    async def _in_time(self, request: ModelRequest, need: AskModel) -> ModelTurn:
        """Hear the model out, for as long as the run has time; then it has said nothing more."""
        limit = asyncio.timeout(self._spending.left_s(is_final=need.is_final))
        try:
            async with limit:
                turn = await self._listen(request, need.step)
        except TimeoutError:
            if not limit.expired():
                raise
            self.ran_out_of_time = True
            return ModelTurn(text=self._so_far(need.step))
        self._spending.take_tokens(turn.usage)
        return turn

    def _so_far(self, step: int) -> str:
        """What the model had said when its time was over."""
        items = self._run.tree["runs"][self._run.id]["items"]
        said = "".join(
            one["text"] for one in items if one["type"] == "text" and one["step"] == step
        )
        return f"{said}\n\n{OUT_OF_TIME}".strip()

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
                    self._hosted(replace(part, id=call_id))
                else:
                    speech.hear(part)
        finally:
            speech.flush_thoughts() if turn is not None else speech.flush()
        self.is_refused = turn is not None and turn.refused
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
