"""What a person's own function says to a question, which may be less than an `Answer`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from nbagents.results import Option
from nbagents.runs.awaits import Answer
from nbagents.tools.misuse import shown

if TYPE_CHECKING:
    from nbagents.runs.awaits import Await

__all__ = ["answer_of"]

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
        names = list(cast("Mapping[str, object]", question.form.get("properties") or {}))
    if isinstance(said, Mapping):
        by_name = dict(cast("Mapping[str, object]", said))
        return by_name if by_name.keys() <= set(names) or len(names) != 1 else {names[0]: by_name}
    return {names[0]: said} if len(names) == 1 else None
