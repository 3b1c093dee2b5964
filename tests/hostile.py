"""Runs that hold one text wherever a model, a tool or a person could have put it."""

from __future__ import annotations

import json
from itertools import chain, count
from typing import TYPE_CHECKING, Any, cast

from nbagents.events import EVENTS
from nbagents.runs.tree.folding import fold
from nbagents.runs.tree.projection import shown_tree
from tests.hostile_payloads import few_payloads, payloads

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["STATUSES", "crowded_tree", "hostile_events", "hostile_tree"]

Json = dict[str, Any]  # events and trees as JSON

STATUSES = ("done", "failed")
"""How calls end; what is said of the other ends is told by the same rows."""


def hostile_tree(text: str) -> Json:
    """What those events fold to."""
    return cast("Json", shown_tree(fold(map(EVENTS.validate_python, hostile_events(text)))))


def hostile_events(text: str, *, name: str = "run") -> list[Json]:
    """A run that ended, in whose call another one ran and failed, as the page is told of them.

    Args:
        text: What stands everywhere.
        name: Tells runs apart whose texts are the same.
    """
    whose = text.replace("\0", "")  # no run is ever called so, and no file could name it
    root, child = f"{name} {whose}", f"{name} child {whose}"
    written = [*opening(text, root), *calls(text, root, child), *answering(text, root)]
    written[-1:-1] = inner(text, root, child)
    numbers = count()
    whole = ({**common(next(numbers), name), **event} for event in written)
    return [EVENTS.validate_python(one).model_dump(mode="json") for one in whole]


def crowded_tree(texts: list[str]) -> Json:
    """A run with a call for each text, and all of them in what it was asked and answers."""
    said, name = "\n\n".join(texts), "run"
    shown = (call(one, name, "done", {one: one}, few_payloads(one)) for one in texts)
    failed = call(texts[0], name, "failed", texts[0])
    written = [*opening(said, name), *chain(*shown), *failed, *answering(said, name)]
    whole = ({**common(at, name), **event} for at, event in enumerate(written))
    return cast("Json", shown_tree(fold(map(EVENTS.validate_python, whole))))


def common(number: int, name: str) -> Json:
    """What every event carries."""
    return {
        "seq": number,
        "at": 1_767_225_600.0 + number / 100,
        "event_key": f"{name} {number}",
        "session_id": "session",
        "turn_id": "turn",
        "parent_run_id": None,
        "parent_tool_call_id": None,
        "labels": {},
    }


def opening(text: str, run_id: str) -> Iterator[Json]:
    """Who, with what, and what the model was told."""
    asked = {"id": text, "name": text, "arguments": text}
    told = {"role": "user", "text": text, "parts": [text], "calls": [asked], "call_id": text}
    schema = {"type": "object", "properties": {text: {"description": text, "enum": [text]}}}
    yield {
        "type": "run_start",
        "run_id": run_id,
        "agent_name": text,
        "model": text,
        "tools": [text],
        "forked_from": {"run_id": text, "origin_id": text, "step": 1, "message": text},
        "chat": text,
    }
    yield {"type": "user_message", "run_id": run_id, "text": text, "shared": [text]}
    yield {
        "type": "prompt_rendered",
        "run_id": run_id,
        "step": 1,
        "message_count": 5,
        "tools": [text],
        "messages": [{**told, "role": role} for role in ("system", "user", "assistant", "tool")],
        "schemas": [{"name": text, "description": text, "parameters": schema}],
    }
    yield {"type": "thought", "run_id": run_id, "step": 1, "text": text}
    yield {"type": "assistant_turn", "run_id": run_id, "step": 1, "text": text}


def calls(text: str, run_id: str, child: str) -> Iterator[Json]:
    """Calls that ended, wait, and have not begun, and one with everything that calls can have."""
    for status in STATUSES:
        yield from call(text, run_id, status, {text: text})
    yield from asked(text, run_id, "waiting", {text: [text]})
    yield from asked(text, run_id, "preparing", text)
    yield from call(text, run_id, "done", {text: {text: [text]}}, payloads(text), child)


def of(text: str, run_id: str, call_id: str) -> Json:
    """Which call an event is about."""
    return {"run_id": run_id, "tool_call_id": f"{call_id} {text}", "tool_name": text}


def asked(text: str, run_id: str, call_id: str, arguments: object) -> Iterator[Json]:
    """A call that waits for a person, or has not begun."""
    about = of(text, run_id, call_id)
    if call_id == "preparing":
        yield {"type": "tool_args_delta", **about, "text": text}
        return
    yield {"type": "tool_start", **about, "arguments": arguments, "display_hint": text}
    yield {
        "type": "await_confirmation",
        **about,
        "await_id": text,
        "title": text,
        "prompt": text,
        "arguments": arguments,
    }


def call(
    text: str,
    run_id: str,
    status: str,
    arguments: object,
    given: list[Json] | None = None,
    child: str | None = None,
) -> Iterator[Json]:
    """A call that ended."""
    about = of(text, run_id, status if given is None else "everything")
    yield {
        "type": "tool_start",
        **about,
        "arguments": arguments,
        "display_hint": None if given else text,
        "source_hash": text,
        "cell_id": text,
    }
    for stream in ("stdout", "stderr", "log"):
        yield {"type": "tool_output_delta", **about, "stream": stream, "text": text}
    yield {"type": "tool_update", **about, "message": text, "fraction": 0.5}
    for place, payload in enumerate(given or ()):
        yield {"type": "tool_data", **about, "payload_id": f"{place} {text}", "payload": payload}
    if child is not None:
        linked = {"child_run_id": child, "child_agent_name": text}
        yield {"type": "child_run_linked", **about, **linked}
    yield {
        "type": "tool_end",
        **about,
        "call_run_id": text,
        "status": status,
        "content": text,
        "preview": text,
        "handle": text,
        "failure": None if status == "done" else failure(text),
        "bounds": {"returned": 1, "total": 2, "truncated": True, "next_cursor": text},
        "duration_ms": 12.0,
    }


def answering(text: str, run_id: str) -> Iterator[Json]:
    """The answer, its sources, and how the run ended."""
    sources = [
        {"url": text, "title": text},
        {"url": f"https://a.example/{text}", "title": text},
        {"url": None, "title": text, "file_id": text},
        {"url": text, "title": None},
    ]
    yield {
        "type": "assistant_turn",
        "run_id": run_id,
        "step": 2,
        "text": text,
        "citations": sources,
        "refused": True,
    }
    yield {
        "type": "workflow",
        "run_id": run_id,
        "phase": "failed",
        "step": 2,
        "failure": failure(text),
    }


def inner(text: str, parent: str, run_id: str) -> Iterator[Json]:
    """A run that a call started, which failed."""
    above = {"parent_run_id": parent, "parent_tool_call_id": f"everything {text}"}
    for event in opening(text, run_id):
        yield {**event, **above} if event["type"] == "run_start" else event
    yield from call(text, run_id, "failed", json.dumps({text: text}))
    yield from answering(text, run_id)


def failure(text: str) -> Json:
    """What went wrong, with the text wherever one can stand."""
    return {
        "kind": "internal",
        "recovery": "replan",
        "message": text,
        "issues": [{"field": text, "constraint": text, "message": text}],
        "debug_message": text,
    }
