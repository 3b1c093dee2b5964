"""Going on with a run that was suspended, or that its kernel left open: nothing is done twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, cast

from nbagents.agents.known import UNSAID
from nbagents.agents.planning import Asked, plan_of, session_of
from nbagents.errors import RunError, did_you_mean
from nbagents.events import ToolAuthorization, ToolStart
from nbagents.results import CallResult
from nbagents.runs.awaits import Answer
from nbagents.runs.handing_over import handed_to
from nbagents.runs.logs.history import read_family
from nbagents.runs.logs.ledger import find_runs
from nbagents.runs.logs.rebuild import rebuild
from nbagents.runs.logs.story import NOT_KNOWN
from nbagents.runs.recalling import past_of
from nbagents.runs.record import Run
from nbagents.runs.tree.folding import fold
from nbagents.tools.misuse import wrong

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.agents.known import AgentLike
    from nbagents.events import AnyEvent
    from nbagents.runs.awaits import AwaitKind
    from nbagents.runs.logs.rebuild import Rebuilt
    from nbagents.runs.past import Past
    from nbagents.runs.plan import Parent, Plan
    from nbagents.runs.session import Session
    from nbagents.runs.tree.nodes import AwaitNode, RunNode
    from nbagents.tools.tool import Tool

__all__ = ["begin_resumed"]

ENDED = ("completed", "limit", "denied")


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
        RunError: There is no such run, it has ended, or it still goes on.
        ValueError: There is not one thing to be answered, or this is no run.
    """
    given = cast("object", run)
    if not isinstance(given, (Run, str)):
        raise wrong("The run to go on with", given, "give a run, or its id, e.g. run.id.")
    above = parent and parent.run
    session = above.session if above else _session(run, log)
    past = _Past.of(session, run)
    if past.node["status"] in ENDED:
        raise RunError(
            f"The run {past.node['id']} has ended ({past.node['status']}): there is nothing to go "
            "on with. A run with the same `chat` goes on with its conversation."
        )
    found = rebuild(past.events, past.node["id"])
    if above is None:
        _refuse_again(session, found.run_id)
    _require_agent(agent, found)
    if not found.messages and (found.shared or not found.prompt):
        raise RunError(
            f"The run {found.run_id} broke off before its model was told anything: there is "
            "nothing to go on with. Ask anew."
        )
    chat = session.chats.get(found.chat) if found.chat and not found.messages else None
    asked = Asked(prompt=found.prompt or "Go on.", parent=parent, chat=chat)
    plan, handles = plan_of(agent, asked)
    plan = handed_to(found.current_agent, plan)
    answers = parent.plan.answers if parent else {}
    if answer is not UNSAID:
        answers |= past.answered(answer)
    plan = replace(
        plan,
        messages=found.messages or plan.messages,
        turn=found.turn,
        resumed_from=found.run_id,
        finished={**found.finished, **past.lost(found, plan.tools)},
        past={one.id: past.of_call(found, one.id) for one in found.pending},
        answers=answers,
        chat=found.chat if parent is None else None,
    )
    made = Run(
        session,
        agent_name=agent.name,
        prompt=found.prompt,
        parent=above,
        parent_call_id=parent and parent.call_id,
        labels={**(above.labels if above else {}), **found.labels},
        handles=handles,
    )
    if above is None:
        session.remember(made)
    if plan.chat is not None:
        chat = session.chats.get(plan.chat)
        session.chats.begin(chat, made, goes_on_with=found.run_id)
    return made, plan


