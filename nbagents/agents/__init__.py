"""Agents: models with instructions and tools, and the ways to run them."""

from nbagents.agents.agent import Agent
from nbagents.agents.beginning import begun
from nbagents.agents.verbs import Verbs
from nbagents.tools.tool import ToolLike

__all__ = ["Agent", "ToolLike", "Verbs", "begun"]
