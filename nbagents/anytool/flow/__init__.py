"""ApiFlow: from a request to one call of one API, by six functions that can be replaced."""

from nbagents.anytool.flow.api_flow import ApiFlow
from nbagents.anytool.flow.nodes import NODES, Nodes

__all__ = ["NODES", "ApiFlow", "Nodes"]
