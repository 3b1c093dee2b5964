"""A run of the log that is to be gone on with, with those inside of it and those before it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from nbagents.errors import RunError, did_you_mean
from nbagents.events import AwaitConfirmation, ChildRunLinked, ToolAuthorization, ToolStart
from nbagents.redaction import MARK, holds_mark
from nbagents.results import CallResult
from nbagents.runs.consent import is_policy, made_of
from nbagents.runs.logs.history import read_family
from nbagents.runs.logs.ledger import find_runs
from nbagents.runs.logs.spent import spent_of
from nbagents.runs.logs.story import AWAITS, NOT_KNOWN
from nbagents.runs.recalling import past_of
from nbagents.runs.record import Run
from nbagents.runs.tree.folding import fold

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.events import AnyEvent
    from nbagents.messages import CallRequest
    from nbagents.runs.logs.rebuild import Rebuilt
    from nbagents.runs.logs.spent import Spent
    from nbagents.runs.past import Past
    from nbagents.runs.session import Session
    from nbagents.runs.tree.nodes import AwaitNode, RunNode
    from nbagents.tools.tool import Tool

__all__ = ["ENDED", "PastRun"]

NOT_WHOLE: Final = (
    f"Not done: the arguments of this call held a secret, which the log does not keep ({MARK}). "
    "If it is still wanted, call again."
)
ENDED = ("completed", "limit", "denied")
BROKE_OFF = ("failed", "cancelled")
NOT_BEGUN_ANEW: Final = (
    "It is not known how this call ended: it had begun, a run inside of it waited when the run was "
    "suspended, and its tool does not say that it may begin anew. It may have happened."
)


class PastRun:
    """A run of the log, with those inside of it, and with those that it goes on with.

    Args:
        session: Where it is gone on with.
        run_id: The run.
    """

    def __init__(self, session: Session, run_id: str) -> None:
        self.session = session
        self.session_id = session.session_id
        """The session that it was logged in, which may be another kernel's."""
        self.events: list[AnyEvent] = []
        self.families: list[list[AnyEvent]] = []
        self.runs: dict[str, RunNode] = {}
        self._read(run_id)
        self.node = self.runs[run_id]
        self.line = tuple(self._line())
        """The run, and those that it goes on with, the newest first."""
        self.open = tuple(self._open_awaits(self.node))
        """What a person was asked in it and inside of it, each with its run, and has not said."""

    @classmethod
    def of(cls, session: Session, run: Run | str) -> PastRun:
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
        past = cls(session, chosen[0])
        if past.node["status"] == "running" and past.goes_on_elsewhere:
            raise RunError(
                f"The run {chosen[0]} still goes on in another kernel: wait for its end, or stop "
                "it there."
            )
        return past

    @property
    def goes_on_elsewhere(self) -> bool:
        """Whether its session is another process's, which lives."""
        return self.session.log.living.where(self.session_id) == "elsewhere"

    def refuse_inside(self) -> None:
        """See that it is not inside of another run.

        Raises:
            RunError: It is: its calls could be made twice, by that one and by itself.
        """
        root_id, above = self.node["id"], self.node["parent_run_id"]
        while above is not None:
            root_id, found = above, self.session.log.find(above)
            events = [
                event
                for one in found
                if one.run_id == root_id
                for event in self.session.log.read(one.session_id, run_id=root_id, limit=1)
            ]
            above = events[0].parent_run_id if events else None
        if root_id != self.node["id"]:
            raise RunError(
                f"The run {self.node['id']} is inside of {root_id}: resume that one, which goes on "
                "with all that is inside of it."
            )

    def spent(self) -> Spent:
        """What it had spent, with all inside of it."""
        return spent_of(self.families, [one["id"] for one in reversed(self.line)])

    def denied(self) -> set[tuple[str, str]]:
        """The calls that a person has denied, anywhere in it: each by its tool and arguments."""
        shown = {
            (event.run_id, event.tool_call_id): event.arguments
            for event in self.events
            if isinstance(event, AwaitConfirmation)
        }
        return {
            (event.tool_name, json.dumps(arguments, sort_keys=True))
            for event in self.events
            if isinstance(event, ToolAuthorization) and _is_denied(event)
            if (arguments := self._shown_to(event, shown)) is not None
        }

    def _shown_to(
        self, event: ToolAuthorization, shown: dict[tuple[str, str], JsonValue]
    ) -> JsonValue:
        """With which arguments a call was denied, also where it was asked in an earlier run."""
        run: RunNode | None = self.runs.get(event.run_id)
        while run is not None:
            if (run["id"], event.tool_call_id) in shown:
                return shown[run["id"], event.tool_call_id]
            run = self.runs.get(run["resumed_from"] or "")
        return None

    def of_call(self, found: Rebuilt, call_id: str) -> Past:
        """What a call had been given."""
        past = past_of(found.awaits.get(call_id, ()), *self._authorized(call_id))
        for child_id in found.children.get(call_id, ()):
            child = self.runs.get(child_id)
            is_over = child is not None and self._is_over(child, call_id)
            past.runs.append(self._recalling(child_id) if is_over else child_id)
            if not self._is_heard(child):
                past.unheard.add(child_id)
        return past

    def lost(self, found: Rebuilt, tools: Iterable[Tool]) -> dict[str, CallResult]:
        """Results of calls of which nobody knows whether they did their work: they had begun.

        Made again are those that waited for an answer to a question of their own, and those whose
        tools say that they may begin anew. That a call had a run inside of it says nothing of what
        it did before.
        """
        anew = {one.name for one in tools if may_begin_anew(one)}
        secret = CallResult(content=NOT_WHOLE, status="cancelled")
        withheld = {one.id: secret for one in found.pending if self._held_a_secret(found, one)}
        return withheld | {
            one.id: CallResult(content=self._unknown(found, one.id), status="cancelled")
            for one in found.pending
            if one.id in found.started
            and one.name not in anew
            and not self._asked_itself(found, one.id)
        }

    def _held_a_secret(self, found: Rebuilt, call: CallRequest) -> bool:
        """Whether the log does not have all that a call would be made with."""
        past = past_of(found.awaits.get(call.id, ()), *self._authorized(call.id))
        edited = None if past.verdict is None else past.verdict.arguments
        return any(holds_mark(one) for one in (call.arguments, past.arguments, edited))

    def below(self, found: Rebuilt, call_ids: Iterable[str]) -> set[str]:
        """The runs inside of calls, however deep."""
        below: set[str] = set()
        rest = [one for call_id in call_ids for one in found.children.get(call_id, ())]
        while rest:
            run_id = rest.pop()
            below.add(run_id)
            if (run := self.runs.get(run_id)) is not None:
                rest += [one for call in run["calls"].values() for one in call["child_run_ids"]]
        return below

    def _asked_itself(self, found: Rebuilt, call_id: str) -> bool:
        """Whether a call that had begun was waiting for an answer when its run ended."""
        if any(not one.resolved for one in found.awaits.get(call_id, ())):
            return True
        return self._was_suspended(call_id) and call_id not in found.children

    def _was_suspended(self, call_id: str) -> bool:
        """Whether the run in which a call had begun last ended as suspended."""
        line = {one["id"]: one["status"] for one in self.line}
        starts = (one for one in reversed(self.events) if isinstance(one, ToolStart))
        begun = (one for one in starts if one.tool_call_id == call_id and one.run_id in line)
        return line[next(begun).run_id] == "suspended"

    def _unknown(self, found: Rebuilt, call_id: str) -> str:
        is_waiting = call_id in found.children and self._was_suspended(call_id)
        return NOT_BEGUN_ANEW if is_waiting else NOT_KNOWN

    def _is_over(self, child: RunNode, call_id: str) -> bool:
        """Whether a run inside had ended while its call went on: its end is then given again.

        One that broke off together with the run around it is gone on with.
        """
        if child["status"] in ENDED:
            return True
        above = self.runs.get(child["parent_run_id"] or "")
        if child["status"] not in BROKE_OFF or above is None:
            return False
        return above["status"] == "suspended" or self._went_on_after(child, call_id)

    def _went_on_after(self, child: RunNode, call_id: str) -> bool:
        """Whether the call asked for more when a run that it had started was over."""
        events = self._family_of(child["id"])
        end = max(event.seq for event in events if event.run_id == child["id"])
        return any(
            isinstance(event, (ChildRunLinked, *AWAITS))
            and event.seq > end
            and event.run_id == child["parent_run_id"]
            and getattr(event, "tool_call_id", None) == call_id
            for event in events
        )

    def _is_heard(self, run: RunNode | None) -> bool:
        """Whether the model of a run, or of one that it goes on with, was told anything."""
        while run is not None and not run["requests"]:
            run = self.runs.get(run["resumed_from"] or "")
        return run is not None

    def _read(self, run_id: str) -> None:
        """Read a run with those inside it, and those that it goes on with."""
        wanted: str | None = run_id
        while wanted is not None and wanted not in self.runs:
            found = [one for one in find_runs(self.session.log, wanted) if one.run_id == wanted]
            if not found:
                return
            events = read_family(self.session.log, found[0].session_id, wanted)
            if not self.families:
                self.session_id = found[0].session_id
            self.families.append(events)
            self.events = [*events, *self.events]
            self.runs |= fold(events)["runs"]
            wanted = self.runs[wanted]["resumed_from"] if wanted in self.runs else None

    def _line(self) -> Iterable[RunNode]:
        node: RunNode | None = self.node
        while node is not None:
            yield node
            node = self.runs.get(node["resumed_from"] or "")

    def _authorized(self, call_id: str) -> tuple[ToolAuthorization | None, JsonValue]:
        """Who allowed or denied a call last, and with which arguments."""
        line = {one["id"]: one for one in self.line}
        words = (event for event in reversed(self.events) if isinstance(event, ToolAuthorization))
        for event in words:
            if event.tool_call_id == call_id and event.run_id in line:
                if event.arguments is not None:
                    return event, made_of(event)
                return event, line[event.run_id]["calls"][call_id]["arguments"]
        return None, None

    def _family_of(self, run_id: str) -> list[AnyEvent]:
        return next(
            events for events in self.families if any(event.run_id == run_id for event in events)
        )

    def _recalling(self, run_id: str) -> Callable[[], Run]:
        """How to have a run back that has ended."""
        events = self._family_of(run_id)
        return lambda: Run.recalled(self.session, run_id, events)

    def _open_awaits(self, run: RunNode) -> Iterable[tuple[str, AwaitNode]]:
        for one in run["awaits"]:
            if one["outcome"] is None:
                yield run["id"], one
        for call in run["calls"].values():
            for child_id in call["child_run_ids"]:
                if (child := self.runs.get(child_id)) is not None:
                    yield from self._open_awaits(child)


def may_begin_anew(tool: Tool) -> bool:
    """Whether a call of a tool may be made again that had begun when its run ended."""
    options = tool.options
    return options.external or options.resumable or bool(options.idempotent)


def _is_denied(event: ToolAuthorization) -> bool:
    """Whether a person has denied a call, and not what holds of a run where nobody is."""
    return not event.approved and not is_policy(event.approved_by, event.summary)
