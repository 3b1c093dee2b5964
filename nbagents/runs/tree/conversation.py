"""What a model was told and what it said, put together from the nodes of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from nbagents.messages import (
    AssistantMessage,
    CallRequest,
    SystemMessage,
    ToolMessage,
    UserMessage,
    told,
)
from nbagents.runs.tree.trimming import newest_turn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nbagents.messages import Message
    from nbagents.results import CallResult
    from nbagents.runs.tree.nodes import AnswerNode, RequestNode, RunNode

Shown = dict[str, Any]  # a `ShownMessage` as JSON


class Unpaired(NamedTuple):
    """A call without its result right below it, or a result without its call."""

    place: int
    """Which of the messages it is, or asks for it."""
    call_id: str
    is_result: bool


def unpaired(messages: Sequence[Message]) -> Unpaired | None:
    """What keeps a provider from taking a conversation; `None`: all calls have their results."""
    waiting: list[str] = []
    asked = 0
    for at, one in enumerate(messages):
        if isinstance(one, ToolMessage):
            if one.call_id not in waiting:
                return Unpaired(at, one.call_id, is_result=True)
            waiting.remove(one.call_id)
        elif waiting:
            break
        elif isinstance(one, AssistantMessage):
            waiting, asked = [call.id for call in one.calls], at
    return Unpaired(asked, waiting[0], is_result=False) if waiting else None


class Conversation:
    """What a model was told and what it said, of one run after the other.

    Args:
        finished: The results of calls, by id.
        unknown: That of a call of which none is known.
    """

    def __init__(self, finished: Mapping[str, CallResult], unknown: CallResult) -> None:
        self.messages: list[Message] = []
        """As the model knows it."""
        self.earlier: Shown | None = None
        """Which of them other runs have logged; see `RequestNode`."""
        self.turn: list[Message] = []
        """What was said since the prompt, also where a hand-over has left some of it out."""
        self._finished = finished
        self._unknown = unknown

    def take(self, run: RunNode) -> None:
        """Take what was told and said in a run."""
        rest = list(run["answers"])
        for count, request in enumerate(run["requests"]):
            while rest and rest[0]["requests"] <= count:
                self._answer(rest.pop(0))
            self._request(request)
        for answer in rest:
            self._answer(answer)

    @property
    def open_calls(self) -> tuple[CallRequest, ...]:
        """The calls of the newest answer, if nothing was said since."""
        last = self.messages[-1] if self.messages else None
        return last.calls if isinstance(last, AssistantMessage) else ()

    def settle(self) -> None:
        """Let the results of the newest answer follow it, in call order."""
        for call in self.open_calls:
            self._say(told(call, self._finished.get(call.id, self._unknown)))

    def _say(self, message: Message) -> None:
        self.messages.append(message)
        self.turn.append(message)

    def _answer(self, answer: AnswerNode) -> None:
        self.settle()
        calls = tuple(CallRequest(**one) for one in answer["calls"])
        self._say(AssistantMessage(text=answer["text"], calls=calls))

    def _request(self, request: RequestNode) -> None:
        """What the model is told beside answers and results; at a beginning, all of it."""
        said = request["messages"]
        is_taken_over = request["step"] == 0  # what a run goes on with, as that one stood
        if not is_taken_over:
            self.settle()
        if is_taken_over or request["earlier"] or request["message_count"] == len(said):
            self.messages, self.earlier = _whole(said), request["earlier"]
            self.turn = self.turn or self._begun()
            return
        for one in said:  # with the instructions of an agent that took over, if one did
            self._say(_message(one, {}))

    def _begun(self) -> list[Message]:
        """What a turn begins with: the prompt, and what the person did since."""
        if self.earlier is not None:
            return self.messages[self.earlier["place"] + self.earlier["count"] :]
        prompt = len(self.messages)
        while prompt and _is_notice(self.messages[prompt - 1]):
            prompt -= 1
        return [*newest_turn(self.messages[:prompt]), *self.messages[prompt:]]


def _is_notice(message: Message) -> bool:
    return isinstance(message, UserMessage) and message.is_notice


def _whole(said: Sequence[Shown]) -> list[Message]:
    """A conversation that is told from its beginning."""
    names: dict[str, str] = {}
    made: list[Message] = []
    for one in said:
        names |= {call["id"]: call["name"] for call in one["calls"]}
        made.append(_message(one, names))
    return made


def _message(said: Shown, names: Mapping[str, str]) -> Message:
    """A message, with a line for each image and file that is not kept."""
    if said["role"] == "system":
        return SystemMessage(text=said["text"])
    if said["role"] == "assistant":
        calls = tuple(CallRequest(**one) for one in said["calls"])
        return AssistantMessage(text=said["text"], calls=calls)
    parts = [f"[{part}]" for part in said["parts"]]
    if said["role"] == "tool":
        return ToolMessage(
            call_id=said["call_id"] or "",
            name=names.get(said["call_id"] or "", ""),
            content="\n".join((said["text"], *parts)),
            failed=said["failed"],
        )
    words = said["text"].removesuffix(f"\n\n{said['shared']}") if said["shared"] else said["text"]
    return UserMessage(
        text="\n".join((words, *parts)), shared=said["shared"], is_notice=said["is_notice"]
    )
