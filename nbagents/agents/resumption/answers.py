"""What a person says to what is open in a run that is gone on with, and whether it fits."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nbagents.events import RequestedCall
from nbagents.narrowing import dict_of, is_dict
from nbagents.results import Question
from nbagents.runs.people import YES_OR_NO, ToolQuestion, answer_of
from nbagents.runs.state import Answer, Await, Said, words_of
from nbagents.runs.stepping import Edit, edit_json, edit_of
from nbagents.tools.call import misfit
from nbagents.tools.context import shown, wrong

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pydantic import JsonValue

    from nbagents.runs.state import Place
    from nbagents.runs.tree import AwaitNode
    from nbagents.tools.context import Context
    from nbagents.tools.tool import Tool


def said_to(
    given: Any,
    asked: Iterable[tuple[str, AwaitNode]],
    tools: Mapping[tuple[str, str], Tool],
    context: Context,
) -> Said:
    """What is open, answered.

    Args:
        given: What the person says: to one thing, or to several by their ids.
        asked: What is open, each with its run.
        tools: Of the calls that wait, as far as they are known, by run and call.
        context: What the calls will be made with.

    Raises:
        ValueError: Several things are open, or nothing is, or something does not fit.
    """
    by_id = {one["id"]: _question(where, one) for where, one in asked}
    named = given if is_dict(given) else {}
    if named and set(named) <= set(by_id):
        said = named
    elif len(by_id) == 1:
        said = dict.fromkeys(by_id, given)
    else:
        names = ", ".join(by_id) or "nothing"
        raise ValueError(
            f"One answer is for one question, and open is: {names}. Give a dictionary of answers "
            "by these ids, or resume without, and be asked."
        )
    return Said([_answered(by_id[one], said[one], tools, context) for one in said])


def _question(where: str, one: AwaitNode) -> Await:
    """A question as it was put in a run of the past."""
    calls = tuple(RequestedCall(**call) for call in one["calls"])
    return Await(
        id=one["id"],
        kind=one["kind"],
        run_id=where,
        agent_name="",
        call_id=one["call_id"] or (calls[0].id if calls else None),
        title=one["title"],
        text=one["text"],
        arguments=one["arguments"],
        defaults=tuple(one.get("defaults", ())),
        form=one["form"] if isinstance(one["form"], dict) else None,
        missing_fields=tuple(one["missing_fields"]),
        questions=tuple(Question(**asked) for asked in one["questions"]),
        calls=calls,
    )


def _answered(
    question: Await, given: Any, tools: Mapping[tuple[str, str], Tool], context: Context
) -> tuple[Place, Answer]:
    if isinstance(given, type):
        raise wrong("answer", given, 'give what is said, e.g. nbagents.Answer(action="deny").')
    answer, call_id = _answer(question, given), question.call_id or ""
    words = words_of(question.kind, question.text, question.title)
    if answer.action != "deny":
        try:
            _check(question, answer, tools.get((question.run_id, call_id)), context)
        except ValueError as error:
            raise ValueError(
                f"The answer to {words or question.title!r} does not fit: {error}"
            ) from None
    return (question.run_id, call_id, question.kind, words), answer


def _answer(question: Await, given: Any) -> Answer:
    if isinstance(given, Edit):
        given = edit_json(given, question.pause)
    if isinstance(given, bool) and not _takes_bool(question):
        return Answer(action="approve" if given else "deny")
    said = given if isinstance(given, Answer) else Answer(action="answer", value=given)
    if said.action == "approve" and _is_of_yes_or_no(question):
        said = replace(said, action="answer", value=True)
    if said.action == "answer":
        with contextlib.suppress(TypeError):  # what does not fit is told of below
            said = replace(said, value=answer_of(question, said.value).value)
    return said


def _takes_bool(question: Await) -> bool:
    """Whether `True` and `False` are values here, and not a yes or a no to being asked."""
    fields = dict_of((question.form or {}).get("properties"))
    is_one = [field.get("type") for field in fields.values()] == ["boolean"]
    is_form = question.kind == "clarification" and is_one
    return is_form or question.kind == "external_tools" or _is_of_yes_or_no(question)


def _is_of_yes_or_no(question: Await) -> bool:
    return [one.options for one in question.questions] == [YES_OR_NO]


def _check(question: Await, answer: Answer, tool: Tool | None, context: Context) -> None:
    """See that an answer fits, as far as that can be told before it is asked again.

    Raises:
        ValueError: It does not.
    """
    if question.kind == "confirmation":
        _check_consent(answer, tool, context)
    elif question.kind == "step":
        edit_of(answer.value)
    elif answer.action == "approve":
        raise ValueError("it is no call that needs consent. Give the answer, or False for none.")
    elif question.kind == "clarification" and isinstance(question.arguments, dict):
        _check_values(answer.value, question.missing_fields)
    elif question.kind == "clarification" and question.form is None:
        ToolQuestion(question.text, (), None, multiple=False).read(answer)
    elif len(question.questions) == 1:
        (one,) = question.questions
        ToolQuestion(one.text, one.options, None, multiple=one.multiple).read(answer)


def _check_consent(answer: Answer, tool: Tool | None, context: Context) -> None:
    if answer.action != "approve":
        raise ValueError(
            f"{shown(answer.value)} is neither yes nor no. Give True or False, or e.g. "
            'nbagents.Answer("deny", note="…").'
        )
    if tool is None or answer.arguments is None:
        return
    try:
        misfitting = misfit(tool, dict(answer.arguments), context)
    except Exception:  # noqa: BLE001  the tool's own types may raise; who asks will tell of it
        return
    if misfitting:
        raise ValueError(misfitting)


def _check_values(value: JsonValue, fields: Iterable[str]) -> None:
    names = list(fields)
    if not isinstance(value, dict) or not set(names) <= set(value):
        example = ", ".join(f'"{name}": …' for name in names)
        raise ValueError(f"give the values by name: {{{example}}}.")
