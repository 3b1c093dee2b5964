"""Checks of what goes in and comes out, of an agent or of a tool: allow, replace or refuse.

What breaks in a check refuses: a check that cannot be made has not been passed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from pydantic_core import to_json

from nbagents.errors import RunError
from nbagents.events import Guardrail
from nbagents.narrowing import is_mapping
from nbagents.results import CallResult
from nbagents.runs.lanes import persons_code
from nbagents.tools.call import as_written, is_json, seen_arguments
from nbagents.tools.context import is_async, is_persons, shown

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.events import GuardrailOutcome, GuardrailStage
    from nbagents.runs.policy.form import AnswerForm
    from nbagents.runs.state import Run
    from nbagents.tools.call import Lanes, PreparedCall
    from nbagents.tools.context import Context
    from nbagents.tools.tool import Check

BROKEN: Final = "The check {name!r} failed ({error}), so this was refused."
NO_REASON: Final = (
    "The check {name!r} gave Refuse({given}), so this was refused: a check says why in words, e.g. "
    'nbagents.Refuse("Not today.").'
)
NO_VALUE: Final = "The check {name!r} gave Replace({given}), so this was refused: {advice}"
ARGUMENTS: Final = "what takes the place of the arguments is all of them, as a dictionary."
NO_JSON: Final = "arguments are text, numbers, lists and dictionaries, as JSON has them."
LATE: Final = "a check beside the model lets the prompt pass or refuses it."
WORDS: Final = "what takes the place of something that was said is text, or what JSON can carry."
NO_VERDICT: Final = (
    "The check {name!r} gave a {error}, so this was refused: a check gives None, "
    "nbagents.Replace(value) or nbagents.Refuse(message)."
)


EXITS: Final = (SystemExit, KeyboardInterrupt, GeneratorExit)
NO_WORDS: Final = " at 0x"
"""What Python says of an object that does not say what it is."""


@dataclass(frozen=True, slots=True)
class Replace:
    """A check's word: go on with something else.

    Args:
        value: What takes its place.
    """

    value: Any


@dataclass(frozen=True, slots=True)
class Refuse:
    """A check's word: no.

    Args:
        message: What is said instead.
    """

    message: str


@dataclass(frozen=True, slots=True)
class Parallel:
    """A check of the prompt that is made while the model is asked already, and saves its time.

    Until it lets the prompt pass, nothing that the model says is shown or kept and no call is made.
    If it refuses, the request is cancelled. It can put nothing else in the prompt's place.

    Args:
        check: The check, as other `input_guardrails`.

    Example:
        >>> Parallel(lambda ctx, text: Refuse("Not today.") if "bomb" in text else None)
        Parallel(check=<function <lambda> at ...>)
    """

    check: Check


Verdict: TypeAlias = Replace | Refuse | None


async def checked(
    checks: Sequence[Check],
    value: Any,  # Any: a prompt, an answer of the person's type, arguments, or a result's text
    *,
    stage: GuardrailStage,
    run: Run,
    context: Context,
    lanes: Lanes,
    is_late: bool = False,
) -> Any:
    """Have a value checked, by one after the other, and write down what each says.

    Args:
        checks: Functions of the context and the value; plain ones run on the main thread.
        value: What is checked.
        stage: Where.
        run: What it is written into.
        context: What they get besides.
        lanes: Where plain functions run.
        is_late: Whether nothing can take its place any more, because a model has it.

    Returns:
        The value, perhaps another one, or the `Refuse` of the first that refuses.
    """
    for check in checks:
        verdict = await _verdict(check, context, value, lanes, _none if is_late else _speakable)
        _tell(run, check, stage, verdict, context)
        if isinstance(verdict, Refuse):
            return verdict
        if isinstance(verdict, Replace):
            value = verdict.value
    return value


async def check_tool_input(
    call: PreparedCall, *, run: Run, context: Context, lanes: Lanes
) -> PreparedCall | CallResult:
    """Have a call's arguments checked: the call, perhaps with others, or why it is not made.

    Each check is given what the tool would get, as its own copy. What does not fit the tool is not
    checked: it is not called with that anyway.
    """
    tool = call.tool
    if tool is None or call.failure is not None:
        return call
    for check in tool.options.input_guardrails:
        value = seen_arguments(tool, call.arguments, context)
        seen = seen_arguments(tool, call.arguments, context)
        if value is None or seen is None:
            return call
        read = partial(_arguments, seen=seen, written=call.arguments)
        verdict = await _verdict(check, context, value, lanes, read)
        _tell(run, check, "tool_input", verdict, context)
        if isinstance(verdict, Refuse):
            return CallResult(content=verdict.message, status="denied")
        if isinstance(verdict, Replace):
            call = call.with_arguments(verdict.value)
    return call


async def check_tool_output(
    result: CallResult, call: PreparedCall, *, run: Run, context: Context, lanes: Lanes
) -> CallResult:
    """Have checked what the model is to read of a result; of what is refused nothing is kept."""
    tool = call.tool
    if tool is None or not tool.options.output_guardrails:
        return result
    said = await checked(
        tool.options.output_guardrails,
        result.content,
        stage="tool_output",
        run=run,
        context=context,
        lanes=lanes,
    )
    if isinstance(said, Refuse):
        return _withheld(result, said.message)
    context.handles.let_out()
    return result if said is result.content else _told_otherwise(result, as_text(said))


async def call_plainly(function: Callable[[], Any], lanes: Lanes) -> Any:  # Any: of a person's
    """Call a person's function where it belongs: async on the loop, plain on the main thread.

    Raises:
        Exception: What it raised.
    """
    try:
        with persons_code():
            if is_async(function):
                return await function()
            given: Any = await lanes.on_main(lambda: _caught(function))
            if isinstance(given, _Caught):
                raise given.error
            return await given if isawaitable(given) else given
    except EXITS as error:  # in a task it would end the whole loop
        raise exited(error) from error


def exited(error: BaseException) -> BaseException:
    """What a run makes of an exit in a function of the person's: an error, or their own stop."""
    if is_persons(error):
        return asyncio.CancelledError("interrupted")
    is_exit = isinstance(error, SystemExit)
    did = "called exit()" if is_exit else f"raised {type(error).__name__}"
    return RunError(f"A function that the run needs {did}; let it return.")


