"""AnyTool and ApiFlow among the tools of an agent: asked in words, they answer in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from nbagents.tools.context import Context
from nbagents.tools.tool import Tool, ToolOptions, safe_name

if TYPE_CHECKING:
    from nbagents.runs.state import Run

ASKS: Final = (
    "Answer a request with APIs of a large catalogue, which are searched for; say all that is "
    "needed, since nothing of this conversation is known there."
)


def tool_asking(asked: Any, name: str) -> Tool:
    """A tool that asks whatever begins runs: each call is a run of its own, inside of the call."""

    async def ask(request: str, ctx: Context) -> str:  # noqa: D417  models give no context
        """Ask.

        Args:
            request: What is wanted, in full sentences.
        """
        run: Run = await ctx.run(asked, request)
        return run.text

    options = ToolOptions(name=safe_name(name.lower()), description=ASKS, resumable=True)
    return Tool(ask, options)
