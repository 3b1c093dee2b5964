"""What an agent says of its runs beside the limits, seen to before anything begins."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

from pydantic import Field

from nbagents.agents.specification.deferral import loaded_by_name, parted, shelf_of
from nbagents.agents.specification.handoffs import handoff_of
from nbagents.errors import did_you_mean
from nbagents.models.model import TOOL_CHOICES
from nbagents.narrowing import is_mapping
from nbagents.runs.policy import Parallel, Policy, StopAt, check_prices
from nbagents.tools.context import Context, takes
from nbagents.tools.schema import Bound
from nbagents.tools.tool import Tool, ToolOptions, resolve_tools

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pydantic import JsonValue

    from nbagents.agents.specification.specification import Specification
    from nbagents.runs.plan import Handover, Plan
    from nbagents.runs.policy import FinalCall, ToolUse
    from nbagents.runs.shelf import Shelf

CHOICE: Final = "tool_choice"


async def _ask(
    question: Annotated[str, Field(description="What you must know, as a question.")],
    ctx: Context,
) -> str:
    """Ask the person for something that you need and that no tool can tell you."""
    answer: str = await ctx.ask(question)
    return answer


ask_person = Tool(_ask, ToolOptions(name="ask_person", title="A question", read_only=True))
"""Asks in words, and is answered in words."""


class Governed(NamedTuple):
    """What holds for the runs of an agent."""

    policy: Policy
    tools: tuple[Tool, ...]
    """Those that its tags let through, and those that hand over."""
    settings: Mapping[str, JsonValue]
    """Without what the policy says."""
    shelf: Shelf | None = None
    """The tools that are found by a search."""


def governed(agent: Specification, plan_of: Callable[[Specification, Plan], Plan]) -> Governed:
    """What holds for the runs of an agent.

    Args:
        agent: The agent.
        plan_of: Makes the plan of an agent in the place of another one's, where it takes over.

    Raises:
        ValueError: Something of it cannot be done; says what to change.
        ToolDefinitionError: Something that was given is no tool.
    """
    check_prices(agent.prices)  # once more: a dictionary may have changed
    tools, handovers, shelf = _all_tools(agent, plan_of)
    by_name = {tool.name: tool for tool in tools}
    settings = dict(agent.settings)
    said = settings.pop(CHOICE, None)
    wanted = agent.tool_choice if agent.tool_choice != "auto" else said
    if shelf is not None:
        by_name |= loaded_by_name(shelf, (wanted, agent.on_limit, agent.tool_use))
    choice = _choice(wanted, by_name)
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
    return Governed(policy, tools, settings, shelf)


def _all_tools(
    agent: Specification, plan_of: Callable[[Specification, Plan], Plan]
) -> tuple[tuple[Tool, ...], Mapping[str, Handover], Shelf | None]:
    """The tools that a run may be offered, who takes over by some, and those that it may find."""
    things, catalogues = parted(agent.tools)
    tools = resolve_tools((*things, *([ask_person] if agent.can_ask else ())))
    may = _permission(agent)
    if may is not None:
        tools = tuple(filter(may, tools))
    given = tuple(handoff_of(one, plan_of) for one in agent.handoffs)
    shelf = shelf_of(catalogues, may, partial(_offer_of, agent)) if catalogues else None
    if not given and shelf is None:
        return tools, {}, None
    more = () if shelf is None else shelf.finders
    tools = resolve_tools((*tools, *(tool for tool, _ in given), *more))
    if shelf is not None:
        shelf.stand_beside(tools)
    there = {tool.name for tool in tools}
    return tools, {tool.name: how for tool, how in given if tool.name in there}, shelf


def _offers(
    agent: Specification, tools: Iterable[Tool]
) -> Iterator[tuple[str, Callable[[Context], object]]]:
    """What says of tools, at each step, whether they are offered."""
    for tool in tools:
        asked = _offer_of(agent, tool)
        if asked is not None:
            yield tool.name, asked


def _offer_of(agent: Specification, tool: Tool) -> Callable[[Context], object] | None:
    """What says of a tool, at each step, whether it is offered; `None`: it always is."""
    enabled: Any = tool.options.enabled
    if callable(enabled) and not takes(enabled, 0):
        return lambda ctx: enabled(ctx, agent)
    return None


def _permission(agent: Specification) -> Callable[[Tool], bool] | None:
    """Whether the agent's tags let a tool through; `None`: they let through all."""
    deny = set(agent.deny_tags)
    allow = None if agent.allow_tags is None else set(agent.allow_tags)
    return partial(_may, allow, deny) if deny or allow is not None else None


def _may(allow: set[str] | None, deny: set[str], tool: Tool) -> bool:
    tags = set(tool.options.tags)
    return not tags & deny and (allow is None or bool(tags & allow))


def _choice(said: object, tools: Mapping[str, Tool]) -> str | Mapping[str, JsonValue] | None:
    """What the model is told of its choice; `None`: nothing.

    Raises:
        ValueError: It is the name of no tool.
    """
    if said is None or said == "auto":
        return None
    if is_mapping(said):
        inner = said.get("function")
        name = inner.get("name") if is_mapping(inner) else said.get("name")
        if said.get("type") != "function" or not isinstance(name, str):
            return said  # a word of the provider's, sent as it stands
        said = name
    if not isinstance(said, str) or (said not in TOOL_CHOICES and said not in tools):
        hint = did_you_mean(str(said), (*TOOL_CHOICES, *tools))
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
