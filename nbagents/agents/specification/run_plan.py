"""From an agent and what it is asked to the plan of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from nbagents.agents.specification.given_values import limits_of
from nbagents.agents.specification.policies import governed
from nbagents.errors import did_you_mean
from nbagents.recordings import held, model_of
from nbagents.runs.plan import Plan, briefing, instructed, plans_from, with_plan_of_run
from nbagents.runs.policy import answer_form, unpriced
from nbagents.runs.state import Session, current_session, open_log, taken_classes
from nbagents.runs.stepping import mode_of
from nbagents.tools.tool import Tool, Toolset, is_tool

if TYPE_CHECKING:
    from nbagents.agents.specification.specification import Specification
    from nbagents.messages import Message
    from nbagents.models.model import Model
    from nbagents.recordings import Setting
    from nbagents.runs.plan import Attachments, Parent
    from nbagents.runs.policy import AnswerForm, Prices
    from nbagents.runs.shelf import Shelf
    from nbagents.runs.state import Chat, OnAwait
    from nbagents.runs.stepping import Stepping
    from nbagents.tools.tool import ToolLike
    from nbagents.tools.values import Handles


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What an agent is asked, and with what."""

    prompt: str
    shared: Mapping[str, object] | None = None
    attached: Attachments = ()
    passthrough: Mapping[str, Mapping[str, Any]] | None = None
    before: Sequence[Message] = ()
    """A conversation that came before, of no chat."""
    chat: Chat | None = None
    parent: Parent | None = None
    step: Stepping | None = None
    """Whether it waits at each step; `None`: as the run above it."""
    is_sent: bool = True
    """Whether the model is really asked; else no key is needed."""


def plan_of(agent: Specification, asked: Asked) -> tuple[Plan, Handles]:
    """What a run of the agent is to do, and the objects that its calls may take.

    Raises:
        ValueError: Something that was said of the agent does not fit its tools or its model.
    """
    limits = limits_of(agent)
    policy, tools, settings, shelf = governed(agent, plan_in_place)
    if asked.passthrough and not policy.handovers:  # who takes over may have other toolsets
        _check_toolsets(asked.passthrough, agent, tools, shelf)
    chat, parent = asked.chat, asked.parent
    before = (
        chat.tail(keep_turns=agent.keep_turns, keep_tokens=agent.keep_tokens)
        if chat
        else asked.before
    )
    brief = briefing(
        asked.prompt,
        agent_name=agent.name,
        instructions=agent.instructions,
        shared=asked.shared,
        attached=asked.attached,
        before=before,
        handles=chat and chat.handles,
        takers=taken_classes(tools),
    )
    above = parent and parent.plan
    recording = above.recording if above else held()
    plan = Plan(
        agent_name=agent.name,
        model=_model_of(agent, tools, above, recording, is_sent=asked.is_sent),
        recording=recording,
        tools=tools,
        shelf=shelf,
        messages=brief.messages,
        earlier=chat and chat.earlier(before, len(instructed(agent.instructions))),
        shared=brief.shared,
        passthrough=asked.passthrough or {},
        form=_form_of(agent),
        is_parallel=agent.parallel and not agent.sequential,
        settings=settings,
        policy=policy,
        max_steps=agent.max_steps,
        limits=limits,
        chat=chat and chat.name,
        approval=agent.approval or (above.approval if above else "risky"),
        on_await=_on_await(agent, above),
        on_missing=agent.on_missing,
        step=mode_of(asked.step, above and above.step),
        parent=parent,
    )
    if asked.is_sent:
        _check_hosted(plan)
    if limits.max_cost is not None or (parent and parent.spending.cost.is_bound):
        _check_prices(plan, is_sent=asked.is_sent)
    return plan, brief.handles


def _on_await(agent: Specification, above: Plan | None) -> OnAwait:
    """The agent's own, else that of the run above: also where it is an object that is falsy."""
    if agent.on_await is not None:
        return agent.on_await
    return "ask" if above is None else above.on_await