def _refuse_again(session: Session, run_id: str) -> None:
    """See that nobody has gone on with a run yet.

    Raises:
        RunError: Somebody has: its calls would be made twice.
    """
    if (by := session.log.resumed_by(run_id)) is not None:
        raise RunError(
            f"The run {run_id} was gone on with already, by {by.run_id}: its calls would be made "
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


class _Past:
    """A run of the log, with those inside of it, and with those that it goes on with.

    Args:
        session: Where it is gone on with.
        run_id: The run.
    """

    def __init__(self, session: Session, run_id: str) -> None:
        self.session = session
        self.events: list[AnyEvent] = []
        self.families: list[list[AnyEvent]] = []
        self.runs: dict[str, RunNode] = {}
        self._read(run_id)
        self.node = self.runs[run_id]
        self._open = tuple(self._open_awaits(self.node))

    @classmethod
    def of(cls, session: Session, run: Run | str) -> _Past:
        """The run that is meant.

        Raises:
            RunError: There is none, there are several, or it still goes on.
        """
        run_id = run if isinstance(run, str) else run.id
        found = [one.run_id for one in find_runs(session.log, run_id)]
        chosen = [run_id] if run_id in found else found
        if len(chosen) > 1:
            raise RunError(f"Several runs begin with {run_id!r}.{did_you_mean(run_id, chosen)}")
        if not chosen:
            raise RunError(
                f"There is no run {run_id!r} in this log. %nbagents runs --all lists those there "
                "are; one of a session in memory is known to that session only."
            )
        here = {one.id: one for one in session.runs}.get(chosen[0])
        if here is not None and not here.is_closed:
            raise RunError("The run still goes on: wait for its end, or stop it.")
        return cls(session, chosen[0])

    def of_call(self, found: Rebuilt, call_id: str) -> Past:
        """What a call had been given."""
        past = past_of(found.awaits.get(call_id, ()), *self._authorized(call_id))
        for child_id in found.children.get(call_id, ()):
            child = self.runs.get(child_id)
            is_over = child is not None and child["status"] in ENDED
            past.runs.append(self._recalling(child_id) if is_over else child_id)
            if not self._is_heard(child):
                past.unheard.add(child_id)
        return past

    def lost(self, found: Rebuilt, tools: Iterable[Tool]) -> dict[str, CallResult]:
        """Results of calls of which nobody knows whether they did their work: they had begun.

        A call that waited stood still, for a person or for a run inside: that one is made again.
        """
        outside = {one.name for one in tools if one.options.external}
        unknown = CallResult(content=NOT_KNOWN, status="cancelled")
        return {
            one.id: unknown
            for one in found.pending
            if one.id in found.started
            and one.name not in outside
            and not self._waited(found, one.id)
        }

    def _waited(self, found: Rebuilt, call_id: str) -> bool:
        """Whether a call that had begun was waiting when its run ended, as far as can be told."""
        line = {one["id"]: one["status"] for one in self._line()}
        starts = (one for one in reversed(self.events) if isinstance(one, ToolStart))
        begun = (one for one in starts if one.tool_call_id == call_id and one.run_id in line)
        is_suspended = line[next(begun).run_id] == "suspended"
        asked = found.awaits.get(call_id, ())
        return is_suspended or call_id in found.children or any(not one.resolved for one in asked)

    def _is_heard(self, run: RunNode | None) -> bool:
        """Whether the model of a run, or of one that it goes on with, was told anything."""
        while run is not None and not run["requests"]:
            run = self.runs.get(run["resumed_from"] or "")
        return run is not None

    def answered(self, said: Any) -> dict[tuple[str, str, AwaitKind], Answer]:
        """What is open, answered.

        Raises:
            ValueError: Several things are open, or nothing is.
        """
        by_id = {one["id"]: (run, one) for run, one in self._open}
        if isinstance(said, dict) and said and set(cast("dict[str, Any]", said)) <= set(by_id):
            given = cast("dict[str, Any]", said)
            return {_place(*by_id[one]): _answer(given[one]) for one in given}
        if len(self._open) != 1:
            names = ", ".join(by_id) or "nothing"
            raise ValueError(
                f"One answer is for one question, and open is: {names}. Give a dictionary of "
                "answers by these ids, or resume without, and be asked."
            )
        return {_place(*self._open[0]): _answer(cast("Any", said))}

    def _read(self, run_id: str) -> None:
        """Read a run with those inside it, and those that it goes on with."""
        wanted: str | None = run_id
        while wanted is not None and wanted not in self.runs:
            found = [one for one in find_runs(self.session.log, wanted) if one.run_id == wanted]
            if not found:
                return
            events = read_family(self.session.log, found[0].session_id, wanted)
            self.families.append(events)
            self.events = [*events, *self.events]
            self.runs |= fold(events)["runs"]
            wanted = self.runs[wanted]["resumed_from"] if wanted in self.runs else None

    def _line(self) -> Iterable[RunNode]:
        """The run, and those that it goes on with."""
        node: RunNode | None = self.node
        while node is not None:
            yield node
            node = self.runs.get(node["resumed_from"] or "")

    def _authorized(self, call_id: str) -> tuple[ToolAuthorization | None, JsonValue]:
        """Who allowed or denied a call last, and with which arguments."""
        line = {one["id"]: one for one in self._line()}
        words = (event for event in reversed(self.events) if isinstance(event, ToolAuthorization))
        for event in words:
            if event.tool_call_id == call_id and event.run_id in line:
                return event, line[event.run_id]["calls"][call_id]["arguments"]
        return None, None

    def _recalling(self, run_id: str) -> Callable[[], Run]:
        """How to have a run back that has ended."""
        events = next(
            events for events in self.families if any(event.run_id == run_id for event in events)
        )
        return lambda: Run.recalled(self.session, run_id, events)

    def _open_awaits(self, run: RunNode) -> Iterable[tuple[str, AwaitNode]]:
        for one in run["awaits"]:
            if one["outcome"] is None:
                yield run["id"], one
        for call in run["calls"].values():
            for child_id in call["child_run_ids"]:
                if (child := self.runs.get(child_id)) is not None:
                    yield from self._open_awaits(child)


def _place(run_id: str, one: AwaitNode) -> tuple[str, str, AwaitKind]:
    call_ids = [one["call_id"], *(call["id"] for call in one["calls"])]
    return run_id, next(filter(None, call_ids), ""), one["kind"]


def _answer(said: JsonValue | Answer) -> Answer:
    if isinstance(said, Answer):
        return said
    if isinstance(said, type):
        raise wrong("answer", said, 'give what is said, e.g. nbagents.Answer(action="deny").')
    if isinstance(said, bool):
        return Answer(action="approve" if said else "deny")
    return Answer(action="answer", value=said)
