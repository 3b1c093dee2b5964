"""Pauses as a page is sent them, and edits as JSON: what a page sends, and what a log may keep."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from pydantic import JsonValue
from pydantic_core import to_jsonable_python

from nbagents.events import ShownNextCall, ShownPause
from nbagents.messages import AssistantMessage, CallRequest, ToolMessage, UserMessage
from nbagents.narrowing import is_mapping
from nbagents.runs.stepping.message_edits import edited_messages, words_of
from nbagents.runs.tree import shown_message, shown_tools
from nbagents.tools.call import is_json
from nbagents.tools.context import wrong

if TYPE_CHECKING:
    from nbagents.messages import Message
    from nbagents.runs.stepping.edit import Edit
    from nbagents.runs.stepping.pause import Pause

RESULT: Final = "give what JSON can carry, or do it with a function: step=…."
PARTS: Final = "A new message with images or files can be added by a function only: step=…."
CALLED: Final = "A new message that asks for calls can be added by a function only: step=…."


def shown_pause(pause: Pause) -> ShownPause:
    """What a page shows of a pause."""
    last = pause.messages[-1] if pause.messages else None
    return ShownPause(
        of=pause.kind,
        step=pause.step,
        model=pause.model,
        messages=tuple(map(shown_message, pause.messages)),
        new_from=pause.new_from,
        tools=shown_tools(pause.tools),
        settings=to_jsonable_python(dict(pause.settings), fallback=str),
        is_final=pause.is_final,
        can_skip=not pause.is_request or isinstance(last, ToolMessage),
        calls=tuple(
            ShownNextCall(
                id=one.id,
                name=one.name,
                arguments=one.arguments,
                defaults=one.defaults,
                objects=dict(one.objects),
                form=None if one.form is None else dict(one.form),
                problem=one.problem,
            )
            for one in pause.calls
        ),
        note=pause.note,
    )


def page_edit(said: Any, pause: Pause) -> Any:  # Any: JSON of a page
    """An edit as a page sends it, which says of arguments only what is to be other than it was.

    Raises:
        ValueError: It is none.
    """
    if not is_mapping(said) or "edited" not in said:
        return said
    edited = said["edited"]
    if not is_mapping(edited):
        raise ValueError("The arguments that were changed must be a JSON object.")
    before = {one.id: one.arguments for one in pause.calls}
    found = {
        call_id: changed_arguments(one if is_mapping(one) else {}, before.get(call_id))
        for call_id, one in edited.items()
    }
    made: dict[str, Any] = {key: one for key, one in said.items() if key != "edited"}
    if arguments := {call_id: dict(one) for call_id, one in found.items() if one is not None}:
        made["arguments"] = arguments
    return made


def changed_arguments(
    given: Mapping[str, Any], before: JsonValue
) -> Mapping[str, JsonValue] | None:
    """All that a call is to be made with, where some of it was changed on a page.

    Raises:
        ValueError: It says no such thing.
    """
    if (whole := given.get("arguments")) is not None:
        if not is_mapping(whole):
            raise ValueError("The arguments must be a JSON object.")
        return whole
    changes, left_out = given.get("changes", {}), given.get("left_out", [])
    if not is_mapping(changes) or not isinstance(left_out, list):
        raise ValueError("The arguments that were changed must be a JSON object.")
    if not changes and not left_out:
        return None
    now = {**(before if isinstance(before, dict) else {}), **changes}
    return {name: one for name, one in now.items() if name not in left_out}


def edit_json(edit: Edit, pause: Pause | None) -> JsonValue:
    """An edit as an answer holds it.

    Raises:
        ValueError: It holds what no JSON can carry.
    """
    made: dict[str, Any] = {"action": edit.action}
    if edit.messages is not None:
        made["messages"] = _messages_json(edit.messages, pause.messages if pause else ())
    if edit.arguments is not None:
        made["arguments"] = dict(edit.arguments)
    if edit.result is not ...:
        made["result"] = edit.result
    made |= {"skip": list(edit.skip)} if edit.skip else {}
    made |= {} if edit.text is None else {"text": edit.text}
    made |= {"calls": [_call_json(one) for one in edit.calls]} if edit.calls else {}
    if not is_json(made):
        raise wrong("The edit", edit, RESULT)
    return made


def _messages_json(
    given: Sequence[Message | Mapping[str, Any]], before: Sequence[Message]
) -> list[dict[str, Any]]:
    if all(map(is_mapping, given)):
        return [dict(one) for one in filter(is_mapping, given)]
    edited = edited_messages(before, given)
    if edited is None:
        return [{"keep": at} for at in range(len(before))]
    return [
        _message_json(message, origin, before)
        for message, origin in zip(edited.messages, edited.origins, strict=True)
    ]


def _message_json(
    message: Message, origin: int | None, before: Sequence[Message]
) -> dict[str, Any]:
    text = words_of(message)
    if origin is not None:
        return {"keep": origin} | ({} if text == words_of(before[origin]) else {"text": text})
    if isinstance(message, UserMessage) and message.parts:
        raise ValueError(PARTS)
    if isinstance(message, AssistantMessage) and message.calls:
        raise ValueError(CALLED)
    return {"role": message.role, "text": text}


def _call_json(given: Any) -> JsonValue:
    if isinstance(given, CallRequest):
        return {"name": given.name, "arguments": json.loads(given.arguments)}
    return [*given] if isinstance(given, tuple) else given
