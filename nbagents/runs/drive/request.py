"""How a run asks its model: what it tells it, and what it hears.

Long: asking and hearing share what is open of an answer, and would be split in its middle.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nbagents.errors import ModelError
from nbagents.events import (
    AssistantTurn,
    GuardrailStage,
    PromptRendered,
    RequestedCall,
    Thought,
    UsageReported,
    Workflow,
)
from nbagents.identity import FreshIds
from nbagents.messages import AssistantMessage, CallRequest, UserMessage
from nbagents.models.model import (
    CallDelta,
    HostedCall,
    ModelRequest,
    ModelTurn,
    Origin,
    ThoughtDelta,
    ToolSpec,
)
from nbagents.redaction import clean
from nbagents.runs.drive.speech import Speech
from nbagents.runs.drive.step_pauses import Instead, request_pause
from nbagents.runs.plan import (
    context_of,
    offered,
    origin_of,
    request_of,
    spec_of,
    step_context,
)
from nbagents.runs.policy import (
    Gate,
    PromptRefused,
    Refuse,
    answer_value,
    as_text,
    checked,
    notice_of,
    why_last,
    with_words,
)
from nbagents.runs.tree import shown_message, shown_tools
from nbagents.tools.context import ends_in_time

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pydantic import JsonValue

    from nbagents.messages import Message
    from nbagents.runs.drive.dialogue import Dialogue
    from nbagents.runs.people import Stepper
    from nbagents.runs.plan import Plan
    from nbagents.runs.policy import Spending
    from nbagents.runs.state import AskModel, Run
    from nbagents.tools.call import Lanes
    from nbagents.tools.context import Context
    from nbagents.tools.tool import Check, Tool

OUT_OF_TIME = "(The run's time is over.)"  # said below an answer that did not come in time


class Asking:
    """The run's side of the talk with its model.

    Args:
        run: What it is written into.
        plan: What is to be done.
        dialogue: What the model is told and says.
        spending: What the run may still spend.
        hosted: Told of calls that the provider makes itself.
        lanes: Where the person's functions run.
        stepper: Shows what would be sent first, in step mode.
    """

    def __init__(
        self,
        run: Run,
        plan: Plan,
        dialogue: Dialogue,
        spending: Spending,
        hosted: Callable[[HostedCall], None],
        lanes: Lanes,
        stepper: Stepper,
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
        self._dialogue = dialogue
        self._spending = spending
        self._hosted = hosted
        self._lanes = lanes
        self._stepper = stepper
        self._instead: Instead | None = None
        self._ids = FreshIds()
        self._origin: Origin | None = None
        if plan.goes_on:
            self._ids.take(call.id for one in dialogue.answers for call in one.calls)
        is_called = _is_called_for(dialogue.messages)
        self._have_called = {plan.agent_name} if is_called else set[str]()
        self._thought = ""
        self._speech = Speech(run, 0)
        self.why_last = ""
        """Why the model has the last word, once it has."""
        self.go_on_with(plan)
        if plan.spent.has_called:
            self._tool_choice = "auto"

    def go_on_with(self, plan: Plan) -> None:
        """Go on with a plan: that of the agent who holds the run now."""
        self._plan = plan
        choice, is_fulfilled = plan.policy.tool_choice, plan.agent_name in self._have_called
        self._tool_choice = "auto" if choice is not None and is_fulfilled else choice
        self._specs = tuple(spec_of(tool) for tool in plan.tools)
        self._names: tuple[str, ...] = ()
        self._memo: dict[str, object] = {}
        self._offered: tuple[ToolSpec, ...] | None = None
        self._found: dict[str, ToolSpec] = {}
        self._news = _news_of(plan)

    def check_beside(self, prompt: str) -> None:
        """Begin to check the prompt, while the model is asked already."""
        if checks := self._plan.policy.beside:
            self._gate = Gate(self.checking(checks, prompt, "input", is_late=True))

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
        specs, choice = await self._offer(need)
        self._instead = None
        if self._stepper.waits:
            await self._stepped(need, specs, choice)
        self._render(need, specs)
        request = self._request(specs, choice)
        self._speech = Speech(self._run, need.step)
        try:
            turn = await self._in_time(request, need)
        except PromptRefused as refused:
            if refused.turn is not None:
                self._tell_usage(self._priced(refused.turn), need.step)
            raise
        self._gate = None
        checks = self._plan.policy.output_guardrails
        if checks and not self.ran_out_of_time:
            turn = await self._checked(checks, turn, need)
        calls = turn.calls
        if need.is_final or not (self._plan.form or self.ran_out_of_time or self.is_denied):
            turn = with_words(turn, self.why_last)
        if calls:
            calls = await self._meant(calls, need)
            self._tool_choice = "auto"  # what was forced once would be forced for ever
            self._have_called.add(self._plan.agent_name)  # also after it was handed back
        message = AssistantMessage(
            text=turn.text,
            calls=tuple(map(self._with_own_id, calls)),
            native=turn.native,
            native_of=turn.native_of,
        )
        self._said(message, turn, need.step)
        return message

    async def _stepped(
        self,
        need: AskModel,
        specs: tuple[ToolSpec, ...],
        choice: str | Mapping[str, JsonValue] | None,
    ) -> None:
        """Wait until somebody has seen what would be sent, and take what they made of it."""
        told = self._dialogue
        pause = request_pause(
            self._run,
            self._plan,
            need,
            messages=tuple(told.messages),
            new_from=told.told_before(self._run.node),
            tools=specs,
            choice=choice,
        )
        move, by = await self._stepper.before_request(pause)
        if move.messages is not None:
            told.edit(move.messages)
            self._memo = {}  # what was sent before is no beginning of it any more
        if move.turn is not None:
            self._instead = Instead(move.turn, by)

    def _request(
        self, specs: tuple[ToolSpec, ...], choice: str | Mapping[str, JsonValue] | None
    ) -> ModelRequest:
        self._origin = self._origin or origin_of(self._run)
        told, handles = self._dialogue.messages, self._run.handles
        return request_of(self._plan, told, specs, handles, self._memo, choice, self._origin)

    async def _offer(
        self, need: AskModel
    ) -> tuple[tuple[ToolSpec, ...], str | Mapping[str, JsonValue] | None]:
        """What the model is offered, and what it is told of its choice."""
        if need.is_final:  # the tools stay, for what the provider has of the conversation so far
            self._tell_last(need)
            return self._offered or self._specs, "none"
        policy, specs, shelf = self._plan.policy, self._specs, self._plan.shelf
        is_filtered = policy.tool_filter is not None or bool(policy.offers)
        if specs and (is_filtered or (shelf is not None and shelf.shown)):
            specs = await self._filtered(need)
        return specs, self._tool_choice

    def _tell_news(self) -> None:
        """Tell the model what the person did since it was asked last, if anything."""
        said = [words for ask in self._news if (words := ask())]
        said += self._run.take_notices()
        if said:
            self._dialogue.tell("\n".join(said))

    def _tell_last(self, need: AskModel) -> None:
        """Tell the model, once, that it has the last word, and why."""
        if self.why_last:
            return
        self.why_last = why_last(need, self._spending.reached, self._plan.max_steps)
        if not self._dialogue.was_told(words := notice_of(self.why_last)):
            self._dialogue.tell(words)  # else it was, in the run that this one goes on with

    def _render(self, need: AskModel, specs: tuple[ToolSpec, ...]) -> None:
        """Log what a request is made of, but for what the log says already."""
        earlier, before, news = self._dialogue.unlogged(self._run.node)
        if before:
            self._run.common.history.keep(self._run.id, self._run.session.chats.shown.of(before))
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
                earlier=earlier,
                schemas=shown_tools(specs) if are_new else None,
            )
        )

    async def _filtered(self, need: AskModel) -> tuple[ToolSpec, ...]:
        """The tools that are offered at this step; no others can be called.

        Raises:
            Exception: What the person's own function raised.
        """
        shelf, tools, known = self._plan.shelf, self._plan.tools, self._specs
        if shelf is not None:
            tools, known = (*tools, *shelf.shown), (*known, *map(self._spec_of, shelf.shown))
        found = await self._of_those(tools, need)
        specs = tuple(spec for spec in known if spec.name in found)
        same = self._offered  # the very object, where nothing changed: then it is not logged again
        return same if same is not None and same == specs else specs

    def _spec_of(self, tool: Tool) -> ToolSpec:
        """What the model is told of a tool that was found: each time the very same."""
        return self._found.setdefault(tool.name, spec_of(tool))

    async def _meant(
        self, calls: tuple[CallRequest, ...], need: AskModel
    ) -> tuple[CallRequest, ...]:
        """The calls that are meant; what they want of the shelf is let in, if it is offered now.

        Raises:
            Exception: What the person's own function raised.
        """
        shelf = self._plan.shelf
        if shelf is None:
            return calls
        calls = tuple(map(shelf.meant, calls))
        wanted = shelf.wanted_by(calls)
        shelf.let_in((await self._of_those(wanted, need)).values() if wanted else ())
        return calls

    async def _of_those(self, tools: Sequence[Tool], need: AskModel) -> dict[str, Tool]:
        """Those of the tools that are offered now."""
        plan, told = self._plan, self._dialogue
        at = step_context(self._run, plan, need.step, told.messages, told.began)
        return await offered(tools, plan.policy, at, self.context(), self._lanes, plan.shelf)

    async def _checked(self, checks: Sequence[Check], turn: ModelTurn, need: AskModel) -> ModelTurn:
        """What the model said, as far as the checks let it through; before it is written down."""
        has_calls = bool(turn.calls) and not need.is_final
        if has_calls and not turn.text:
            self._pass_on_thought(need.step)
            return turn
        value = answer_value(self._plan.form, turn.text)
        said = await self.checking(checks, value, "output")
        if isinstance(said, Refuse):
            self._thought = ""
            self.is_denied = not has_calls
            text = said.message if self.is_denied else ""
            return replace(turn, text=text, native=(), citations=(), refused=False, unmet=())
        self._pass_on_thought(need.step)
        if said is value:
            return turn
        return replace(turn, text=as_text(said), native=(), citations=())

    async def checking(
        self,
        checks: Sequence[Check],
        value: object,
        stage: GuardrailStage,
        *,
        is_late: bool = False,
    ) -> Any:
        """What checks let through of a value, or the `Refuse` of the first that refuses."""
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
        """What the model said, with what it has cost, which is counted.

        What is replayed has cost nothing, and counts as it did then: the limits end it where they
        had ended it.
        """
        cost = self._spending.take_tokens(turn.usage, self._plan.model.name)
        if cost is None or turn.recorded is not None:
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
            instead = self._instead
            parts = self._plan.model.stream(request) if instead is None else instead.stream()
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
        self.pass_on(message.text, step)
        self._run.emit(
            lambda stamp: AssistantTurn(
                **stamp,
                step=step,
                text=message.text,
                calls=tuple(map(RequestedCall.of, message.calls)),
                citations=turn.citations,
                refused=turn.refused,
                unmet=turn.unmet,
                said_by=self._instead.by if self._instead else "",
            )
        )
        self._tell_usage(turn, step)

    def _tell_usage(self, turn: ModelTurn, step: int) -> None:
        if self._instead is not None or getattr(self._plan.model, "is_program", False):
            return  # nobody was asked
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
                recorded=turn.recorded,
            )
        )

    def _with_own_id(self, call: CallRequest) -> CallRequest:
        """A call whose id is new to this run: some providers count from 0 in each answer."""
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
