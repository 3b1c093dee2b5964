"""The body of a Responses request, which grows by appending.

What the API itself wrote in an earlier turn goes back as it stands: its reasoning, encrypted, its
calls and what it found. All else is made of the messages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from nbagents.messages import AssistantMessage, SystemMessage, ToolMessage
from nbagents.models.openai import Head, body_json, call_arguments, call_name, data_url, label
from nbagents.models.responses.tools import WiredTools
from nbagents.narrowing import is_dict
from nbagents.results import ImagePart

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from pydantic import JsonValue

    from nbagents.messages import CallRequest, Message
    from nbagents.results import ContentPart

NATIVE_OF = "openai_responses"

Item: TypeAlias = dict[str, Any]  # one of the API's items: any JSON


@dataclass(frozen=True, slots=True)
class _Seen:
    """A call of the conversation, as its result must answer it."""

    kind: str
    checks: tuple[JsonValue, ...] = ()


def responses_head() -> Head[WiredTools]:
    """What comes before the input."""
    return Head("input", lambda wired: wired.tools)


class InputItems:
    """The messages of one run as items in JSON, joined by commas.

    Args:
        with_reasoning: Whether what a model thought in earlier turns is sent back.
    """

    __slots__ = ("_count", "_last", "_seen", "_wired", "encoded", "with_reasoning")

    def __init__(self, *, with_reasoning: bool = True) -> None:
        self.encoded = bytearray()
        self.with_reasoning = with_reasoning
        self._seen: dict[str, _Seen] = {}
        self._count = 0
        self._last: Message | None = None
        self._wired = WiredTools()

    @property
    def call_ids(self) -> Collection[str]:
        """The ids of all calls so far: a new call must have another."""
        return self._seen.keys()

    def follow(self, messages: Sequence[Message], wired: WiredTools) -> bytearray:
        """Append what is new in the messages; begin again if they are not the same conversation."""
        is_same = not self._count or (
            len(messages) >= self._count and messages[self._count - 1] == self._last
        )
        if not is_same or (wired.tools and wired.names != self._wired.names):
            self._begin_again()
        if wired.tools:  # a request without tools still holds their calls
            self._wired = wired
        for at in range(self._count, len(messages)):
            for item in self._items(messages, at):
                self.encoded += (b"," if self.encoded else b"") + body_json(item)
            self._last = messages[at]
        self._count = len(messages)
        return self.encoded

    def _begin_again(self) -> None:
        self.encoded.clear()
        self._seen.clear()
        self._count = 0

    def _items(self, messages: Sequence[Message], at: int) -> Iterator[Item]:
        message = messages[at]
        if isinstance(message, AssistantMessage):
            yield from self._said(message, _shown(messages, at + 1))
        elif isinstance(message, ToolMessage):
            yield self._result(message)
        elif not isinstance(message, SystemMessage):
            content = _content(message.told, message.parts) if message.parts else message.told
            yield {"role": "user", "content": content}
        elif any(not isinstance(one, SystemMessage) for one in messages[:at]):
            yield {"role": "developer", "content": message.text}

    def _said(self, message: AssistantMessage, shown: set[str]) -> Iterator[Item]:
        """An assistant's turn as its provider wrote it, if that was this API, else made anew."""
        native = _native(message)
        if native:
            native = [item for item in native if self.with_reasoning or not _is_reasoning(item)]
            yield from self._answerable(native, shown)
            return
        if message.text or not message.calls:
            yield {"role": "assistant", "content": message.text}
        for call in message.calls:
            self._seen[call.id] = _Seen("function_call")
            yield self._call(call)

    def _answerable(self, native: list[Item], shown: set[str]) -> Iterator[Item]:
        """The items, without computer calls that came to nothing: only a screenshot answers one."""
        kept: list[Item] = []
        for item in native:
            kind, call_id = item["type"], item.get("call_id")
            if kind == "computer_call" and call_id not in shown:
                self._seen[str(call_id)] = _Seen("")
                while kept and _is_reasoning(kept[-1]):  # it may not stand alone
                    kept.pop()
                continue
            if call_id:
                checks = item.get("pending_safety_checks") or ()
                self._seen[call_id] = _Seen(kind, tuple(checks))
            kept.append(item)
        yield from kept

    def _call(self, call: CallRequest) -> Item:
        wire = self._wired.sent(call.name)
        item: Item = {
            "type": "function_call",
            "call_id": call.id,
            "name": call_name(wire.name),
            "arguments": call_arguments(call.arguments),
        }
        return {**item, "namespace": wire.namespace} if wire.namespace else item

    def _result(self, message: ToolMessage) -> Item:
        seen = self._seen.get(message.call_id) or _Seen("function_call")
        if not seen.kind:
            return {"role": "user", "content": f"[{message.name}] {message.content}"}
        if seen.kind == "computer_call":
            return _screenshot(message, seen)
        output = _content(message.content, message.parts) if message.parts else message.content
        return {"type": "function_call_output", "call_id": message.call_id, "output": output}


