"""What a branch keeps of a run: cut off at a request or at a call, as if nothing had come after."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from nbagents.agents.forking.place import calls_of
from nbagents.agents.forking.whole import (
    as_kept,
    insides_of,
    of_steps,
    only_of,
    results_of,
    stamp_of,
)
from nbagents.events import (
    AssistantTurn,
    AwaitClarification,
    AwaitConfirmation,
    AwaitExternalTools,
    AwaitQuestions,
    AwaitResolved,
    KeptUsage,
    PromptRendered,
    RunStart,
    StepEdited,
    ToolEnd,
    UsageReported,
    UserMessageReceived,
)
from nbagents.messages import AssistantMessage
from nbagents.runs.policy import spent_of
from nbagents.runs.tree import PERSON, Line, TreeFold, parsed
from nbagents.runs.wording import family

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from nbagents.agents.forking.origin import Origin
    from nbagents.agents.forking.place import Place
    from nbagents.events import AnyEvent
    from nbagents.messages import CallRequest, Message
    from nbagents.results import CallResult
    from nbagents.runs.plan import KeptInside
    from nbagents.runs.policy import Spent
    from nbagents.runs.tree import CallNode, RequestNode, Tree

ASKING: Final = (AwaitConfirmation, AwaitClarification, AwaitQuestions, AwaitExternalTools)
NOT_BEGUN: Final = "cancelled"
"""How a call stands whose run was stopped before it was made: then it is made now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptPart:
    """What is kept of one run, and how its model stands then."""

    events: tuple[AnyEvent, ...]
    inside: Mapping[str, KeptInside]
    results: Mapping[str, CallResult]
    line: Line
    """The run as it is kept."""
    messages: tuple[Message, ...]
    """What its model was told; where it goes on with calls, up to the answer that wants them."""
    spent: Spent
    again: tuple[CallRequest, ...] = ()
    """The calls before that are made again."""
    is_told_anew: bool = False


