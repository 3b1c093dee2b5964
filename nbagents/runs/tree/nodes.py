"""The nodes of a tree of runs and calls: plain JSON.

The one place where the shape is declared: `js/generate_nodes.py` makes of it the page's types, and
what reads a saved run there. A value of pydantic's is written as `Annotated[Plain, Payload]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, NotRequired, TypeAlias, TypedDict

from pydantic import JsonValue

from nbagents.events import (
    Approval,
    AwaitKind,
    CallStatus,
    EditedPart,
    ForkedFrom,
    GuardrailOutcome,
    GuardrailStage,
    Phase,
    RequestedCall,
    Resolution,
    RunStatus,
    ShownPause,
)
from nbagents.results import (
    Bounds,
    Citation,
    Failure,
    Limits,
    Payload,
    Question,
    RunLink,
    ShownMessage,
    ShownTool,
    Taken,
)
from nbagents.runs.tree.terminal import Output

Plain: TypeAlias = dict[str, Any]  # a pydantic value as JSON

HIDDEN: Final[Mapping[str, frozenset[str]]] = {
    "RunNode": frozenset({"answers", "heard_at", "labels", "seq", "session_id", "turn_id"}),
    "CallNode": frozenset({"asked_seq", "has_next"}),
    "AwaitNode": frozenset({"written"}),
    "AuthorizationNode": frozenset({"made_of"}),
    "RequestNode": frozenset({"earlier", "tools"}),
    "EditNode": frozenset({"written"}),
    "ShownMessage": frozenset({"failed", "is_notice", "shared"}),
}
"""What going on with a run needs, and no page and no saved run has; see `projection`."""
OLDER: Final[Mapping[str, Mapping[str, JsonValue]]] = {
    "RunNode": {
        "approval": "risky",
        "unmet": [],
        "requests": [],
        "awaits": [],
        "guardrails": [],
        "limits": {},
    },
    "CallNode": {"step": 0, "run_links": [], "guardrails": []},
    "AuthorizationNode": {"under_grant": False},
}
"""What saved runs of older versions have not; what may be null, or absent, needs no word here."""


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
    payload: Annotated[Plain, Payload]
    static: NotRequired[dict[str, JsonValue]]
    """Only in a saved run: what its renderer shows without a page's code, by MIME type."""


class AwaitNode(TypedDict):
    """Something that a person is asked; of each kind, what its event says."""

    id: str
    kind: AwaitKind
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
    written: JsonValue
    """The arguments as they were written, where those are others."""
    missing_fields: list[str]
    questions: list[Annotated[Plain, Question]]
    calls: list[Annotated[Plain, RequestedCall]]
    pause: NotRequired[Annotated[Plain, ShownPause]]
    """Only of a step that waits: what would be done next."""
    asked_at: float
    resolved_at: float | None
    outcome: Resolution | None
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
    made_of: JsonValue
    """The arguments of which a call could be made again; `null` where it says none."""


class Explanation(TypedDict):
    """Why a call or a run came to nothing, for whom it happened to."""

    what: str
    """In a sentence; what the model was told stands elsewhere."""
    remedies: list[str]
    """What they can do about it, a sentence each."""


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
    taken: NotRequired[Annotated[Plain, Taken]]
    """Only where name and arguments do not tell how Python makes it: how it does."""
    left_out_bytes: NotRequired[int]
    """Only where a page or a notebook has not all of the arguments: how much it lacks."""
    argument_names: NotRequired[list[str]]
    """Only in a notebook, which sorts what it keeps: the names of the arguments in their order."""
    status: CallStatus
    hint: str | None
    source_hash: str | None
    cell_id: str | None
    asked_at: float | None
    """When a model had asked for it: it then waited for its slot, or as `awaits` say."""
    started_at: float | None
    duration_ms: float | None
    content: str | None
    preview: str | None
    handle: str | None
    has_next: bool | None
    failure: Annotated[Plain, Failure] | None
    bounds: Annotated[Plain, Bounds] | None
    progress: Progress | None
    output: list[Output]
    payloads: list[PayloadNode]
    child_run_ids: list[str]
    expected_children: int | None
    asked_seq: int
    """The position of the newest event by which it asked for something: a run, or an answer."""
    run_links: list[Annotated[Plain, RunLink]]
    proposed: JsonValue
    """The arguments that the model wanted, where a person or a guardrail has changed them."""
    changed_by: NotRequired[str]
    """Only where they were changed in step mode: by whom."""
    authorization: AuthorizationNode | None
    guardrails: list[Annotated[Plain, GuardrailNode]]
    explanation: NotRequired[Explanation]
    """Only of one that has ended and came to nothing."""
    kept: NotRequired[bool]
    """Only where it is so: it was not made in this run, which is a branch of the one that did."""


