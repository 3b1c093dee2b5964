"""The last word of a run: what its model is told when no more calls are possible, and why."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from nbagents.results import CallResult, Failure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.messages import CallRequest
    from nbagents.models.model import ModelTurn
    from nbagents.runs.policy.purse import Reached
    from nbagents.runs.state import AskModel

NOTICE: Final = (
    "No more calls are possible: {why}. Answer now with what you have, and say what is missing. "
    "This holds for this one answer."
)
"""Kept in the conversation, so that its beginning stays; hence the last sentence."""
ONE_MORE: Final = "asked for one more call"
"""What the person is told of a call that is asked for all the same."""
REFUSED: Final = "Not called: {one_more}, and no more are possible: {why}."
NONE: Final = "No answer: "
CALLED: Final = NONE + "the model {one_more} ({names}), and no more are possible: {why}."
SILENT: Final = NONE + "the model said nothing when no more calls were possible: {why}."
EMPTY: Final = NONE + "the model said nothing."
CUT: Final = NONE + "the model's turn was cut off by its limit of tokens before it said anything."


def why_last(need: AskModel, reached: Reached | None, max_steps: int) -> str:
    """Why a model is asked for its last word: the limit with its number, or the tool that said so.

    Args:
        need: What is asked.
        reached: The limit that nothing is left of, if there is one.
        max_steps: How often the model may be asked with tools.
    """
    if need.finished_by:
        return f"{need.finished_by!r} says that nothing more can be done"
    return f"the limit {reached or f'max_steps={max_steps}'} is reached"


def notice_of(why: str) -> str:
    """What the model is told last."""
    return NOTICE.format(why=why)


def refused_call(why: str) -> CallResult:
    """The result of a call that is asked for all the same."""
    said = REFUSED.format(one_more=ONE_MORE, why=why)
    failure = Failure(kind="unavailable", recovery="finish", message=said)
    return CallResult(content=said, failure=failure, status="skipped", preview=ONE_MORE)


def no_answer(why: str, calls: Sequence[CallRequest] = ()) -> str:
    """The answer of a run whose model gave none at a limit, but for calls."""
    if not calls:
        return SILENT.format(why=why)
    return CALLED.format(one_more=ONE_MORE, names=", ".join(one.name for one in calls), why=why)


def with_words(turn: ModelTurn, why: str) -> ModelTurn:
    """A turn that would end the run, with words where it has none; `why`: at which limit."""
    if turn.calls or turn.text.strip():
        return turn
    text = no_answer(why) if why else CUT if turn.is_cut else EMPTY
    return replace(turn, text=text, native=())


def is_silence(text: str) -> bool:
    """Whether the text stands where a model said nothing, and no limit kept it from more."""
    return not text.strip() or text in (EMPTY, CUT)


def is_no_answer(text: str) -> bool:
    """Whether the text stands where a model gave no answer."""
    return text.startswith(NONE)