def instructions_of(messages: Sequence[Message]) -> str:
    """What the agent is told before all else."""
    told: list[str] = []
    for message in messages:
        if not isinstance(message, SystemMessage):
            break
        told.append(message.text)
    return "\n\n".join(told)


def _native(message: AssistantMessage) -> list[Item]:
    """The turn's own items, if they are this API's and say the same as the message."""
    if message.native_of != NATIVE_OF:
        return []
    items = [one for one in message.native if is_dict(one)]
    asked = [one["call_id"] for one in items if one["type"] in ("function_call", "computer_call")]
    if asked != [call.id for call in message.calls]:
        return []  # e.g. in the last step, whose calls are not made
    return [_sendable(one) for one in items if _can_stand(one)]


def _is_reasoning(item: Item) -> bool:
    return item["type"] == "reasoning"


def _can_stand(item: Item) -> bool:
    """Whether an item says all: reasoning that is only named was kept by nobody."""
    return not _is_reasoning(item) or bool(item.get("encrypted_content") or item.get("content"))


def _sendable(item: Item) -> Item:
    """The item with arguments that are JSON, even if the model wrote none."""
    if item["type"] != "function_call":
        return item
    arguments = call_arguments(item["arguments"])
    return item if arguments == item["arguments"] else {**item, "arguments": arguments}


def _shown(messages: Sequence[Message], start: int) -> set[str]:
    """The calls whose results, right behind an assistant's turn, hold an image."""
    found: set[str] = set()
    for message in messages[start:]:
        if not isinstance(message, ToolMessage):
            break
        if any(isinstance(part, ImagePart) for part in message.parts):
            found.add(message.call_id)
    return found


def _screenshot(message: ToolMessage, seen: _Seen) -> Item:
    """What a computer call gave. That it was made at all says that its checks were acknowledged."""
    image = next(part for part in reversed(message.parts) if isinstance(part, ImagePart))
    item: Item = {
        "type": "computer_call_output",
        "call_id": message.call_id,
        "output": {"type": "computer_screenshot", "image_url": _url(image)},
    }
    return {**item, "acknowledged_safety_checks": seen.checks} if seen.checks else item


def _content(text: str, parts: Iterable[ContentPart]) -> list[Item]:
    content: list[Item] = [{"type": "input_text", "text": text}] if text else []
    for part in parts:
        if part.name:
            content.append({"type": "input_text", "text": label(part)})
        content.append(_part(part))
    return content


def _part(part: ContentPart) -> Item:
    if isinstance(part, ImagePart):
        return {"type": "input_image", "detail": part.detail, "image_url": _url(part)}
    if part.file_id:
        return {"type": "input_file", "file_id": part.file_id}
    data = data_url(part.media_type, part.data or b"")
    return {"type": "input_file", "filename": part.name, "file_data": data}


def _url(image: ImagePart) -> str:
    return image.url or data_url(image.media_type, image.data or b"")
