"""The tree of runs and calls, folded from events; `js/src/fold.ts` folds the same.

Both pass `tests/fixtures/events/*.jsonl`. The nodes are plain JSON, so that a tree can be saved
in a notebook as it stands.
"""

from __future__ import annotations

import json
from functools import singledispatch
from typing import TYPE_CHECKING, Literal, cast

from pydantic import JsonValue

from nbagents.events import (
    AnyEvent,
    AssistantDelta,
    AssistantTurn,
    AwaitClarification,
    AwaitConfirmation,
    AwaitExternalTools,
    AwaitQuestions,
    AwaitResolved,
    CallEvent,
    ChildRunLinked,
    Event,
    Guardrail,
    Handoff,
    PromptRendered,
    RunStart,
    Thought,
    ToolArgsDelta,
    ToolAuthorization,
    ToolData,
    ToolEnd,
    ToolOutputDelta,
    ToolStart,
    ToolUpdate,
    UsageReported,
    UserMessageReceived,
    Workflow,
)
from nbagents.runs.tree import awaits
from nbagents.runs.tree.nodes import (
    AwaitNode,
    CallNode,
    Item,
    PayloadNode,
    Progress,
    RequestNode,
    RunNode,
    TextItem,
    Tree,
    UsageNode,
)
from nbagents.runs.tree.terminal import Output, add_output

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "AwaitNode",
    "CallNode",
    "Item",
    "Output",
    "PayloadNode",
    "Progress",
    "RequestNode",
    "RunNode",
    "Tree",
    "TreeFold",
    "fold",
    "settle",
]

ENDED = ("completed", "failed", "limit", "denied", "cancelled", "suspended")


def fold(events: Iterable[AnyEvent]) -> Tree:
    """The tree that these events make."""
    folding = TreeFold()
    for event in events:
        folding.apply(event)
    return folding.tree


class TreeFold:
    """A tree in the making. The same event twice changes nothing."""

    def __init__(self) -> None:
        self.tree: Tree = {"version": 1, "root_ids": [], "runs": {}}
        self._seen: set[int] = set()

    def apply(self, event: AnyEvent) -> None:
        """Fold one event in."""
        if event.seq in self._seen:
            return
        self._seen.add(event.seq)
        if isinstance(event, RunStart):
            _start(self.tree, event)
        elif (run := self.tree["runs"].get(event.run_id)) is not None:
            # By its very type, where that is known: events have no subclasses to be looked for.
            _apply.registry.get(type(event), _apply)(event, run)


def settle(tree: Tree) -> Tree:
    """The tree of a log whose writer is gone: what was open is of unknown outcome."""
    for run in tree["runs"].values():
        if run["status"] != "running":
            continue
        run["status"] = "unknown"
        for call in run["calls"].values():
            if call["status"] in ("preparing", "waiting", "running"):
                call["status"] = "unknown"
    return tree


def _start(tree: Tree, event: RunStart) -> None:
    if event.run_id in tree["runs"]:
        return
    if event.parent_run_id is None:
        tree["root_ids"].append(event.run_id)
    tree["runs"][event.run_id] = {
        "id": event.run_id,
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
        "forked_from": event.forked_from,
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
        "awaits": [],
        "guardrails": [],
        "usage": UsageNode(input_tokens=0, output_tokens=0, cached_tokens=0, requests=0, cost=None),
        "failure": None,
    }


def _call(run: RunNode, event_id: str, name: str) -> CallNode:
    """The node of a call, made where it is first heard of."""
    if (known := run["calls"].get(event_id)) is not None:
        return known
    run["items"].append({"type": "call", "call_id": event_id})
    made: CallNode = {
        "id": event_id,
        "name": name,
        "step": run["step"],
        "arguments": None,
        "status": "preparing",
        "hint": None,
        "source_hash": None,
        "cell_id": None,
        "started_at": None,
        "duration_ms": None,
        "content": None,
        "preview": None,
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
    }
    run["calls"][event_id] = made
    return made


def _of(run: RunNode, event: CallEvent) -> CallNode:
    return _call(run, event.tool_call_id, event.tool_name)


def _said(run: RunNode, kind: Literal["text", "thought"], step: int) -> TextItem | None:
    """The newest item of a step's text or thought."""
    items = reversed(run["items"])
    return next((one for one in items if one["type"] == kind and one["step"] == step), None)


def _text(run: RunNode, kind: Literal["text", "thought"], step: int) -> TextItem:
    """The newest item of a step's text or thought, made where there is none."""
    if (item := _said(run, kind, step)) is not None:
        return item
    made: TextItem = {"type": kind, "step": step, "text": ""}
    run["items"].append(made)
    return made


def _parsed(text: str) -> JsonValue:
    try:
        return cast("JsonValue", json.loads(text))
    except (ValueError, RecursionError):
        return text


@singledispatch
def _apply(event: Event, run: RunNode) -> None:
    """Fold an event into its run; of most kinds nothing is shown here."""
    del event, run


@_apply.register
def _(event: UserMessageReceived, run: RunNode) -> None:
    if not run["prompt"]:
        run["prompt"] = event.text
        run["shared"] = list(event.shared)


