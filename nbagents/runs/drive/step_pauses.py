"""What a run would do next, put together for whoever steps through it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nbagents.models.model import TextDelta
from nbagents.runs.stepping import Pause

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from pydantic import JsonValue

    from nbagents.messages import Message
    from nbagents.models.model import ModelPart, ModelTurn, ToolSpec
    from nbagents.runs.plan import Plan
    from nbagents.runs.state import AskModel, Run
    from nbagents.runs.stepping import NextCall


@dataclass(frozen=True, slots=True)
class Instead:
    """What somebody says in the place of a model."""

    turn: ModelTurn
    by: str

    async def stream(self) -> AsyncIterator[ModelPart]:
        """The same as a model would say it: checks and pages hear it like any other."""
        if self.turn.text:
            yield TextDelta(self.turn.text)
        yield self.turn


def request_pause(
    run: Run,
    plan: Plan,
    need: AskModel,
    *,
    messages: tuple[Message, ...],
    new_from: int,
    tools: tuple[ToolSpec, ...],
    choice: str | Mapping[str, JsonValue] | None,
) -> Pause:
    """What the model would be told."""
    settings: dict[str, Any] = dict(plan.settings)
    if choice not in (None, "auto") and tools:
        settings["tool_choice"] = choice
    if plan.form is not None:
        settings["output"] = plan.form.spec.name
    return Pause(
        kind="request",
        step=need.step,
        run_id=run.id,
        agent_name=plan.agent_name,
        model=plan.model.name,
        messages=messages,
        new_from=new_from,
        tools=tools,
        settings=settings,
        is_final=need.is_final,
        context=run.context,
    )


def calls_pause(run: Run, calls: Sequence[NextCall], note: str) -> Pause:
    """The calls that would be made."""
    node = run.node
    return Pause(
        kind="calls",
        step=node["step"],
        run_id=run.id,
        agent_name=run.last_agent,
        model=node["model"],
        calls=tuple(calls),
        note=note,
        context=run.context,
    )
