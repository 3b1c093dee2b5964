"""Trees to freeze, built by hand: only what a test is about has to be said."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any, cast

from nbagents.events import ForkedFrom

Json = dict[str, Any]

ANSWER = "It is **9 °C** in Oslo."
USAGE: Json = {
    "input_tokens": 1540,
    "output_tokens": 360,
    "cached_tokens": 0,
    "requests": 2,
    "cost": None,
}
LIMITS: Json = {"max_steps": 10, "max_calls": None, "max_tokens": None, "timeout_s": None}


def call(call_id: str = "call-1", name: str = "weather", **fields: Any) -> Json:
    """A call that went well."""
    return {
        "id": call_id,
        "name": name,
        "step": 1,
        "arguments": {"city": "Oslo"},
        "status": "done",
        "hint": None,
        "source_hash": "3f2a9c1d77aa",
        "cell_id": None,
        "started_at": 1000.5,
        "duration_ms": 812.0,
        "content": "9 °C, wind from the west",
        "preview": "9 °C",
        "handle": None,
        "failure": None,
        "bounds": None,
        "progress": None,
        "output": [],
        "payloads": [],
        "child_run_ids": [],
        "expected_children": None,
        "run_links": [],
        "proposed": None,
        "authorization": None,
        "guardrails": [],
        **fields,
    }


def failed_call(call_id: str = "call-1", **fields: Any) -> Json:
    """A call that failed."""
    bad = failure("The service answered 409.")
    usual = {"status": "failed", "content": bad["message"], "failure": bad}
    return {**call(call_id), **usual, **fields}


def failure(message: str, **fields: Any) -> Json:
    """Why a call or a run failed."""
    return {
        "kind": "domain_rejection",
        "recovery": "replan",
        "message": message,
        "issues": [],
        "debug_message": None,
        **fields,
    }


def asked(kind: str = "confirmation", call_id: str | None = "call-1", **fields: Any) -> Json:
    """Something that a person is asked, and that is open."""
    return {
        "id": "await-1",
        "kind": kind,
        "call_id": call_id,
        "title": "",
        "text": "",
        "reason": "",
        "arguments": None,
        "form": None,
        "missing_fields": [],
        "questions": [],
        "calls": [],
        "asked_at": 1000.0,
        "resolved_at": None,
        "outcome": None,
        "answer": None,
        "answered_by": None,
        "note": None,
        **fields,
    }


def decided(*, approved: bool = True, by: str = "you", **fields: Any) -> Json:
    """Who allowed or denied a call."""
    usual = {"at": 1000.0, "summary": "", "note": None, "edited": False, "remembered": False}
    usual["under_grant"] = False
    return {"approved": approved, "by": by, **usual, **fields}


def guardrail(outcome: str, stage: str, message: str = "", name: str = "pii") -> Json:
    """What a guardrail did."""
    return {"name": name, "stage": stage, "outcome": outcome, "message": message}


def citation(url: str | None = None, title: str | None = None, **fields: Any) -> Json:
    """Where a piece of an answer comes from."""
    return {"url": url, "title": title, "file_id": None, "start": 0, "end": 4, **fields}


def payload(kind: str, value: Any, **fields: Any) -> Json:
    """A payload under an id."""
    about = {"kind": kind, "version": 1, "audience": "timeline", "value": value, **fields}
    return {"id": f"{kind}-1", "payload": about}


def run(*calls: Json, run_id: str = "run-1", text: str = ANSWER, **fields: Any) -> Json:
    """A run of these calls that ended with an answer."""
    said = [{"type": "text", "step": 2, "text": text}] if text else []
    return {
        "id": run_id,
        "agent_name": "Agent",
        "model": "offline",
        "tools": ["weather"],
        "status": "completed",
        "phase": "completed",
        "step": 2,
        "prompt": "How warm is it in Oslo?",
        "text": text,
        "started_at": 1000.0,
        "ended_at": 1004.2,
        "parent_run_id": None,
        "parent_tool_call_id": None,
        "forked_from": None,
        "resumed_from": None,
        "approval": "risky",
        "limits": dict(LIMITS),
        "chat": None,
        "shared": [],
        "citations": [],
        "refused": False,
        "unmet": [],
        "items": [*({"type": "call", "call_id": one["id"]} for one in calls), *said],
        "calls": {one["id"]: one for one in calls},
        "requests": [],
        "awaits": [],
        "guardrails": [],
        "usage": dict(USAGE),
        "failure": None,
        **fields,
    }


def request(step: int, *messages: Json, schemas: list[Json] | None = None, **fields: Any) -> Json:
    """What a step asked the model: what no other event says, and the tools where they are new."""
    told = {"step": step, "message_count": len(messages), "messages": list(messages)}
    return {**told, "schemas": schemas, **fields}


def message(role: str, text: str, **fields: Any) -> Json:
    """A message as the model was told it."""
    return {"role": role, "text": text, "parts": [], "calls": [], "call_id": None, **fields}


def schema(name: str = "weather", description: str = "Look up the weather.", **fields: Any) -> Json:
    """A tool as the model was told of it."""
    parameters = {"type": "object", "properties": {"city": {"type": "string"}}}
    return {"name": name, "description": description, "parameters": parameters, **fields}


def tree(*runs: Json) -> Json:
    """A tree whose first run is the root."""
    return {"version": 1, "root_ids": [runs[0]["id"]], "runs": {one["id"]: one for one in runs}}


class Page(HTMLParser):
    """HTML as a browser would take it: its elements, their attributes, and the text."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.open_tags: list[str] = []
        self.text = ""
        self.deepest = 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in ("img", "br", "hr", "link"):
            self.open_tags.append(tag)
            self.deepest = max(self.deepest, len(self.open_tags))

    def handle_endtag(self, tag: str) -> None:
        assert self.open_tags
        assert self.open_tags.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data!r}")

    @property
    def classes(self) -> set[str]:
        """The classes of all elements."""
        return {name for _, given in self.elements for name in given.get("class", "").split()}

    def named(self, tag: str) -> list[dict[str, str]]:
        """The attributes of all elements of a name."""
        return [attributes for name, attributes in self.elements if name == tag]


def html_of(bundle: dict[str, object]) -> str:
    """The HTML of a display bundle."""
    return cast("str", bundle["text/html"])


def plain_of(bundle: dict[str, object]) -> str:
    """The text of a display bundle."""
    return cast("str", bundle["text/plain"])


def leaving(run_id: str, **said: Any) -> Any:
    """Where a branch leaves a run."""
    at = ForkedFrom.model_validate({"run_id": run_id, "origin_id": run_id, "step": 2, **said})
    return at.model_dump(mode="json")
