"""Which tools a model is offered at a step: what the filter and the tools themselves say."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from nbagents.runs.guardrails import call_plainly

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.runs.policy import Policy, StepContext
    from nbagents.tools.context import Context
    from nbagents.tools.invoke import Lanes
    from nbagents.tools.tool import Tool

__all__ = ["offered"]


async def offered(
    tools: Sequence[Tool], policy: Policy, at: StepContext, context: Context, lanes: Lanes
) -> dict[str, Tool]:
    """The tools that are offered at a step, by name.

    Raises:
        Exception: What a function of the person's raised.
    """
    if (keeps := policy.tool_filter) is not None:
        said = await call_plainly(lambda: [bool(keeps(at, one)) for one in tools], lanes)
        kept = cast("list[bool]", said)
        tools = [one for one, is_in in zip(tools, kept, strict=True) if is_in]
    found: dict[str, Tool] = {}
    for tool in tools:
        asked = policy.offers.get(tool.name)
        if asked is None or await call_plainly(partial(asked, context), lanes):
            found[tool.name] = tool
    return found
