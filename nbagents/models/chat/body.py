"""The body of a chat completion request, which grows by appending.

Each message is encoded once and its bytes are kept for the rest of the run, so a request costs what
is new in it. The typed client walks the whole conversation again on every turn instead.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nbagents.errors import ModelError
from nbagents.messages import AssistantMessage, SystemMessage, ToolMessage, UserMessage
from nbagents.models.openai import (
    Head,
    Shape,
    body_json,
    call_arguments,
    call_name,
    kinds,
    told_in_text,
    user_content,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.messages import CallRequest, Message
    from nbagents.models.model import ToolSpec
    from nbagents.models.openai import Piece

PLAIN = Shape()

BETWEEN = b'{"role":"assistant","content":"Understood."}'
"""What an assistant says where a user may not speak yet."""


class Conversation:
    """The messages of one run as JSON, joined by commas."""

    __slots__ = (
        *("_count", "_is_shown", "_last", "_later", "_role", "_shape"),
        *("call_ids", "encoded", "kinds"),
    )

    def __init__(self) -> None:
        self.encoded = bytearray()
        self.call_ids: set[str] = set()
        """The ids of all calls so far: a new call must have another."""
        self.kinds: set[str] = set()
        """What the messages hold beside text, sent or left out: `image`, `file`."""
        self._count = 0
        self._last: Message | None = None
        self._later: list[Piece] = []
        self._is_shown = False
        self._role = ""
        self._shape = PLAIN

    def follow(self, messages: Sequence[Message], shape: Shape = PLAIN) -> bytearray:
        """Append what is new in the messages; begin again if they are not the same conversation."""
        if self._count and self._is_other(messages, shape):
            self._begin_again()
        self._shape = shape
        for message in messages[self._count :]:
            self._append(message)
        self._show()
        return self.encoded

    def _is_other(self, messages: Sequence[Message], shape: Shape) -> bool:
        if len(messages) < self._count or messages[self._count - 1] != self._last:
            return True
        # What a batch of tool messages shows stands behind its last one.
        more = self._is_shown and isinstance(_at(messages, self._count), ToolMessage)
        return more or shape != self._shape

    def _begin_again(self) -> None:
        self.encoded.clear()
        self.call_ids.clear()
        self.kinds.clear()
        self._count = 0
        self._role = ""

    def _append(self, message: Message) -> None:
        if not self._count and self._shape.instruction:
            self._instruct(message)
        elif isinstance(message, ToolMessage):
            self._append_tool(message)
        else:
            self._show()
            self._append_said(message)
        if isinstance(message, AssistantMessage):
            self.call_ids.update(call.id for call in message.calls)
        elif not isinstance(message, SystemMessage) and message.parts:
            self.kinds |= kinds(message.parts)
        self._count += 1
        self._last = message

    def _append_said(self, message: Message) -> None:
        if self._shape.system_first and self._count and isinstance(message, SystemMessage):
            message = UserMessage(text=message.text)
        self._write(encode_message(message, self._shape), message.role)

    def _instruct(self, first: Message) -> None:
        """Say the instruction with the system message, or as one."""
        said = self._shape.instruction
        if isinstance(first, SystemMessage):
            self._write(encode_message(replace(first, text=f"{first.text}\n\n{said}")), "system")
            return
        self._write(encode_message(SystemMessage(text=said)), "system")
        self._write(encode_message(first, self._shape), first.role)

    def _append_tool(self, message: ToolMessage) -> None:
        if message.parts:
            message, pieces = told_in_text(message, self._shape)
            self._later += pieces
        self._write(encode_message(message), "tool")

    def _show(self) -> None:
        """Show what the tool messages before could not hold, in a user message."""
        if self._later:
            self._write(body_json({"role": "user", "content": self._later}), "user")
            self._later = []
            self._is_shown = True

    def _write(self, encoded: bytes, role: str) -> None:
        if role == "user" and self._shape.alternates and self._role in {"user", "tool"}:
            self._write(BETWEEN, "assistant")
        self._is_shown, self._role = False, role
        if self.encoded:
            self.encoded += b","
        self.encoded += encoded


def chat_head() -> Head[tuple[ToolSpec, ...]]:
    """What comes before the messages."""
    return Head("messages", lambda tools: [_tool(spec) for spec in tools])


def encode_message(message: Message, shape: Shape = PLAIN) -> bytes:
    """One message as JSON; of a tool's, the text."""
    if isinstance(message, AssistantMessage):
        return body_json(_assistant(message))
    if isinstance(message, ToolMessage):
        return body_json(
            {"role": "tool", "tool_call_id": message.call_id, "content": message.content}
        )
    if not isinstance(message, UserMessage):
        return body_json({"role": message.role, "content": message.text})
    content: object = message.told
    if message.parts:
        content = user_content(message.told, message.parts, shape)
    return body_json({"role": message.role, "content": content})


def _assistant(message: AssistantMessage) -> dict[str, object]:
    if not message.calls:
        return {"role": "assistant", "content": message.text}
    return {
        "role": "assistant",
        "content": message.text or None,
        "tool_calls": [_call(call) for call in message.calls],
    }


def _call(call: CallRequest) -> dict[str, object]:
    return {
        "id": call.id,
        "type": "function",
        "function": {"name": call_name(call.name), "arguments": call_arguments(call.arguments)},
    }


def _at(messages: Sequence[Message], index: int) -> Message | None:
    return messages[index] if index < len(messages) else None


def _tool(spec: ToolSpec) -> dict[str, object]:
    if spec.hosted is not None:
        raise ModelError(
            f"{spec.name!r} runs at the provider and needs the Responses API: "
            "use -m responses:MODEL, or nba.OpenAIResponses."
        )
    function: dict[str, object] = {
        "name": spec.name,
        "description": spec.description,
        "parameters": spec.parameters,
    }
    if spec.strict:
        function["strict"] = True
    return {"type": "function", "function": function}
