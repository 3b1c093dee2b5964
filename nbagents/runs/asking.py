"""How a run asks its model: what it tells it, and what it hears."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nbagents.errors import ModelError
from nbagents.events import (
    AssistantTurn,
    PromptRendered,
    RequestedCall,
    Thought,
    UsageReported,
    Workflow,
)
from nbagents.identity import FreshIds
from nbagents.messages import AssistantMessage, CallRequest, SystemMessage, UserMessage
from nbagents.models.model import CallDelta, HostedCall, ModelTurn, ThoughtDelta
from nbagents.redaction import clean
from nbagents.runs.contexts import context_of
from nbagents.runs.gate import Gate, PromptRefused
from nbagents.runs.guardrails import Refuse, Stage, answer_value, as_text, checked
from nbagents.runs.last_word import notice_of, why_last, with_words
from nbagents.runs.offering import offered, step_context
from nbagents.runs.plan import request_of, spec_of
from nbagents.runs.rendered import shown_message, shown_tools
from nbagents.runs.speech import Speech
from nbagents.tools.clock import ends_in_time

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from nbagents.messages import Message
    from nbagents.models.model import ModelRequest, ToolSpec
    from nbagents.runs.limits import Spending
    from nbagents.runs.loop import AskModel
    from nbagents.runs.plan import Plan
    from nbagents.runs.record import Run
    from nbagents.tools.context import Context
    from nbagents.tools.invoke import Lanes
    from nbagents.tools.tool import Check, Tool

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
        offered: The tools that may be called, by name; what a filter leaves out is taken out.
        lanes: Where the person's functions run.
    """

    def __init__(
        self,
        run: Run,
        plan: Plan,
        messages: list[Message],
        spending: Spending,
        hosted: Callable[[HostedCall], None],
        offered: dict[str, Tool],
        lanes: Lanes,
    ) -> None:
        self.is_refused = False
        """Whether the newest answer says that the model refuses."""
        self.is_cut = False
        """Whether the provider's limit of tokens cut the newest answer off."""
        self.is_denied = False
        """Whether a check has refused the answer: it is replaced by the check's word."""
        self.ran_out_of_time = False
        self._gate: Gate | None = None
        self._run = run
        self._messages = messages
        self._spending = spending
        self._hosted = hosted
        self._by_name = offered
        self._lanes = lanes
        self._ids = FreshIds()
        if plan.resumed_from is not None:
            before = (one for one in messages if isinstance(one, AssistantMessage))
            self._ids.take(call.id for one in before for call in one.calls)
        self._have_called = {plan.agent_name} if _is_called_for(messages) else set[str]()
        self._thought = ""
        self._speech = Speech(run, 0)
        self.why_last = ""
        """Why the model has the last word, once it has."""
        self._rendered = 0 if plan.resumed_from is None else len(messages)
        self._began = len(messages)
        self._begin_with(plan)
        if plan.spent.has_called:
            self._tool_choice = "auto"

    def _begin_with(self, plan: Plan) -> None:
        self._plan = plan
        choice, is_fulfilled = plan.policy.tool_choice, plan.agent_name in self._have_called
        self._tool_choice = "auto" if choice is not None and is_fulfilled else choice
        self._specs = tuple(spec_of(tool) for tool in plan.tools)
        self._names: tuple[str, ...] = ()
        self._memo: dict[str, object] = {}
        self._offered: tuple[ToolSpec, ...] | None = None
        self._news = _news_of(plan)

    def go_on_with(self, plan: Plan, *, is_told_anew: bool) -> None:
        """Go on with another agent's plan.

        Args:
            plan: What holds from now on.
            is_told_anew: Whether the model is told another conversation than the log holds.
        """
        self._begin_with(plan)
        if is_told_anew:
            self._rendered = 0

    def check_beside(self, prompt: str) -> None:
        """Begin to check the prompt, while the model is asked already."""
        if checks := self._plan.policy.beside:
            self._gate = Gate(self._checking(checks, prompt, "input", is_late=True))

    def close(self) -> None:
        """The run is over: nothing is checked any more."""
        if self._gate is not None:
            self._gate.close()

    def context(self) -> Context:
        """What the person's functions get that belong to no call."""
        return context_of(self._run, agent_name=self._plan.agent_name)

    async def ask(self, need: AskModel) -> AssistantMessage:
        """Ask, and log what the model says as it comes."""
        phase = "synthesizing" if need.is_final else "planning"
        self._run.emit(lambda stamp: Workflow(**stamp, phase=phase, step=need.step))
        self._tell_news()
        policy, specs, choice = self._plan.policy, self._specs, self._tool_choice
        if need.is_final:  # the tools stay, for what the provider has of the conversation so far
            specs, choice = self._offered or specs, "none"
            self._tell_last(need)
        elif specs and (policy.tool_filter is not None or policy.offers):
            specs = await self._filtered(need)
        self._render(need, specs)
        request = request_of(
            self._plan, self._messages, specs, self._run.handles, self._memo, choice
        )
        self._speech = Speech(self._run, need.step)
        try:
            turn = await self._in_time(request, need)
        except PromptRefused as refused:
            if refused.turn is not None:
                self._tell_usage(self._priced(refused.turn), need.step)
            raise
        self._gate = None
        if policy.output_guardrails and not self.ran_out_of_time:
            turn = await self._checked(policy.output_guardrails, turn, need)
        calls = turn.calls
        if need.is_final or not (self._plan.form or self.ran_out_of_time or self.is_denied):
            turn = with_words(turn, self.why_last)
        if calls:
            self._tool_choice = "auto"  # what was forced once would be forced for ever
            self._have_called.add(self._plan.agent_name)  # also after it was handed back
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

    def _tell_last(self, need: AskModel) -> None:
        """Tell the model, once, that it has the last word, and why."""
        if self.why_last:
            return
        self.why_last = why_last(need, self._spending.reached, self._plan.max_steps)
        notice = UserMessage(text=notice_of(self.why_last), is_notice=True)
        if self._messages[-1:] != [notice]:  # of a run that this one goes on with
            self._messages.append(notice)

    def _render(self, need: AskModel, specs: tuple[ToolSpec, ...]) -> None:
        """Log what a request is made of, but for what the run's own events say already."""
        news = need.messages[self._rendered :]
        if self._rendered:
            news = [one for one in news if isinstance(one, (UserMessage, SystemMessage))]
        self._rendered = len(need.messages)
        are_new, self._offered = specs is not self._offered, specs
        if are_new:
            self._names = tuple(spec.name for spec in specs)
        self._run.emit(
            lambda stamp: PromptRendered(
                **stamp,
                step=need.step,
                message_count=len(need.messages),
                tools=self._names,
                messages=tuple(map(shown_message, news)),
                schemas=shown_tools(specs) if are_new else None,
            )
        )

    async def _filtered(self, need: AskModel) -> tuple[ToolSpec, ...]:
        """The tools that are offered at this step; no others can be called.

        Raises:
            Exception: What the person's own function raised.
        """
        at = step_context(self._run, self._plan, need.step, self._messages, self._began)
        plan = self._plan
        found = await offered(plan.tools, plan.policy, at, self.context(), self._lanes)
        self._by_name.clear()
        self._by_name.update(found)
        specs = tuple(spec for spec in self._specs if spec.name in self._by_name)
        same = self._offered  # the very object, where nothing changed: then it is not logged again
        return same if same is not None and same == specs else specs

    async def _checked(self, checks: Sequence[Check], turn: ModelTurn, need: AskModel) -> ModelTurn:
        """What the model said, as far as the checks let it through; before it is written down."""
        has_calls = bool(turn.calls) and not need.is_final
        if has_calls and not turn.text:
            self._pass_on_thought(need.step)
            return turn
        value = answer_value(self._plan.form, turn.text)
        said = await self._checking(checks, value, "output")
        if isinstance(said, Refuse):
            self._thought = ""
            self.is_denied = not has_calls
            text = said.message if self.is_denied else ""
            return replace(turn, text=text, native=(), citations=(), refused=False, unmet=())
        self._pass_on_thought(need.step)
        if said is value:
            return turn
        return replace(turn, text=as_text(said), native=(), citations=())

    async def _checking(
        self, checks: Sequence[Check], value: object, stage: Stage, *, is_late: bool = False
    ) -> Any:
        run, context, lanes = self._run, self.context(), self._lanes
        return await checked(
            checks, value, stage=stage, run=run, context=context, lanes=lanes, is_late=is_late
        )

    def _pass_on_thought(self, step: int) -> None:
        """Write down what the model thought, which was held back with its answer."""
        thought, self._thought = self._thought, ""
        if thought:
            self._run.emit(lambda stamp: Thought(**stamp, step=step, text=thought))

    async def _in_time(self, request: ModelRequest, need: AskModel) -> ModelTurn:
        """Hear the model out, for as long as the run has time; then it has said nothing more."""
        left_s = self._spending.left_s(is_final=need.is_final)
        if left_s is None:
            turn = await self._listen(request)
        else:
            listening = asyncio.ensure_future(self._listen(request))
            try:
                while not await ends_in_time(listening, left_s):
                    # Not yet, if a run beside this one waits for a person: that stops the clock.
                    left_s = 0.0 if need.is_final else self._spending.left_s(is_final=False) or 0.0
                    if left_s <= 0.0:
                        self.ran_out_of_time = True
                        break
            finally:
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)
            if self.ran_out_of_time:
                return ModelTurn(text=self._so_far(need.step))
            turn = listening.result()
        return self._priced(turn)

    def _priced(self, turn: ModelTurn) -> ModelTurn:
        """What the model said, with what it has cost, which is counted."""
        cost = self._spending.take_tokens(turn.usage, self._plan.model.name)
        if cost is None:
            return turn
        return replace(turn, usage=turn.usage.model_copy(update={"cost": cost}))

    def _so_far(self, step: int) -> str:
        """What the model had said when its time was over."""
        items = self._run.tree()["runs"][self._run.id]["items"]
        said = "".join(
            one["text"] for one in items if one["type"] == "text" and one["step"] == step
        )
        return f"{said}\n\n{OUT_OF_TIME}".strip()

    async def _listen(self, request: ModelRequest) -> ModelTurn:
        """Hear the model out, passing on what it says as it comes."""
        is_held = bool(self._plan.policy.output_guardrails)
        speech = self._speech
        turn: ModelTurn | None = None
        hosted: dict[str, str] = {}
        try:
            parts = self._plan.model.stream(request)
            async for part in self._gate.held(parts) if self._gate else parts:  # to its end
                if isinstance(part, ModelTurn):
                    turn = part
                elif isinstance(part, HostedCall):
                    speech.flush()
                    call_id = hosted.get(part.id) or self._own_id(part.id)
                    hosted[part.id] = call_id
                    self._hosted(replace(part, id=call_id, name=clean(part.name)))
                elif not is_held or isinstance(part, CallDelta):
                    speech.hear(part)
                elif isinstance(part, ThoughtDelta):
                    self._thought += part.text
        finally:
            speech.flush()
        self.is_refused = turn is not None and turn.refused
        self.is_cut = turn is not None and turn.is_cut
        if turn is None:
            name = self._plan.model.name
            raise ModelError(f"The model {name!r} stopped without ending its turn.")
        return turn

    def pass_on(self, text: str, step: int) -> None:
        """Pass on what is said in a step, as far as it was not yet, before it is written down."""
        speech = self._speech if self._speech.step == step else Speech(self._run, step)
        speech.end(text)

    def _said(self, message: AssistantMessage, turn: ModelTurn, step: int) -> None:
        calls = tuple(
            RequestedCall(id=call.id, name=call.name, arguments=call.arguments)
            for call in message.calls
        )
        self.pass_on(message.text, step)
        self._run.emit(
            lambda stamp: AssistantTurn(
                **stamp,
                step=step,
                text=message.text,
                calls=calls,
                citations=turn.citations,
                refused=turn.refused,
                unmet=turn.unmet,
            )
        )
        self._tell_usage(turn, step)

    def _tell_usage(self, turn: ModelTurn, step: int) -> None:
        usage = turn.usage
        self._run.emit(
            lambda stamp: UsageReported(
                **stamp,
                step=step,
                model=self._plan.model.name,
                input_tokens=usage.input_tokens,
                output_tokens=usage.output_tokens,
                cached_tokens=usage.cached_tokens,
                cost=usage.cost,
            )
        )

    def _with_own_ids(self, calls: tuple[CallRequest, ...]) -> tuple[CallRequest, ...]:
        """Calls whose ids are new to this run: some providers count from 0 in each answer."""
        return tuple(self._with_own_id(call) for call in calls)

    def _with_own_id(self, call: CallRequest) -> CallRequest:
        call_id, name = self._own_id(call.id), clean(call.name)
        if call_id == call.id and name == call.name:
            return call
        return replace(call, id=call_id, name=name)

    def _own_id(self, given: str) -> str:
        return self._ids.give(clean(given) or "call")  # what events are known by is clean


def _is_called_for(messages: Sequence[Message]) -> bool:
    """Whether a tool was asked for since the prompt, in the run that this one goes on with."""
    for one in reversed(messages):
        if isinstance(one, AssistantMessage) and one.calls:
            return True
        if isinstance(one, UserMessage) and not one.is_notice:
            return False
    return False


def _news_of(plan: Plan) -> tuple[Callable[[], str | None], ...]:
    """Who is asked for news, each once; several tools may share one."""
    found: list[Callable[[], str | None]] = []
    for tool in plan.tools:
        news = tool.options.news
        if news is not None and news not in found:
            found.append(news)
    return tuple(found)
