"""What is settled before a call is made, and what was, where its run ended in the middle of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from nbagents.narrowing import dict_of, is_dict, known
from nbagents.results import CallResult
from nbagents.runs.people.consent import POLICY, edited_words, recalled
from nbagents.runs.policy import check_tool_input
from nbagents.runs.state import Answer, Past
from nbagents.runs.tree import words_of
from nbagents.tools.json_schema import null_dropper
from nbagents.tools.schema import Bound

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import JsonValue

    from nbagents.results import FieldIssue
    from nbagents.runs.people.consent import Consent
    from nbagents.runs.people.person import People
    from nbagents.runs.state import Run
    from nbagents.runs.tree import AuthorizationNode, AwaitNode
    from nbagents.tools.call import Lanes, PreparedCall
    from nbagents.tools.context import Context
    from nbagents.tools.tool import Tool

LACKS: Final = "What {is_are} {fields}?"
GAVE: Final = "The person gave what was missing: it was called with {given}.\n"


class Settling:
    """Settles what must be before calls of one run are made.

    Args:
        consent: Whether a call is allowed.
        people: Who may give what a call lacks.
        run: What is written into.
        lanes: Where plain guardrails run.
        asks_missing: Whether the person is asked for required values that a call lacks.
        past: What they have said of calls before the run was gone on with, by id.
    """

    def __init__(
        self,
        consent: Consent,
        people: People,
        run: Run,
        lanes: Lanes,
        *,
        asks_missing: bool,
        past: Mapping[str, Past],
    ) -> None:
        self._consent = consent
        self._people = people
        self._run = run
        self._lanes = lanes
        self._asks_missing = asks_missing
        self._past = past
        self._known: dict[Tool, bool] = {}

    def is_open(self, call: PreparedCall) -> bool:
        """Whether there is anything to be settled, so that most calls need not wait."""
        tool = call.tool
        if tool is None or call.failure is not None:
            return False
        if self.was_settled(call):
            return True
        if tool not in self._known:  # its options do not change
            is_guarded = bool(tool.options.input_guardrails)
            self._known[tool] = is_guarded or self._asks_missing or self._consent.is_open(tool)
        return self._known[tool]

    async def settled(
        self, call: PreparedCall, context: Context
    ) -> tuple[PreparedCall, CallResult | None]:
        """The call as it may be made, and the result of one that may not be.

        Raises:
            Suspended: The run is to end here.
            asyncio.CancelledError: It was stopped.
        """
        tool = known(call.tool)
        if self.was_settled(call):
            past = self._past[call.request.id]
            if past.arguments is not None:
                call = call.with_arguments(past.arguments, past.said)
            call = call.seen(context)
            if past.verdict is not None and _still_holds(past, call):
                decided = self._consent.decided(call, past.verdict, context)
                return await self._checked_edit(call, context, decided)
        elif self._asks_missing:
            call = await self._completed(tool, call, context)
        # Before the person is asked about what will be called, and again if they change that.
        call, refused = await self._checked(call, context)
        if refused is not None or not self._consent.is_open(tool):
            return call, refused
        call = call.seen(context)
        if call.effective is None:
            return call, None  # what cannot be called at all is no question for a person
        return await self._checked_edit(call, context, await self._consent.refusal(call, context))

    async def _checked(
        self, call: PreparedCall, context: Context
    ) -> tuple[PreparedCall, CallResult | None]:
        """The call as its tool's checks let it through, or what they say instead."""
        checked = await check_tool_input(call, run=self._run, context=context, lanes=self._lanes)
        return (call, checked) if isinstance(checked, CallResult) else (checked, None)

    async def _checked_edit(
        self,
        call: PreparedCall,
        context: Context,
        decided: tuple[PreparedCall, CallResult | None],
    ) -> tuple[PreparedCall, CallResult | None]:
        """What was decided of a call; where a person has changed it, as far as checks allow it."""
        allowed, refused = decided
        if refused is not None or allowed.arguments is call.arguments:
            return decided
        allowed, refused = await self._checked(allowed, context)
        if refused is not None:
            refused = replace(refused, content=allowed.said + refused.content)
        return allowed, refused

    def was_settled(self, call: PreparedCall) -> bool:
        """Whether a person has said something to it, before the run was gone on with."""
        past = self._past.get(call.request.id)
        return past is not None and past.is_settled

    async def _completed(self, tool: Tool, call: PreparedCall, context: Context) -> PreparedCall:
        """The call with the required values that it lacked, if a person gives them."""
        given = _without_nulls(tool, call.arguments)
        missing = _missing(tool, call, context)
        if not missing or not isinstance(given, dict):
            return call
        question = self._people.question(
            "clarification",
            call_id=call.request.id,
            tool_name=call.request.name,
            title=tool.title or call.request.name,
            text=_lacks(missing),
            missing_fields=missing,
            arguments=given,
            form=_form_of(tool, missing),
        )

        def check(answer: Answer) -> dict[str, JsonValue]:
            if not is_dict(answer.value):
                raise ValueError("Give the values by name.")
            whole = {**given, **{name: answer.value.get(name) for name in missing}}
            bound = tool.bind(whole, context)
            if isinstance(bound, Bound):
                return whole
            raise ValueError("\n".join(f"{one.field}: {one.message}" for one in bound))

        answered = await self._people.ask(question, check)
        if answered is None or answered[1] is None:
            return call  # the model is told what is missing
        return call.with_arguments(answered[1], gave(answered[1], missing))


