"""What an agent says of its runs beside the limits, seen to before anything begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from nbagents.agents.asking_person import ask_person
from nbagents.agents.handoffs import handoff_of
from nbagents.errors import did_you_mean
from nbagents.results import Limits
from nbagents.runs.guardrails import Parallel
from nbagents.runs.policy import Policy, StopAt
from nbagents.runs.prices import check_prices
from nbagents.tools.binding import Bound
from nbagents.tools.context import Context
from nbagents.tools.misuse import takes
from nbagents.tools.toolset import resolve_tools

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pydantic import JsonValue

    from nbagents.agents.known import AgentLike
    from nbagents.runs.handing_over import Handover
    from nbagents.runs.plan import Plan
    from nbagents.runs.policy import FinalCall, ToolUse
    from nbagents.tools.tool import Tool

__all__ = ["Governed", "governed", "limits_of"]

CHOICES: Final = ("auto", "required", "none")
CHOICE: Final = "tool_choice"


class Governed(NamedTuple):
    """What holds for the runs of an agent."""

    policy: Policy
    tools: tuple[Tool, ...]
    """Those that its tags let through, and those that hand over."""
    settings: Mapping[str, JsonValue]
    """Without what the policy says."""


def limits_of(agent: AgentLike) -> Limits:
    """What a run of the agent may do."""
    return Limits(
        max_steps=agent.max_steps,
        max_calls=agent.max_calls,
        max_tokens=agent.max_tokens,
        timeout_s=agent.timeout_s,
        max_cost=agent.max_cost,
        max_failed_batches=agent.max_failed_batches,
        max_depth=agent.max_depth,
    )


def governed(agent: AgentLike, plan_of: Callable[[AgentLike, Plan], Plan]) -> Governed:
    """What holds for the runs of an agent.

    Args:
        agent: The agent.
        plan_of: Makes the plan of an agent in the place of another one's, where it takes over.

    Raises:
        ValueError: Something of it cannot be done; says what to change.
        ToolDefinitionError: Something that was given is no tool.
    """
    check_prices(agent.prices)  # once more: a dictionary may have changed
    tools, handovers = _all_tools(agent, plan_of)
    by_name = {tool.name: tool for tool in tools}
    settings = dict(agent.settings)
    said = settings.pop(CHOICE, None)
    choice = _choice(agent.tool_choice if agent.tool_choice != "auto" else said, by_name)
    _check_use(agent.tool_use, by_name)
    checks = tuple(agent.input_guardrails)
    policy = Policy(
        prices=agent.prices,
        on_limit=_checked_call(agent.on_limit, by_name),
        tool_use=agent.tool_use,
        tool_choice=choice,
        is_sequential=agent.sequential,
        tool_filter=agent.tool_filter,
        offers=dict(_offers(agent, tools)),
        input_guardrails=tuple(one for one in checks if not isinstance(one, Parallel)),
        beside=tuple(one.check for one in checks if isinstance(one, Parallel)),
        output_guardrails=tuple(agent.output_guardrails),
        handovers=handovers,
    )
    return Governed(policy, tools, settings)


def _all_tools(
    agent: AgentLike, plan_of: Callable[[AgentLike, Plan], Plan]
) -> tuple[tuple[Tool, ...], Mapping[str, Handover]]:
    """The tools that a run may be offered, and who takes over by some of them."""
    tools = resolve_tools((*agent.tools, *([ask_person] if agent.can_ask else ())))
    deny = set(agent.deny_tags)
    allow = None if agent.allow_tags is None else set(agent.allow_tags)
    if deny or allow is not None:
        tools = tuple(tool for tool in tools if _may(tool, allow, deny))
    given = tuple(handoff_of(one, plan_of) for one in agent.handoffs)
    if not given:
        return tools, {}
    tools = resolve_tools((*tools, *(tool for tool, _ in given)))
    there = {tool.name for tool in tools}
    return tools, {tool.name: how for tool, how in given if tool.name in there}


def _offers(
    agent: AgentLike, tools: Iterable[Tool]
) -> Iterator[tuple[str, Callable[[Context], object]]]:
    """What says of tools, at each step, whether they are offered."""
    for tool in tools:
        enabled: Any = tool.options.enabled
        if callable(enabled) and not takes(enabled, 0):
            yield tool.name, lambda ctx, asked=enabled: asked(ctx, agent)


def _may(tool: Tool, allow: set[str] | None, deny: set[str]) -> bool:
    tags = set(tool.options.tags)
    return not tags & deny and (allow is None or bool(tags & allow))


def _choice(said: object, tools: Mapping[str, Tool]) -> str | Mapping[str, JsonValue] | None:
    """What the model is told of its choice; `None`: nothing.

    Raises:
        ValueError: It is the name of no tool.
    """
    if said is None or said == "auto":
        return None
    if isinstance(said, Mapping):
        shape = cast("Mapping[str, Any]", said)
        inner = shape.get("function")
        name = inner.get("name") if isinstance(inner, Mapping) else shape.get("name")  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  it may hold anything
        if shape.get("type") != "function" or not isinstance(name, str):
            return shape  # a word of the provider's, sent as it stands
        said = name
    if not isinstance(said, str) or (said not in CHOICES and said not in tools):
        hint = did_you_mean(str(said), (*CHOICES, *tools))
        raise ValueError(f"tool_choice is {said!r}, which is no tool of this agent.{hint}")
    return said


def _check_use(use: ToolUse, tools: Mapping[str, Tool]) -> None:
    for name in use.names if isinstance(use, StopAt) else ():
        if name not in tools:
            hint = did_you_mean(name, tuple(tools))
            raise ValueError(f"StopAt({name!r}): there is no tool {name!r}.{hint}")


def _checked_call(call: FinalCall | None, tools: Mapping[str, Tool]) -> FinalCall | None:
    """The call that ends a run at a limit.

    Raises:
        ValueError: There is no such tool, or the arguments do not fit.
    """
    if call is None:
        return None
    tool = tools.get(call.name)
    if tool is None:
        hint = did_you_mean(call.name, tuple(tools))
        raise ValueError(f"on_limit calls {call.name!r}, and there is no such tool.{hint}")
    bound = tool.bind(dict(call.arguments), Context())
    if isinstance(bound, Bound):
        return call
    issues = "; ".join(f"{one.field or 'arguments'}: {one.message}" for one in bound)
    raise ValueError(f"The arguments of on_limit do not fit {call.name!r}: {issues}")
