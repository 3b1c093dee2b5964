"""What a run is to do, and what its model is asked for that."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from pydantic import JsonValue

from nbagents.models.model import Model, ModelRequest, ToolSpec
from nbagents.results import Limits
from nbagents.runs.logs.spent import Spent
from nbagents.runs.past import Past, Said
from nbagents.runs.policy import NO_POLICY, Policy
from nbagents.tools.names import split_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nbagents.events import Approval
    from nbagents.messages import Message
    from nbagents.results import CallResult
    from nbagents.runs.answer_form import AnswerForm
    from nbagents.runs.awaits import OnAwait
    from nbagents.runs.limits import Spending
    from nbagents.runs.record import Run
    from nbagents.tools.handles import Handles
    from nbagents.tools.tool import Tool

__all__ = ["Parent", "Plan", "first_request", "request_of", "spec_of"]

WORDS: Final = ("auto", "required", "none")
"""Choices that name no tool."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parent:
    """Where a run inside of another one stands."""

    run: Run
    call_id: str
    plan: Plan
    spending: Spending
    """What it draws on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that a run needs to know before it starts."""

    agent_name: str
    model: Model
    tools: tuple[Tool, ...] = ()
    messages: tuple[Message, ...] = ()
    """The conversation so far; its last message is what the person asks now."""
    shared: tuple[str, ...] = ()
    """What is handed over with the prompt, a line each."""
    passthrough: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Any])
    form: AnswerForm | None = None
    """The form that the answer must have."""
    is_parallel: bool = True
    settings: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    max_steps: int = 10
    limits: Limits = field(default_factory=Limits)
    """Beyond `max_steps`."""
    chat: str | None = None
    """The conversation that it goes on with."""
    policy: Policy = NO_POLICY
    approval: Approval = "risky"
    on_await: OnAwait = "ask"
    """What is done where a person must answer."""
    on_missing: Literal["tell", "ask"] = "tell"
    """Who is told that a call lacks required values: the model, or the person, who gives them."""
    parent: Parent | None = None
    """What it is inside of."""
    turn: tuple[Message, ...] = ()
    """Of a run that goes on with another, what was said in that one, which its messages end in."""
    resumed_from: str | None = None
    """The suspended run that it goes on with."""
    finished: Mapping[str, CallResult] = field(default_factory=dict[str, Any])
    """Results of the newest answer's calls that were there already when the run was suspended."""
    said: Said = field(default_factory=Said)
    """What a person has said to what was open in it, and in the runs inside it."""
    spent: Spent = field(default_factory=Spent)
    """What it had spent by then."""
    is_closing: bool = False
    """Whether its newest answer is the call that was said beforehand, for the end at a limit."""
    past: Mapping[str, Past] = field(default_factory=dict[str, Any])
    """What its other calls had been given by then."""


def request_of(
    plan: Plan,
    messages: Sequence[Message],
    tools: tuple[ToolSpec, ...],
    handles: Handles,
    memo: dict[str, object],
    tool_choice: str | Mapping[str, JsonValue] | None = None,
) -> ModelRequest:
    """What a model is asked; a choice is told it only of what it is offered."""
    if not tools:
        tool_choice = None
    elif isinstance(tool_choice, str) and tool_choice not in WORDS:
        tool_choice = tool_choice if any(one.name == tool_choice for one in tools) else "auto"
    return ModelRequest(
        messages=messages,
        tools=tools,
        settings=plan.settings,
        output=plan.form and plan.form.spec,
        handles=handles.infos() if handles else (),
        parallel=plan.is_parallel,
        memo=memo,
        tool_choice=tool_choice,
    )


def first_request(plan: Plan, handles: Handles) -> ModelRequest:
    """What a run would ask first."""
    specs = tuple(map(spec_of, plan.tools))
    return request_of(plan, plan.messages, specs, handles, {}, plan.policy.tool_choice)


def spec_of(tool: Tool) -> ToolSpec:
    """What a model is told of a tool."""
    return ToolSpec(
        name=tool.name,
        description=" ".join(filter(None, (tool.description, tool.options.note))),
        parameters=tool.parameters,
        strict=tool.strict,
        strict_note=tool.strict_note,
        hosted=tool.options.hosted,
        handles=tool.schema.handles,
        defer=tool.options.defer,
        toolset=split_name(tool.name)[0],
        read_only=False if tool.options.destructive else tool.options.read_only,
    )
