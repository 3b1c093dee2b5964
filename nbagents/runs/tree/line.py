"""A run as it stood, read together with the runs that it goes on with, as if they were one."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from nbagents.messages import AssistantMessage, CallRequest, told
from nbagents.results import Bounds, CallResult, Earlier, Failure, Limits, Payload, RunLink
from nbagents.runs.tree.awaits import askers, words_of
from nbagents.runs.tree.conversation import Conversation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nbagents.messages import Message
    from nbagents.runs.tree.nodes import AwaitNode, CallNode, RunNode, Tree

NOT_KNOWN: Final = (
    "It is not known how this call ended: the run broke off while it went on. It may have happened."
)
NOT_MADE: Final = "Not done: the run broke off before this call was made."


class Line:
    """A run, and those that it goes on with.

    Args:
        tree: It has them, and the runs that their calls have started.
        run_id: The run.

    Raises:
        LookupError: The tree does not have it.
    """

    def __init__(self, tree: Tree, run_id: str) -> None:
        self.runs: Mapping[str, RunNode] = tree["runs"]
        self.nodes = _nodes(self.runs, run_id)
        """The oldest first."""
        self.run = self.nodes[-1]
        self.run_id = run_id
        self.limits = Limits.model_validate(self.run["limits"])

    @property
    def current_agent(self) -> str:
        """Who holds it: whoever it was handed over to last, unless nobody of that name was left."""
        for node in reversed(self.nodes):
            handed = [one["to_agent"] for one in node["items"] if one["type"] == "handoff"]
            if handed or node["requests"]:
                return (node["agent_name"], *handed)[-1]
        return self.agent_name

    @property
    def agent_name(self) -> str:
        """Who it began with."""
        return self.nodes[0]["agent_name"]

    @cached_property
    def _prompted(self) -> RunNode:
        """The first of them that says what it is about."""
        return next((one for one in self.nodes if one["prompt"] or one["shared"]), self.run)

    @property
    def prompt(self) -> str:
        """What was asked."""
        return self._prompted["prompt"]

    @property
    def shared(self) -> tuple[str, ...]:
        """What was handed over with it, a line each."""
        return tuple(self._prompted["shared"])

    @cached_property
    def finished(self) -> Mapping[str, CallResult]:
        """What is known of each call that has ended, by id; live objects are gone."""
        return {
            call["id"]: _result(call)
            for node in self.nodes
            for call in node["calls"].values()
            if call["content"] is not None
        }

    @cached_property
    def _conversation(self) -> Conversation:
        made = Conversation(self.finished, CallResult(content=NOT_KNOWN, status="cancelled"))
        for node in self.nodes:
            made.take(node)
        if not self._pending(made):
            made.settle()
        return made

    @property
    def messages(self) -> tuple[Message, ...]:
        """The conversation; where calls of the newest answer are pending, without its results."""
        return tuple(self._conversation.messages)

    @property
    def closed(self) -> tuple[Message, ...]:
        """The conversation with a result for each call."""
        return self._closed(self.messages)

    @property
    def earlier(self) -> Earlier | None:
        """Which of them other runs have logged."""
        earlier = self._conversation.earlier
        return Earlier.model_validate(earlier) if earlier and earlier["count"] else None

    @property
    def turn(self) -> tuple[Message, ...]:
        """What was said in it: the prompt, and all that answers it."""
        return tuple(self._conversation.turn)

    @property
    def closed_turn(self) -> tuple[Message, ...]:
        """The same with a result for each call, as a model may be told it."""
        return self._closed(self.turn)

    def _closed(self, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        last = messages[-1] if messages else None
        if not self.pending or not isinstance(last, AssistantMessage):
            return messages
        return (*messages, *(told(call, self._known(call)) for call in last.calls))

    def _known(self, call: CallRequest) -> CallResult:
        content = NOT_KNOWN if call.id in self.started else NOT_MADE
        return self.finished.get(call.id) or CallResult(content=content, status="cancelled")

    @cached_property
    def pending(self) -> tuple[CallRequest, ...]:
        """The calls of the newest answer that have no result."""
        return self._pending(self._conversation)

    def _pending(self, told: Conversation) -> tuple[CallRequest, ...]:
        return tuple(call for call in told.open_calls if call.id not in self.finished)

    @property
    def is_closing(self) -> bool:
        """Whether no model asked for the newest answer's call, which is made at a limit."""
        for node in reversed(self.nodes):
            if node["answers"]:
                last = node["answers"][-1]
                asked = (one["step"] for one in node["requests"][: last["requests"]])
                return bool(last["calls"]) and last["step"] not in asked
        return False

    @cached_property
    def started(self) -> frozenset[str]:
        """Those of the pending calls, by id, that had begun: they may have done something."""
        pending = {call.id for call in self.pending}
        calls = (call for node in self.nodes for call in node["calls"].values())
        begun = {call["id"] for call in calls if call["started_at"] is not None}
        return frozenset(begun & pending)

    @cached_property
    def children(self) -> Mapping[str, tuple[str, ...]]:
        """The runs that each call has started; of one that was gone on with, the newest."""
        found: dict[str, list[str]] = {}
        for call in (call for node in self.nodes for call in node["calls"].values()):
            for child_id in call["child_run_ids"]:
                runs = found.setdefault(call["id"], [])
                child = self.runs.get(child_id)
                before = child and child["resumed_from"]
                if before in runs:
                    runs[runs.index(before)] = child_id
                elif child_id not in runs:
                    runs.append(child_id)
        return {call_id: tuple(runs) for call_id, runs in found.items()}

    @cached_property
    def awaits(self) -> Mapping[str | None, tuple[AwaitNode, ...]]:
        """What was asked in each call, in order; under `None` what no single call asked.

        What was open when a run was suspended is asked again by the one that goes on with it.
        """
        asked: list[AwaitNode] = []
        for node in self.nodes:
            again = {_place(one) for one in node["awaits"]}
            asked = [one for one in asked if one["outcome"] or _place(one) not in again]
            asked += node["awaits"]
        ids = {call_id for one in asked for call_id in askers(one) or (None,)}
        return {
            call_id: tuple(one for one in asked if call_id in (askers(one) or (None,)))
            for call_id in ids
        }


