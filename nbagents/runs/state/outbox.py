"""What a session writes down: without secrets, also where one comes in pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias, cast

from nbagents.event_cleaner import clean_event
from nbagents.redaction import Held

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbagents.events import (
        AnyEvent,
        AssistantDelta,
        Thought,
        ToolArgsDelta,
        ToolOutputDelta,
    )

    Piece: TypeAlias = AssistantDelta | Thought | ToolArgsDelta | ToolOutputDelta

SPOKEN: Final = ("assistant_delta", "thought")
PIECES: Final = frozenset({*SPOKEN, "tool_args_delta", "tool_output_delta"})
Channel: TypeAlias = tuple[str, str, str]
"""The run, the type, and the call with its stream, where it is one's."""


class Outgoing:
    """Cleans events. Of a text in pieces, what may be the beginning of a secret waits."""

    def __init__(self) -> None:
        self._waiting: dict[Channel, tuple[Held, Piece]] = {}

    def cleaned(self, event: AnyEvent) -> tuple[Sequence[AnyEvent], AnyEvent | None]:
        """What had waited and is to be written now, and the event, unless all of it waits."""
        if event.type in PIECES:
            return self._piece(cast("Piece", event))
        made = clean_event(event)
        if not self._waiting:
            return (), made
        return self._released(event), made

    def _piece(self, event: Piece) -> tuple[Sequence[AnyEvent], AnyEvent | None]:
        channel = _channel(event)
        before = self._other_speech(channel) if event.type in SPOKEN and self._waiting else ()
        waited = self._waiting.pop(channel, None)
        held = Held() if waited is None else waited[0]
        text = held.take(event.text)
        if not held.is_empty:
            self._waiting[channel] = held, event
        if text == event.text:
            return before, event
        return before, event.model_copy(update={"text": text}) if text else None

    def _other_speech(self, channel: Channel) -> Sequence[AnyEvent]:
        """What waits of the other kind of speech: a thought is over when an answer begins."""
        other = SPOKEN[0] if channel[1] == SPOKEN[1] else SPOKEN[1]
        return self._ended([(channel[0], other, "")])

    def _released(self, event: AnyEvent) -> Sequence[AnyEvent]:
        """What waits no longer when this event comes."""
        call_id: str | None = getattr(event, "tool_call_id", None)
        over = [
            channel
            for channel in self._waiting
            if channel[0] == event.run_id
            and (
                channel[1] != "tool_output_delta"
                or event.type == "run_stream_end"
                or channel[2].partition(" ")[2] == call_id
            )
        ]
        return self._ended(over)

    def _ended(self, channels: Sequence[Channel]) -> Sequence[AnyEvent]:
        ended = (self._waiting.pop(one) for one in channels if one in self._waiting)
        said = ((held.end(), last) for held, last in ended)
        return [last.model_copy(update={"text": text}) for text, last in said if text]


def _channel(event: Piece) -> Channel:
    if event.type == "tool_output_delta":
        return event.run_id, event.type, f"{event.stream} {event.tool_call_id}"
    if event.type == "tool_args_delta":
        return event.run_id, event.type, event.tool_call_id
    return event.run_id, event.type, ""