@dataclass(frozen=True, slots=True)
class _Caught:
    """What a function raised: no lane carries every exception."""

    error: BaseException


def _caught(function: Callable[[], object]) -> object:
    try:
        return function()
    except (Exception, *EXITS) as error:
        if is_persons(error):
            raise
        return _Caught(error)


async def _verdict(
    check: Check,
    context: Context,
    value: object,
    lanes: Lanes,
    read: Callable[[Any], object],
) -> Verdict:
    """What a check says.

    Args:
        check: The check.
        context: What it gets besides the value.
        value: What it checks.
        lanes: Where a plain one runs.
        read: Makes of what it gives instead what is gone on with; a `TypeError` says why it cannot.
    """
    try:
        given = await call_plainly(partial(check, context, value), lanes)
    except (Exception, *EXITS) as error:  # noqa: BLE001  a boundary: what breaks refuses
        if is_persons(error):
            raise asyncio.CancelledError("interrupted") from None
        return Refuse(BROKEN.format(name=_name(check), error=type(error).__name__))
    if isinstance(given, Refuse) and not isinstance(cast("object", given.message), str):
        return Refuse(NO_REASON.format(name=_name(check), given=shown(given.message)))
    if isinstance(given, Replace):
        try:
            return Replace(read(given.value))
        except TypeError as error:
            said = shown(given.value)
            return Refuse(NO_VALUE.format(name=_name(check), given=said, advice=error))
    if given is None or isinstance(given, Refuse):
        return given
    return Refuse(NO_VERDICT.format(name=_name(check), error=type(given).__name__))


def _none(_: object) -> object:
    """Nothing takes the place of what a model has already.

    Raises:
        TypeError: Always.
    """
    raise TypeError(LATE)


def _speakable(value: object) -> object:
    """What takes the place of something that was said.

    Raises:
        TypeError: It has no words.
    """
    try:
        as_text(value)
    except TypeError:
        raise TypeError(WORDS) from None
    return value


def _arguments(value: object, seen: Mapping[str, Any], written: JsonValue) -> object:
    """What takes the place of arguments; what was left as it was stays as it was written.

    Raises:
        TypeError: No call can be made with it.
    """
    if not is_mapping(value):
        raise TypeError(ARGUMENTS)
    arguments = as_written(value, seen, written)
    if not is_json(arguments):
        raise TypeError(NO_JSON)
    return arguments


def _name(check: Check) -> str:
    return str(getattr(check, "__name__", type(check).__name__))


def _tell(
    run: Run, check: Check, stage: GuardrailStage, verdict: Verdict, context: Context
) -> None:
    outcome: GuardrailOutcome = "allow"
    if verdict is not None:
        outcome = "replace" if isinstance(verdict, Replace) else "refuse"
    message = verdict.message if isinstance(verdict, Refuse) else ""
    call = context.call
    run.emit(
        lambda stamp: Guardrail(
            **stamp,
            name=_name(check),
            stage=stage,
            outcome=outcome,
            message=message,
            tool_call_id=call and call.id,
            tool_name=call and call.name,
        )
    )


def _withheld(result: CallResult, message: str) -> CallResult:
    failure = result.failure
    if failure is not None:
        said = {"message": message, "issues": (), "debug_message": None}
        failure = failure.model_copy(update=said)
    return CallResult(
        content=message, status=result.status, failure=failure, run_links=result.run_links
    )


def _told_otherwise(result: CallResult, content: str) -> CallResult:
    """The result as the model is to read it; the person sees what there was to see."""
    failure = result.failure
    if failure is not None:
        failure = failure.model_copy(update={"message": content, "issues": ()})
    return replace(result, content=content, parts=(), failure=failure)


def answer_value(form: AnswerForm | None, text: str) -> Any:  # Any: a value of the person's type
    """What a check of an answer is given: a value of the form, where it has one."""
    if form is None or form.complaint(text) is not None:
        return text
    return form.read(text)


def as_text(value: object) -> str:
    """What is said in the place of something else.

    Raises:
        TypeError: It is an object that has no words, e.g. a function that was not called.
    """
    if isinstance(value, str):
        return value
    try:
        return to_json(value, fallback=_words_of).decode()
    except ValueError:  # what it raised, or what has no end
        raise TypeError(
            f"{shown(value)} cannot be an answer: give text, or what JSON can carry."
        ) from None


def _words_of(value: object) -> str:
    """An object in its own words, where it has some."""
    text = str(value)
    if NO_WORDS in text:
        raise ValueError(text)
    return text
