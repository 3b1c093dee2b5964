"""What was heard of a streamed answer and not yet given on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from nbagents.models.model import TextDelta
from nbagents.models.openai.json_body import mend

if TYPE_CHECKING:
    from nbagents.models.model import ModelPart

HIGH_HALVES = ("\ud800", "\udbff")

Source: TypeAlias = "Callable[[str], ModelPart]"
"""Makes a part of a text; neighbours of one source are one part."""


class _Growing:
    """A part that is made when it is given on, of all pieces that came until then."""

    __slots__ = ("pieces", "source")

    def __init__(self, source: Source, piece: str) -> None:
        self.source = source
        self.pieces = [piece]

    def part(self) -> ModelPart:
        """The part as it is now."""
        return self.source("".join(self.pieces))


class Heard:
    """Gathers pieces. A piece of the answer is a part of its own, so that who reads it misses none.

    Pieces of one thought or one call that came together are given on as one part.
    """

    def __init__(self) -> None:
        self._parts: list[ModelPart | _Growing] = []
        self._halves: dict[str, str] = {}

    def say(self, text: str) -> None:
        """Take a piece of the answer."""
        self._parts.append(TextDelta(text))

    def hear(self, source: Source, text: str) -> None:
        """Take a piece of a thought or a call."""
        last = self._parts[-1] if self._parts else None
        if isinstance(last, _Growing) and last.source == source:
            last.pieces.append(text)
        else:
            self._parts.append(_Growing(source, text))

    def add(self, part: ModelPart) -> None:
        """Take a part that is whole."""
        self._parts.append(part)

    def drain(self) -> list[ModelPart]:
        """The parts since the last time."""
        parts, self._parts = self._parts, []
        return [one.part() if isinstance(one, _Growing) else one for one in parts]

    def joined(self, channel: str, text: str) -> str:
        """The text with a character mended that was cut in two UTF-16 halves."""
        if text.isascii() and not self._halves:
            return text
        text = self._halves.pop(channel, "") + text
        if text and HIGH_HALVES[0] <= text[-1] <= HIGH_HALVES[1]:
            self._halves[channel] = text[-1]
            text = text[:-1]
        return mend(text)
