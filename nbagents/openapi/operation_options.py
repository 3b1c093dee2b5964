"""What is said of the tool of a request: whether it changes something, and what that means."""

from __future__ import annotations

from typing import Final

from nbagents.openapi.exchange import SAFE
from nbagents.tools.tool import ToolOptions

AGAIN_THE_SAME: Final = (*SAFE, "PUT", "DELETE")
"""Methods that do the same when they are called twice. Source: RFC 9110, 9.2.2."""


def options_of(
    method: str,
    name: str,
    *,
    toolset: str | None = None,
    title: str | None = None,
    tags: tuple[str, ...] = (),
) -> ToolOptions:
    """The options of a tool that makes a request: reading needs no consent, the rest does."""
    return ToolOptions(
        name=name,
        toolset=toolset,
        title=title,
        strict=False,  # most parameters are optional, and strict models write all of them
        read_only=method in SAFE,
        destructive=True if method == "DELETE" else None,
        idempotent=method in AGAIN_THE_SAME,
        open_world=True,
        tags=tags,
    )
