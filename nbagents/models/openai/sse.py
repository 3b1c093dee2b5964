"""Server-sent events: the `data` of each event, out of bytes that are cut anywhere."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from pydantic_core import from_json

from nbagents import bounds
from nbagents.errors import ModelError

TOO_LONG: Final = (
    "{sender} sent more than {limit:,} bytes in one event, which is as much as is taken: nothing "
    "of it was used. Ask for less at once, or check OPENAI_BASE_URL."
)
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class EventCutter:
    r"""Cuts a byte stream into the `data` of its events.

    Works on bytes, so a cut inside a character is no special case. Comments and the fields `event`,
    `id` and `retry` are passed over: the APIs that are read here carry everything in `data`.

    Source: WHATWG HTML, section "Server-sent events", parsing an event stream.

    Example:
        >>> cutter = EventCutter()
        >>> cutter.feed(b'data: {"a"')
        []
        >>> cutter.feed(b': 1}\n\n')
        [b'{"a": 1}']
    """

    __slots__ = ("_held", "_lines", "_more", "_rest", "_sender")

    def __init__(self, sender: str = "The provider") -> None:
        self._sender = sender
        self._held = 0
        """How many bytes there are of an event that is not whole."""
        self._rest = b""
        self._more: list[bytes] = []
        """What follows it of the same line: joined once, for a line may have megabytes."""
        self._lines: list[bytes] = []

    def feed(self, chunk: bytes) -> list[bytes]:
        """The data of the events that end within this chunk.

        Raises:
            ModelError: An event is too large.
        """
        self._held += len(chunk)
        if self._held > bounds.MAX_LINE_BYTES:
            raise ModelError(TOO_LONG.format(sender=self._sender, limit=bounds.MAX_LINE_BYTES))
        if b"\n" not in chunk and b"\r" not in chunk and not self._rest.endswith(b"\r"):
            self._more.append(chunk)
            return []
        buffer = self._taken() + chunk if self._rest or self._more else chunk
        held = b""
        if b"\r" in buffer:
            # A carriage return at the very end may be the first half of a line end.
            if buffer.endswith(b"\r"):
                buffer, held = buffer[:-1], b"\r"
            buffer = buffer.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        whole, newline, rest = buffer.rpartition(b"\n")
        self._rest = rest + held
        return self._cut(whole.split(b"\n")) if newline else []

    def finish(self) -> list[bytes]:
        """What is left when the stream ends: an event whose blank line never came."""
        return self._cut([self._taken().rstrip(b"\r"), b""])

    def _taken(self) -> bytes:
        """The line that has begun, as far as it came; then nothing is held."""
        rest = b"".join((self._rest, *self._more)) if self._more else self._rest
        self._rest, self._more = b"", []
        return rest

    def _cut(self, lines: list[bytes]) -> list[bytes]:
        events: list[bytes] = []
        for line in lines:
            if not line:
                if self._lines:
                    events.append(b"\n".join(self._lines))
                    self._lines = []
                self._held = 0
            elif line.startswith(b"data: "):
                self._lines.append(line[6:])
            else:
                self._take_odd(line.removeprefix(BYTE_ORDER_MARK))
        return events

    def _take_odd(self, line: bytes) -> None:
        """A line that does not begin with the usual `data: `."""
        name, _, value = line.partition(b":")
        if name == b"data":
            self._lines.append(value.removeprefix(b" "))


HALF = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
"""Half of a surrogate pair: servers that count in UTF-16 cut between the halves."""


def event_json(data: bytes) -> Any:  # Any: the provider wrote it
    """The data of an event; half a character stays what it is, for the next event has the rest.

    Raises:
        ValueError: It is no JSON, or nests without end.
    """
    try:
        return from_json(data)
    except ValueError:
        from_json(HALF.sub(rb"\\ufffd", data))  # is anything else wrong with it?
        return json.loads(data)
