"""A tool and its kin: named, registered, grouped, sampled, defined elsewhere, or hosted."""

from nbagents.tools.tool.computer import Computer, ComputerProvider
from nbagents.tools.tool.decorator import tool
from nbagents.tools.tool.definition import (
    Ask,
    Check,
    Enabled,
    OnError,
    Tool,
    ToolOptions,
    is_tool,
    source_of_version,
)
from nbagents.tools.tool.foreign_definitions import tools_of_definitions
from nbagents.tools.tool.function_agent import FunctionAgent
from nbagents.tools.tool.hosted_tool import CodeInterpreter, FileSearch, ToolSearch, WebSearch
from nbagents.tools.tool.linting import lint
from nbagents.tools.tool.option_checks import check_ask, check_enabled
from nbagents.tools.tool.registry import toolbox
from nbagents.tools.tool.sample import Sample, differences, full_name
from nbagents.tools.tool.tool_name import (
    CALL_TOOL,
    DESCRIBE_TOOLS,
    FINDERS,
    SEARCH_TOOLS,
    SEPARATOR,
    joined_name,
    safe_name,
    split_name,
)
from nbagents.tools.tool.toolset import ToolLike, Toolset, ToolsetView, resolve_tools, toolset_of

__all__ = [
    "CALL_TOOL",
    "DESCRIBE_TOOLS",
    "FINDERS",
    "SEARCH_TOOLS",
    "SEPARATOR",
    "Ask",
    "Check",
    "CodeInterpreter",
    "Computer",
    "ComputerProvider",
    "Enabled",
    "FileSearch",
    "FunctionAgent",
    "OnError",
    "Sample",
    "Tool",
    "ToolLike",
    "ToolOptions",
    "ToolSearch",
    "Toolset",
    "ToolsetView",
    "WebSearch",
    "check_ask",
    "check_enabled",
    "differences",
    "full_name",
    "is_tool",
    "joined_name",
    "lint",
    "resolve_tools",
    "safe_name",
    "source_of_version",
    "split_name",
    "tool",
    "toolbox",
    "tools_of_definitions",
    "toolset_of",
]
