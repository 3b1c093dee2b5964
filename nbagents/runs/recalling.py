"""What a person said to a call before its run ended in its middle, from the events of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nbagents.events import AwaitClarification, AwaitConfirmation
from nbagents.runs.awaits import Answer
from nbagents.runs.consent import POLICY, edited_words, made_of, recalled
from nbagents.runs.past import Past
from nbagents.runs.settling import gave

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import JsonValue

    from nbagents.events import AwaitResolved, ToolAuthorization
    from nbagents.runs.logs.story import PastAwait

__all__ = ["past_of"]

SAID: Final = ("answered", "denied")


def past_of(
    asked: Sequence[PastAwait], authorized: ToolAuthorization | None, arguments: JsonValue
) -> Past:
    """What a call was given, but for the runs inside of it.

    Args:
        asked: What was asked of a person in it, in order.
        authorized: Who allowed or denied it last, if the run came as far.
        arguments: Those of the model, or that were put in their place.
    """
    past = Past()
    consent: AwaitResolved | None = None
    for one in asked:
        if (said := _said(one)) is None:
            if consent is not None and isinstance(one.asked, AwaitConfirmation):
                # What was said before was not yet of what would run: that was to be asked.
                consent, past.arguments = None, made_of(one.asked)
                past.said = edited_words(one.asked)
            continue
        if isinstance(one.asked, AwaitConfirmation):
            consent, past.arguments = said, made_of(one.asked)
            past.shown = one.asked.arguments
        elif isinstance(one.asked, AwaitClarification) and isinstance(one.asked.given, dict):
            _complete(past, one.asked, said)
        else:
            past.answers.append((one.words, _answer(said)))
    past.verdict = recalled(consent, authorized)
    if past.verdict is not None and past.arguments is None:
        past.arguments = arguments
    return past


def _said(one: PastAwait) -> AwaitResolved | None:
    """What a person said; what nobody said is asked again."""
    said = one.resolved
    if said is None or said.outcome not in SAID or said.answered_by.startswith(POLICY):
        return None
    return said


def _complete(past: Past, asked: AwaitClarification, said: AwaitResolved) -> None:
    """The arguments with what was missing, as far as the person gave it."""
    given = asked.given if isinstance(asked.given, dict) else {}
    past.arguments = given
    if isinstance(said.answer, dict):
        values = said.answer
        past.arguments = {**given, **{name: values.get(name) for name in asked.missing_fields}}
        past.said = gave(past.arguments, asked.missing_fields)


def _answer(said: AwaitResolved) -> Answer:
    action = "answer" if said.outcome == "answered" else "deny"
    return Answer(action=action, value=said.answer, note=said.note, by=said.answered_by)