def _still_holds(past: Past, call: PreparedCall) -> bool:
    """Whether what was decided is of the very call that would be made now: defaults may change."""
    decided = past.verdict
    if decided is None or not decided.approved or decided.arguments is not None:
        return decided is not None
    return past.shown is None or past.shown == call.shown


def _without_nulls(tool: Tool, given: JsonValue) -> JsonValue:
    """What is given, without the nulls by which a model says that it gives nothing."""
    drop = null_dropper(tool.schema.parameters) if tool.options.strict else None
    return given if drop is None else drop(given)


def _lacks(fields: Sequence[str]) -> str:
    if len(fields) == 1:
        return LACKS.format(is_are="is", fields=fields[0])
    return LACKS.format(is_are="are", fields=f"{', '.join(fields[:-1])} and {fields[-1]}")


def gave(arguments: Mapping[str, JsonValue], missing: Sequence[str]) -> str:
    """What the model is told of a call whose missing values a person gave."""
    return GAVE.format(given={name: arguments.get(name) for name in missing})


def _missing(tool: Tool, call: PreparedCall, context: Context) -> tuple[str, ...]:
    """The required values that a call lacks, if nothing else is wrong with it."""
    try:
        bound = tool.bind(call.arguments, context)
    except Exception:  # noqa: BLE001  a tool's own types may raise; the call will tell of it
        return ()
    if isinstance(bound, Bound):
        return ()
    issues: list[FieldIssue] = list(bound)
    if any(one.constraint != "missing" or "." in one.field for one in issues):
        return ()
    return tuple(one.field for one in issues)


def _form_of(tool: Tool, fields: tuple[str, ...]) -> Mapping[str, JsonValue]:
    """The part of a tool's schema that asks for these."""
    schema = tool.schema.parameters
    fields_of_tool = dict_of(schema.get("properties"))
    form: dict[str, JsonValue] = {
        "type": "object",
        "properties": {name: fields_of_tool.get(name, {}) for name in fields},
        "required": list(fields),
    }
    return form | ({"$defs": schema["$defs"]} if "$defs" in schema else {})


def past_of(
    asked: Sequence[AwaitNode], authorized: AuthorizationNode | None, arguments: JsonValue
) -> Past:
    """What a call was given, but for the runs inside of it.

    Args:
        asked: What was asked of a person in it, in order.
        authorized: Who allowed or denied it last, if the run came as far.
        arguments: Those of the model, or that were put in their place.
    """
    past = Past()
    consent: AwaitNode | None = None
    for one in asked:
        is_consent = one["kind"] == "confirmation"
        if not _is_said(one):
            if consent is not None and is_consent:
                # What was said before was not yet of what would run: that was to be asked.
                consent, past.arguments, past.said = None, _made_of(one), edited_words(one)
        elif is_consent:
            consent, past.arguments, past.shown = one, _made_of(one), one["arguments"]
        elif one["kind"] == "clarification" and isinstance(one["arguments"], dict):
            _complete(past, one, one["arguments"])
        else:
            past.answers.append((words_of(one), _answer(one)))
    past.verdict = recalled(consent, authorized)
    if past.verdict is not None and past.arguments is None:
        past.arguments = arguments
    return past


def _is_said(one: AwaitNode) -> bool:
    """Whether a person has said something; what nobody said is asked again."""
    by = one["answered_by"] or ""
    return one["outcome"] in ("answered", "denied") and not by.startswith(POLICY)


def _made_of(one: AwaitNode) -> JsonValue:
    """The arguments of which a call can be made that a question shows."""
    return one["arguments"] if one["written"] is None else one["written"]


def _complete(past: Past, one: AwaitNode, given: dict[str, JsonValue]) -> None:
    """The arguments with what was missing, as far as the person gave it."""
    past.arguments, values = given, one["answer"]
    if isinstance(values, dict):
        past.arguments = {**given, **{name: values.get(name) for name in one["missing_fields"]}}
        past.said = gave(past.arguments, one["missing_fields"])


def _answer(one: AwaitNode) -> Answer:
    action = "answer" if one["outcome"] == "answered" else "deny"
    by = one["answered_by"] or ""
    return Answer(action=action, value=one["answer"], note=one["note"], by=by)
