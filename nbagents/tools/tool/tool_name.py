"""The names that models call tools by: `toolset--tool` or `tool`, ASCII, at most 64 characters."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Container
from typing import Final

from nbagents.errors import ToolDefinitionError

SEPARATOR = "--"
"""Between toolset and tool. Source: receptron/graphai, the tools agent's contract."""

MAX_LENGTH = 64
"""Source: OpenAI API reference, function name: letters, digits, `_` and `-`, at most 64."""

SEARCH_TOOLS: Final = "search_tools"
DESCRIBE_TOOLS: Final = "describe_tools"
CALL_TOOL: Final = "call_tool"
FINDERS: Final = frozenset((SEARCH_TOOLS, DESCRIBE_TOOLS, CALL_TOOL))
"""The tools by which a model finds others: nothing in a catalogue is called so."""

ALLOWED = re.compile(r"[A-Za-z0-9_-]+")
OTHER = re.compile(r"[^A-Za-z0-9_-]")
LETTER = re.compile(r"[A-Za-z0-9]")


def joined_name(base: str, toolset: str | None = None) -> str:
    """The name a model sees, cut with a hash where it is too long.

    Args:
        base: The tool's own name.
        toolset: The group it belongs to, which becomes the prefix.

    Raises:
        ToolDefinitionError: A part has other characters than ASCII letters, digits, `_` and `-`,
            or the toolset's name would move the place where the name is split.
    """
    _check(base, "tool")
    if toolset is None:
        return _fitted(base)
    _check(toolset, "toolset")
    if SEPARATOR in toolset or toolset.endswith("-"):
        raise ToolDefinitionError(
            f"The toolset name {toolset!r} may not hold {SEPARATOR!r} or end in '-': "
            f"names are split at the first {SEPARATOR!r}."
        )
    return _fitted(f"{toolset}{SEPARATOR}{base}")


def safe_name(name: str, taken: Container[str] = ()) -> str:
    """The name, or one that models take where they do not take it: other characters become `_`.

    Args:
        name: Any name.
        taken: Names that are given away: where the result would be one of them, it gets a hash.

    Raises:
        ToolDefinitionError: The name is empty.

    Example:
        >>> safe_name("weather.forecast")
        'weather_forecast'
    """
    if not name:
        _check(name, "tool")
    safe = OTHER.sub("_", name)
    if safe != name and not LETTER.search(safe):
        return _hashed("tool", name)
    return _hashed(safe, name) if len(safe) > MAX_LENGTH or safe in taken else safe


def split_name(name: str) -> tuple[str | None, str]:
    """Toolset and tool of a name, split at the first `--`; `None` where there is no toolset."""
    toolset, separator, base = name.partition(SEPARATOR)
    return (toolset, base) if separator and toolset and base else (None, name)


def _check(name: str, noun: str) -> None:
    if not ALLOWED.fullmatch(name):
        raise ToolDefinitionError(
            f"A {noun} cannot be called {name!r}: models take ASCII letters, digits, '_' and '-' "
            f"only. Give it another name, e.g. @tool(name='my_{noun}')."
        )


def _fitted(name: str) -> str:
    return name if len(name) <= MAX_LENGTH else _hashed(name, name)


def _hashed(name: str, whole: str) -> str:
    suffix = "_" + hashlib.sha256(whole.encode(errors="surrogatepass")).hexdigest()[:8]
    return name[: MAX_LENGTH - len(suffix)] + suffix
