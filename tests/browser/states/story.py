"""Runs told in a few words, event by event, with fixed ids and times."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from nbagents.events import EVENTS

__all__ = ["Json", "Story", "payload", "refusal"]

Json = dict[str, Any]  # events as JSON

AT = 1_767_225_600.0
"""When every story begins: the first of January 2026."""
LIMITS: Json = {"max_steps": 10}


@dataclass(kw_only=True)
class Story:
    """What happens in one run and in those inside it, in order.

    Args:
        run_id: The run that is told of.
        above: The run and the call that started it.
        written: What was told so far, of all runs.
        now_s: How long after the beginning it is.
    """

    run_id: str = "run"
    above: tuple[str, str] | None = None
    written: list[Json] = field(default_factory=list[Json])
    now_s: float = 0.0
    step: int = 1

    def tell(self, kind: str, **fields: Any) -> Story:
        """Tell of one event."""
        run, call = self.above or (None, None)
        number = len(self.written)
        common: Json = {
            "seq": number,
            "at": AT + self.now_s,
            "event_key": str(number),
            "session_id": "session",
            "turn_id": "turn",
            "run_id": self.run_id,
            "parent_run_id": run,
            "parent_tool_call_id": call,
            "labels": {},
        }
        told = EVENTS.validate_python({"type": kind, **common, **fields})
        self.written.append(told.model_dump(mode="json"))
        return self

    def at(self, now_s: float) -> Story:
        """Let time pass until then."""
        self.now_s = now_s
        return self

    # --- the run

    def begin(self, prompt: str, agent: str = "guide", **fields: Any) -> Story:
        """Who is asked what."""
        shared = fields.pop("shared", ())
        usual = {"agent_name": agent, "model": "scripted", "tools": ["weather"], "limits": LIMITS}
        self.tell("run_start", **{**usual, **fields})
        return self.tell("user_message", text=prompt, shared=shared)

    def used(self, tokens_in: int = 1540, tokens_out: int = 360) -> Story:
        """What the model says that it took."""
        about = {"model": "scripted", "input_tokens": tokens_in, "output_tokens": tokens_out}
        return self.tell("usage", step=self.step, cached_tokens=0, **about)

    def says(self, text: str, **fields: Any) -> Story:
        """The model has said this."""
        return self.tell("assistant_turn", step=self.step, text=text, **fields)

    def ends(self, phase: str = "completed", **fields: Any) -> Story:
        """The run has ended."""
        return self.tell("workflow", phase=phase, step=self.step, **fields)

    def answers(self, text: str, **fields: Any) -> Story:
        """The model's answer, and with it the end."""
        self.step += 1
        return self.used().says(text, **fields).ends()

    # --- its calls

    def of(self, call_id: str, name: str) -> Json:
        """Which call an event is about."""
        return {"tool_call_id": call_id, "tool_name": name}

    def starts(self, call_id: str, name: str, arguments: Json, **fields: Any) -> Story:
        """A call has begun, and its tool has its arguments."""
        self.tell("tool_args_delta", **self.of(call_id, name), text=json.dumps(arguments))
        usual = {"source_hash": "3f2a9c1d77aa", "cell_id": None}
        given = {**usual, "arguments": arguments, **fields}
        return self.tell("tool_start", **self.of(call_id, name), **given)

    def gives(self, call_id: str, name: str, *given: Json) -> Story:
        """A call shows something."""
        for place, one in enumerate(given):
            about = self.of(call_id, name)
            self.tell("tool_data", **about, payload_id=f"{call_id}-{place}", payload=one)
        return self

    def gave(self, call_id: str, name: str, content: str = "9 °C", **fields: Any) -> Story:
        """A call has ended."""
        usual = {
            "call_run_id": call_id,
            "status": "done",
            "content": content,
            "preview": content.splitlines()[0][:80] if content else None,
            "duration_ms": 800.0,
        }
        return self.tell("tool_end", **self.of(call_id, name), **{**usual, **fields})

    def call(self, call_id: str, name: str, content: str = "9 °C", /, **arguments: Any) -> Story:
        """A call that went well, in eight tenths of a second."""
        self.starts(call_id, name, arguments).at(self.now_s + 0.8)
        return self.gave(call_id, name, content)

    def inside(self, call_id: str, name: str, agent: str, prompt: str) -> Story:
        """The run that a call has started, which is told on by itself."""
        child = f"{self.run_id}/{call_id}"
        linked = {"child_run_id": child, "child_agent_name": agent}
        self.tell("child_run_linked", **self.of(call_id, name), **linked)
        inner = Story(
            run_id=child,
            above=(self.run_id, call_id),
            written=self.written,
            now_s=self.now_s,
        )
        return inner.begin(prompt, agent)


def payload(kind: str, value: object) -> Json:
    """Something that a call shows."""
    return {"kind": kind, "version": 1, "audience": "timeline", "value": value}


def refusal(message: str, **fields: Any) -> Json:
    """Why something came to nothing."""
    usual: Json = {
        "kind": "domain_rejection",
        "recovery": "replan",
        "issues": [],
        "debug_message": None,
    }
    return {**usual, "message": message, **fields}