class Cut:
    """Cuts a run off where a branch leaves it.

    Args:
        origin: The run with all around it.
        place: Where it is left.
        arguments: Those of the call there, as JSON, where they are others.
        again: Whether a call is made again that could be kept.
        inside_before: The runs inside of the call there that are kept.
    """

    def __init__(
        self,
        origin: Origin,
        place: Place,
        arguments: str | None,
        again: Callable[[CallNode], bool],
        inside_before: Iterable[str] = (),
    ) -> None:
        self._origin = origin
        self._place = place
        self._arguments = arguments
        self._again = again
        self._inside_before = tuple(inside_before)
        self._line = place.line
        self._live = origin.live_run(place.run_id)
        self._given = origin.events_of(place.run_id)

    def part(self) -> KeptPart:
        """What is kept."""
        calls = calls_of(self._line)
        anew = {call_id for call_id, call in calls.items() if self._again(call)}
        before = [one for one in self._before() if getattr(one, "tool_call_id", None) not in anew]
        kept_calls = {one.tool_call_id for one in before if isinstance(one, ToolEnd)}
        beside = self._kept_beside(calls) if self._place.call else set[str]()
        inside = insides_of(self._origin, self._line, [*kept_calls, *beside])
        own = insides_of(self._origin, self._line, [self._call_id] if self._call_id else [])
        inside |= {one: run for one, run in own.items() if one in self._inside_before}
        after = [*only_of(self._beside(beside), inside)]
        before = [*only_of(before, inside)]
        return self._folded(before, after, inside)

    @property
    def _call_id(self) -> str:
        return self._place.call["id"] if self._place.call else ""

    def _folded(
        self,
        before: Sequence[AnyEvent],
        after: Sequence[AnyEvent],
        inside: Mapping[str, KeptInside],
    ) -> KeptPart:
        run_id = self._place.run_id
        folding = _Folding(self._tree_with(inside), run_id)
        folding.take(self._opening())
        folding.take(before)
        is_told_anew = False
        if self._place.call is None:
            messages, is_told_anew = self._asked(before)
        else:
            messages = self._answered(Line(folding.tree, run_id))
            folding.take(after)
        line = Line(folding.tree, run_id)
        results = results_of(self._origin, self._line)
        ended = {one.tool_call_id for one in (*before, *after) if isinstance(one, ToolEnd)}
        return KeptPart(
            events=tuple(as_kept([*before, *after], self._line)),
            inside=inside,
            results={call_id: results[call_id] for call_id in results if call_id in ended},
            line=line,
            messages=messages,
            spent=spent_of(folding.tree, line.nodes),
            again=tuple(self._made_again(messages)),
            is_told_anew=is_told_anew,
        )

    # Events

    def _opening(self) -> Iterator[AnyEvent]:
        """How the run began: that of those it goes on with which says what it is about."""
        starts = [one for one in self._given if isinstance(one, RunStart)]
        said = [one for one in self._given if isinstance(one, UserMessageReceived)]
        yield starts[-1].model_copy(update={"resumed_from": None})
        yield from said[:1]

    def _before(self) -> Iterator[AnyEvent]:
        """What comes before the request, or up to the answer that wants the call."""
        step, is_call = self._place.step, self._place.call is not None
        if step == 1 and not is_call:
            return
        for event in of_steps(self._given):
            if isinstance(event, PromptRendered) and (event.step > step - (not is_call)):
                return
            if is_call and isinstance(event, AssistantTurn) and event.step == step:
                yield from self._turn(event)
                yield from (one for one in self._used if one.step == step)
                return
            if is_call or not _is_said_instead(event, step):
                yield event

    @property
    def _used(self) -> Iterator[UsageReported | KeptUsage]:
        return (one for one in self._given if isinstance(one, (UsageReported, KeptUsage)))

    def _turn(self, event: AssistantTurn) -> Iterator[AnyEvent]:
        """The answer that wants the call, as it would have been had it asked for another."""
        if self._arguments is None or self._place.call is None:
            yield event
            return
        asked = next(one for one in event.calls if one.id == self._call_id)
        other = asked.model_copy(update={"arguments": self._arguments})
        calls = tuple(other if one.id == asked.id else one for one in event.calls)
        yield StepEdited(
            **stamp_of(event),
            step=event.step,
            what="arguments",
            by=PERSON,
            before=parsed(asked.arguments),
            after=parsed(self._arguments),
            tool_call_id=asked.id,
            tool_name=asked.name,
        )
        yield event.model_copy(update={"calls": calls})

    def _kept_beside(self, calls: Mapping[str, CallNode]) -> set[str]:
        """The calls beside the one there that keep their results."""
        answer = next(
            one
            for one in self._given
            if isinstance(one, AssistantTurn)
            and any(call.id == self._call_id for call in one.calls)
        )
        beside = (calls[one.id] for one in answer.calls if one.id != self._call_id)
        return {
            one["id"]
            for one in beside
            if one["content"] is not None and not _was_never_made(one) and not self._again(one)
        }

    def _beside(self, call_ids: set[str]) -> Iterator[AnyEvent]:
        """What happened in calls beside the one there, and which runs inside of it are kept."""
        asked: set[str] = set()
        is_after = False
        for event in of_steps(self._given):
            if isinstance(event, AssistantTurn) and not is_after:
                is_after = any(one.id == self._call_id for one in event.calls)
                continue
            if not is_after:
                continue
            if isinstance(event, PromptRendered):
                return
            call_id = getattr(event, "tool_call_id", None)
            is_link = event.type == "child_run_linked" and call_id == self._call_id
            if call_id in call_ids or is_link:
                asked |= {event.await_id} if isinstance(event, ASKING) else set()
                yield event
            elif isinstance(event, AwaitResolved) and event.await_id in asked:
                yield event

    def _made_again(self, messages: Sequence[Message]) -> Iterator[CallRequest]:
        """The calls that are made again before the run goes on; those beside are made with it."""
        calls, is_call = calls_of(self._line), self._place.call is not None
        answers = [one for one in messages if isinstance(one, AssistantMessage)]
        for answer in answers[: len(answers) - is_call]:
            for one in answer.calls:
                if one.id in calls and self._again(calls[one.id]):
                    yield one

    # What the model knows

    def _request(self) -> RequestNode | None:
        """The request that is made anew, as it was made."""
        step = self._place.step
        found = (one for node in self._line.nodes for one in node["requests"])
        return next((one for one in found if one["step"] == step), None)

    def _asked(self, before: Sequence[AnyEvent]) -> tuple[tuple[Message, ...], bool]:
        """What the model was told with a request, and whether that was another conversation."""
        if (request := self._request()) is None:
            return (), False
        is_whole = request["message_count"] == len(request["messages"])
        is_told_anew = is_whole and self._place.step > 1
        live = self._live_messages(request["message_count"], self._place.step)
        if live is not None:
            return live, is_told_anew
        folding = _Folding(self._tree_with({}), self._place.run_id)
        folding.take(self._opening())
        folding.take(before)
        folding.tree["runs"][self._place.run_id]["requests"].append(request)
        return Line(folding.tree, self._place.run_id).messages, is_told_anew

    def _answered(self, asked: Line) -> tuple[Message, ...]:
        """What the model was told and said, up to the answer that wants the call."""
        requests = asked.run["requests"]
        count = requests[-1]["message_count"] if requests else 0
        live = self._live_messages(count + 1, self._place.step)
        last = live[-1] if live else None
        if live is None or not isinstance(last, AssistantMessage):
            return asked.messages
        if self._arguments is None:
            return live
        calls = tuple(
            replace(one, arguments=self._arguments, is_cut=False)
            if one.id == self._call_id
            else one
            for one in last.calls
        )
        return (*live[:-1], replace(last, calls=calls, native=(), native_of=""))

    def _live_messages(self, count: int, step: int) -> tuple[Message, ...] | None:
        """The first messages as the objects that they are, if they are still here."""
        if self._live is None or len(self._live.messages) < count:
            return None
        later = (one for one in self._live.node["requests"] if one["step"] > step)
        if any(one["message_count"] == len(one["messages"]) for one in later):
            return None  # another agent was told another conversation since
        return self._live.messages[:count]

    def _tree_with(self, inside: Mapping[str, KeptInside]) -> Tree:
        runs = self._origin.tree["runs"]
        found = {
            node["id"]: node for one in inside for node in family(self._origin.tree, runs[one])
        }
        return {"version": 1, "root_ids": [], "runs": found}


class _Folding:
    """Folds events of several runs as those of one."""

    def __init__(self, tree: Tree, run_id: str) -> None:
        self.tree = tree
        self._fold = TreeFold(tree)
        self._run_id = run_id

    def take(self, events: Iterable[AnyEvent]) -> None:
        """Fold events in, in this order, whichever run they are of and whatever their positions."""
        for event in events:
            one = event
            if event.run_id != self._run_id:
                one = event.model_copy(update={"run_id": self._run_id})
            if (run := self.tree["runs"].get(self._run_id)) is not None:
                run["seq"] = one.seq - 1
            self._fold.apply(one)


def _was_never_made(call: CallNode) -> bool:
    return call["status"] == NOT_BEGUN and call["started_at"] is None


def _is_said_instead(event: AnyEvent, step: int) -> bool:
    """Whether somebody answered a request in step mode that is made anew now."""
    if not isinstance(event, StepEdited) or event.step < step:
        return False
    return event.what in ("answer", "skip") and event.tool_call_id is None
