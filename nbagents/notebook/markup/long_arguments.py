"""Very long arguments, as a page is sent them: their beginning, and how much of them there is.

The log and Python keep all of them. A saved notebook cuts further; see `frozen_cuts`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from nbagents.notebook.markup.text_cuts import cut_text, json_bytes, level_of
from nbagents.runs.tree import ABSENT, shown_field
from nbagents.runs.wording import as_json, size
from nbagents.tools.values import for_page

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic import JsonValue

    from nbagents.runs.state import Run

LIMIT_BYTES: Final = 60_000
"""Up to this much JSON the arguments of a call are sent whole."""
MOST_FIELDS: Final = 200
"""Of more, each would keep next to nothing."""

WHOLE_ARGUMENTS: Final = "nbagents:whole-arguments"
"""What a page asks for by the id of an await, to show a person all that they are to allow."""
MOST_BYTES: Final = 2_000_000
"""More than this a page does not show in one piece."""

Json = dict[str, Any]  # a node, or what is in it


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


def _await(asked: Json) -> Json:
    arguments, left_out = shortened(asked["arguments"])
    return {
        **asked,
        "arguments": for_page(arguments),
        **({"left_out_bytes": left_out} if left_out else {}),
        "form": for_page(asked["form"]),
        "answer": for_page(shortened(asked["answer"])[0]),
        "calls": [_written_call(one) for one in asked["calls"]],
        **({"pause": _pause(asked["pause"])} if "pause" in asked else {}),
    }


def _pause(shown: Json) -> Json:
    """What is to be edited is there whole, with numbers that a page can read."""
    calls = [
        {**one, "arguments": for_page(one["arguments"]), "form": for_page(one["form"])}
        for one in shown["calls"]
    ]
    settings = for_page(shown["settings"])
    tools = [{**one, "parameters": for_page(one["parameters"])} for one in shown["tools"]]
    return {**shown, "calls": calls, "settings": settings, "tools": tools}


def _edit(edit: Json) -> Json:
    cut = {key: edit[key] and _text(edit[key]) for key in ("before", "after")}
    return {**shown_field("edits", edit), **cut}


def _request(request: Json) -> Json:
    """What a model was told repeats arguments: those of a run that has become one of an agent's."""
    messages = [
        {
            **one,
            "text": _text(one["text"]),
            "calls": [_written_call(call) for call in one["calls"]],
        }
        for one in request["messages"]
    ]
    return {**request, "messages": messages}


def _written_call(call: Json) -> Json:
    """A call with its arguments shortened, as the model wrote them."""
    text: str = call["arguments"]
    if len(text) <= LIMIT_BYTES // 4:  # as few bytes, whatever the characters are
        return call
    try:
        value, left_out = shortened(json.loads(text))
    except (ValueError, RecursionError):
        value, left_out = shortened(text)
    if not left_out:
        return call
    written = value if isinstance(value, str) else as_json(value)
    return {**call, "arguments": written, "left_out_bytes": left_out}


def _payload(node: Json) -> Json:
    return {**node, "payload": for_page(node["payload"], floats=False)}


def _text(text: str) -> str:
    return str(shortened(text)[0])


def _arguments(_node: Json, value: JsonValue) -> Json:
    kept, left_out = shortened(value)
    return {"arguments": for_page(kept), "left_out_bytes": left_out or ABSENT}


def _prompt(node: Json, text: str) -> Json:
    """A person's own words stay whole."""
    return {"prompt": text if node["parent_run_id"] is None else _text(text)}


FOR_PAGE: Final[Mapping[str, Callable[[Json, Any], Json]]] = {
    "arguments": _arguments,
    "authorization": lambda _, one: {"authorization": shown_field("authorization", one)},
    "awaits": lambda _, one: {"awaits": _await(shown_field("awaits", one))},
    "edits": lambda _, one: {"edits": _edit(one)},
    "payloads": lambda _, one: {"payloads": _payload(one)},
    "prompt": _prompt,
    "proposed": lambda _, value: {"proposed": for_page(shortened(value)[0])},
    "requests": lambda _, one: {"requests": _request(shown_field("requests", one))},
}
"""What a page has of fields, or of their elements: see `TreePatches`.

Arguments have no more than about `LIMIT_BYTES`. Where some were left out, `left_out_bytes` stands
beside the arguments: from these no call may be made.
"""
