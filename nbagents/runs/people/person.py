"""How a run asks a person: on the page where one hears, else by typing, else not at all."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, cast

from nbagents.events import (
    AwaitClarification,
    AwaitConfirmation,
    AwaitExternalTools,
    AwaitQuestions,
    AwaitResolved,
    AwaitStep,
)
from nbagents.identity import new_id
from nbagents.narrowing import dict_of, is_mapping
from nbagents.results import Option
from nbagents.runs.lanes import until_done
from nbagents.runs.policy import call_plainly
from nbagents.runs.state import Answer, Await, AwaitKind, Desk, Handler, Posed, words_of
from nbagents.runs.stepping import edit_json, edit_of, shown_pause
from nbagents.runs.tree import PERSON
from nbagents.tools.call import Suspended
from nbagents.tools.context import capturing, shown

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.events import AnyEvent, Resolution
    from nbagents.runs.people.host import Host
    from nbagents.runs.plan import Plan
    from nbagents.runs.policy import Spending
    from nbagents.runs.state import Place, Run, Stamp
    from nbagents.tools.call import Lanes

T = TypeVar("T")

NOBODY: Final = "the policy for runs without a person"
UNSTEPPED: Final = "Nobody can step through the run here, so it goes on by itself."
GLANCE_S: Final = 0.05
"""How often it is looked again whether a page has come."""
PAGE: Final = "page"
"""What comes of typing where nobody can type, and a page is still to come."""
SETTLE_S: Final = 0.3
"""How long a page has to draw the run first: nothing is drawn while the main thread asks."""


class People:
    """Asks on behalf of one run, and writes down what was asked and answered.

    Args:
        run: What it is written into.
        host: Who knows of pages, and can ask by typing.
        lanes: The main lane is where is asked by typing: that waits for a key.
        plan: Says what is done where a person must answer, and what they have said already.
        spending: The run's, whose clock stands still meanwhile.
    """

    def __init__(self, run: Run, host: Host, lanes: Lanes, plan: Plan, spending: Spending) -> None:
        self._run = run
        self._host = host
        self._lanes = lanes
        self._plan = plan
        self._spending = spending

    def on(self, lanes: Lanes) -> People:
        """The same, asking by typing in another lane."""
        return People(self._run, self._host, lanes, self._plan, self._spending)

    def question(self, kind: AwaitKind, **said: Any) -> Await:  # Any: the fields of `Await`
        """A question of this run's that is not put yet."""
        run = self._run
        who = {"run_id": run.id, "agent_name": run.last_agent, "context": run.context}
        made = Await(id=new_id("await"), kind=kind, **who, **said)
        return replace(made, _desk=run.common.desk)

    async def ask(
        self, question: Await, check: Callable[[Answer], T]
    ) -> tuple[Answer, T | None] | None:
        """Ask, until an answer fits or somebody says no.

        Args:
            question: What `question` made.
            check: What the answer means; where that is an `Answer`, it is what is written down.

        Returns:
            The answer, and what it means unless it is a no; `None` where nobody can be asked.

        Raises:
            Suspended: The run is to end here.
            asyncio.CancelledError: It was stopped.
            Exception: What the person's own function raised that answers.
        """
        posed = Posed(question, check, asyncio.get_running_loop())
        desk = self._run.common.desk
        desk.put(posed)
        self._run.emit(lambda stamp: _asked(question, stamp))
        try:
            with self._spending.clock.standing_still():
                answered = await self._answered(posed, check)
        except Suspended:
            desk.take(posed)
            raise
        except Exception:
            self._withdraw(posed, by="an error of on_await")
            raise
        except BaseException:
            self._withdraw(posed)
            raise
        if not desk.take(posed):  # withdrawn, and that was written down
            return answered
        if answered is None and question.kind == "step":
            goes_on = Answer(action="answer", value="to_end", by=NOBODY, note=UNSTEPPED)
            self._resolve(question, "answered", goes_on)
        elif answered is None:
            self._resolve(question, "denied", Answer(action="deny", by=NOBODY))
        else:
            answer = answered[1] if isinstance(answered[1], Answer) else answered[0]
            self._resolve(question, "denied" if answer.action == "deny" else "answered", answer)
        return answered

    def withdraw(self, call_id: str | None = None) -> None:
        """Ask no more what a call asks that has ended, or all that the run asks; in any thread."""
        for posed in self._run.common.desk.posed_by(self._run.id):
            if call_id in (None, posed.question.call_id):
                self._withdraw(posed)

    def _withdraw(self, posed: Posed, by: str = "a stop") -> None:
        if self._run.common.desk.take(posed):
            self._resolve(posed.question, "cancelled", Answer(action="deny", by=by))

    async def _answered(
        self, posed: Posed, check: Callable[[Answer], T]
    ) -> tuple[Answer, T | None] | None:
        known = self._plan.said.take(_place(self._plan, posed.question))
        if known is not None:
            return known, None if known.action == "deny" else self._meant(posed, known, check)
        said = self._plan.on_await
        if callable(said):
            return await self._by_function(said, posed.question, check)
        if said == "suspend":
            raise Suspended
        if said == "deny":
            return None
        if said == "wait" or await self._is_heard(posed):
            return await self._by_desk(posed, check)
        return await self._by_typing(posed, check)

    def _meant(self, posed: Posed, known: Answer, check: Callable[[Answer], T]) -> T:
        """What an answer means that was given beforehand.

        Raises:
            Suspended: It does not fit: whoever gave it is told, and the question stays.
        """
        try:
            return check(known)
        except ValueError as error:
            asked = posed.question.text or posed.question.title
            self._plan.said.misfits.append(f"The answer to {asked!r} does not fit: {error}")
            raise Suspended from error

    async def _is_heard(self, posed: Posed) -> bool:
        """Whether a page shows the run, waiting for a moment where one may still come."""
        heard = self._host.hears(self._run)
        while heard is None and not posed.said.done():
            await asyncio.wait([asyncio.wrap_future(posed.said)], timeout=GLANCE_S)
            heard = self._host.hears(self._run)
        return heard is not False or posed.said.done()

    async def _by_desk(
        self, posed: Posed, check: Callable[[Answer], T]
    ) -> tuple[Answer, T | None] | None:
        desk = self._run.common.desk
        while True:
            answer, told = await asyncio.wrap_future(posed.said)
            try:
                meant = None if answer.action == "deny" else check(answer)
            except ValueError as error:
                desk.again(posed)
                told.set_exception(ValueError(str(error)))
            else:
                told.set_result(None)
                return answer, meant

    async def _by_function(
        self, function: Handler, question: Await, check: Callable[[Answer], T]
    ) -> tuple[Answer, T | None] | None:
        try:
            given = await self._given_by(function, question)
            return given and (given, None if given.action == "deny" else check(given))
        except Exception as error:
            self._run.common.fault = error  # no tool's: it ends all runs of the tree
            raise

    async def _given_by(self, function: Handler, question: Await) -> Answer | None:
        noted = _Noted()
        asked = replace(question, _desk=noted)
        said = await call_plainly(partial(function, asked), self._lanes)
        said = noted.said if said is None else said
        given = None if said is None else answer_of(question, said)
        if given is None or given.by != PERSON:
            return given
        return replace(given, by=f"on_await ({getattr(function, '__name__', 'a function')})")

    async def _by_typing(
        self, posed: Posed, check: Callable[[Answer], T]
    ) -> tuple[Answer, T | None] | None:
        question = posed.question
        if self._host.shows_output:
            await asyncio.sleep(SETTLE_S)
        asked = question
        while True:
            typed = await self._lanes.on_main(partial(self._typed, posed, asked))
            # A page that came late, or Python, was faster; or only a page can answer, once it is
            # here: while somebody watches nothing is denied because their page is slow.
            if posed.said.done() or typed is PAGE:
                return await self._by_desk(posed, check)
            answer = cast("Answer | None", typed)
            if answer is None:
                return None
            try:
                return answer, None if answer.action == "deny" else check(answer)
            except ValueError as error:
                given = answer.value if question.kind == "step" else question.arguments
                text = f"{error}\n{question.text}".strip()
                asked = replace(question, text=text, arguments=given)  # typing goes on with it

    def _typed(self, posed: Posed, question: Await) -> Answer | Literal["page"] | None:
        hearing = contextlib.nullcontext()
        if threading.current_thread() is threading.main_thread():
            hearing = until_done(posed.said)
        if posed.said.done():
            return None
        with capturing(None), hearing:  # the question is no call's output
            answer = self._host.ask(self._run, question)
            waits = answer is None and self._host.waits_for_page(self._run)
            return PAGE if waits else answer
        return None  # it was answered otherwise

    def _resolve(
        self,
        question: Await,
        outcome: Resolution,
        answer: Answer,
    ) -> None:
        value = answer.value
        if question.kind == "confirmation" and outcome != "cancelled":
            value = answer.action == "approve"
            if value and answer.arguments is not None:
                value = dict(answer.arguments)
        self._run.emit(
            lambda stamp: AwaitResolved(
                **stamp,
                await_id=question.id,
                outcome=outcome,
                answer=value,
                answered_by=answer.by,
                note=answer.note,
            )
        )