def _check_toolsets(
    given: Iterable[str], agent: Specification, tools: Iterable[Tool], shelf: Shelf | None
) -> None:
    """See that what is passed through reaches somebody, also if not in this run.

    Raises:
        ValueError: There is no toolset of a name.
    """
    offered = {name for tool in tools for name in (tool.options.toolset, tool.original_toolset)}
    known = {*filter(None, offered), *(tool.name for tool in tools if not tool.options.toolset)}
    for name in given:
        if shelf is not None and shelf.has_toolset(name):
            continue
        if name not in known and name not in (left_out := _named(agent.tools)):
            hint = did_you_mean(name, sorted(known | left_out))
            raise ValueError(f"passthrough is for {name!r}, which is no toolset here.{hint}")


def _named(things: Iterable[ToolLike]) -> set[str]:
    """What was given by name: toolsets, and tools, which may be left out of a run."""
    tools = [one for one in things if is_tool(one)]
    toolsets = {one.name for one in things if isinstance(one, Toolset)}
    return toolsets | {one.options.toolset or one.name for one in tools}


def _check_hosted(plan: Plan) -> None:
    """See that tools that run at a provider have one that runs them.

    Raises:
        ValueError: The model is known to run none.
    """
    if getattr(plan.model, "runs_hosted", True):
        return
    names = [repr(tool.name) for tool in plan.tools if tool.options.hosted]
    if names:
        raise ValueError(
            f"{', '.join(names)} of {plan.agent_name!r} would run at the provider, which the model "
            f"{plan.model.name!r} cannot have done: take one with the Responses API, e.g. "
            "-m responses:MODEL or nbagents.OpenAIResponses, or leave the tool out."
        )


def _check_prices(plan: Plan, *, is_sent: bool) -> None:
    """See that money can be counted, whoever of those that may take over is asked.

    Raises:
        ValueError: A model has no price; says how to give one.
    """
    known: Prices = plan.parent.spending.prices if plan.parent else {}
    for one in plans_from(plan) if is_sent else (plan,):
        said = unpriced((one.model.name,), {**known, **one.policy.prices})
        if said is None:
            continue
        if one is not plan:
            said = f"{one.agent_name!r} may take over this run, and {said}"
        raise ValueError(said)


def plan_in_place(agent: Specification, before: Plan) -> Plan:
    """The plan of an agent that takes over a run from the one that it went on with so far."""
    policy, tools, settings, shelf = governed(agent, plan_in_place)
    plan = Plan(
        agent_name=agent.name,
        model=_model_of(agent, tools, before, before.recording, is_sent=True),
        tools=tools,
        shelf=shelf,
        form=_form_of(agent),
        is_parallel=agent.parallel and not agent.sequential,
        settings=settings,
        policy=policy,
    )
    _check_hosted(plan)
    return with_plan_of_run(plan, before)


def _form_of(agent: Specification) -> AnswerForm | None:
    return None if agent.output in (None, str) else answer_form(agent.output)


def session_of(log: Literal["memory"] | Session | None) -> Session:
    """The session that a run belongs to."""
    if isinstance(log, Session):
        return log
    if log not in (None, "memory"):
        raise ValueError(f'log is {log!r}: give a Session, "memory", or None for the log on disk.')
    return current_session() if log is None else Session(open_log(log))


def _model_of(
    agent: Specification,
    tools: tuple[Tool, ...],
    above: Plan | None,
    recording: Setting | None,
    *,
    is_sent: bool,
) -> Model:
    """The agent's own model; inside of another run that of this run, where it names none.

    Where a recording holds, it is asked only for what that has not.
    """
    if agent.model is None and above is not None:
        return above.model
    return model_of(
        agent.model,
        recording,
        hosted=any(tool.options.hosted for tool in tools),
        is_sent=is_sent,
    )
