"""`nba.lint`: what in tools may mislead a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.tools.lint import Findings, lint_together
from nbagents.tools.tool.registry import toolbox
from nbagents.tools.tool.toolset import resolve_tools

if TYPE_CHECKING:
    from nbagents.tools.tool.toolset import ToolLike


def lint(*tools: ToolLike) -> Findings:
    """Say what in tools may mislead a model, each with what to do about it.

    It looks at what a model reads: names, types, docstrings, defaults, units, sizes, and at tools
    that cannot be told from each other. Nothing is called.

    Args:
        tools: Tools, functions, toolsets, or names of the toolbox; none: all of the toolbox.

    Returns:
        What was found; it is false if that is nothing.

    Example:
        >>> def func1(x):
        ...     return x
        >>> print(lint(func1))
        func1: It has no docstring: all that a model knows of it is its name.
            Say in its first line what it does, and when to use it. [no-docstring]
        func1: The name 'func1' says nothing of what it does.
            Name it by a verb and a thing, e.g. find_place, or give a name: name=…. [vague-name]
        func1: x has no type hint: a model may write anything.
            Write the type, e.g. x: str. [no-type]
    """
    found = resolve_tools(tools) if tools else tuple(toolbox.values())
    return lint_together([one.linted for one in found if one.options.hosted is None])
