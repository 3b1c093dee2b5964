"""The steps of a run: pumps the loop, sees to what its policy says, and reads the answer."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from nbagents.errors import OutputError
from nbagents.events import (
    AssistantTurn,
    Guardrail,
    Handoff,
    RequestedCall,
    Workflow,
)
from nbagents.identity import new_id
from nbagents.messages import CallRequest, UserMessage
from nbagents.results import Failure
from nbagents.runs.drive.calls import in_turn, unmade
from nbagents.runs.drive.request import Asking
from nbagents.runs.plan import conversation_of, made_with_handover
from nbagents.runs.policy import (
    PromptRefused,
    Refuse,
    StopAt,
    answer_value,
    as_text,
    call_plainly,
    no_answer,
    refused_call,
)
from nbagents.runs.state import (
    FIRST,
    AskModel,
    CallTools,
    Decide,
    Outcome,
    agent_loop,
    closing_again,
    closing_call,
    open_answer,
)
from nbagents.runs.tree import last_offered
from nbagents.runs.wording import Call
from nbagents.tools.call import Suspended, for_people

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nbagents.results import CallResult
    from nbagents.runs.drive.calls import Batch
    from nbagents.runs.drive.dialogue import Dialogue
    from nbagents.runs.people import Stepper
    from nbagents.runs.plan import Handover, Plan
    from nbagents.runs.policy import AnswerForm, Spending
    from nbagents.runs.state import Loop, Run
    from nbagents.tools.call import Lanes
    from nbagents.tools.tool import Tool


class Steps:
    """Takes a run from its prompt to its answer.

    Args:
        run: What it is written into.
        plan: What is to be done.
        dialogue: What the model is told and says.
        spending: What the run may still spend.
        batch: Makes the calls.
        lanes: Where the person's functions run.
        stepper: Shows requests before they are made, in step mode.
    """

    def __init__(
        self,
        run: Run,
        plan: Plan,
        dialogue: Dialogue,
        spending: Spending,
        batch: Batch,
        lanes: Lanes,
        stepper: Stepper,
    ) -> None:
        self.plan = plan
        """What holds now: after a hand-over, the plan of the agent that goes on."""
        self._run = run
        self._dialogue = dialogue
        self._spending = spending
        self._batch = batch
        self._lanes = lanes
        self._asking = Asking(run, plan, dialogue, spending, batch.hosted, lanes, stepper)
        self._taking_over: tuple[Handover, CallRequest] | None = None
        opened = open_answer(dialogue.messages) if plan.goes_on else None
        self._granted = opened.calls if opened else ()
        self._at_first = self.offered

    async def to_end(self) -> Outcome:
        """Ask and call until there is an answer; it is read, and kept with the run.

        Raises:
            ModelError: The model failed.
            OutputError: The answer has not the form that was asked for.
            asyncio.CancelledError: The run was stopped.
        """
        await self._make_again()
        if self.plan.policy.input_guardrails or self.plan.policy.beside:
            refused = await self._refusal_of_prompt()
            if refused is not None:
                return refused
        try:
            outcome = await self._pumped()
        except PromptRefused as refused:
            return self._denied(refused.message)
        finally:
            self._asking.close()
        if self._asking.ran_out_of_time:
            outcome = await self._out_of_time(outcome)
        return await self._concluded(outcome)

    @property
    def offered(self) -> Mapping[str, Tool]:
        """The tools that calls may be of, by name: those that the model was offered last."""
        node = self._run.state["runs"].get(self._run.id)
        names = None if node is None else last_offered(node)
        tools = {tool.name: tool for tool in self.plan.known_tools}
        if names is not None:
            tools = {name: tools[name] for name in names if name in tools}
        return tools if self.plan.shelf is None else self.plan.shelf.over(tools)

    def limit_failure(self, outcome: Outcome) -> Failure | None:
        """What is said of the limit that ended the run, if one did."""
        if outcome.status != "limit":
            return None
        which = self._spending.reached or f"max_steps={self.plan.max_steps}"
        said = f"Stopped at a limit: {which}."
        return Failure(kind="unavailable", recovery="finish", message=said)

    async def _make_again(self) -> None:
        """Make kept calls again that are to be, before the run goes on: its model is told so."""
        tools = {tool.name: tool for tool in self.plan.known_tools}
        for request in () if self.plan.kept is None else self.plan.kept.again:
            (result,) = await self._batch.make([request], tools)
            self._dialogue.put_result(request, result)

    async def _pumped(self) -> Outcome:
        loop = self._begun()
        try:
            need = next(loop)
            while not self._run.is_closed:
                if isinstance(need, AskModel):
                    if self._taking_over is not None:
                        loop.close()
                        loop = await self._hand_over(*self._taking_over, need)
                        need = next(loop)
                        continue
                    self._spending.step = need.step
                    need = loop.send(await self._asking.ask(need))
                elif isinstance(need, CallTools):
                    need = loop.send(await self._call(need))
                else:
                    need = loop.send(await self._decide(need))
        except StopIteration as stop:
            outcome: Outcome = stop.value
            return outcome
        raise asyncio.CancelledError("the run was ended from outside")

    def _first(self) -> AskModel:
        """What is wanted first: in a run that goes on with another, what that one would want."""
        steps = self.plan.spent.steps
        if self._granted:
            return replace(FIRST, step=max(steps, 1))
        is_final = bool(steps) and (steps >= self.plan.max_steps or self._spending.is_over)
        return replace(FIRST, step=steps + 1, is_final=is_final)

    def _begun(self) -> Loop:
        first = self._first()
        if not self.plan.is_closing or not self._granted:
            return self._loop(first, self._closing())
        otherwise = self._loop(replace(first, step=first.step + 1, is_final=True), None)
        return closing_again(self._dialogue.messages, self._granted[0], first.step, otherwise)

    def _loop(self, after: AskModel, closing: CallRequest | None) -> Loop:
        plan = self.plan
        return agent_loop(
            self._dialogue.messages,
            max_steps=plan.max_steps,
            is_spent=lambda: self._spending.is_over,
            complaint=self._complaint if plan.form else None,
            closing=closing,
            decides=plan.policy.tool_use != "run_again",
            after=after,
        )

    # Calls

    async def _call(self, need: CallTools) -> list[CallResult]:
        self._run.emit(lambda stamp: Workflow(**stamp, phase="executing_tools", step=need.step))
        if need.is_closing:
            return await self._close_by_call(need)
        if need.is_last:
            said = refused_call(self._asking.why_last)
            return [unmade(self._run, call, said) for call in need.calls]
        is_granted = need.calls == self._granted  # when they were asked for, in another run
        is_in_turn = self.plan.policy.is_sequential and not is_granted
        asked = 1 if is_in_turn else len(need.calls)
        granted = asked if is_granted else self._spending.take_calls(asked)
        # Before the others are made: each call has its result, also where the run is stopped then.
        left, why_not = need.calls[granted:], self._spending.not_made
        late = in_turn(need.calls[0].name) if is_in_turn and granted else None
        not_made = [unmade(self._run, call, late or why_not(asked, granted)) for call in left]
        if self.plan.policy.handovers:
            results = await self._made_with_handover(need.calls[:granted])
        else:
            results = await self._batch.make(need.calls[:granted]) if granted else []
        self._spending.count_batch(results)
        return [*results, *not_made]

    def _closing(self) -> CallRequest | None:
        said = self.plan.policy.on_limit
        if said is None:
            return None
        return CallRequest(
            id=new_id("call"), name=said.name, arguments=json.dumps(dict(said.arguments))
        )

    async def _close_by_call(self, need: CallTools) -> list[CallResult]:
        """Make the call that was said beforehand, in time of its own, whatever is offered now."""
        self._spending.begin_last_word()
        try:
            return await self._batch.make(need.calls, {**self.offered, **self._at_first})
        except Suspended:
            if need.calls != self._granted:  # else the log has it already
                self._tell_closing(need)
            raise

    def _tell_closing(self, need: CallTools) -> None:
        """Log the call that no model asked for, so that the run can be gone on with."""
        calls = tuple(map(RequestedCall.of, need.calls))
        self._run.emit(lambda stamp: AssistantTurn(**stamp, step=need.step, text="", calls=calls))

    async def _out_of_time(self, outcome: Outcome) -> Outcome:
        """What ends a run whose model did not answer in time."""
        call, closed = self._closing(), None
        if call is not None:
            closing = closing_call(self._dialogue.messages, call, outcome.step + 1)
            need = next(closing)
            try:
                closing.send(await self._call(need) if isinstance(need, CallTools) else None)
            except StopIteration as stop:
                closed = stop.value
        return closed or replace(outcome, status="limit")

    async def _decide(self, need: Decide) -> str | None:
        """The answer that the results of a step give, by the agent's own rule."""
        if self._taking_over is not None:  # the agent has given the turn away
            return None
        use = self.plan.policy.tool_use
        if callable(use):
            asked = {call.id for call in need.calls}
            calls = tuple(one for one in self._run.calls if one.id in asked)
            context = self._asking.context()
            answer = await call_plainly(lambda: use(context, calls), self._lanes)
            if isinstance(answer, Call):  # one of those that it was given
                return answer.content
            return None if answer is None else as_text(answer)
        shelf = self.plan.shelf
        for call, result in zip(need.calls, need.results, strict=True):
            is_any = shelf is None or not shelf.is_finder(call.name)
            is_meant = call.name in use.names if isinstance(use, StopAt) else is_any
            if is_meant and result.status == "done":
                return result.content
        return None

    # Hand-over

    async def _made_with_handover(self, calls: Sequence[CallRequest]) -> list[CallResult]:
        """Make the calls of an answer that may hand over, of which only one can."""
        handovers = self.plan.policy.handovers
        skip = partial(unmade, self._run)
        results, taken = await made_with_handover(calls, handovers, self._batch, skip)
        if taken is not None:
            self._taking_over = handovers[taken.name], taken
        return results

    async def _hand_over(self, other: Handover, call: CallRequest, need: AskModel) -> Loop:
        """Let another agent go on, in the place of the one that asked for it."""
        self._taking_over = None
        before, self.plan = self.plan, other.plan(self.plan)
        self._spending.add_prices(self.plan.policy.prices)
        self._spending.refuse_unpriced((self.plan.model.name,))
        self._run.last_agent = other.agent_name
        told, before_it = other.input_filter is not None, self._dialogue.messages
        messages = await conversation_of(other, before_it, self._run, self._lanes)
        self._dialogue.hand_over(messages, is_told_anew=told)
        if self.plan.shelf is not None:
            self.plan.shelf.recall([self._run.node])
        self._asking.go_on_with(self.plan)
        self._run.emit(
            lambda stamp: Handoff(
                **stamp,
                from_agent=before.agent_name,
                to_agent=other.agent_name,
                step=need.step - 1,
                model=self.plan.model.name,
                tool_call_id=call.id,
            )
        )
        return self._loop(need, self._closing())

    # What is said

    async def _refusal_of_prompt(self) -> Outcome | None:
        """Have the prompt checked before any model sees it; how the run ends if it is refused."""
        asked, kept = self._dialogue.messages[-1], self.plan.kept
        if not isinstance(asked, UserMessage) or (kept is not None and not kept.is_asked):
            return None
        checks = self.plan.policy.input_guardrails
        said = await self._asking.checking(checks, asked.text, "input")
        if isinstance(said, Refuse):
            return self._denied(said.message)
        if said is not asked.text:
            asked = replace(asked, text=as_text(said))
            self._dialogue.put_prompt(asked)
        self._asking.check_beside(asked.text)
        return None

    def _denied(self, message: str) -> Outcome:
        self._dialogue.refuse_prompt()
        self._say(message, step=0)
        return Outcome(status="denied", text=message, step=0)

    async def _concluded(self, outcome: Outcome) -> Outcome:
        """The end: where the tools had the last word, it is the answer."""
        if self._asking.is_denied:
            return replace(outcome, status="denied")
        form, checks = self.plan.form, self.plan.policy.output_guardrails
        is_of_tool = outcome.is_of_tool and bool(outcome.text)
        outcome = _for_people(outcome) if is_of_tool else outcome
        if not outcome.text.strip() and self._asking.why_last:
            outcome = replace(outcome, text=self._unanswered())
            self._say(outcome.text, outcome.step)
        elif is_of_tool:
            if checks:
                value = answer_value(form, outcome.text)
                said = await self._asking.checking(checks, value, "output")
                if isinstance(said, Refuse):
                    self._say(said.message, outcome.step)
                    return replace(outcome, status="denied", text=said.message)
                outcome = outcome if said is value else replace(outcome, text=as_text(said))
            self._say(outcome.text, outcome.step)
        if form is not None:
            self._read(form, outcome.text, is_of_tool=is_of_tool)
        return outcome

    def _read(self, form: AnswerForm, text: str, *, is_of_tool: bool) -> None:
        if self._asking.is_refused:
            raise OutputError(f"The model refuses to answer: {text}")
        is_cut = self._asking.is_cut and not is_of_tool
        self._run.answer(form.read_last(text, is_of_tool=is_of_tool, is_cut=is_cut))

    def _unanswered(self) -> str:
        """What is said where the model called with its last word, and said nothing."""
        said = self._dialogue.answers
        return no_answer(self._asking.why_last, said[-1].calls if said else ())

    def _say(self, text: str, step: int) -> None:
        self._dialogue.say(text)
        self._asking.pass_on(text, step)
        self._run.emit(lambda stamp: AssistantTurn(**stamp, step=step, text=text))

    def _complaint(self, text: str) -> str | None:
        """What the model is asked to correct in its answer."""
        form, asking = self.plan.form, self._asking
        is_heard = form is not None and not asking.is_refused and not asking.is_denied
        wrong = form.complaint(text, is_cut=asking.is_cut) if form and is_heard else None
        if wrong is not None:
            self._run.emit(
                lambda stamp: Guardrail(
                    **stamp, name="form", stage="output", outcome="refuse", message=wrong
                )
            )
        return wrong


def _for_people(outcome: Outcome) -> Outcome:
    """The end, without what the tools said for a model alone."""
    return replace(outcome, text=for_people(outcome.text))
