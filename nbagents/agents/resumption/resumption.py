"""Going on with a run that was suspended, or that its kernel left open: nothing is done twice."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Literal

from nbagents.agents.resumption.answers import said_to
from nbagents.agents.resumption.kernel_needs import regained, require_objects, require_tools
from nbagents.agents.resumption.past_run import PastRun
from nbagents.agents.specification import (
    Asked,
    ResumeOptions,
    check_asked,
    plan_of,
    refuse_unknown,
    session_of,
)
from nbagents.errors import RunError
from nbagents.runs.plan import handed_to
from nbagents.runs.state import UNBROKEN_ENDS, Run, Said, past_chats
from nbagents.tools.context import Context, require

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nbagents.agents.resumption.kernel_needs import Regained
    from nbagents.agents.specification import Specification
    from nbagents.runs.plan import Parent, Plan
    from nbagents.runs.state import Chat, Session
    from nbagents.runs.stepping import Stepping
    from nbagents.runs.tree import Line
    from nbagents.tools.tool import Tool
    from nbagents.tools.values import Handles

SHARED_NOW: Final = "The user shares this object now, in the place of any that had this name:"

NOT_HEARD: Final = (
    "No answer can be given here: what is open was asked in a run inside of {names}, which had "
    "begun, and whose tool does not say that it may begin anew. If it may, define it with "
    "resumable=True (%%tool --resumable) and resume; without an answer the run goes on, and its "
    "model is told that nobody knows how that call ended."
)


def begin_resumed(
    agent: Specification,
    run: Run | str,
    options: ResumeOptions,
    *,
    parent: Parent | None = None,
) -> tuple[Run, Plan]:
    """A run that goes on with another, and what it is to do.

    The run is claimed last: whatever is missing is said before, and leaves it as it was.

    Args:
        agent: Who goes on; its tools serve the calls that are open.
        run: The run, or its id, or the beginning of that.
        options: With what; the agent has its tools already.
        parent: Of a run inside of another one, the call that goes on with it.

    Raises:
        RunError: There is no such run, it has ended, it still goes on, or it is inside another one;
            or an object or a tool that it needs is not here.
        ValueError: There is not one thing to be answered, the answer does not fit, or this is no
            run.
    """
    refuse_unknown("Agent.resume()", options, ResumeOptions)
    given, log, context = options.get("vars"), options.get("log"), options.get("context")
    require("The run to go on with", run, (Run, str), "give a run, or its id, e.g. run.id.")
    check_asked("Go on.", shared=given)
    above = parent and parent.run
    session = above.session if above else _session(run, log)
    past = PastRun.of(session, run)
    line = past.line
    _require_open(past, is_inside=above is not None)
    _require_agent(agent, line)
    plan = _plan(agent, past, parent, _stepping(options, past))
    require_tools(line, plan.known_tools)
    old = _old(session, run, line.run_id)
    objects = regained(line, given or {}, old)
    require_objects(line, plan.known_tools, objects.handles)
    plan = replace(plan, shared=objects.shared)
    if "answer" in options:
        plan = replace(plan, said=_said(options["answer"], past, plan, objects.handles))
    chat = None if plan.chat is None else _chat(session, plan.chat, past)
    made = _made(session, past, plan, objects)
    made.agent = agent
    known = above or old
    made.context = known.context if known and context is None else context
    if above is None:
        _claim(session, line.run_id, made)
        session.remember(made)
    if chat is not None:
        session.chats.begin(chat, made, goes_on_with=line.run_id)
    return made, plan


def _made(session: Session, past: PastRun, plan: Plan, objects: Regained) -> Run:
    parent, before = plan.parent, past.line
    above = parent and parent.run
    made = Run(
        session,
        agent_name=before.agent_name,
        prompt=before.prompt,
        parent=above,
        parent_call_id=parent and parent.call_id,
        labels=before.run["labels"],
        handles=objects.handles,
    )
    made.last_agent = plan.agent_name
    for line in objects.news:
        made.notice(f"{SHARED_NOW} {line}")
    if above is None:
        made.turn_id = before.run["turn_id"]
        made.common.denied_before |= past.denied()
    return made


def read_again(agent: Specification, run: Run, parent: Parent) -> None:
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


def _require_open(past: PastRun, *, is_inside: bool) -> None:
    """See that there is something to go on with, and that no other run does.

    Raises:
        RunError: There is not, or one does.
    """
    if not is_inside:
        past.refuse_inside()
    line, status = past.line, past.node["status"]
    if status in UNBROKEN_ENDS:
        raise RunError(
            f"The run {line.run_id} has ended ({status}): there is nothing to go on with. A run "
            "with the same `chat` goes on with its conversation."
        )
    if not line.messages and (line.shared or not line.prompt):
        raise RunError(
            f"The run {line.run_id} broke off before its model was told anything: there is "
            "nothing to go on with. Ask anew."
        )
    if not is_inside:
        by = past.session.log.resumed_by(line.run_id)
        _refuse_again(line.run_id, by and by.run_id)


def _stepping(options: ResumeOptions, past: PastRun) -> Stepping | None:
    """Whether it waits at each step: by default if it waited at one, or one inside it did."""
    said = options.get("step")
    if said is not None:
        return said
    return True if any(one["kind"] == "step" for _, one in past.open) else None


def _plan(
    agent: Specification, past: PastRun, parent: Parent | None, step: Stepping | None
) -> Plan:
    """What is still to be done."""
    line, name = past.line, past.node["chat"]
    chat = past.session.chats.get(name) if name and not line.messages else None
    plan, _ = plan_of(
        agent, Asked(prompt=line.prompt or "Go on.", parent=parent, chat=chat, step=step)
    )
    plan = handed_to(line.current_agent, plan)
    if plan.shelf is not None:
        plan.shelf.recall(line.nodes, [one.name for one in line.pending])
    made = replace(
        plan,
        messages=line.messages or plan.messages,
        earlier=line.earlier if line.messages else plan.earlier,
        turn=line.turn,
        resumed_from=line.run_id,
        finished={**line.finished, **past.lost(plan.known_tools)},
        past={one.id: past.of_call(one.id) for one in line.pending},
        said=parent.plan.said if parent else Said(),
        spent=past.spent(),
        is_closing=line.is_closing,
        chat=name if parent is None else None,
    )
    return made if agent.approval or parent else replace(made, approval=past.node["approval"])


def _said(answer: Any, past: PastRun, plan: Plan, handles: Handles) -> Said:
    """What the person says to what is open.

    Raises:
        ValueError: It does not fit.
        RunError: What is open is inside of calls that are not begun anew.
    """
    line, by_name = past.line, {tool.name: tool for tool in plan.known_tools}
    tools: Mapping[tuple[str, str], Tool] = {
        (line.run_id, call.id): by_name[call.name] for call in line.pending if call.name in by_name
    }
    context = Context(run_id=line.run_id, agent_name=plan.agent_name, handles=handles)
    lost = past.lost(plan.known_tools)
    below = past.below(lost)
    heard = tuple(one for one in past.open if one[0] not in below)
    if past.open and not heard:
        names = ", ".join(repr(one.name) for one in line.pending if one.id in lost)
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


def _require_agent(agent: Specification, line: Line) -> None:
    """See that a run is gone on with by the agent that it was of.

    Raises:
        RunError: It is another one.
    """
    if agent.name not in (line.agent_name, line.current_agent):
        raise RunError(
            f"The run {line.run_id} is of the agent {line.agent_name!r}, not of {agent.name!r}: "
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
    known = past_chats(session.log, past.session_id).get(name)
    known.logged.clear()  # they are in the log of another session
    return known


def _session(run: Run | str, log: Literal["memory"] | Session | None) -> Session:
    return run.session if isinstance(run, Run) and log is None else session_of(log)
