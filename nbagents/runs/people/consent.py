"""Whether a call may be made: by its tool's word, by the run's policy, by a person."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from nbagents.events import ToolAuthorization
from nbagents.identity import clock
from nbagents.narrowing import known
from nbagents.results import CallResult
from nbagents.runs.people.edits import Edited, edited
from nbagents.runs.people.person import NOBODY
from nbagents.runs.people.typing import call_in_question
from nbagents.runs.policy import call_plainly
from nbagents.runs.state import EARLIER, Grant, Verdict
from nbagents.tools.call import lasting_target_of, seen_arguments, target_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic import JsonValue

    from nbagents.events import Approval
    from nbagents.runs.people.person import People
    from nbagents.runs.state import Answer, CallKey, Run
    from nbagents.runs.tree import AuthorizationNode, AwaitNode
    from nbagents.tools.call import Lanes, PreparedCall
    from nbagents.tools.context import Context
    from nbagents.tools.tool import Tool, ToolOptions

DENIED: Final = "The person did not allow this call. Do not ask for it again unless they want it."
NOTED: Final = "The person did not allow this call, and says: {note}"
UNASKED: Final = (
    "This call needs a person's consent, and nobody can be asked here, so it was not made. "
    "Go on without it."
)
FORBIDDEN: Final = "The policy of this run does not allow this call. Go on without it."
AGAIN: Final = (
    "The person has denied this very call before. It was not made, and they were not asked again."
)
CHANGED: Final = (
    "You had allowed all calls of this tool in this session; it, or what it was defined with, has"
    " changed since."
)
EDITED: Final = "The person changed the arguments to {arguments}.\n"
SAYS: Final = "The person says: {note}\n"

MADE_OF_IT: Final = "With what you gave, this is what its tool would get."

POLICY: Final = "the policy"
"""How the names of those begin who decide without a person."""
NOT_ALLOWED: Final = "not allowed"
AS_THE_RUN_SAYS: Final = (None, "risky")


class Consent:
    """Decides for the calls of one run.

    Args:
        run: What is written into; its session and its tree remember what was decided.
        people: Who can be asked.
        lanes: Where a tool's own plain predicate runs.
        approval: The run's policy.
    """

    def __init__(self, run: Run, people: People, lanes: Lanes, approval: Approval) -> None:
        self._run = run
        self._people = people
        self._lanes = lanes
        self._approval: Approval = approval

    def is_open(self, tool: Tool) -> bool:
        """Whether there is anything to be decided of its calls, so that most need not wait."""
        said = tool.options.ask
        if said in AS_THE_RUN_SAYS and self._approval in ("risky", "never", "auto"):
            return is_risky(tool.options)
        return said is not False and said != "auto"

    async def refusal(
        self, call: PreparedCall, context: Context
    ) -> tuple[PreparedCall, CallResult | None]:
        """Decide; the call as it may be made, and the result of one that may not be.

        Raises:
            Suspended: The run is to end here.
            asyncio.CancelledError: It was stopped.
        """
        tool = known(call.tool)
        reason = await self._reason(tool, call, context)
        if reason is None:
            return call, None
        if (verdict := self._known(tool, call)) is not None:
            return self.decided(call, verdict, context)
        asked, verdict = await self._asked(tool, call, context, reason)
        return self.decided(call, verdict, context, edited=None if asked is call else asked)

    def decided(
        self,
        call: PreparedCall,
        verdict: Verdict,
        context: Context,
        *,
        edited: PreparedCall | None = None,
    ) -> tuple[PreparedCall, CallResult | None]:
        """Write down what was decided; the call as it may be made, or its result, as above.

        Args:
            call: The call as it was asked for.
            verdict: What was decided.
            context: What it is bound with.
            edited: The call as a person has it, where that was looked at already.
        """
        proposed = call
        if edited is not None:
            call = edited
        elif verdict.arguments is not None:
            call = call.with_arguments(dict(verdict.arguments)).seen(context)
        self._authorize(call, verdict)
        if not verdict.approved:
            for one in (proposed, call):
                self._run.common.denied.setdefault(_key(one), verdict)
            return call, CallResult(content=verdict.content, status="denied")
        said = SAYS.format(note=verdict.note) if verdict.note else ""
        if verdict.arguments is not None:
            said += told_edit(call)
        return (replace(call, said=call.said + said) if said else call), None

    async def _reason(self, tool: Tool, call: PreparedCall, context: Context) -> str | None:
        """Why consent is needed; `None` where it is not."""
        said = tool.options.ask
        if callable(said):
            return await self._wanted(said, call, context)
        if said is True or said == "ask":
            return "Its tool asks before each call."
        if said == "never":
            return "Its tool may not be called."
        if self._approval == "ask":
            return "This run asks before each call."
        return "It may destroy something." if is_risky(tool.options) else None

    async def _wanted(
        self, predicate: Callable[[Context, Any], object], call: PreparedCall, context: Context
    ) -> str | None:
        """What the tool's own predicate says; where it cannot say, a person must."""
        arguments = seen_arguments(known(call.tool), call.arguments, context)
        if arguments is None:
            return "Its arguments cannot be read."
        try:
            wanted = await call_plainly(partial(predicate, context, arguments), self._lanes)
        except Exception as error:  # noqa: BLE001  it fails closed, whatever the user's code raised
            return f"Whether to ask could not be said ({type(error).__name__})."
        return "Its tool asks before this call." if wanted else None

    def _known(self, tool: Tool, call: PreparedCall) -> Verdict | None:
        """What is decided already: by a policy, or by what the person said before."""
        if (denied := self._denial(call)) is not None:
            return denied
        if tool.options.ask == "never" or self._approval == "never":
            by = "the tool" if tool.options.ask == "never" else "the policy `never`"
            return Verdict(approved=False, by=by, summary=NOT_ALLOWED, content=FORBIDDEN)
        if self._approval == "auto":
            return Verdict(approved=True, by="the policy `auto`", summary="allowed")
        if self._run.session.leave.takes(lasting_target_of(tool)):
            return _earlier()
        return None

    def _denial(self, call: PreparedCall) -> Verdict | None:
        """What is said to a call that was denied, here or before the run was gone on with."""
        common, key = self._run.common, _key(call)
        before = common.denied.get(key)
        if before is not None and is_policy(before.by, before.summary):
            return before  # no person has said it: what holds of the run still holds
        if before is None and (call.request.name, key[1]) not in common.denied_before:
            return None
        by, summary = "the earlier denial", "the same call"
        return Verdict(approved=False, by=by, summary=summary, content=AGAIN)

    async def _asked(
        self, tool: Tool, call: PreparedCall, context: Context, reason: str
    ) -> tuple[PreparedCall, Verdict]:
        """Ask, until what is allowed is what was shown or given; the call that this is."""
        proposed, note = call, None
        while True:
            said = await self._answer(tool, call, context, reason)
            if said is None:
                return call, _unasked()
            answer, edited = said
            answer = replace(answer, note=answer.note or note)
            if edited is None or edited.is_as_given:
                now = call if edited is None else edited.call
                arguments = None if now is proposed else now.arguments
                return now, self._verdict(now, answer, arguments)
            call, note, reason = edited.call, answer.note, MADE_OF_IT

    async def _answer(
        self, tool: Tool, call: PreparedCall, context: Context, reason: str
    ) -> tuple[Answer, Edited | None] | None:
        """What is said to a call, and what it is with the arguments that were given for it."""
        edits: list[Edited | None] = []

        def check(answer: Answer) -> Answer:
            if answer.action != "approve":
                raise ValueError("Approve the call, or deny it.")
            edit = None if answer.arguments is None else edited(call, answer.arguments, context)
            edits.append(edit)
            return answer if edit is None else replace(answer, arguments=edit.arguments)

        leave, target = self._run.session.leave, lasting_target_of(tool)
        shown = known(call.effective)
        question = self._people.question(
            "confirmation",
            call_id=call.request.id,
            tool_name=call.request.name,
            title=tool.title or call.request.name,
            text=question_of(call),
            reason=f"{reason} {CHANGED}" if leave.has_changed(target) else reason,
            arguments=shown.named,
            defaults=shown.defaults,
            form=tool.schema.parameters,
            prepared=call,
        )
        with leave.waiting(question.id, self._run.common.desk, _key(call), target):
            answered = await self._people.ask(question, check)
        if answered is None:
            return None
        return answered[1] or answered[0], edits[-1] if answered[1] else None

    def _verdict(self, call: PreparedCall, answer: Answer, arguments: JsonValue) -> Verdict:
        """What an answer means, for this call and for those that wait beside it."""
        leave, tool = self._run.session.leave, known(call.tool)
        if answer.action == "deny":
            leave.deny(self._run.common.desk, _key(call), answer)
            return _denied(answer.by, answer.note)
        if answer.by == EARLIER:
            return _earlier()
        if answer.remember:
            grant = Grant(tool=tool.name, by=answer.by, at=clock()(), run_id=self._run.id)
            leave.give(lasting_target_of(tool), grant)
        given = arguments if isinstance(arguments, dict) else None
        return _allowed(answer.by, answer.note, given, remembered=answer.remember)

    def _authorize(self, call: PreparedCall, verdict: Verdict) -> None:
        self._run.emit(
            lambda stamp: ToolAuthorization(
                **stamp,
                tool_call_id=call.request.id,
                tool_name=call.request.name,
                approved=verdict.approved,
                approved_by=verdict.by,
                summary=verdict.summary,
                note=verdict.note,
                edited=verdict.arguments is not None,
                **call.told,
                written=call.written,
                remembered=verdict.remembered,
                under_grant=verdict.under_grant,
            )
        )