def _nodes(runs: Mapping[str, RunNode], run_id: str) -> Sequence[RunNode]:
    if run_id not in runs:
        raise LookupError(f"No event tells how the run {run_id!r} began.")
    nodes = [runs[run_id]]
    while (before := runs.get(nodes[0]["resumed_from"] or "")) is not None:
        nodes.insert(0, before)
    return nodes


def _place(asked: AwaitNode) -> tuple[str, str, str]:
    """What tells one question of a run from another."""
    return asked["kind"], " ".join(askers(asked)), words_of(asked)


def _result(call: CallNode) -> CallResult:
    failure, bounds = call["failure"], call["bounds"]
    status: Any = call["status"]  # no other is ever written of a call that has ended
    return CallResult(
        content=call["content"] or "",
        handle=call["handle"],
        payloads=tuple(Payload.model_validate(one["payload"]) for one in call["payloads"]),
        has_next=call["has_next"],
        preview=call["preview"],
        failure=None if failure is None else Failure.model_validate(failure),
        bounds=None if bounds is None else Bounds.model_validate(bounds),
        run_links=tuple(RunLink.model_validate(one) for one in call["run_links"]),
        status=status,
    )


def last_offered(run: RunNode) -> Sequence[str] | None:
    """The tools that whoever holds a run was offered last; `None`: its model was not asked yet."""
    handed = (one["step"] for one in run["items"] if one["type"] == "handoff")
    last = run["requests"][-1] if run["requests"] else None
    # At step 0 a run only says what it goes on with.
    return last["tools"] if last is not None and last["step"] > max(handed, default=0) else None
