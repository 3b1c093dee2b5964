"""Going on with a run that was suspended, or that its kernel left open: nothing is done twice."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from nbagents.agents.answers import said_to
from nbagents.agents.known import UNSAID
from nbagents.agents.past_run import ENDED, PastRun
from nbagents.agents.planning import Asked, plan_of, session_of
from nbagents.errors import RunError
from nbagents.runs.handing_over import handed_to
from nbagents.runs.logs.rebuild import rebuild
from nbagents.runs.past import Said
from nbagents.runs.record import Run
from nbagents.tools.context import Context
from nbagents.tools.misuse import wrong

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.agents.known import AgentLike
    from nbagents.runs.logs.rebuild import Rebuilt
    from nbagents.runs.plan import Parent, Plan
    from nbagents.runs.session import Session
    from nbagents.tools.handles import Handles
    from nbagents.tools.tool import Tool

__all__ = ["begin_resumed", "read_again"]

NOT_HEARD: Final = (
    "No answer can be given here: what is open was asked in a run inside of {names}, which had "
    "begun, and whose tool does not say that it may begin anew. If it may, define it with "
    "resumable=True (%%tool --resumable) and resume; without an answer the run goes on, and its "
    "model is told that nobody knows how that call ended."
)


def begin_resumed(
    agent: AgentLike,
    run: Run | str,
    *,
    parent: Parent | None = None,
    log: Literal["memory"] | Session | None = None,
    answer: Any = UNSAID,
) -> tuple[Run, Plan]:
    """A run that goes on with another, and what it is to do.

    Args:
        agent: Who goes on; its tools serve the calls that are open.
        run: The run, or its id, or the beginning of that.
        parent: Of a run inside of another one, the call that goes on with it.
        log: Where the new run is logged; by default where the old one is.
        answer: What the person says to the one thing that is open, as an `Answer`, a value, or
            `True` or `False` to a call that needs consent; of several, a dictionary by their ids.

    Raises:
        RunError: There is no such run, it has ended, it still goes on, or it is inside another one.
        ValueError: There is not one thing to be answered, the answer does not fit, or this is no
            run.
    """
    given = cast("object", run)
    if not isinstance(given, (Run, str)):
        raise wrong("The run to go on with", given, "give a run, or its id, e.g. run.id.")
    above = parent and parent.run
    session = above.session if above else _session(run, log)
    past = PastRun.of(session, run)
    if above is None:
        past.refuse_inside()
    found = _found(past)
    if above is None:
        by = session.log.resumed_by(found.run_id)
        _refuse_again(found.run_id, by and by.run_id)
    _require_agent(agent, found)
    plan, handles = _plan(agent, past, found, parent)
    if answer is not UNSAID:
        plan = replace(plan, said=_said(answer, past, found, plan, handles))
    made = Run(
        session,
        agent_name=found.agent_name,
        prompt=found.prompt,
        parent=above,
        parent_call_id=parent and parent.call_id,
        labels={**(above.labels if above else {}), **found.labels},
        handles=handles,
    )
    made.last_agent = plan.agent_name
    if above is None:
        made.turn_id = found.turn_id
        made.common.denied_before |= past.denied()
        _claim(session, found.run_id, made)
        session.remember(made)
    if plan.chat is not None:
        chat = session.chats.get(plan.chat)
        session.chats.begin(chat, made, goes_on_with=found.run_id)
    return made, plan


def read_again(agent: AgentLike, run: Run, parent: Parent) -> None:
    """Read the answer of a past run as a value of the type that it must have.

    Args:
        agent: Who began it; whoever had the last word says what type that is.
        run: The run, which is given the value.
        parent: The call that it is inside of.

    Raises:
        OutputError: The answer has not the form that is asked for.
    """
    is_text = run.last_agent == agent.name and agent.output in (None, str)
    if is_text or run.status == "denied":  # what a check says has no form
        return
    plan, _ = plan_of(agent, Asked(prompt=run.prompt, parent=parent, is_sent=False))
    if (form := handed_to(run.last_agent, plan).form) is not None:
        run.answer(form.read(run.text))


def _found(past: PastRun) -> Rebuilt:
    """The run as its events tell of it.

    Raises:
        RunError: There is nothing to go on with.
    """
    if past.node["status"] in ENDED:
        raise RunError(
            f"The run {past.node['id']} has ended ({past.node['status']}): there is nothing to go "
            "on with. A run with the same `chat` goes on with its conversation."
        )
    found = rebuild(past.events, past.node["id"])
    if not found.messages and (found.shared or not found.prompt):
        raise RunError(
            f"The run {found.run_id} broke off before its model was told anything: there is "
            "nothing to go on with. Ask anew."
        )
    return found


def _plan(
    agent: AgentLike, past: PastRun, found: Rebuilt, parent: Parent | None
) -> tuple[Plan, Handles]:
    """What is still to be done, and the objects that its calls may take."""
    chat = past.session.chats.get(found.chat) if found.chat and not found.messages else None
    asked = Asked(prompt=found.prompt or "Go on.", parent=parent, chat=chat)
    plan, handles = plan_of(agent, asked)
    plan = handed_to(found.current_agent, plan)
    made = replace(
        plan,
        messages=found.messages or plan.messages,
        turn=found.turn,
        resumed_from=found.run_id,
        finished={**found.finished, **past.lost(found, plan.tools)},
        past={one.id: past.of_call(found, one.id) for one in found.pending},
        said=parent.plan.said if parent else Said(),
        spent=past.spent(),
        is_closing=found.is_closing,
        chat=found.chat if parent is None else None,
    )
    return made, handles


def _said(answer: Any, past: PastRun, found: Rebuilt, plan: Plan, handles: Handles) -> Said:
    """What the person says to what is open.

    Raises:
        ValueError: It does not fit.
        RunError: What is open is inside of calls that are not begun anew.
    """
    by_name = {tool.name: tool for tool in plan.tools}
    tools: Mapping[tuple[str, str], Tool] = {
        (found.run_id, call.id): by_name[call.name]
        for call in found.pending
        if call.name in by_name
    }
    context = Context(run_id=found.run_id, agent_name=plan.agent_name, handles=handles)
    lost = past.lost(found, plan.tools)
    below = past.below(found, lost)
    heard = tuple(one for one in past.open if one[0] not in below)
    if past.open and not heard:
        names = ", ".join(repr(one.name) for one in found.pending if one.id in lost)
        raise RunError(NOT_HEARD.format(names=names))
    return said_to(answer, heard, tools, context)


def _claim(session: Session, run_id: str, made: Run) -> None:
    """See that no other run goes on with it, in this process or another.

    Raises:
        RunError: One does.
    """
    by = session.log.claim(run_id, made.id, time.time())
    _refuse_again(run_id, None if by == made.id else by)


def _refuse_again(run_id: str, by: str | None) -> None:
    """See that nobody has gone on with a run yet.

    Raises:
        RunError: Somebody has: its calls would be made twice.
    """
    if by is not None:
        raise RunError(
            f"The run {run_id} was gone on with already, by {by}: its calls would be made "
            "twice. Resume that one, if it waits or was broken off."
        )


def _require_agent(agent: AgentLike, found: Rebuilt) -> None:
    """See that a run is gone on with by the agent that it was of.

    Raises:
        RunError: It is another one.
    """
    if agent.name not in (found.agent_name, found.current_agent):
        raise RunError(
            f"The run {found.run_id} is of the agent {found.agent_name!r}, not of {agent.name!r}: "
            "resume it with that agent, e.g. %agent -a VARIABLE --resume RUN."
        )


def _session(run: Run | str, log: Literal["memory"] | Session | None) -> Session:
    return run.session if isinstance(run, Run) and log is None else session_of(log)