def is_risky(options: ToolOptions) -> bool:
    """Whether a tool says that it may do harm.

    One that says it is not read-only, and not whether it destroys, is taken to destroy. One that
    says nothing is the person's own and trusted. Source: Model Context Protocol, tool annotations.
    """
    if options.read_only:
        return False
    if options.destructive is None:
        return options.read_only is False
    return options.destructive


def question_of(call: PreparedCall) -> str:
    """The call as a sentence that can be answered by yes or no."""
    shown = call.effective
    defaults, objects = (shown.defaults, shown.objects) if shown else ((), {})
    written = call_in_question(call.request.name, call.shown, defaults, objects)
    return f"Run {written}?"


def is_policy(by: str, summary: str) -> bool:
    """Whether a verdict is what holds of a run or a tool, and no person's word."""
    return by.startswith(POLICY) or summary == NOT_ALLOWED


def told_edit(call: PreparedCall) -> str:
    """What the model is told of a call that has the arguments that a person gave."""
    return told_arguments(_given(call))


def told_arguments(given: JsonValue) -> str:
    """What the model is told of arguments that a person gave."""
    return EDITED.format(arguments=_json(given))


def edited_words(asked: AwaitNode) -> str:
    """What the model is told of a call whose arguments, as they were shown, a person gave."""
    shown, defaults = asked["arguments"], asked.get("defaults", ())
    if isinstance(shown, dict):
        shown = {name: one for name, one in shown.items() if name not in defaults}
    return EDITED.format(arguments=_json(shown))


