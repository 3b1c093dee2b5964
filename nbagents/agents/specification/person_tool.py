"""The tool by which an agent asks the person, where it says that it can."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from nbagents.tools.context import Context
from nbagents.tools.tool import Tool, ToolOptions


async def _ask(
    question: Annotated[str, Field(description="What you must know, as a question.")],
    ctx: Context,
) -> str:
    """Ask the person for something that you need and that no tool can tell you."""
    answer: str = await ctx.ask(question)
    return answer


ask_person = Tool(_ask, ToolOptions(name="ask_person", title="A question", read_only=True))
"""Asks in words, and is answered in words."""
