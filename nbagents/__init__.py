"""nbagents: give a language model tools in Jupyter, watch it use them, and teach with it.

`import nbagents` loads pydantic and the standard library; everything else comes when first used.
"""

from __future__ import annotations

import importlib
import os
import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nbagents_widgets.map_view import MapView

    from nbagents import ui
    from nbagents.agents import Agent
    from nbagents.agents.specification import handoff, passthrough
    from nbagents.anytool.finding import AnyTool
    from nbagents.anytool.flow import ApiFlow
    from nbagents.catalogue import Catalogue
    from nbagents.code_mode import apis, run_python
    from nbagents.errors import (
        ModelError,
        NbagentsError,
        OutputError,
        RecordingMiss,
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
    from nbagents.models.chat import OpenAIChat
    from nbagents.models.model import Model, ModelRequest, ModelTurn
    from nbagents.models.offline import OfflineModel
    from nbagents.models.responses import OpenAIResponses
    from nbagents.models.scripted import ScriptedModel
    from nbagents.notebook.catalogues import CatalogueView
    from nbagents.notebook.kernel import Shell
    from nbagents.notebook.kinds import ChartView, TableView, renderer
    from nbagents.notebook.maps import map_tools
    from nbagents.openapi import OpenAPI
    from nbagents.recordings import Recorded, recording
    from nbagents.redaction import redact
    from nbagents.results import FilePart, ImagePart, Option, Payload, Question, Result
    from nbagents.runs.drive import check_samples
    from nbagents.runs.logs import Profile
    from nbagents.runs.plan import Preview
    from nbagents.runs.policy import FinalCall, Parallel, Refuse, Replace, StepContext, StopAt
    from nbagents.runs.state import Answer, Await, Comparison, Run, Session, compare
    from nbagents.runs.stepping import Edit, Pause
    from nbagents.runs.wording import Call
    from nbagents.testing.expectations import Expectation, ExpectationError, expect
    from nbagents.testing.grading import CheckError, check
    from nbagents.testing.stand_ins import FuzzError, JunkModel, ReplayModel, fuzz
    from nbagents.tools.context import Context
    from nbagents.tools.tool import (
        CodeInterpreter,
        Computer,
        ComputerProvider,
        FileSearch,
        FunctionAgent,
        Sample,
        Tool,
        ToolOptions,
        ToolSearch,
        WebSearch,
        lint,
        tool,
        toolbox,
        tools_of_definitions,
        toolset_of,
    )

__version__ = "0.1.0"

_HOMES = {
    "Agent": "nbagents.agents",
    "Answer": "nbagents.runs.state",
    "AnyTool": "nbagents.anytool.finding",
    "ApiFlow": "nbagents.anytool.flow",
    "Await": "nbagents.runs.state",
    "Call": "nbagents.runs.wording",
    "CallRequest": "nbagents.messages",
    "Catalogue": "nbagents.catalogue",
    "CatalogueView": "nbagents.notebook.catalogues",
    "ChartView": "nbagents.notebook.kinds",
    "CheckError": "nbagents.testing.grading",
    "CodeInterpreter": "nbagents.tools.tool",
    "Comparison": "nbagents.runs.state",
    "Computer": "nbagents.tools.tool",
    "ComputerProvider": "nbagents.tools.tool",
    "Context": "nbagents.tools.context",
    "Edit": "nbagents.runs.stepping",
    "Expectation": "nbagents.testing.expectations",
    "ExpectationError": "nbagents.testing.expectations",
    "FilePart": "nbagents.results",
    "FileSearch": "nbagents.tools.tool",
    "FinalCall": "nbagents.runs.policy",
    "FunctionAgent": "nbagents.tools.tool",
    "FuzzError": "nbagents.testing.stand_ins",
    "ImagePart": "nbagents.results",
    "JunkModel": "nbagents.testing.stand_ins",
    "MapView": "nbagents_widgets.map_view",
    "Model": "nbagents.models.model",
    "ModelError": "nbagents.errors",
    "ModelRequest": "nbagents.models.model",
    "ModelTurn": "nbagents.models.model",
    "NbagentsError": "nbagents.errors",
    "OfflineModel": "nbagents.models.offline",
    "OpenAIChat": "nbagents.models.chat",
    "OpenAIResponses": "nbagents.models.responses",
    "OpenAPI": "nbagents.openapi",
    "Option": "nbagents.results",
    "OutputError": "nbagents.errors",
    "Parallel": "nbagents.runs.policy",
    "Pause": "nbagents.runs.stepping",
    "Payload": "nbagents.results",
    "Preview": "nbagents.runs.plan",
    "Profile": "nbagents.runs.logs",
    "Question": "nbagents.results",
    "Recorded": "nbagents.recordings",
    "RecordingMiss": "nbagents.errors",
    "Refuse": "nbagents.runs.policy",
    "Replace": "nbagents.runs.policy",
    "ReplayModel": "nbagents.testing.stand_ins",
    "Result": "nbagents.results",
    "Run": "nbagents.runs.state",
    "RunError": "nbagents.errors",
    "Sample": "nbagents.tools.tool",
    "ScriptedModel": "nbagents.models.scripted",
    "Session": "nbagents.runs.state",
    "StepContext": "nbagents.runs.policy",
    "StopAt": "nbagents.runs.policy",
    "TableView": "nbagents.notebook.kinds",
    "Tool": "nbagents.tools.tool",
    "ToolArgumentsError": "nbagents.errors",
    "ToolConflictError": "nbagents.errors",
    "ToolDefinitionError": "nbagents.errors",
    "ToolError": "nbagents.errors",
    "ToolFailedError": "nbagents.errors",
    "ToolNotFoundError": "nbagents.errors",
    "ToolOptions": "nbagents.tools.tool",
    "ToolSearch": "nbagents.tools.tool",
    "ToolTimeoutError": "nbagents.errors",
    "WebSearch": "nbagents.tools.tool",
    "apis": "nbagents.code_mode",
    "check": "nbagents.testing.grading",
    "check_samples": "nbagents.runs.drive",
    "compare": "nbagents.runs.state",
    "expect": "nbagents.testing.expectations",
    "fuzz": "nbagents.testing.stand_ins",
    "handoff": "nbagents.agents.specification",
    "lint": "nbagents.tools.tool",
    "map_tools": "nbagents.notebook.maps",
    "passthrough": "nbagents.agents.specification",
    "recording": "nbagents.recordings",
    "redact": "nbagents.redaction",
    "renderer": "nbagents.notebook.kinds",
    "run_python": "nbagents.code_mode",
    "tool": "nbagents.tools.tool",
    "toolbox": "nbagents.tools.tool",
    "tools_of_definitions": "nbagents.tools.tool",
    "toolset_of": "nbagents.tools.tool",
    "ui": "nbagents.ui",
}

__all__ = [
    "Agent",
    "Answer",
    "AnyTool",
    "ApiFlow",
    "Await",
    "Call",
    "CallRequest",
    "Catalogue",
    "CatalogueView",
    "ChartView",
    "CheckError",
    "CodeInterpreter",
    "Comparison",
    "Computer",
    "ComputerProvider",
    "Context",
    "Edit",
    "Expectation",
    "ExpectationError",
    "FilePart",
    "FileSearch",
    "FinalCall",
    "FunctionAgent",
    "FuzzError",
    "ImagePart",
    "JunkModel",
    "MapView",
    "Model",
    "ModelError",
    "ModelRequest",
    "ModelTurn",
    "NbagentsError",
    "OfflineModel",
    "OpenAIChat",
    "OpenAIResponses",
    "OpenAPI",
    "Option",
    "OutputError",
    "Parallel",
    "Pause",
    "Payload",
    "Preview",
    "Profile",
    "Question",
    "Recorded",
    "RecordingMiss",
    "Refuse",
    "Replace",
    "ReplayModel",
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
    "apis",
    "check",
    "check_samples",
    "compare",
    "expect",
    "fuzz",
    "handoff",
    "lint",
    "map_tools",
    "passthrough",
    "recording",
    "redact",
    "renderer",
    "run_python",
    "tool",
    "toolbox",
    "tools_of_definitions",
    "toolset_of",
    "ui",
]


def _say_what_is_beside(folder: str) -> None:
    """Warn where the project `nbagents` of the package index is installed among our files."""
    beside = os.listdir(folder)  # noqa: PTH208  each import waits for this
    if any(one.startswith("nbagents-") and one.endswith(".dist-info") for one in beside):
        from nbagents.installation import MEND, conflict  # hardly ever

        if mixed := conflict():
            warnings.warn(f"{mixed} {MEND}", stacklevel=2)


_say_what_is_beside(os.path.dirname(os.path.dirname(__file__)))  # noqa: PTH120  as above


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
    from nbagents.notebook.extension import load  # only a notebook needs it

    load(shell)


def unload_ipython_extension(shell: Shell) -> None:
    """`%unload_ext nbagents`: gives back what loading took."""
    from nbagents.notebook.extension import unload  # only a notebook needs it

    unload(shell)