class _Noted(Desk):
    """Takes what a function says by `question.approve()` instead of giving it back."""

    said: Answer | None = None

    def answer(self, await_id: str, answer: Answer) -> Future[None]:
        """Note an answer; whether it fits is seen when the function has ended."""
        del await_id
        self.said = answer
        told: Future[None] = Future()
        told.set_result(None)
        return told


def _place(plan: Plan, question: Await) -> Place:
    """Where a question of a suspended run is asked again."""
    run_id, words = plan.resumed_from or "", words_of(question.kind, question.text, question.title)
    return run_id, question.call_id or "", question.kind, words


def _form(question: Await) -> JsonValue:
    return None if question.form is None else dict(question.form)


def _asked(question: Await, stamp: Stamp) -> AnyEvent:
    if question.kind == "confirmation":
        call = question.prepared
        told: dict[str, Any] = {"arguments": question.arguments} if call is None else call.told
        return AwaitConfirmation(
            **stamp,
            tool_call_id=question.call_id or "",
            tool_name=question.tool_name or "",
            await_id=question.id,
            title=question.title,
            prompt=question.text,
            **told,
            written=None if call is None else call.written,
            form=_form(question),
            reason=question.reason,
        )
    if question.kind == "clarification":
        return AwaitClarification(
            **stamp,
            await_id=question.id,
            question=question.text,
            missing_fields=question.missing_fields,
            form=_form(question),
            given=question.arguments,
            tool_call_id=question.call_id,
            tool_name=question.tool_name,
        )
    if question.kind == "questions":
        return AwaitQuestions(
            **stamp,
            await_id=question.id,
            title=question.title,
            questions=question.questions,
            tool_call_id=question.call_id,
            tool_name=question.tool_name,
        )
    if question.pause is not None:
        shown = shown_pause(question.pause)
        return AwaitStep(**stamp, await_id=question.id, title=question.title, pause=shown)
    return AwaitExternalTools(**stamp, await_id=question.id, calls=question.calls)


