"""How a run of an agent begins, and what it would send first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from typing_extensions import TypeVar

from nbagents.agents.specification import (
    Asked,
    RunOptions,
    check_asked,
    plan_of,
    refuse_unknown,
    session_of,
)
from nbagents.runs.plan import earlier, first_request, preview_of
from nbagents.runs.state import Run

if TYPE_CHECKING:
    from nbagents.agents.specification import BeginOptions, Specification
    from nbagents.runs.plan import Parent, Plan, Preview
    from nbagents.runs.state import Chat, Session

R = TypeVar("R", bound=Run, default=Run)


def begun(
    agent: Specification,
    prompt: str,
    options: BeginOptions,
    *,
    log: Literal["memory"] | Session | None = None,
    parent: Parent | None = None,
    kind: type[R] = Run,
) -> tuple[R, Plan]:
    """A run that has not started yet, and what it is to do; see `Agent.begin`.

    Args:
        agent: Whose run it is.
        prompt: What is asked.
        options: What goes along with it.
        log: Where it is logged.
        parent: The call that starts it.
        kind: Which kind of run it is.
    """
    asked = _asked(prompt, options)
    above = parent and parent.run
    session = above.session if above else session_of(log)
    talk = _chat(options, session)
    plan, handles = plan_of(agent, replace(asked, chat=talk, parent=parent))
    made = kind(
        session,
        agent_name=agent.name,
        prompt=prompt,
        parent=above,
        parent_call_id=parent and parent.call_id,
        labels=options.get("labels"),
        handles=handles,
    )
    made.agent, made.passthrough = agent, plan.passthrough
    context = options.get("context")
    made.context = above.context if above and context is None else context
    if talk is not None:
        session.chats.begin(talk, made)
    if above is None:
        session.remember(made)
    return made, plan


def previewed(agent: Specification, prompt: str, options: BeginOptions) -> Preview:
    """What a run would send to the model first; see `Agent.preview`."""
    asked = _asked(prompt, options)
    talk = None if options.get("chat") is None else _chat(options, session_of(None))
    plan, handles = plan_of(agent, replace(asked, chat=talk, is_sent=False))
    return preview_of(plan, first_request(plan, handles))


def _asked(prompt: str, options: BeginOptions) -> Asked:
    """What is asked, of no chat yet.

    Raises:
        ValueError: Something that was given cannot be used; says what to give.
    """
    refuse_unknown("Agent.run()", options, RunOptions)
    shared, attached, chat = options.get("vars"), options.get("attach", ()), options.get("chat")
    passthrough, labels = options.get("passthrough"), options.get("labels")
    check_asked(
        prompt, shared=shared, attached=attached, passthrough=passthrough, chat=chat, labels=labels
    )
    return Asked(
        prompt=prompt,
        shared=shared,
        attached=attached,
        passthrough=passthrough,
        step=options.get("step"),
        before=earlier(options.get("messages", ()), chat=chat),
    )


def _chat(options: BeginOptions, session: Session) -> Chat | None:
    name = options.get("chat")
    return None if name is None else session.chats.get(name)
