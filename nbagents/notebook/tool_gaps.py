"""What a definition does not say of a tool, so that a model has to guess it: in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.tools.live_hints import UNHINTED
from nbagents.tools.signature import read_signature

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.tools.tool import Tool

__all__ = ["gaps"]

MAX_NAMED = 5


def gaps(tool: Tool) -> str | None:
    """What is missing, and what a model knows instead; `None` if nothing is.

    Args:
        tool: A tool of a function.
    """
    missing: list[str] = [] if tool.description.strip() else ["no docstring"]
    if untyped := _untyped(tool):
        missing.append(f"no type for {_listed(untyped)}")
    if not missing:
        return None
    known = "its name" if len(missing) > 1 or not untyped else "what the docstring says"
    return f"{tool.name!r} has {' and '.join(missing)}: a model goes by {known} alone."


def _untyped(tool: Tool) -> list[str]:
    found = read_signature(tool.function, tool.name, {})
    return [one.name for one in found if one.hint is UNHINTED]


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return ", ".join(map(repr, names[:MAX_NAMED])) + more
