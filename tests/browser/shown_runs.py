"""Runs to look at: one in which calls are in every state, and one that has everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbagents.events import EVENTS
from tests.hostile import hostile_events

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["every_state", "everything"]

Json = dict[str, Any]  # events as JSON

OPEN = ("preparing", "waiting", "running")
ENDED = ("done", "failed", "denied", "cancelled", "timed_out", "skipped", "unknown")
AT = 1_767_225_600.0
ANSWER = """# Oslo

It is **9 °C** in Oslo; see [the report](https://a.example/report).

- [x] warm
- [ ] dry

| day | °C |
|-----|---:|
| Mon | 9  |

So $T = 9$, at $5 and $6:

$$
\\int_0^1 T\\,dt = 9
$$

```python
@cache  # of all
def warm(at: float = 9.0) -> str:
    return f"{at}" if at > 0 else None
```

```json
{"city": "Oslo", "mean": 6.3, "wet": true}
```
"""


def everything() -> list[Json]:
    """A run with one of all that can stand in it, in plain words, and with two equal tables."""
    events = hostile_events("Oslo in May", name="everything")
    at = next(at for at, one in enumerate(events) if is_table(one))
    again = {**events[at], "payload_id": "again", "seq": len(events), "event_key": "again"}
    return [*events[: at + 1], again, *events[at + 1 :]]


def is_table(event: Json) -> bool:
    """Whether a call gave a table in it."""
    return event["type"] == "tool_data" and event["payload"]["kind"] == "table"


def every_state(*, running: bool) -> list[Json]:
    """A run with a call in each state, that goes on or has ended with an answer.

    Args:
        running: Whether it goes on.
    """
    about: Json = {"run_id": "states", "session_id": "s", "turn_id": "t", "labels": {}}
    about |= {"parent_run_id": None, "parent_tool_call_id": None}
    written = [*opening(), *calls()]
    if not running:
        written += [
            {"type": "assistant_turn", "step": 2, "text": ANSWER, "citations": []},
            {"type": "workflow", "phase": "completed", "step": 2},
        ]
    whole = (
        {"seq": at, "at": AT + at / 10, "event_key": f"states {at}", **about, **event}
        for at, event in enumerate(written)
    )
    return [EVENTS.validate_python(one).model_dump(mode="json") for one in whole]


def opening() -> Iterator[Json]:
    """Who is asked what."""
    yield {
        "type": "run_start",
        "agent_name": "guide",
        "model": "scripted",
        "tools": ["forecast"],
        "forked_from": None,
        "limits": {"max_steps": 10, "max_calls": 12, "max_tokens": None, "timeout_s": 60},
        "chat": "weather",
    }
    yield {"type": "user_message", "text": "How warm is it?", "shared": ["rows: 24 × 3"]}
    yield {"type": "thought", "step": 1, "text": "Ask for each town.\nThen compare."}


def calls() -> Iterator[Json]:
    """A call in each state."""
    for state in (*OPEN, *ENDED):
        about = {"tool_call_id": f"call-{state}", "tool_name": f"forecast_{state}"}
        yield {"type": "tool_args_delta", **about, "text": '{"city": '}
        if state == "preparing":
            continue
        yield {
            "type": "tool_start",
            **about,
            "arguments": {"city": "Oslo", "days": 3},
            "display_hint": "Looking up the weather" if state == "done" else None,
            "source_hash": "3f2a9c1d77aa",
            "cell_id": None,
        }
        if state == "waiting":
            asked: Json = {
                "await_id": "a",
                "title": "Allow?",
                "prompt": "It costs.",
                "arguments": {},
            }
            yield {"type": "await_confirmation", **about, **asked}
        elif state == "running":
            yield {"type": "tool_update", **about, "message": "3 of 7 rows", "fraction": 0.4}
        else:
            yield ended(about, state)


def ended(about: Json, state: str) -> Json:
    """How a call ended."""
    failure: Json = {
        "kind": "internal",
        "recovery": "replan",
        "message": "There is no such town.",
        "issues": [],
        "debug_message": "Traceback (most recent call last):\n  …",
    }
    return {
        "type": "tool_end",
        **about,
        "call_run_id": "x",
        "status": state,
        "content": "9 °C, wind from the west",
        "preview": "9 °C",
        "handle": "r1" if state == "done" else None,
        "has_next": None,
        "failure": failure if state in ("failed", "timed_out") else None,
        "bounds": None,
        "duration_ms": 812.0,
    }
