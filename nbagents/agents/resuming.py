"""Going on with a run that was suspended, or that its kernel left open: nothing is done twice."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from nbagents.agents.answers import said_to
from nbagents.agents.given import check_asked
from nbagents.agents.known import UNSAID
from nbagents.agents.past_run import ENDED, PastRun
from nbagents.agents.planning import Asked, plan_of, session_of
from nbagents.agents.regaining import regained, require_objects, require_tools
from nbagents.errors import RunError
from nbagents.runs.chats import past_chats
from nbagents.runs.handing_over import handed_to
from nbagents.runs.logs.rebuild import rebuild
from nbagents.runs.past import Said
from nbagents.runs.record import Run
from nbagents.tools.context import Context
from nbagents.tools.misuse import wrong

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from nbagents.agents.known import AgentLike
    from nbagents.agents.regaining import Regained
    from nbagents.runs.chats import Chat
    from nbagents.runs.logs.rebuild import Rebuilt
    from nbagents.runs.plan import Parent, Plan
    from nbagents.runs.session import Session
    from nbagents.tools.handles import Handles
    from nbagents.tools.tool import Tool
    from nbagents.tools.toolset import ToolLike

__all__ = ["begin_resumed", "read_again", "with_tools"]

SHARED_NOW: Final = "The user shares this object now, in the place of any that had this name:"

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
    given: Mapping[str, object] | None = None,
    context: Any = None,
) -> tuple[Run, Plan]:
    """A run that goes on with another, and what it is to do.

    The run is claimed last: whatever is missing is said before, and leaves it as it was.

    Args:
        agent: Who goes on; its tools serve the calls that are open.
        run: The run, or its id, or the beginning of that.
        parent: Of a run inside of another one, the call that goes on with it.
        log: Where the new run is logged; by default where the old one is.
        answer: What the person says to the one thing that is open, as an `Answer`, a value, or
            `True` or `False` to a call that needs consent; of several, a dictionary by their ids.
        given: Objects by the names by which the run's tools take them.
        context: The caller's own object; by default that of the run.

    Raises:
        RunError: There is no such run, it has ended, it still goes on, or it is inside another one;
            or an object or a tool that it needs is not here.
        ValueError: There is not one thing to be answered, the answer does not fit, or this is no
            run.
    """
    which = cast("object", run)
    if not isinstance(which, (Run, str)):
        raise wrong("The run to go on with", which, "give a run, or its id, e.g. run.id.")
    check_asked("Go on.", shared=given)
    above = parent and parent.run
    session = above.session if above else _session(run, log)
    past = PastRun.of(session, run)
    found = _found(past) if above else _claimable(past)
    _require_agent(agent, found)
    plan = _plan(agent, past, found, parent)
    require_tools(past, found, plan.tools)
    old = _old(session, run, found.run_id)
    objects = regained(past, found, given or {}, old)
    require_objects(found, plan.tools, objects.handles)
    plan = replace(plan, shared=objects.shared)
    if answer is not UNSAID:
        plan = replace(plan, said=_said(answer, past, found, plan, objects.handles))
    chat = None if plan.chat is None else _chat(session, plan.chat, past)
    made = _made(session, past, found, parent, objects)
    made.last_agent = plan.agent_name
    known = above or old
    made.context = known.context if known and context is None else context
    if above is None:
        _claim(session, found.run_id, made)
        session.remember(made)
    if chat is not None:
        session.chats.begin(chat, made, goes_on_with=found.run_id)
    return made, plan


def _made(
    session: Session, past: PastRun, found: Rebuilt, parent: Parent | None, objects: Regained
) -> Run:
    """The run that goes on."""
    above = parent and parent.run
    made = Run(
        session,
        agent_name=found.agent_name,
        prompt=found.prompt,
        parent=above,
        parent_call_id=parent and parent.call_id,
        labels={**(above.labels if above else {}), **found.labels},
        handles=objects.handles,
    )
    for line in objects.news:
        made.notice(f"{SHARED_NOW} {line}")
    if above is None:
        made.turn_id = found.turn_id
        made.common.denied_before |= past.denied()
    return made


def with_tools(agent: AgentLike, tools: Iterable[ToolLike]) -> AgentLike:
    """The same agent with other tools."""
    changed: Any = replace(cast("Any", agent), tools=tools)  # Any: a protocol is no dataclass
    return changed


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


def _claimable(past: PastRun) -> Rebuilt:
    """The run as its events tell of it, where no other goes on with it.

    Raises:
        RunError: One does, or there is nothing to go on with.
    """
    past.refuse_inside()
    found = _found(past)
    by = past.session.log.resumed_by(found.run_id)
    _refuse_again(found.run_id, by and by.run_id)
    return found


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


def _plan(agent: AgentLike, past: PastRun, found: Rebuilt, parent: Parent | None) -> Plan:
    """What is still to be done."""
    chat = past.session.chats.get(found.chat) if found.chat and not found.messages else None
    asked = Asked(prompt=found.prompt or "Go on.", parent=parent, chat=chat)
    plan, _ = plan_of(agent, asked)
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
    return made if agent.approval or parent else replace(made, approval=found.approval)


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


def _old(session: Session, run: Run | str, run_id: str) -> Run | None:
    """The run itself, where this process still has it, with its objects."""
    if isinstance(run, Run):
        return run
    return next((one for one in session.runs if one.id == run_id), None)


def _chat(session: Session, name: str, past: PastRun) -> Chat:
    """The conversation that it was part of; of another kernel's, as the log remembers it.

    Raises:
        RunError: Another run is going on with it.
    """
    chat = session.chats.get(name)
    if name in session.chats.names() or past.session_id == session.session_id:
        return chat
    known = past_chats(session.log, past.session_id)
    return known.get(name)


def _session(run: Run | str, log: Literal["memory"] | Session | None) -> Session:
    return run.session if isinstance(run, Run) and log is None else session_of(log)
