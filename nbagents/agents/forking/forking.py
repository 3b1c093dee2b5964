"""A branch of a run: it keeps what came before a place of it, and goes on otherwise from there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nbagents.agents.forking.again import again_of
from nbagents.agents.forking.briefing import Told
from nbagents.agents.forking.edits import NOTHING, UNSAID, edits_of
from nbagents.agents.forking.given_result import given_result, result_events
from nbagents.agents.forking.kept_part import Cut
from nbagents.agents.forking.needs import (
    handles_of,
    own_name,
    require_fitting,
    require_tool,
)
from nbagents.agents.forking.origin import Origin, has_events
from nbagents.agents.forking.place import calls_of, place_of
from nbagents.agents.forking.whole import origin_of
from nbagents.agents.resumption import PastRun
from nbagents.agents.specification import (
    Asked,
    ForkOptions,
    check_asked,
    plan_of,
    refuse_unknown,
    session_of,
)
from nbagents.events import ForkedFrom
from nbagents.narrowing import known
from nbagents.runs.plan import Kept, handed_to
from nbagents.runs.state import Branch, Past, Run, taken_classes
from nbagents.tools.context import Context, require

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nbagents.agents.forking.again import Again
    from nbagents.agents.forking.edits import Edits
    from nbagents.agents.forking.kept_part import KeptPart
    from nbagents.agents.forking.place import Place
    from nbagents.agents.specification import Specification
    from nbagents.runs.plan import Parent, Plan
    from nbagents.runs.tree import CallNode
    from nbagents.tools.values import Handles


def begin_forked(agent: Specification, run: Run | str, options: ForkOptions) -> tuple[Run, Plan]:
    """A branch of a run, and what it is to do; see `Agent.fork`.

    Raises:
        RunError: There is no such run or place, it still goes on, or a tool or an object is missing
            that the branch needs.
        ValueError: Something that was given cannot be used; says what to give.
    """
    branching, place = branching_of(run, options)
    return branching.begun(agent, place)


def branching_of(
    run: Run | str, options: ForkOptions, *, is_sent: bool = True
) -> tuple[Branching, Place]:
    """What makes the branch of a run, and where that leaves it; see `Agent.fork`.

    Args:
        run: The run, or its id, or the beginning of that.
        options: Where it is left, and what is changed.
        is_sent: Whether a model is really asked; else no key is needed.

    Raises:
        RunError: There is no such run or place, or it still goes on.
        ValueError: Something that was given cannot be used; says what to give.
    """
    refuse_unknown("Agent.fork()", options, ForkOptions)
    require("The run to fork", run, (Run, str), "give a run, or its id, e.g. run.id.")
    edits = edits_of(options)
    given, log = options.get("vars"), options.get("log")
    check_asked("Fork.", shared=given, labels=options.get("labels"))
    keeps = isinstance(run, Run) and log is None and has_events(run)
    session = run.session if isinstance(run, Run) and keeps else session_of(log)
    origin, run_id = Origin.of(session, run)
    place = place_of(
        origin, run_id, options.get("at"), options.get("step"), is_of_call=edits.is_of_call
    )
    return Branching(origin, edits, options, is_sent=is_sent), place


class Branching:
    """Makes the branch of a run, and those of the runs inside of it that it changes with it.

    Args:
        origin: The run that is left, with all around it.
        edits: What is changed.
        options: With what it goes on.
        is_sent: Whether a model is really asked; else no key is needed.
    """

    def __init__(
        self, origin: Origin, edits: Edits, options: ForkOptions, *, is_sent: bool = True
    ) -> None:
        self._origin = origin
        self._is_sent = is_sent
        self._edits = edits
        self._options = options
        self._again: Mapping[str, Again] = {}

    def begun(
        self,
        agent: Specification,
        place: Place,
        parent: Parent | None = None,
        shared: Mapping[str, object] | None = None,
    ) -> tuple[Run, Plan]:
        """A branch that has not started yet.

        Args:
            agent: Who goes on.
            place: Where it leaves the other.
            parent: Of one inside of another branch, the call that begins it.
            shared: What that call hands over to it.
        """
        goes_on, plan, handles = self.planned(agent, place, parent, shared)
        return self._made(goes_on, place, plan, handles, parent), plan

    def planned(
        self,
        agent: Specification,
        place: Place,
        parent: Parent | None = None,
        shared: Mapping[str, object] | None = None,
    ) -> tuple[Specification, Plan, Handles]:
        """Who goes on in a branch, what it is to do, and with which objects; see `begun`."""
        edits = self._edits_at(place)
        goes_on = replace(agent, **edits.agent)
        if parent is None:
            self._again = again_of(self._options.get("again"), place.lines)
        again, part = self._again[place.run_id], self.part_of(place)
        live = self._origin.live_run(place.run_id)
        given = self._options.get("vars") if parent is None else shared
        handles = handles_of(live, place.line, part, given)
        plan = self._plan(goes_on, place, part, parent, edits)
        plan = self._with_calls(plan, place, part, again, handles, self._inside_before(place))
        return goes_on, plan, handles

    def part_of(self, place: Place) -> KeptPart:
        """What is kept of one of the runs that are left."""
        again, edits = self._again[place.run_id], self._edits_at(place)
        before = self._inside_before(place)
        return Cut(self._origin, place, edits.arguments, again.has, before).part()

    def _edits_at(self, place: Place) -> Edits:
        """What is changed of a run itself, and not of one inside of it."""
        return self._edits if place.inner is None else NOTHING

    def _plan(
        self,
        agent: Specification,
        place: Place,
        part: KeptPart,
        parent: Parent | None,
        edits: Edits,
    ) -> Plan:
        """What is still to be done."""
        line, is_first = place.line, place.step == 1 and place.call is None
        prompt = edits.message if is_first and edits.message else line.prompt
        stepping = self._options.get("stepping") if parent is None else None
        asked = Asked(
            prompt=prompt or "Go on.", parent=parent, step=stepping, is_sent=self._is_sent
        )
        plan, _ = plan_of(agent, asked)
        begun, plan = plan, handed_to(part.line.current_agent, plan)
        if "model" in edits.agent and plan is not begun:
            plan = replace(plan, model=begun.model)
        if plan.shelf is not None:
            plan.shelf.recall(part.line.nodes, [one.name for one in part.line.pending])
        like = self._origin.events_of(place.run_id)[0]
        told = Told(place.step, part.messages or plan.messages, part.events, like)
        if is_first:
            told.ask(prompt, line.prompt)
        elif edits.message is not None:
            told.say(edits.message)
        if "instructions" in edits.agent:
            told.instruct(agent.instructions)
        live = self._origin.live_run(place.run_id)
        made = replace(
            plan,
            messages=tuple(told.messages),
            earlier=None,
            shared=line.shared,
            passthrough=live.passthrough if live else {},
            kept=self._kept(
                place, part, edits, told, is_asked=is_first or edits.message is not None
            ),
            finished=part.results,
            spent=part.spent,
            is_closing=place.call is not None and part.line.is_closing,
            chat=None,
        )
        if agent.approval or parent:
            return made
        return replace(made, approval=line.run["approval"])

    def _kept(
        self, place: Place, part: KeptPart, edits: Edits, told: Told, *, is_asked: bool
    ) -> Kept:
        call, innermost = place.call, place.innermost
        return Kept(
            forked_from=ForkedFrom(
                run_id=place.run_id,
                origin_id=origin_of(place.line),
                step=place.step,
                call_id=call and call["id"],
                call_number=place.number,
                tool_name=call and call["name"],
                edited=edits.names,
                message=edits.message,
                inside_id=None if innermost is place else innermost.run_id,
            ),
            events=tuple(told.events),
            results=part.results,
            inside=part.inside,
            again=part.again,
            is_told_anew=part.is_told_anew,
            is_asked=is_asked,
        )

    def _with_calls(
        self,
        plan: Plan,
        place: Place,
        part: KeptPart,
        again: Again,
        handles: Handles,
        before: Sequence[str],
    ) -> Plan:
        """The plan with what its open calls had been given, and are given now."""
        tools, calls, call = plan.known_tools, calls_of(place.line), place.call
        for request in part.again:
            require_tool(request.name, tools, again, has_inside=False)
        given = {request.id: Past() for request in part.again}
        if call is None:
            return replace(plan, past=_named(given, calls))
        past = PastRun(self._origin.session, place.run_id, self._origin.tree)
        given |= {one.id: past.of_call(one.id) for one in part.line.pending}
        given[call["id"]] = Past()
        if place.inner is not None:
            require_tool(call["name"], tools, again, has_inside=True)
            given[call["id"]] = self._past_of(place, past, before)
        else:
            plan = self._with_edit(plan, place, call, again, handles)
        pending = {one.id for one in part.line.pending} - {call["id"]} - again.call_ids
        lost = {one: result for one, result in past.lost(tools).items() if one in pending}
        return replace(plan, finished={**plan.finished, **lost}, past=_named(given, calls))

    def _with_edit(
        self, plan: Plan, place: Place, call: CallNode, again: Again, handles: Handles
    ) -> Plan:
        """The plan with what is changed of a call: what it is made with, or what it gave."""
        edits, kept = self._edits, plan.kept
        if edits.arguments is not None:
            tool = require_tool(call["name"], plan.known_tools, again, has_inside=False)
            context = Context(run_id=place.run_id, agent_name=plan.agent_name, handles=handles)
            require_fitting(tool, edits.arguments, context)
            return plan
        if edits.result is UNSAID or kept is None:
            return plan
        classes = taken_classes(plan.tools)
        handles.taken_by(lambda: classes)
        tool = next((one for one in plan.known_tools if one.name == call["name"]), None)
        name = own_name(call)
        named = handles if name is None else handles.named(name)
        result = given_result(call, edits.result, tool, named)
        events = (*kept.events, *result_events(call, result, kept.events[-1], place.step))
        results = {**kept.results, call["id"]: result}
        return replace(plan, kept=replace(kept, events=events, results=results), finished=results)

    def _inside_before(self, place: Place) -> Sequence[str]:
        """The runs inside of the call that is made again which had begun before that it changes."""
        if place.call is None or place.inner is None:
            return ()
        children = place.line.children[place.call["id"]]
        return children[: children.index(place.inner.run_id)]

    def _past_of(self, place: Place, past: PastRun, before: Sequence[str]) -> Past:
        """What a call is given that is made again for a run inside of it."""
        inner, call_id = known(place.inner), known(place.call)["id"]
        given = past.of_call(call_id)
        at = inner.line.nodes[0]["started_at"]
        asked = past.line.awaits.get(call_id, ())
        later = sum(one["asked_at"] > at for one in asked if one["kind"] != "confirmation")
        if later:
            given.answers = given.answers[:-later]
        given.runs = [
            *(self._recalling(one) for one in before),
            Branch(lambda agent, parent, shared: self.begun(agent, inner, parent, shared)),
        ]
        given.unheard = set()
        return given

    def _recalling(self, run_id: str) -> Callable[[], Run]:
        return lambda: self._origin.recalled(run_id)

    def _made(
        self,
        agent: Specification,
        place: Place,
        plan: Plan,
        handles: Handles,
        parent: Parent | None,
    ) -> Run:
        """The branch, which knows what it goes on with."""
        line, above = place.line, parent and parent.run
        live = self._origin.live_run(place.run_id)
        is_first = place.step == 1 and place.call is None
        prompt = plan.kept.forked_from.message if plan.kept and is_first else None
        made = Run(
            self._origin.session,
            agent_name=agent.name,
            prompt=prompt or line.prompt,
            parent=above,
            parent_call_id=parent and parent.call_id,
            labels={**line.run["labels"], **(self._options.get("labels") or {})},
            handles=handles,
        )
        made.agent, made.passthrough, made.last_agent = agent, plan.passthrough, plan.agent_name
        context = self._options.get("context")
        known = above or live
        made.context = known.context if known and context is None else context
        if live is not None:
            made.tool_input = live.tool_input
        if above is None:
            self._origin.session.remember(made)
        return made


def _named(given: Mapping[str, Past], calls: Mapping[str, CallNode]) -> Mapping[str, Past]:
    """What calls had been given, with the names that what they gave had: models know these."""
    for call_id, past in given.items():
        past.handle = own_name(calls[call_id])
    return given
