"""OpenAI's Chat Completions, and every server that speaks them, over the openai client."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from nbagents.models.chat.body import PLAIN, Conversation, chat_head
from nbagents.models.chat.lessons import Asked, Lessons, lesson
from nbagents.models.chat.stream import ChatStream
from nbagents.models.openai import (
    Asking,
    Head,
    OpenAIModel,
    Sending,
    Shape,
    body_json,
    call_name,
    kept_in,
    loosened,
    mark_of,
)

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nbagents.models.model import OutputSpec, ToolSpec

_learned: dict[tuple[str, str], Lessons] = {}
"""What a model at a base URL wants to be told, learned from its refusals."""


class OpenAIChat(OpenAIModel):
    """A model behind a Chat Completions endpoint.

    Its arguments are those of `OpenAIModel`.
    """

    runs_hosted = False
    """Whether the provider runs tools of its own for it: that takes the Responses API."""

    def _question(self, sending: Sending) -> _ChatQuestion:
        return _ChatQuestion(sending)


@dataclass(slots=True)
class _Memo:
    """What a run keeps, so that its next request costs only what is new."""

    head: Head[tuple[ToolSpec, ...]] = field(default_factory=chat_head)
    conversation: Conversation = field(default_factory=Conversation)
    left_out: set[str] = field(default_factory=set[str])
    """What the person was told that the model is not shown: `image`, `file`."""


class _ChatQuestion(Asking):
    path = "/chat/completions"

    def __init__(self, sending: Sending) -> None:
        super().__init__(sending)
        self._memo = kept_in(sending.request.memo, _Memo)

    def body(self) -> bytes:
        """The whole body, by appending what is new."""
        known, memo, asked = self._known, self._memo, self._request
        shape = PLAIN if known is UNTAUGHT else self._shape(known)
        tools = asked.tools if known.strict else _loose(asked.tools)
        head = memo.head.follow(self._options(known), loosened(tools, known.loose))
        messages = memo.conversation.follow(asked.messages, shape)
        if memo.conversation.kinds:
            self._note_left_out(shape)
        return b"".join((head, messages, b"]}"))

    def reader(self) -> ChatStream:
        """A reader that gives no call an id that the conversation has."""
        return ChatStream(self._memo.conversation.call_ids)

    def learn(self, refusal: Exception) -> bool:
        """Whether the refusal taught something about this model."""
        tools, output = self._request.tools, self._request.output
        asked = Asked(
            model=self.model,
            known=self._known,
            options=self._options(self._known),
            has_tools=bool(tools),
            has_output=output is not None,
            has_strict=any(spec.strict for spec in (*tools, *([output] if output else ()))),
            schemas={spec.name: mark_of(spec) for spec in tools if spec.strict},
            kinds=frozenset(self._memo.conversation.kinds),
        )
        learned = lesson(refusal, asked)
        if learned is None:
            return False
        _learned[self._place], note = learned
        self._notes += [note] if note else []
        return True

    @property
    def _known(self) -> Lessons:
        return _learned.get(self._place, UNTAUGHT)

    def _options(self, known: Lessons) -> dict[str, JsonValue]:
        """What stands in the body beside messages and tools."""
        request = self._request
        options: dict[str, JsonValue] = {"stream_options": {"include_usage": True}}
        if request.tools and not request.parallel:
            options["parallel_tool_calls"] = False
        if request.output and known.output != "text":
            options["response_format"] = _response_format(request.output, known)
        if known.options:
            options.update(known.options)
            if not request.tools:
                options.pop("reasoning_effort", None)
        options = self._with_settings(options, can_forbid=known.forbids)
        return {name: value for name, value in options.items() if value is not None}

    def _named(self, tool: str) -> JsonValue:
        return {"type": "function", "function": {"name": call_name(tool)}}

    def _shape(self, known: Lessons) -> Shape:
        """What the messages may hold; the answer's schema too, where it can be no option."""
        said, output = "", self._request.output
        if output and known.output != "schema":
            schema = body_json(output.schema).decode()
            said = f"Answer with one JSON object of this JSON Schema and nothing else:\n{schema}"
        return Shape(
            images=known.images,
            files=known.files,
            instruction=said,
            system_first=known.system_first,
            alternates=known.alternates,
        )

    def _note_left_out(self, shape: Shape) -> None:
        kinds, told = self._memo.conversation.kinds, self._memo.left_out
        for kind in sorted(kinds - told):
            if not shape.takes(kind):
                told.add(kind)
                self._notes.append(f"{self.model} takes no {kind}s: it is told of them in words.")


UNTAUGHT = Lessons()


def _response_format(output: OutputSpec, known: Lessons) -> JsonValue:
    if known.output == "object":
        return {"type": "json_object"}
    asked: dict[str, JsonValue] = {"name": call_name(output.name), "schema": dict(output.schema)}
    if output.strict and known.strict:
        asked["strict"] = True
    return {"type": "json_schema", "json_schema": asked}


def _loose(tools: tuple[ToolSpec, ...]) -> tuple[ToolSpec, ...]:
    return tuple(replace(spec, strict=False) for spec in tools)
