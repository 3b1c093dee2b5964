"""Which tools a model is offered at a step: what the filter and the tools themselves say."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from nbagents.messages import AssistantMessage
from nbagents.runs.policy import StepContext, call_plainly

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.messages import Message
    from nbagents.runs.plan.plan import Plan
    from nbagents.runs.policy import Policy
    from nbagents.runs.shelf import Shelf
    from nbagents.runs.state import Run
    from nbagents.tools.call import Lanes
    from nbagents.tools.context import Context
    from nbagents.tools.tool import Tool


def step_context(
    run: Run, plan: Plan, step: int, messages: Sequence[Message], began: int
) -> StepContext:
    """Where a run stands.

    Args:
        run: The run.
        plan: What holds now.
        step: The request that comes next.
        messages: The conversation so far.
        began: How many of these were there before the run.
    """
    said = (one for one in messages[began:] if isinstance(one, AssistantMessage))
    return StepContext(
        step=step,
        run_id=run.id,
        agent_name=plan.agent_name,
        labels=run.labels,
        used=tuple(call.name for one in said for call in one.calls),
        messages=tuple(messages),
        context=run.context,
    )


async def offered(
    tools: Sequence[Tool],
    policy: Policy,
    at: StepContext,
    context: Context,
    lanes: Lanes,
    shelf: Shelf | None = None,
) -> dict[str, Tool]:
    """The tools that are offered at a step, by name.

    Args:
        tools: Those that might be.
        policy: What the person says of them.
        at: Where the run stands.
        context: What the tools' own functions get.
        lanes: Where they run.
        shelf: Knows what says so of a tool that was found.

    Raises:
        Exception: What a function of the person's raised.
    """
    if (keeps := policy.tool_filter) is not None:
        kept = await call_plainly(lambda: [bool(keeps(at, one)) for one in tools], lanes)
        tools = [one for one, is_in in zip(tools, kept, strict=True) if is_in]
    found: dict[str, Tool] = {}
    for tool in tools:
        asked = policy.offers.get(tool.name)
        if asked is None and shelf is not None:
            asked = shelf.offer_of(tool)
        if asked is None or await call_plainly(partial(asked, context), lanes):
            found[tool.name] = tool
    return found
