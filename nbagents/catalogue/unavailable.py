"""The tool of a record that nothing here can execute."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Never

from nbagents.errors import ToolError
from nbagents.tools.tool import Tool, ToolOptions

if TYPE_CHECKING:
    from nbagents.catalogue.records import Api


def unavailable_tool(api: Api) -> Tool:
    """A tool that takes what the API takes, and whose every call says that it cannot be made."""

    def call(arguments: dict[str, Any]) -> Never:
        del arguments
        raise ToolError(
            f"{api.name} ({api.tool}) is only described here: its record says neither where a "
            "request goes nor which function is called, so it cannot be executed.",
            kind="unavailable",
            recovery="replan",
        )

    options = ToolOptions(strict=False)
    return Tool.from_schema(api.name, api.description, api.parameters, call, options)