NO_ANSWER: Final = (
    "on_await gave {given}: it must give nbagents.Answer(...), True or False where consent is "
    "asked for, the value where one thing is asked for, or None for no."
)
YES_OR_NO: Final = (Option(label="Yes"), Option(label="No"))


def answer_of(question: Await, said: object) -> Answer:
    """What a person's own function says to a question, which may be less than an `Answer`.

    Raises:
        TypeError: It is no answer to this question.
        ValueError: It cannot be written down.
    """
    if isinstance(said, Answer):
        return said
    if question.kind == "confirmation" and isinstance(said, bool):
        return Answer(action="approve" if said else "deny")
    if question.kind == "step":
        return Answer(action="answer", value=edit_json(edit_of(said), question.pause))
    value = _value_of(question, said)
    if value is None:
        raise TypeError(NO_ANSWER.format(given=shown(said)))
    return Answer(action="answer", value=value)


def _value_of(question: Await, said: object) -> Any:  # Any: as JSON has it, or not
    """What is said as the value of an answer; `None`: it is none to this question."""
    if question.kind == "confirmation":
        return None
    if question.kind == "external_tools":
        names = [call.id for call in question.calls]
    elif question.kind == "questions":
        names = [one.id for one in question.questions]
        if isinstance(said, bool) and question.questions[0].options == YES_OR_NO:
            said = YES_OR_NO[not said].label
    elif question.form is None:
        return said if isinstance(said, str) else None
    else:
        names = list(dict_of(question.form.get("properties")))
    if is_mapping(said):
        by_name = dict(said)
        return by_name if by_name.keys() <= set(names) or len(names) != 1 else {names[0]: by_name}
    return {names[0]: said} if len(names) == 1 else None
