"""The nodes of a tree of runs and calls: plain JSON, the same as in `js/src/tree.ts`."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from pydantic import JsonValue

from nbagents.events import Approval, CallStatus, RunStatus
from nbagents.runs.tree.terminal import Output

__all__ = [
    "AuthorizationNode",
    "AwaitNode",
    "CallItem",
    "CallNode",
    "HandoffItem",
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


class HandoffItem(TypedDict):
    """Where another agent took over."""

    type: Literal["handoff"]
    step: int
    from_agent: str
    to_agent: str
    model: str


Item: TypeAlias = TextItem | CallItem | HandoffItem


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


class AwaitNode(TypedDict):
    """Something that a person is asked; of each kind, what its event says."""

    id: str
    kind: Literal["confirmation", "clarification", "questions", "external_tools"]
    call_id: str | None
    title: str
    """A tool, or what the questions are about."""
    text: str
    """The question in words."""
    reason: str
    arguments: JsonValue
    """Of a confirmation, what is to be allowed; of a clarification, what is there already."""
    defaults: NotRequired[list[str]]
    """Only where there are some: the arguments that were not given."""
    objects: NotRequired[dict[str, str]]
    """Only where there are some: the arguments that are objects, by JSON pointer, in words."""
    left_out_bytes: NotRequired[int]
    """Only where a page or a notebook has not all of the arguments: how much it lacks."""
    argument_names: NotRequired[list[str]]
    """Only in a notebook, which sorts what it keeps: the names of the arguments in their order."""
    form: JsonValue
    """A JSON Schema of type object, or `null`."""
    missing_fields: list[str]
    questions: list[Plain]
    calls: list[Plain]
    asked_at: float
    resolved_at: float | None
    outcome: Literal["answered", "denied", "cancelled"] | None
    """`None`: it is open."""
    answer: JsonValue
    answered_by: str | None
    note: str | None


class AuthorizationNode(TypedDict):
    """Who allowed or denied a call, when and why."""

    approved: bool
    by: str
    at: float
    summary: str
    note: str | None
    edited: bool
    remembered: bool
    """Whether it gave leave for all later calls of its tool in this session."""
    under_grant: bool
    """Whether it ran without being asked about, by such leave."""


class CallNode(TypedDict):
    """One call of a run."""

    id: str
    name: str
    step: int
    arguments: JsonValue
    defaults: NotRequired[list[str]]
    """Only where there are some: the arguments that were not given."""
    objects: NotRequired[dict[str, str]]
    """Only where there are some: the arguments that are objects, by JSON pointer, in words."""
    left_out_bytes: NotRequired[int]
    """Only where a page or a notebook has not all of the arguments: how much it lacks."""
    argument_names: NotRequired[list[str]]
    """Only in a notebook, which sorts what it keeps: the names of the arguments in their order."""
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
    expected_children: int | None
    run_links: list[Plain]
    proposed: JsonValue
    """The arguments that the model wanted, where a person or a guardrail has changed them."""
    authorization: AuthorizationNode | None
    guardrails: list[Plain]


class UsageNode(TypedDict):
    """Tokens of a run, without its children's."""

    input_tokens: int
    output_tokens: int
    cached_tokens: int
    requests: int
    cost: float | None


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
    resumed_from: str | None
    resumed_by: NotRequired[str]
    """The run that went on with this one, where that is known: no event of its own says so."""
    approval: Approval
    limits: Plain
    chat: str | None
    shared: list[str]
    citations: list[Plain]
    refused: bool
    unmet: list[str]
    """What of the prompt the newest answer does not serve, in the prompt's own words."""
    items: list[Item]
    calls: dict[str, CallNode]
    requests: list[RequestNode]
    awaits: list[AwaitNode]
    guardrails: list[Plain]
    """Those of the prompt and the answer: name, stage, outcome, message."""
    usage: UsageNode
    failure: Plain | None


class Tree(TypedDict):
    """All runs of a stream, by id; the roots in order."""

    version: Literal[1]
    root_ids: list[str]
    runs: dict[str, RunNode]
