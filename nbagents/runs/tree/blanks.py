"""Nodes as they are where they are first heard of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.runs.tree.nodes import UsageNode

if TYPE_CHECKING:
    from nbagents.events import RunStart
    from nbagents.runs.tree.nodes import CallNode, RunNode


def blank_run(event: RunStart) -> RunNode:
    """A run that begins."""
    made: RunNode = {
        "id": event.run_id,
        "session_id": event.session_id,
        "turn_id": event.turn_id,
        "labels": event.labels,
        "seq": event.seq,
        "heard_at": event.at,
        "agent_name": event.agent_name,
        "model": event.model,
        "tools": list(event.tools),
        "status": "running",
        "phase": "prompted",
        "step": 0,
        "prompt": "",
        "text": "",
        "started_at": event.at,
        "ended_at": None,
        "parent_run_id": event.parent_run_id,
        "parent_tool_call_id": event.parent_tool_call_id,
        "forked_from": event.forked_from and event.forked_from.model_dump(mode="json"),
        "resumed_from": event.resumed_from,
        "approval": event.approval,
        "limits": event.limits.model_dump(mode="json"),
        "chat": event.chat,
        "shared": [],
        "citations": [],
        "refused": False,
        "unmet": [],
        "items": [],
        "calls": {},
        "requests": [],
        "answers": [],
        "awaits": [],
        "guardrails": [],
        "usage": _no_usage(),
        "failure": None,
    }
    if event.forked_from is not None:
        made["kept"] = {"usage": _no_usage()}
    return made


def _no_usage() -> UsageNode:
    return UsageNode(input_tokens=0, output_tokens=0, cached_tokens=0, requests=0, cost=None)


def blank_call(call_id: str, name: str, step: int) -> CallNode:
    """A call that is asked for."""
    return {
        "id": call_id,
        "name": name,
        "step": step,
        "arguments": None,
        "status": "preparing",
        "hint": None,
        "source_hash": None,
        "cell_id": None,
        "asked_at": None,
        "started_at": None,
        "duration_ms": None,
        "content": None,
        "preview": None,
        "handle": None,
        "has_next": None,
        "failure": None,
        "bounds": None,
        "progress": None,
        "output": [],
        "payloads": [],
        "child_run_ids": [],
        "expected_children": None,
        "asked_seq": -1,
        "run_links": [],
        "proposed": None,
        "authorization": None,
        "guardrails": [],
    }
