"""A run of the log that is to be gone on with, with those inside of it and those before it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from nbagents.errors import RunError
from nbagents.redaction import MARK, holds_mark
from nbagents.results import CallResult
from nbagents.runs.logs import find_run, read_family, read_line, root_above
from nbagents.runs.people import is_policy, past_of, told_arguments
from nbagents.runs.policy import spent_of
from nbagents.runs.state import UNBROKEN_ENDS, Run
from nbagents.runs.tree import NOT_KNOWN, Line
from nbagents.runs.wording import family

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.messages import CallRequest
    from nbagents.runs.policy import Spent
    from nbagents.runs.state import Past, Session
    from nbagents.runs.tree import AuthorizationNode, RunNode, Tree
    from nbagents.tools.tool import Tool

NOT_WHOLE: Final = (
    f"Not done: the arguments of this call held a secret, which the log does not keep ({MARK}). "
    "If it is still wanted, call again."
)
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
        tree: It, and all that it goes on with; `None`: as the log tells it.
    """

    def __init__(self, session: Session, run_id: str, tree: Tree | None = None) -> None:
        self.session = session
        self.tree = read_line(session.log, run_id, has_inside=True) if tree is None else tree
        self.line = Line(self.tree, run_id)
        self.node = self.line.run
        self.open = tuple(
            (one["id"], asked)
            for one in family(self.tree, self.node)
            for asked in one["awaits"]
            if asked["outcome"] is None
        )
        """What a person was asked in it and inside of it, each with its run, and has not said."""

    @classmethod
    def of(cls, session: Session, run: Run | str) -> PastRun:
        """The run that is meant.

        Raises:
            RunError: There is none, there are several, or it still goes on.
        """
        run_id = find_run(session.log, run if isinstance(run, str) else run.id)
        here = {one.id: one for one in session.runs}.get(run_id)
        if here is not None and not here.is_closed:
            raise RunError("The run still goes on: wait for its end, or stop it.")
        past = cls(session, run_id)
        if past.node["status"] == "running" and past.goes_on_elsewhere:
            raise RunError(
                f"The run {run_id} still goes on in another kernel: wait for its end, or stop "
                "it there."
            )
        return past

    @property
    def session_id(self) -> str:
        """The session that it was logged in, which may be another kernel's."""
        return self.node["session_id"]

    @property
    def goes_on_elsewhere(self) -> bool:
        """Whether its session is another process's, which lives."""
        return self.session.log.living.where(self.session_id) == "elsewhere"

    def refuse_inside(self) -> None:
        """See that it is not inside of another run.

        Raises:
            RunError: It is: its calls could be made twice, by that one and by itself.
        """
        root_id = root_above(self.session.log, self.node["id"])
        if root_id != self.node["id"]:
            raise RunError(
                f"The run {self.node['id']} is inside of {root_id}: resume that one, which goes on "
                "with all that is inside of it."
            )

    def spent(self) -> Spent:
        """What it had spent, with all inside of it."""
        return spent_of(self.tree, self.line.nodes)

    def denied(self) -> set[tuple[str, str]]:
        """The calls that a person has denied, anywhere in it: each by its tool and arguments."""
        return {
            (call["name"], json.dumps(arguments, sort_keys=True))
            for run in self.tree["runs"].values()
            for call in run["calls"].values()
            if _is_denied(call["authorization"])
            if (arguments := self._shown_to(run, call["id"])) is not None
        }

    def _shown_to(self, denied_in: RunNode, call_id: str) -> JsonValue:
        """With which arguments a call was denied, also where it was asked in an earlier run."""
        for run in reversed(Line(self.tree, denied_in["id"]).nodes):
            for asked in reversed(run["awaits"]):
                if (asked["kind"], asked["call_id"]) == ("confirmation", call_id):
                    return asked["arguments"]
        return None

    def of_call(self, call_id: str) -> Past:
        """What a call had been given."""
        past = self._given(call_id)
        for child_id in self.line.children.get(call_id, ()):
            child = self.tree["runs"].get(child_id)
            is_over = child is not None and self._is_over(child)
            past.runs.append(self._recalling(child_id) if is_over else child_id)
            if child is None or not self._is_heard(child):
                past.unheard.add(child_id)
        return past

    def lost(self, tools: Iterable[Tool]) -> dict[str, CallResult]:
        """Results of calls of which nobody knows whether they did their work: they had begun.

        Made again are those that waited for an answer to a question of their own, and those whose
        tools say that they may begin anew. That a call had a run inside of it says nothing of what
        it did before.
        """
        line, anew = self.line, {one.name for one in tools if may_begin_anew(one)}
        secret = CallResult(content=NOT_WHOLE, status="cancelled")
        withheld = {one.id: secret for one in line.pending if self._held_a_secret(one)}
        return withheld | {
            one.id: CallResult(content=self._unknown(one.id), status="cancelled")
            for one in line.pending
            if one.id in line.started and one.name not in anew and not self._asked_itself(one.id)
        }

    def _held_a_secret(self, call: CallRequest) -> bool:
        """Whether the log does not have all that a call would be made with."""
        past = self._given(call.id)
        edited = None if past.verdict is None else past.verdict.arguments
        return any(holds_mark(one) for one in (call.arguments, past.arguments, edited))

    def below(self, call_ids: Iterable[str]) -> set[str]:
        """The runs inside of calls, however deep."""
        runs = self.tree["runs"]
        started = [one for call_id in call_ids for one in self.line.children.get(call_id, ())]
        inside = (
            one for child in started if child in runs for one in family(self.tree, runs[child])
        )
        return {*started, *(one["id"] for one in inside)}

    def _asked_itself(self, call_id: str) -> bool:
        """Whether a call that had begun was waiting for an answer when its run ended."""
        if any(one["outcome"] is None for one in self.line.awaits.get(call_id, ())):
            return True
        return self._was_suspended(call_id) and call_id not in self.line.children

    def _was_suspended(self, call_id: str) -> bool:
        """Whether the run in which a call had begun last ended as suspended."""
        found = ((run, run["calls"].get(call_id)) for run in reversed(self.line.nodes))
        begun = (run for run, call in found if call and call["started_at"] is not None)
        return next(begun)["status"] == "suspended"

    def _unknown(self, call_id: str) -> str:
        is_waiting = call_id in self.line.children and self._was_suspended(call_id)
        return NOT_BEGUN_ANEW if is_waiting else NOT_KNOWN

    def _is_over(self, child: RunNode) -> bool:
        """Whether a run inside had ended while its call went on: its end is then given again.

        One that broke off together with the run around it is gone on with, unless the call asked
        for more when it was over.
        """
        if child["status"] in UNBROKEN_ENDS:
            return True
        above = self.tree["runs"].get(child["parent_run_id"] or "")
        if child["status"] not in BROKE_OFF or above is None:
            return False
        call = above["calls"][child["parent_tool_call_id"] or ""]
        return above["status"] == "suspended" or call["asked_seq"] > child["seq"]

    def _is_heard(self, run: RunNode) -> bool:
        """Whether the model of a run, or of one that it goes on with, was told anything."""
        return any(one["requests"] for one in Line(self.tree, run["id"]).nodes)

    def _given(self, call_id: str) -> Past:
        """What a call had been given, but for runs."""
        past = self._decided(call_id)
        edits = (one for run in self.line.nodes for one in run.get("edits", ()))
        given = [one["written"] for one in edits if one["call_id"] == call_id]
        if given and given[-1] is not None:  # in step mode, before it was asked about
            past.arguments = given[-1] if past.arguments is None else past.arguments
            past.said = told_arguments(given[-1]) + past.said
        return past

    def _decided(self, call_id: str) -> Past:
        """What a person was asked about a call, and has said."""
        asked = self.line.awaits.get(call_id, ())
        for run in reversed(self.line.nodes):
            call = run["calls"].get(call_id)
            if call is not None and (said := call["authorization"]) is not None:
                made_of = said["made_of"]
                return past_of(asked, said, call["arguments"] if made_of is None else made_of)
        return past_of(asked, None, None)

    def _recalling(self, run_id: str) -> Callable[[], Run]:
        """How to have a run back that has ended."""
        session, where = self.session, self.tree["runs"][run_id]["session_id"]
        return lambda: Run.recalled(session, run_id, read_family(session.log, where, run_id))


def may_begin_anew(tool: Tool) -> bool:
    """Whether a call of a tool may be made again that had begun when its run ended."""
    options = tool.options
    return options.external or options.resumable or bool(options.idempotent)


def _is_denied(said: AuthorizationNode | None) -> bool:
    """Whether a person has denied a call, and not what holds of a run where nobody is."""
    return said is not None and not said["approved"] and not is_policy(said["by"], said["summary"])