@_apply.register
def _(event: Workflow, run: RunNode) -> None:
    run["phase"] = event.phase
    run["step"] = max(run["step"], event.step)
    if event.phase in ENDED:
        run["status"] = event.phase
        run["ended_at"] = event.at
        run["failure"] = event.failure and event.failure.model_dump(mode="json")
        _settle_calls(run, is_suspended=event.phase == "suspended")


def _settle_calls(run: RunNode, *, is_suspended: bool) -> None:
    """Calls of a run that has ended: asked for in an answer that came to nothing, or waiting."""
    for call in run["calls"].values():
        if is_suspended and call["status"] == "running":
            call["status"] = "waiting"  # for a run inside of it
        elif not is_suspended and call["status"] == "preparing":
            call["status"] = "skipped"


@_apply.register
def _(event: AssistantDelta, run: RunNode) -> None:
    item = _text(run, "text", event.step)
    item["text"] += event.text
    run["text"] = item["text"]


@_apply.register
def _(event: AssistantTurn, run: RunNode) -> None:
    if event.text:
        _text(run, "text", event.step)["text"] = event.text
    elif (item := _said(run, "text", event.step)) is not None:
        run["items"].remove(item)
    run["text"] = event.text
    run["citations"] = [one.model_dump(mode="json") for one in event.citations]
    run["refused"] = event.refused
    run["unmet"] = list(event.unmet)
    for call in event.calls:
        node = _call(run, call.id, call.name)
        node["arguments"] = _parsed(call.arguments)
        node["step"] = event.step


@_apply.register
def _(event: Thought, run: RunNode) -> None:
    _text(run, "thought", event.step)["text"] += event.text


@_apply.register
def _(event: ToolArgsDelta, run: RunNode) -> None:
    _of(run, event)


@_apply.register
def _(event: ToolStart, run: RunNode) -> None:
    call = _of(run, event)
    call["status"] = "running"
    awaits.set_arguments(call, event)
    call["hint"] = event.display_hint
    call["source_hash"] = event.source_hash
    call["cell_id"] = event.cell_id
    call["progress"] = None  # what it waited for has come
    call["started_at"] = event.at


@_apply.register
def _(event: ToolUpdate, run: RunNode) -> None:
    call = _of(run, event)
    if event.expected_children is not None:
        call["expected_children"] = event.expected_children
    if event.message or event.fraction is not None:
        call["progress"] = {"message": event.message, "fraction": event.fraction}


@_apply.register
def _(event: ToolOutputDelta, run: RunNode) -> None:
    add_output(_of(run, event)["output"], event.stream, event.text)


@_apply.register
def _(event: ToolData, run: RunNode) -> None:
    payloads = _of(run, event)["payloads"]
    node: PayloadNode = {"id": event.payload_id, "payload": event.payload.model_dump(mode="json")}
    for index, known in enumerate(payloads):
        if known["id"] == event.payload_id:
            payloads[index] = node
            return
    payloads.append(node)


@_apply.register
def _(event: ToolEnd, run: RunNode) -> None:
    call = _of(run, event)
    call["status"] = event.status
    call["content"] = event.content
    call["preview"] = event.preview
    call["handle"] = event.handle
    call["failure"] = event.failure and event.failure.model_dump(mode="json")
    call["bounds"] = event.bounds and event.bounds.model_dump(mode="json")
    call["duration_ms"] = event.duration_ms
    call["run_links"] = [one.model_dump(mode="json") for one in event.run_links]


@_apply.register
def _(event: ChildRunLinked, run: RunNode) -> None:
    children = _of(run, event)["child_run_ids"]
    if event.child_run_id not in children:
        children.append(event.child_run_id)


@_apply.register
def _(
    event: AwaitConfirmation | AwaitClarification | AwaitQuestions | AwaitExternalTools,
    run: RunNode,
) -> None:
    if isinstance(event, AwaitConfirmation):
        _of(run, event)
    awaits.apply_await(event, run)


@_apply.register
def _(event: AwaitResolved, run: RunNode) -> None:
    awaits.resolve_await(event, run)


@_apply.register
def _(event: ToolAuthorization, run: RunNode) -> None:
    awaits.apply_authorization(event, run, _of(run, event))


@_apply.register
def _(event: Handoff, run: RunNode) -> None:
    run["items"].append(
        {
            "type": "handoff",
            "step": event.step,
            "from_agent": event.from_agent,
            "to_agent": event.to_agent,
            "model": event.model,
        }
    )


@_apply.register
def _(event: Guardrail, run: RunNode) -> None:
    shown = ("name", "stage", "outcome", "message")
    said = event.model_dump(mode="json", include=set(shown))
    call = run["calls"].get(event.tool_call_id or "")
    (run if call is None else call)["guardrails"].append({name: said[name] for name in shown})
    if call is not None and event.stage == "tool_input" and event.outcome == "replace":
        awaits.keep_proposed(call)


@_apply.register
def _(event: PromptRendered, run: RunNode) -> None:
    said = event.model_dump(mode="json", include={"step", "message_count", "messages", "schemas"})
    run["requests"].append(cast("RequestNode", said))


@_apply.register
def _(event: UsageReported, run: RunNode) -> None:
    usage = run["usage"]
    usage["input_tokens"] += event.input_tokens
    usage["output_tokens"] += event.output_tokens
    usage["cached_tokens"] += event.cached_tokens
    usage["requests"] += 1
    if event.cost is not None:
        usage["cost"] = (usage["cost"] or 0.0) + event.cost
