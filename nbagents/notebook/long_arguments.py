"""Very long arguments, as a page is sent them: their beginning, and how much of them there is.

The log and Python keep all of them. A saved notebook cuts further; see `frozen_cuts`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, cast

from nbagents.notebook.cut_texts import cut_text, json_bytes, level_of
from nbagents.runs.tree.words import as_json, size
from nbagents.tools.exact import for_page

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pydantic import JsonValue

    from nbagents.events import AnyEvent
    from nbagents.runs.record import Run

__all__ = ["LIMIT_BYTES", "WHOLE_ARGUMENTS", "event_for_page", "shortened", "whole_arguments"]

LIMIT_BYTES: Final = 60_000
"""Up to this much JSON the arguments of a call are sent whole."""
MOST_FIELDS: Final = 200
"""Of more, each would keep next to nothing."""

WHOLE_ARGUMENTS: Final = "nbagents:whole-arguments"
"""What a page asks for by the id of an await, to show a person all that they are to allow."""
MOST_BYTES: Final = 2_000_000
"""More than this a page does not show in one piece."""

Json = dict[str, Any]  # an event as JSON: a page knows no event types


def event_for_page(event: AnyEvent) -> Json:
    """An event as JSON, with arguments of no more than about `LIMIT_BYTES`.

    Where some were left out, `left_out_bytes` stands beside the arguments: from these no call may
    be made.
    """
    told = event.model_dump(mode="json")
    if (shorten := _SHORTENING.get(event.type)) is not None:
        shorten(told)
    for key in _EXACT.get(event.type, ()):
        told[key] = for_page(told[key])
    if event.type == "tool_data":
        told["payload"] = for_page(told["payload"], floats=False)
    return told


def whole_arguments(run: Run, await_id: JsonValue) -> JsonValue:
    """All arguments of a call that waits for consent, as a page asks for them.

    Raises:
        LookupError: Nothing waits any more under this id, or they are too long for any page; a call
            can be denied, and allowed in Python.
    """
    asked = next((one for one in run.common.desk.open if one.id == await_id), None)
    if asked is None:
        raise LookupError("Nobody waits for this answer any more.")
    shown = asked.arguments if asked.prepared is None else asked.prepared.shown
    if (size_bytes := json_bytes(shown)) > MOST_BYTES:
        raise LookupError(
            f"All of it takes {size(size_bytes)}, more than a page can show. Deny it, or look at it"
            " in Python: one of run.awaiting has it as `arguments`, and can be approved there."
        )
    return for_page(shown)


def shortened(value: JsonValue, limit_bytes: int = LIMIT_BYTES) -> tuple[JsonValue, int]:
    """Arguments of about `limit_bytes` of JSON at most, and how many bytes were left out.

    What is short stays whole, so that one still sees what is called; what was cut says so at its
    end. A value that is not text is cut as JSON, and so are arguments that are no object, or one
    of very many fields.
    """
    size_bytes = json_bytes(value)
    if size_bytes <= limit_bytes:
        return value, 0
    kept = _fields(value, limit_bytes) if isinstance(value, dict) else None
    if kept is None or json_bytes(kept) > limit_bytes:
        kept = cut_text(_written(value), limit_bytes)
    return kept, max(size_bytes - json_bytes(kept), 1)


def _fields(given: Mapping[str, JsonValue], limit_bytes: int) -> JsonValue:
    sizes = {name: json_bytes(one) for name, one in given.items()}
    names_bytes = sum(map(json_bytes, given))
    if len(given) > MOST_FIELDS or names_bytes > limit_bytes // 2:
        return None
    level = level_of([*sizes.values()], limit_bytes - names_bytes - 4 * len(given))
    return {
        name: one if sizes[name] <= level else cut_text(_written(one), level)
        for name, one in given.items()
    }


def _written(value: JsonValue) -> str:
    return value if isinstance(value, str) else as_json(value)


def _shorten(holder: Json, key: str) -> None:
    holder[key], left_out = shortened(holder[key])
    if left_out:
        holder["left_out_bytes"] = left_out


def _shorten_written(call: Json) -> None:
    """Shorten arguments as the model wrote them."""
    text: str = call["arguments"]
    if len(text) <= LIMIT_BYTES // 4:  # as few bytes, whatever the characters are
        return
    try:
        value, left_out = shortened(json.loads(text))
    except (ValueError, RecursionError):
        value, left_out = shortened(text)
    if left_out:
        call["arguments"] = value if isinstance(value, str) else as_json(value)
        call["left_out_bytes"] = left_out


def _shorten_shown(event: Json) -> None:
    """Shorten arguments that are shown; those as they were written are nothing for a page."""
    event["written"] = None
    _shorten(event, "arguments")


def _shorten_calls(event: Json) -> None:
    for call in event["calls"]:
        _shorten_written(call)


def _shorten_prompt(event: Json) -> None:
    """What a model was told repeats arguments: those of a run that has become one of an agent's."""
    for message in event["messages"]:
        message["text"] = _text(message["text"])
        for call in message["calls"]:
            _shorten_written(call)


def _shorten_message(event: Json) -> None:
    if event["parent_run_id"] is not None:  # a person's own words stay whole
        event["text"] = _text(event["text"])


def _shorten_answer(event: Json) -> None:
    event["answer"], _ = shortened(event["answer"])


def _leave_out_text(event: Json) -> None:
    """A page says that arguments are being written; they come whole when they are."""
    event["text"] = ""


def _text(text: str) -> str:
    return cast("str", shortened(text)[0])


_EXACT: Final[Mapping[str, Sequence[str]]] = {
    "await_clarification": ("given", "form"),
    "await_confirmation": ("arguments", "form"),
    "await_resolved": ("answer",),
    "tool_authorization": ("arguments",),
    "tool_start": ("arguments",),
}
"""The fields whose numbers go to a tool, or come from a person."""
_SHORTENING: Final[Mapping[str, Callable[[Json], None]]] = {
    "assistant_turn": _shorten_calls,
    "await_clarification": lambda event: _shorten(event, "given"),
    "await_confirmation": _shorten_shown,
    "await_external_tools": _shorten_calls,
    "await_resolved": _shorten_answer,
    "prompt_rendered": _shorten_prompt,
    "tool_args_delta": _leave_out_text,
    "tool_authorization": _shorten_shown,
    "tool_start": lambda event: _shorten(event, "arguments"),
    "user_message": _shorten_message,
}
