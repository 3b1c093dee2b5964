"""Agents: models with instructions and tools."""

from __future__ import annotations

from nbagents.agents.agent import Agent, ToolLike

__all__ = ["Agent", "ToolLike"]
