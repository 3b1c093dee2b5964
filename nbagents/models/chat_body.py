"""The body of a chat completion request, which grows by appending.

Each message is encoded once and its bytes are kept for the rest of the run, so a request costs what
is new in it. The typed client walks the whole conversation again on every turn instead.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from pydantic_core import from_json, to_json

from nbagents.messages import AssistantMessage, ToolMessage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import JsonValue

    from nbagents.messages import CallRequest, Message
    from nbagents.models.model import ToolSpec

__all__ = ["ChatHead", "Conversation", "encode_message", "mend"]

FUNCTION_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""Source: OpenAI API reference, chat completions, `tools[].function.name`."""

NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]")


class Conversation:
    """The messages of one run as JSON, joined by commas."""

    __slots__ = ("_count", "_last", "call_ids", "encoded")

    def __init__(self) -> None:
        self.encoded = bytearray()
        self.call_ids: set[str] = set()
        """The ids of all calls so far: a new call must have another."""
        self._count = 0
        self._last: Message | None = None

    def follow(self, messages: Sequence[Message]) -> bytearray:
        """Append what is new in the messages; begin again if they are not the same conversation."""
        if self._count and (len(messages) < self._count or messages[self._count - 1] != self._last):
            self._begin_again()
        for message in messages[self._count :]:
            if self._count:
                self.encoded += b","
            self.encoded += encode_message(message)
            self._count += 1
            self._last = message
            if isinstance(message, AssistantMessage):
                self.call_ids.update(call.id for call in message.calls)
        return self.encoded

    def _begin_again(self) -> None:
        self.encoded.clear()
        self.call_ids.clear()
        self._count = 0


class ChatHead:
    """What comes before the messages: model, stream options, settings and tools."""

    __slots__ = ("_of", "encoded")

    def __init__(self) -> None:
        self._of: tuple[object, ...] = ()
        self.encoded = b""

    def follow(self, options: Mapping[str, JsonValue], tools: tuple[ToolSpec, ...]) -> bytes:
        """The head as JSON up to the first message; encoded again only if something changed."""
        if self._of != (options, tools):
            body: dict[str, object] = dict(options)
            if tools:
                body["tools"] = [_tool(spec) for spec in tools]
            self.encoded = _json(body)[:-1] + b',"messages":['
            self._of = (options, tools)
        return self.encoded


def encode_message(message: Message) -> bytes:
    """One message as JSON."""
    if isinstance(message, AssistantMessage):
        return _json(_assistant(message))
    if isinstance(message, ToolMessage):
        return _json({"role": "tool", "tool_call_id": message.call_id, "content": message.content})
    return _json({"role": message.role, "content": message.text})


def _assistant(message: AssistantMessage) -> dict[str, object]:
    if not message.calls:
        return {"role": "assistant", "content": message.text}
    return {
        "role": "assistant",
        "content": message.text or None,
        "tool_calls": [_call(call) for call in message.calls],
    }


def _call(call: CallRequest) -> dict[str, object]:
    name = call.name
    if not FUNCTION_NAME.fullmatch(name):
        # A model may ask for a tool that no name can have; the API refuses a history with it.
        name = NOT_IN_NAMES.sub("_", name)[:64] or "unknown"
    return {
        "id": call.id,
        "type": "function",
        "function": {"name": name, "arguments": _arguments(call.arguments)},
    }


def _arguments(text: str) -> str:
    """The arguments, made JSON where the model wrote none: some servers parse the history."""
    if not text.strip():
        return "{}"
    try:
        from_json(text)
    except ValueError:
        return _json({"invalid_json": text}).decode()
    return text


def _tool(spec: ToolSpec) -> dict[str, object]:
    function: dict[str, object] = {
        "name": spec.name,
        "description": spec.description,
        "parameters": spec.parameters,
    }
    if spec.strict:
        function["strict"] = True
    return {"type": "function", "function": function}


def _json(value: object) -> bytes:
    try:
        return to_json(value, fallback=dict)  # a read-only view of a schema is no dict
    except ValueError:
        # Half of a surrogate pair, as file names and broken tools make them, is no UTF-8.
        return to_json(_mended(value))


def _mended(value: object) -> object:
    if isinstance(value, str):
        return mend(value)
    if isinstance(value, Mapping):
        pairs = cast("Mapping[str, object]", value).items()
        return {mend(key): _mended(item) for key, item in pairs}
    if isinstance(value, (list, tuple)):
        return [_mended(item) for item in cast("Sequence[object]", value)]
    return value


def mend(text: str) -> str:
    """The text with the halves of a surrogate pair joined, and lone ones replaced by U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
