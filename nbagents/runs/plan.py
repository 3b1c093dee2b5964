"""What a run is to do, and what its model is asked for that."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from nbagents.models.model import Model, ModelRequest, ToolSpec
from nbagents.results import Limits
from nbagents.tools.names import split_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nbagents.messages import Message
    from nbagents.runs.answer_form import AnswerForm
    from nbagents.tools.handles import Handles
    from nbagents.tools.tool import Tool

__all__ = ["Plan", "first_request", "request_of", "spec_of"]


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


def request_of(
    plan: Plan,
    messages: Sequence[Message],
    tools: tuple[ToolSpec, ...],
    handles: Handles,
    memo: dict[str, object],
) -> ModelRequest:
    """What a model is asked."""
    return ModelRequest(
        messages=messages,
        tools=tools,
        settings=plan.settings,
        output=plan.form and plan.form.spec,
        handles=handles.infos() if handles else (),
        parallel=plan.is_parallel,
        memo=memo,
    )


def first_request(plan: Plan, handles: Handles) -> ModelRequest:
    """What a run would ask first."""
    return request_of(plan, plan.messages, tuple(map(spec_of, plan.tools)), handles, {})


def spec_of(tool: Tool) -> ToolSpec:
    """What a model is told of a tool."""
    return ToolSpec(
        name=tool.name,
        description=tool.description,
        parameters=tool.parameters,
        strict=tool.strict,
        strict_note=tool.strict_note,
        hosted=tool.options.hosted,
        handles=tool.schema.handles,
        defer=tool.options.defer,
        toolset=split_name(tool.name)[0],
    )
