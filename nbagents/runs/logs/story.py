"""What the events of a run tell, taken one after the other."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, cast

from nbagents.events import (
    AssistantTurn,
    AwaitClarification,
    AwaitConfirmation,
    AwaitExternalTools,
    AwaitQuestions,
    AwaitResolved,
    ChildRunLinked,
    Handoff,
    PromptRendered,
    RunStart,
    ToolData,
    ToolEnd,
    ToolStart,
    UserMessageReceived,
    Workflow,
)
from nbagents.messages import (
    AssistantMessage,
    CallRequest,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from nbagents.results import CallResult
from nbagents.runs.loop import told
from nbagents.runs.sharing import apart
from nbagents.runs.trimming import newest_turn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import JsonValue

    from nbagents.events import AnyEvent, RunStatus
    from nbagents.messages import Message
    from nbagents.results import Payload, ShownMessage

    AnyAwait = AwaitConfirmation | AwaitClarification | AwaitQuestions | AwaitExternalTools

__all__ = ["AWAITS", "NOT_KNOWN", "PastAwait", "Story"]

NOT_KNOWN: Final = (
    "It is not known how this call ended: the run broke off while it went on. It may have happened."
)
AWAITS: Final = (AwaitConfirmation, AwaitClarification, AwaitQuestions, AwaitExternalTools)


@dataclass(frozen=True, slots=True, kw_only=True)
class PastAwait:
    """What a person was asked, and what they said."""

    asked: AnyAwait
    resolved: AwaitResolved | None = None
    """`None`: it is open."""

    @property
    def words(self) -> str:
        """The question."""
        asked = self.asked
        if isinstance(asked, AwaitConfirmation):
            return asked.prompt
        if isinstance(asked, AwaitClarification):
            return asked.question
        return asked.title if isinstance(asked, AwaitQuestions) else " ".join(self.call_ids)

    @property
    def call_ids(self) -> tuple[str, ...]:
        """The calls that wait for it."""
        if isinstance(self.asked, AwaitExternalTools):
            return tuple(one.id for one in self.asked.calls)
        call_id = self.asked.tool_call_id
        return () if call_id is None else (call_id,)

    @property
    def answer(self) -> JsonValue:
        """What was answered, as the log has it."""
        return None if self.resolved is None else self.resolved.answer


@dataclass(slots=True)
class Story:
    """What the events of a run tell, one after the other."""

    resumed: Mapping[str, str]
    """Which runs go on with which."""
    start: RunStart | None = None
    said: UserMessageReceived | None = None
    first_agent: str = ""
    """Who it began with, in the oldest of the runs."""
    agent_name: str = ""
    status: RunStatus = "running"
    messages: list[Message] = field(default_factory=list[Any])
    """The conversation as the model knows it."""
    turn: list[Message] = field(default_factory=list[Any])
    """What was said since the prompt, also where a hand-over has left some of it out."""
    finished: dict[str, CallResult] = field(default_factory=dict[str, CallResult])
    started: set[str] = field(default_factory=set[str])
    payloads: dict[str, dict[str, Payload]] = field(default_factory=dict[str, Any])
    children: dict[str, list[str]] = field(default_factory=dict[str, Any])
    awaits: list[PastAwait] = field(default_factory=list[PastAwait])
    asked: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])
    """The runs and steps in which a model was asked."""
    is_closing: bool = False
    """Whether no model asked for the newest answer's call, which is made at a limit."""
    seen: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])

    def take(self, event: AnyEvent) -> None:
        """Take the next event; the same one twice changes nothing."""
        if (key := (event.run_id, event.event_key)) in self.seen:
            return
        self.seen.add(key)
        if isinstance(event, AssistantTurn):
            self._answer(event)
        elif isinstance(event, PromptRendered):
            self._render(event)
        elif isinstance(event, AWAITS):
            self._ask(event)
        elif isinstance(event, AwaitResolved):
            self._resolve(event)
        else:
            self._begin_or_call(event)

    def _begin_or_call(self, event: AnyEvent) -> None:
        if isinstance(event, RunStart):
            self.start, self.agent_name, self.status = event, event.agent_name, "running"
            self.first_agent = self.first_agent or event.agent_name
        elif isinstance(event, UserMessageReceived):
            self.said = self.said or event
        elif isinstance(event, Handoff):
            self.agent_name = event.to_agent
        elif isinstance(event, Workflow):
            self._end(event)
        else:
            self._call(event)

    def _call(self, event: AnyEvent) -> None:
        if isinstance(event, ToolStart):
            self.started.add(event.tool_call_id)
        elif isinstance(event, ToolData):
            shown = self.payloads.setdefault(event.tool_call_id, {})
            shown[event.payload_id] = event.payload
        elif isinstance(event, ToolEnd):
            shown = self.payloads.get(event.tool_call_id, {})
            self.finished[event.tool_call_id] = _result(event, tuple(shown.values()))
        elif isinstance(event, ChildRunLinked):
            self._link(event)

    def _newest_calls(self) -> tuple[CallRequest, ...]:
        """The calls of the newest answer, if nothing was said since."""
        last = self.messages[-1] if self.messages else None
        return last.calls if isinstance(last, AssistantMessage) else ()

    def pending(self) -> tuple[CallRequest, ...]:
        """The calls of the newest answer that have no result."""
        return tuple(call for call in self._newest_calls() if call.id not in self.finished)

    def settle(self) -> None:
        """Let the results of the newest answer follow it, in call order."""
        unknown = CallResult(content=NOT_KNOWN, status="cancelled")
        for call in self._newest_calls():
            self._say(told(call, self.finished.get(call.id, unknown)))

    def _say(self, message: Message) -> None:
        self.messages.append(message)
        self.turn.append(message)

    def _answer(self, event: AssistantTurn) -> None:
        self.settle()
        calls = tuple(
            CallRequest(id=one.id, name=one.name, arguments=one.arguments) for one in event.calls
        )
        self._say(AssistantMessage(text=event.text, calls=calls))
        self.is_closing = bool(calls) and (event.run_id, event.step) not in self.asked

    def _render(self, event: PromptRendered) -> None:
        """What the model is told beside answers and results; at a beginning, all of it."""
        self.asked.add((event.run_id, event.step))
        if event.step > 0:  # at 0 a run tells of one that it goes on with, as that one stood
            self.settle()
        if event.step == 0 or event.message_count == len(event.messages):
            self.messages = self._whole(event.messages)
            self.turn = self.turn or list(newest_turn(self.messages))
            return
        for one in event.messages:  # with the instructions of an agent that took over, if one did
            is_system = one.role == "system"
            self._say(SystemMessage(text=one.text) if is_system else self._user(one, self.messages))

    def _whole(self, shown: Sequence[ShownMessage]) -> list[Message]:
        """A conversation that is told from its beginning."""
        names: dict[str, str] = {}
        made: list[Message] = []
        for one in shown:
            if one.role == "user":
                made.append(self._user(one, made))
            elif one.role == "system":
                made.append(SystemMessage(text=one.text))
            elif one.role == "assistant":
                names |= {call.id: call.name for call in one.calls}
                calls = tuple(CallRequest(**call.model_dump()) for call in one.calls)
                made.append(AssistantMessage(text=one.text, calls=calls))
            else:
                made.append(self._tool(one, names))
        return made

    def _tool(self, shown: ShownMessage, names: Mapping[str, str]) -> ToolMessage:
        call_id = shown.call_id or ""
        known = self.finished.get(call_id)
        failed = known is not None and known.status != "done"
        return ToolMessage(
            call_id=call_id,
            name=names.get(call_id, ""),
            content=_text(shown.text, shown),
            failed=failed,
        )

    def _user(self, shown: ShownMessage, before: Sequence[Message]) -> UserMessage:
        """A prompt, a correction or a notice: a notice answers no answer."""
        said = next((one for one in reversed(before) if not isinstance(one, SystemMessage)), None)
        text, objects = apart(shown.text)
        is_prompt = self.said is not None and text == self.said.text
        answers = isinstance(said, AssistantMessage) and not said.calls
        return UserMessage(
            text=_text(text, shown),
            shared=objects,
            is_notice=not (is_prompt or answers or said is None),
        )

    def _link(self, event: ChildRunLinked) -> None:
        """A child that goes on with one there was takes its place."""
        runs = self.children.setdefault(event.tool_call_id, [])
        before = self.resumed.get(event.child_run_id)
        if before in runs:
            runs[runs.index(before)] = event.child_run_id
        elif event.child_run_id not in runs:
            runs.append(event.child_run_id)

    def _ask(self, event: AnyAwait) -> None:
        """A question; one that was open when the run was suspended is asked again."""
        asked = PastAwait(asked=event)
        self.awaits = [one for one in self.awaits if one.resolved or not _is_same(one, asked)]
        self.awaits.append(asked)

    def _resolve(self, event: AwaitResolved) -> None:
        self.awaits = [
            replace(one, resolved=event) if one.asked.await_id == event.await_id else one
            for one in self.awaits
        ]

    def _end(self, event: Workflow) -> None:
        ended = ("completed", "failed", "limit", "denied", "cancelled", "suspended")
        if event.phase in ended:
            self.status = cast("RunStatus", event.phase)


def _is_same(one: PastAwait, other: PastAwait) -> bool:
    """Whether two runs ask the same."""
    return (
        one.asked.type == other.asked.type
        and one.asked.run_id != other.asked.run_id
        and one.call_ids == other.call_ids
        and one.words == other.words
    )


def _result(event: ToolEnd, payloads: tuple[Payload, ...]) -> CallResult:
    return CallResult(
        content=event.content,
        handle=event.handle,
        payloads=payloads,
        has_next=event.has_next,
        preview=event.preview,
        failure=event.failure,
        bounds=event.bounds,
        run_links=event.run_links,
        status=cast("Any", event.status),  # no other is ever written of a call that has ended
    )


def _text(text: str, shown: ShownMessage) -> str:
    """The text of a message, with a line for each image and file that is not kept."""
    return "\n".join((text, *(f"[{part}]" for part in shown.parts)))