class GuardrailNode(TypedDict):
    """What a guardrail said of a call, of the prompt or of the answer."""

    name: str
    stage: GuardrailStage
    outcome: GuardrailOutcome
    message: str


class UsageNode(TypedDict):
    """Tokens of a run, without its children's."""

    input_tokens: int
    output_tokens: int
    cached_tokens: int
    requests: int
    cost: float | None


class KeptNode(TypedDict):
    """What a branch keeps of the run that it leaves."""

    usage: UsageNode
    """What that had used there; the branch has not used it again."""


class ReplayedNode(TypedDict):
    """What of a run was given by a recording instead of a model."""

    answers: int
    """How many of its answers."""
    since: str
    """When the first of them were recorded, as a date."""
    until: str
    """When the last of them were."""


class RequestNode(TypedDict):
    """What one step asked the model; see `PromptRendered`."""

    step: int
    at: float | None
    """When it was sent."""
    message_count: int
    messages: list[Annotated[Plain, ShownMessage]]
    """What the model was told then that stands nowhere else in the run."""
    schemas: list[Annotated[Plain, ShownTool]] | None
    """The tools that were offered; `null`: those of the step before."""
    tools: list[str]
    """Those that were offered, by name."""
    earlier: Plain | None
    """Which of the messages other runs of the chat have logged; see `Earlier`. Their `count` is 0
    where they are not here."""


class AnswerNode(TypedDict):
    """What was answered in one step."""

    step: int
    text: str
    calls: list[Plain]
    """As they were asked for; what became of each is in its node."""
    requests: int
    """How many requests came before it."""


class EditNode(TypedDict):
    """Something that was made other than it was, in step mode; see `StepEdited`."""

    step: int
    at: float
    what: EditedPart
    by: str
    place: int | None
    role: str | None
    call_id: str | None
    before: str | None
    """Of a message, its words; of all else, what was and what is stands in calls and answers."""
    after: str | None
    written: JsonValue
    """Of arguments, those of which the call is made."""


class RunNode(TypedDict):
    """One run."""

    id: str
    session_id: str
    turn_id: str
    labels: dict[str, str]
    seq: int
    """The position of its newest event; one that is no newer changes nothing."""
    heard_at: float
    """When that was."""
    agent_name: str
    model: str
    tools: list[str]
    status: RunStatus
    phase: Phase
    step: int
    prompt: str
    text: str
    started_at: float
    ended_at: float | None
    parent_run_id: str | None
    parent_tool_call_id: str | None
    forked_from: Annotated[Plain, ForkedFrom] | None
    kept: NotRequired[KeptNode]
    """Only of a branch: what it keeps of the run that it leaves."""
    resumed_from: str | None
    resumed_by: NotRequired[str]
    """The run that went on with this one, where that is known: no event of its own says so."""
    approval: Approval
    limits: Annotated[Plain, Limits]
    chat: str | None
    shared: list[str]
    citations: list[Annotated[Plain, Citation]]
    refused: bool
    unmet: list[str]
    """What of the prompt the newest answer does not serve, in the prompt's own words."""
    items: list[Item]
    calls: dict[str, CallNode]
    requests: list[RequestNode]
    answers: list[AnswerNode]
    awaits: list[AwaitNode]
    edits: NotRequired[list[EditNode]]
    """Only of one that was edited step by step: what, in order."""
    guardrails: list[Annotated[Plain, GuardrailNode]]
    """Those of the prompt and the answer."""
    usage: UsageNode
    replayed: NotRequired[ReplayedNode]
    """Only where a recording gave an answer."""
    failure: Annotated[Plain, Failure] | None
    explanation: NotRequired[Explanation]
    """Only of one that did not come to its end."""


class Tree(TypedDict):
    """All runs of a stream, by id; the roots in order."""

    version: Literal[1]
    root_ids: list[str]
    runs: dict[str, RunNode]


class Cut(TypedDict):
    """What a saved run lacks."""

    text: str
    """In a sentence."""


class SavedRun(TypedDict):
    """What a notebook holds of a run."""

    version: Literal[1]
    root_id: str
    tree: Tree
    cuts: list[Cut]
    open: NotRequired[JsonValue]
    """Which calls are open at first, if not as usual."""
