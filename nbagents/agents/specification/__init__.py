"""What an agent is, is given, lends and hands over, and the plan of a run of it."""

from nbagents.agents.specification.agent_tool import AsTool, tool_of_agent
from nbagents.agents.specification.exports import exports_of, passthrough
from nbagents.agents.specification.given_values import check_asked, check_given, check_host, kept
from nbagents.agents.specification.handoffs import handoff
from nbagents.agents.specification.run_plan import Asked, plan_of, session_of
from nbagents.agents.specification.signatures import (
    BeginOptions,
    ForkOptions,
    ResumeOptions,
    RunOptions,
    refuse_unknown,
    shows,
)
from nbagents.agents.specification.specification import Specification

__all__ = [
    "AsTool",
    "Asked",
    "BeginOptions",
    "ForkOptions",
    "ResumeOptions",
    "RunOptions",
    "Specification",
    "check_asked",
    "check_given",
    "check_host",
    "exports_of",
    "handoff",
    "kept",
    "passthrough",
    "plan_of",
    "refuse_unknown",
    "session_of",
    "shows",
    "tool_of_agent",
]
