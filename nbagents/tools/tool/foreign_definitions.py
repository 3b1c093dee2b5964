"""Tools of definitions that were written elsewhere: name, description and parameters, as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from nbagents.errors import ToolDefinitionError
from nbagents.narrowing import is_mapping
from nbagents.tools.tool.definition import Tool, ToolOptions
from nbagents.tools.tool.tool_name import safe_name


def tools_of_definitions(
    definitions: Iterable[Mapping[str, Any]],
    handler: Callable[..., object],
    options: ToolOptions | None = None,
) -> tuple[Tool, ...]:
    """A tool for each definition, by a name that models take; `original_name` is the other one.

    Args:
        definitions: As OpenAI's two APIs write functions, as MCP lists tools, or with nothing but
            `name`, `description` and `parameters`.
        handler: Plain or async; takes the name that the definition has, and the arguments as one
            dictionary, and a `Context` if it asks for one.
        options: What holds for all of them.

    Raises:
        ToolDefinitionError: A definition has no name, the same name as another, or no schema.

    Example:
        >>> plus = {"name": "math.plus", "parameters": {"properties": {"a": {"type": "int"}}}}
        >>> [tool.name for tool in tools_of_definitions([plus], lambda name, given: 0)]
        ['math_plus']
    """
    listed = [plain_definition(one) for one in definitions]
    names = [_name(one) for one in listed]
    if len(set(names)) < len(names):
        twice = next(one for one in names if names.count(one) > 1)
        raise ToolDefinitionError(
            f"Two definitions are called {twice!r}: make tools of them in two calls, "
            "or leave one of them out."
        )
    # Whoever has a name that models take keeps it.
    taken = {one for one in names if safe_name(one) == one}
    made: list[Tool] = []
    for name, one in zip(names, listed, strict=True):
        safe = name if name in taken else safe_name(name, taken)
        taken.add(safe)
        made.append(_tool(name, safe, one, handler, options or ToolOptions()))
    return tuple(made)


def plain_definition(definition: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a definition says of its function, also where that stands a level deeper."""
    inner = definition.get("function")
    return inner if is_mapping(inner) else definition


def _name(definition: Mapping[str, Any]) -> str:
    name = definition.get("name")
    if not isinstance(name, str) or not name:
        raise ToolDefinitionError(f"A definition has no name: {dict(definition)!r}.")
    return name


def _tool(
    name: str,
    safe: str,
    definition: Mapping[str, Any],
    handler: Callable[..., object],
    options: ToolOptions,
) -> Tool:
    schema = definition.get("parameters") or definition.get("inputSchema")
    parameters: Mapping[str, Any] = schema or {"properties": {}}
    described = definition.get("description") or ""
    named = replace(options, name=safe)
    # A partial, because it is async where the handler is, and takes the context where that does.
    return Tool.from_schema(name, str(described), parameters, partial(handler, name), named)
