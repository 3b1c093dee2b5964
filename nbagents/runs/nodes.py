"""The nodes of a tree of runs and calls: plain JSON, the same as in `js/src/tree.ts`."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from pydantic import JsonValue

from nbagents.events import CallStatus, RunStatus
from nbagents.runs.terminal import Output

__all__ = [
    "CallItem",
    "CallNode",
    "Item",
    "PayloadNode",
    "Progress",
    "RequestNode",
    "RunNode",
    "TextItem",
    "Tree",
    "UsageNode",
]

Plain: TypeAlias = dict[str, Any]  # a pydantic value as JSON


class TextItem(TypedDict):
    """What the model said in one step."""

    type: Literal["text", "thought"]
    step: int
    text: str


class CallItem(TypedDict):
    """Where a call stands among what was said."""

    type: Literal["call"]
    call_id: str


Item: TypeAlias = TextItem | CallItem


class Progress(TypedDict):
    """How far a call says it is."""

    message: str
    fraction: float | None


class PayloadNode(TypedDict):
    """One payload, under the id by which it may be replaced."""

    id: str
    payload: Plain
    static: NotRequired[Plain]
    """Only in a saved run: what its renderer shows without a page's code, by MIME type."""


class CallNode(TypedDict):
    """One call of a run."""

    id: str
    name: str
    step: int
    arguments: JsonValue
    status: CallStatus
    hint: str | None
    source_hash: str | None
    cell_id: str | None
    started_at: float | None
    duration_ms: float | None
    content: str | None
    preview: str | None
    handle: str | None
    failure: Plain | None
    bounds: Plain | None
    progress: Progress | None
    output: list[Output]
    payloads: list[PayloadNode]
    child_run_ids: list[str]


class UsageNode(TypedDict):
    """Tokens of a run, without its children's."""

    input_tokens: int
    output_tokens: int
    cached_tokens: int
    requests: int


class RequestNode(TypedDict):
    """What one step asked the model; see `PromptRendered`."""

    step: int
    message_count: int
    messages: list[Plain]
    schemas: list[Plain] | None


class RunNode(TypedDict):
    """One run."""

    id: str
    agent_name: str
    model: str
    tools: list[str]
    status: RunStatus
    phase: str
    step: int
    prompt: str
    text: str
    started_at: float
    ended_at: float | None
    parent_run_id: str | None
    parent_tool_call_id: str | None
    forked_from: str | None
    limits: Plain
    chat: str | None
    shared: list[str]
    citations: list[Plain]
    refused: bool
    items: list[Item]
    calls: dict[str, CallNode]
    requests: list[RequestNode]
    usage: UsageNode
    failure: Plain | None


class Tree(TypedDict):
    """All runs of a stream, by id; the roots in order."""

    version: Literal[1]
    root_ids: list[str]
    runs: dict[str, RunNode]