def _given(call: PreparedCall) -> JsonValue:
    """Those of the arguments that are no defaults."""
    shown = call.effective
    if shown is None:
        return call.arguments
    return {name: one for name, one in shown.arguments.items() if name not in shown.defaults}


def _key(call: PreparedCall) -> CallKey:
    """The same for the same call, however its arguments were written."""
    shown = call.effective
    what = json.dumps(call.arguments, sort_keys=True) if shown is None else shown.key
    return target_of(known(call.tool)), what


def recalled(asked: AwaitNode | None, authorized: AuthorizationNode | None) -> Verdict | None:
    """What was decided of a call before its run broke off.

    Args:
        asked: The question, if a person has answered it.
        authorized: What was made of that, if the run came as far.

    Returns:
        The verdict; `None` where it is still to be decided, or was not by a person.
    """
    if authorized is not None:
        by, note = authorized["by"], authorized["note"]
        if is_policy(by, authorized["summary"]):
            return None
        is_allowed = authorized["approved"]
        given = authorized["made_of"] if authorized["edited"] else None
    elif asked is not None:
        by, note, given = asked["answered_by"] or "", asked["note"], asked["answer"]
        is_allowed = asked["outcome"] == "answered"
    else:
        return None
    if not is_allowed:
        return _denied(by, note)
    return _allowed(by, note, given if isinstance(given, dict) else None)


def _allowed(
    by: str, note: str | None, edited: Mapping[str, JsonValue] | None, *, remembered: bool = False
) -> Verdict:
    return Verdict(
        approved=True,
        by=by,
        summary="allowed" if edited is None else "allowed with other arguments",
        note=note,
        arguments=edited,
        remembered=remembered,
    )


def _unasked() -> Verdict:
    """What follows where nobody can be asked."""
    return Verdict(approved=False, by=NOBODY, summary=NOT_ALLOWED, content=UNASKED)


def _earlier() -> Verdict:
    """What follows where leave was given for all calls of a tool."""
    return Verdict(approved=True, by=EARLIER, summary="allowed for this tool", under_grant=True)


def _denied(by: str, note: str | None) -> Verdict:
    told = NOTED.format(note=note) if note else DENIED
    return Verdict(approved=False, by=by, summary="denied", content=told, note=note)


def _json(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)
