"""What becomes of a request that a person has edited, or answered in the model's place."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from nbagents.errors import did_you_mean
from nbagents.identity import new_id
from nbagents.messages import CallRequest, ToolMessage
from nbagents.models.model import ModelTurn
from nbagents.narrowing import is_dict, is_mapping
from nbagents.runs.stepping.message_edits import EditedMessages, edited_messages
from nbagents.tools.call import for_people, is_json
from nbagents.tools.context import is_several, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.runs.stepping.edit import Edit
    from nbagents.runs.stepping.pause import Pause

OF_CALLS: Final = (
    "The run waits before a request: arguments, result and skip are of calls. Give messages, or "
    "text and calls to answer in the model's place."
)
NOTHING_YET: Final = (
    "No call has given a result yet, so without the model there is no answer. Go on, or answer in "
    "its place."
)
CALL: Final = 'a call is e.g. ("get_weather", {"city": "Oslo"}).'
PAIR: Final = 2


@dataclass(frozen=True, slots=True)
class RequestMove:
    """What is done instead of a request as it stood."""

    messages: EditedMessages | None = None
    """What the model is told; `None`: what it would have been."""
    turn: ModelTurn | None = None
    """What is said in its place; `None`: it is asked."""
    is_skipped: bool = False
    """Whether nobody is asked: then the turn is the newest results."""


def request_move(edit: Edit, pause: Pause) -> RequestMove:
    """What an edit makes of a request.

    Raises:
        ValueError: It cannot be done.
    """
    if edit.arguments is not None or edit.skip or edit.result is not ...:
        raise ValueError(OF_CALLS)
    given = edit.messages
    messages = None if given is None else edited_messages(pause.messages, given)
    if edit.action == "skip":
        if edit.is_answer:
            raise ValueError("Skip the request, or answer it: not both.")
        told = pause.messages if messages is None else messages.messages
        return RequestMove(messages, ModelTurn(text=_newest_results(told)), is_skipped=True)
    return RequestMove(messages, _turn(edit, pause) if edit.is_answer else None)


def _newest_results(messages: Sequence[Any]) -> str:
    found: list[str] = []
    for one in reversed(messages):
        if not isinstance(one, ToolMessage):
            break
        found.insert(0, for_people(one.content))
    if not found:
        raise ValueError(NOTHING_YET)
    return "\n\n".join(found)


def _turn(edit: Edit, pause: Pause) -> ModelTurn:
    calls = tuple(_call(one, pause) for one in edit.calls)
    if calls and pause.is_final:
        raise ValueError("This is the last word: no call can follow. Answer with text.")
    if not calls and not (edit.text or "").strip():
        raise ValueError("An answer in the model's place has text, or calls.")
    return ModelTurn(text=edit.text or "", calls=calls)


def _call(given: object, pause: Pause) -> CallRequest:
    name, arguments = _parts(given)
    names = [one.name for one in pause.tools]
    if name not in names:
        raise ValueError(f"The model is offered no tool {name!r}.{did_you_mean(name, names)}")
    if not is_dict(arguments) or not is_json(arguments):
        raise ValueError(f"The arguments of {name!r} are {shown(arguments)}: {CALL}")
    written = json.dumps(arguments, ensure_ascii=False)
    return CallRequest(id=new_id("call"), name=name, arguments=written)


def _parts(given: object) -> tuple[str, object]:
    """The name and the arguments of a call, as they are written in Python or in JSON."""
    if isinstance(given, CallRequest):
        return given.name, json.loads(given.arguments)
    said: list[object] = [given, {}]
    if is_mapping(given):
        said = [given.get("name"), given.get("arguments", {})]
    elif is_several(given):
        said = list(given)
    name = said[0] if len(said) == PAIR else None
    if isinstance(name, str):
        return name, said[1]
    raise ValueError(f"One of the calls is {shown(given)}: {CALL}")
