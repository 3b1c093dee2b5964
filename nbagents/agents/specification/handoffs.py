"""An agent that hands a run over to another: the tool by which it does, and how it goes on."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, cast

from nbagents.agents.specification.agent_tool import PayloadSchema, input_schema, tool_name_of
from nbagents.agents.specification.specification import Specification
from nbagents.runs.plan import Handover
from nbagents.tools.context import (
    TEXT,
    check_function,
    is_async,
    is_function,
    is_several,
    require,
    takes,
    wrong,
)
from nbagents.tools.schema import raw_schema
from nbagents.tools.tool import Tool, ToolOptions, check_enabled

if TYPE_CHECKING:
    from nbagents.messages import Message
    from nbagents.runs.plan import Plan
    from nbagents.tools.context import Context
    from nbagents.tools.tool import Enabled

NOTHING: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {},
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Handoff:
    """To whom a run may be handed over, and how; see `handoff`."""

    agent: Specification | Callable[[], Specification]
    name: str | None = None
    description: str | None = None
    input_type: Any = None  # a type form
    on_handoff: Callable[..., object] | None = None
    input_filter: Callable[[Sequence[Message]], Sequence[Message]] | None = None
    enabled: Enabled = True


def handoff(
    agent: Specification | Callable[[], Specification],
    *,
    name: str | None = None,
    description: str | None = None,
    input_type: Any = None,  # a type form
    on_handoff: Callable[..., object] | None = None,
    input_filter: Callable[[Sequence[Message]], Sequence[Message]] | None = None,
    enabled: Enabled = True,
) -> Handoff:
    """Let an agent hand its run over to another.

    Args:
        agent: Who goes on; or a function that gives it, where the two know each other.
        name: The tool's; by default `transfer_to_` and the agent's name.
        description: What the model is told of it.
        input_type: What the model says with it, e.g. a reason: a pydantic model or a dataclass.
        on_handoff: Called when it happens, with the context, and the input if there is a type.
        input_filter: What of the conversation the other agent is told; by default all of it.
        enabled: Whether it is offered; as other tools' `enabled`.

    Raises:
        ValueError: Something of it cannot be used; says what to give.
        ToolDefinitionError: The type of the input has no JSON Schema of type object.
    """
    _check_target("The agent of handoff()", agent)
    for what, said in (("name", name), ("description", description)):
        require(f"{what} of handoff()", said, (str, NoneType), TEXT)
    if on_handoff is not None:
        of, count = ("the context", 1) if input_type is None else ("the context and the input", 2)
        check_function("on_handoff", on_handoff, of, count)
    if input_filter is not None:
        check_function("input_filter", input_filter, "the messages", 1)
    check_enabled(enabled)
    return Handoff(
        agent=agent,
        name=name,
        description=description,
        input_type=input_type,
        on_handoff=on_handoff,
        input_filter=input_filter,
        enabled=enabled,
    )


def handoffs_of(name: str, given: object) -> tuple[object, ...]:
    """Those who may take over, also where one was given instead of several.

    Args:
        name: The field that they were given as.
        given: Agents, functions that give one, or what `handoff` gave.

    Raises:
        ValueError: One is none of these.
    """
    several = tuple(given) if is_several(given) else (given,)
    for one in several:
        if not isinstance(one, Handoff):
            _check_target(f"One of {name}", one)
    return several


def handoff_of(
    given: object, plan_of: Callable[[Specification, Plan], Plan]
) -> tuple[Tool, Handover]:
    """The tool that hands a run over, and how it goes on then.

    Args:
        given: An agent, or what `handoff` gave.
        plan_of: Makes the plan of an agent in the place of another one's.

    Raises:
        ValueError: A function gave no agent.
        ToolDefinitionError: The tool cannot be called so, or its input has no JSON Schema.
    """
    spec = given if isinstance(given, Handoff) else Handoff(agent=cast("Specification", given))
    agent = spec.agent() if callable(spec.agent) else spec.agent
    require("What a function of `handoffs` gave", agent, Specification, "it must give an agent.")
    name = spec.name or f"transfer_to_{tool_name_of(agent.name)}"
    said = spec.description or f"Hand the conversation over to {agent.name!r}.{_about(agent)}"
    if spec.input_type is None:
        schema = PayloadSchema(raw_schema(name, said, NOTHING, lambda: None), None, is_empty=True)
    else:
        schema = input_schema(name, said, spec.input_type)
    options = ToolOptions(name=name, enabled=spec.enabled, title=f"Hand over to {agent.name}")
    tool = Tool.of_schema(schema, _handler(spec, agent.name), options)
    return tool, Handover(
        agent_name=agent.name,
        instructions=agent.instructions,
        plan=lambda before: plan_of(agent, before),
        input_filter=spec.input_filter,
    )


def _handler(spec: Handoff, agent_name: str) -> Callable[..., Any]:
    """What the call does; a plain `on_handoff` runs on the main thread."""
    done, told = f"Handed over to {agent_name!r}.", spec.on_handoff

    def tell(given: object, ctx: Context) -> object:
        if told is None:
            return None
        return told(ctx) if spec.input_type is None else told(ctx, given)

    def plain(given: object, ctx: Context) -> str:
        tell(given, ctx)
        return done

    async def later(given: object, ctx: Context) -> str:
        waiting = tell(given, ctx)
        if inspect.isawaitable(waiting):
            await waiting
        return done

    return later if told is None or is_async(told) else plain


def _check_target(name: str, given: object) -> None:
    """See that something is an agent, or a function that gives one."""
    if isinstance(given, Specification):
        return
    if not is_function(given):
        raise wrong(name, given, "give an agent, or a function that gives one.")
    if not takes(given, 0):
        raise wrong(name, given, "a function here gives an agent, and is called with nothing.")


def _about(agent: Specification) -> str:
    line = agent.instructions.strip().partition("\n")[0].strip()
    return f" It is told: {line}" if line else ""
