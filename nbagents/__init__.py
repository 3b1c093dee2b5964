"""nbagents: give a language model tools in Jupyter, watch it use them, and teach with it.

`import nbagents` loads pydantic and the standard library; everything else comes when first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nbagents_widgets.map_view import MapView

    from nbagents import ui
    from nbagents.agents import Agent
    from nbagents.agents.exports import passthrough
    from nbagents.agents.handoffs import handoff
    from nbagents.errors import (
        ModelError,
        NbagentsError,
        OutputError,
        RunError,
        ToolArgumentsError,
        ToolConflictError,
        ToolDefinitionError,
        ToolError,
        ToolFailedError,
        ToolNotFoundError,
        ToolTimeoutError,
    )
    from nbagents.messages import CallRequest
    from nbagents.models.model import Model, ModelRequest, ModelTurn
    from nbagents.models.offline import OfflineModel
    from nbagents.models.openai_chat import OpenAIChat
    from nbagents.models.openai_responses import OpenAIResponses
    from nbagents.models.scripted import ScriptedModel
    from nbagents.notebook.chart_view import ChartView
    from nbagents.notebook.maps import map_tools
    from nbagents.notebook.renderers import renderer
    from nbagents.notebook.shell import Shell
    from nbagents.notebook.table_view import TableView
    from nbagents.redaction import redact
    from nbagents.results import FilePart, ImagePart, Option, Payload, Question, Result
    from nbagents.runs.awaits import Answer, Await
    from nbagents.runs.guardrails import Parallel, Refuse, Replace
    from nbagents.runs.logs.profiles import Profile
    from nbagents.runs.policy import FinalCall, StepContext, StopAt
    from nbagents.runs.preview import Preview
    from nbagents.runs.record import Call, Run
    from nbagents.runs.samples import check_samples
    from nbagents.runs.session import Session
    from nbagents.tools.computer import Computer, ComputerProvider
    from nbagents.tools.context import Context
    from nbagents.tools.decorator import tool
    from nbagents.tools.definitions import tools_of_definitions
    from nbagents.tools.function_agent import FunctionAgent
    from nbagents.tools.hosted import CodeInterpreter, FileSearch, ToolSearch, WebSearch
    from nbagents.tools.samples import Sample
    from nbagents.tools.tool import Tool, ToolOptions
    from nbagents.tools.toolbox import toolbox
    from nbagents.tools.toolset import toolset_of

__version__ = "0.1.0"

_HOMES = {
    "Agent": "nbagents.agents",
    "Answer": "nbagents.runs.awaits",
    "Await": "nbagents.runs.awaits",
    "Call": "nbagents.runs.record",
    "CallRequest": "nbagents.messages",
    "ChartView": "nbagents.notebook.chart_view",
    "CodeInterpreter": "nbagents.tools.hosted",
    "Computer": "nbagents.tools.computer",
    "ComputerProvider": "nbagents.tools.computer",
    "Context": "nbagents.tools.context",
    "FilePart": "nbagents.results",
    "FileSearch": "nbagents.tools.hosted",
    "FinalCall": "nbagents.runs.policy",
    "FunctionAgent": "nbagents.tools.function_agent",
    "ImagePart": "nbagents.results",
    "MapView": "nbagents_widgets.map_view",
    "Model": "nbagents.models.model",
    "ModelError": "nbagents.errors",
    "ModelRequest": "nbagents.models.model",
    "ModelTurn": "nbagents.models.model",
    "NbagentsError": "nbagents.errors",
    "OfflineModel": "nbagents.models.offline",
    "OpenAIChat": "nbagents.models.openai_chat",
    "OpenAIResponses": "nbagents.models.openai_responses",
    "Option": "nbagents.results",
    "OutputError": "nbagents.errors",
    "Parallel": "nbagents.runs.guardrails",
    "Payload": "nbagents.results",
    "Preview": "nbagents.runs.preview",
    "Profile": "nbagents.runs.logs.profiles",
    "Question": "nbagents.results",
    "Refuse": "nbagents.runs.guardrails",
    "Replace": "nbagents.runs.guardrails",
    "Result": "nbagents.results",
    "Run": "nbagents.runs.record",
    "RunError": "nbagents.errors",
    "Sample": "nbagents.tools.samples",
    "ScriptedModel": "nbagents.models.scripted",
    "Session": "nbagents.runs.session",
    "StepContext": "nbagents.runs.policy",
    "StopAt": "nbagents.runs.policy",
    "TableView": "nbagents.notebook.table_view",
    "Tool": "nbagents.tools.tool",
    "ToolArgumentsError": "nbagents.errors",
    "ToolConflictError": "nbagents.errors",
    "ToolDefinitionError": "nbagents.errors",
    "ToolError": "nbagents.errors",
    "ToolFailedError": "nbagents.errors",
    "ToolNotFoundError": "nbagents.errors",
    "ToolOptions": "nbagents.tools.tool",
    "ToolSearch": "nbagents.tools.hosted",
    "ToolTimeoutError": "nbagents.errors",
    "WebSearch": "nbagents.tools.hosted",
    "check_samples": "nbagents.runs.samples",
    "handoff": "nbagents.agents.handoffs",
    "map_tools": "nbagents.notebook.maps",
    "passthrough": "nbagents.agents.exports",
    "redact": "nbagents.redaction",
    "renderer": "nbagents.notebook.renderers",
    "tool": "nbagents.tools.decorator",
    "toolbox": "nbagents.tools.toolbox",
    "tools_of_definitions": "nbagents.tools.definitions",
    "toolset_of": "nbagents.tools.toolset",
    "ui": "nbagents.ui",
}

__all__ = [
    "Agent",
    "Answer",
    "Await",
    "Call",
    "CallRequest",
    "ChartView",
    "CodeInterpreter",
    "Computer",
    "ComputerProvider",
    "Context",
    "FilePart",
    "FileSearch",
    "FinalCall",
    "FunctionAgent",
    "ImagePart",
    "MapView",
    "Model",
    "ModelError",
    "ModelRequest",
    "ModelTurn",
    "NbagentsError",
    "OfflineModel",
    "OpenAIChat",
    "OpenAIResponses",
    "Option",
    "OutputError",
    "Parallel",
    "Payload",
    "Preview",
    "Profile",
    "Question",
    "Refuse",
    "Replace",
    "Result",
    "Run",
    "RunError",
    "Sample",
    "ScriptedModel",
    "Session",
    "StepContext",
    "StopAt",
    "TableView",
    "Tool",
    "ToolArgumentsError",
    "ToolConflictError",
    "ToolDefinitionError",
    "ToolError",
    "ToolFailedError",
    "ToolNotFoundError",
    "ToolOptions",
    "ToolSearch",
    "ToolTimeoutError",
    "WebSearch",
    "check_samples",
    "handoff",
    "map_tools",
    "passthrough",
    "redact",
    "renderer",
    "tool",
    "toolbox",
    "tools_of_definitions",
    "toolset_of",
    "ui",
]


def __getattr__(name: str) -> Any:  # Any: what a module's attribute is
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'nbagents' has no attribute {name!r}")
    module = importlib.import_module(home)
    value = module if home == f"nbagents.{name}" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])


def load_ipython_extension(shell: Shell) -> None:
    """`%load_ext nbagents`."""
    from nbagents.notebook.extension import load  # noqa: PLC0415  only a notebook needs it

    load(shell)


def unload_ipython_extension(shell: Shell) -> None:
    """`%unload_ext nbagents`: gives back what loading took."""
    from nbagents.notebook.extension import unload  # noqa: PLC0415  only a notebook needs it

    unload(shell)
