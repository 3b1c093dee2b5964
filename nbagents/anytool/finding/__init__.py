"""AnyTool: a pool of APIs, the agents that fill it, and the solver that answers with it."""

from nbagents.anytool.finding.anytool import AnyTool
from nbagents.anytool.finding.anytool_run import AnyToolRun

__all__ = ["AnyTool", "AnyToolRun"]
