"""What was heard of a streamed answer and not yet given on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from nbagents.models.body_json import mend
from nbagents.models.model import TextDelta

if TYPE_CHECKING:
    from nbagents.models.model import ModelPart

__all__ = ["Heard"]

HIGH_HALVES = ("\ud800", "\udbff")

Source: TypeAlias = "Callable[[str], ModelPart]"
"""Makes a part of a text; neighbours of one source are one part."""


class Heard:
    """Gathers pieces. A piece of the answer is a part of its own, so that who reads it misses none.

    Pieces of one thought or one call that came together are given on as one part.
    """

    def __init__(self) -> None:
        self._pieces: list[tuple[Source, list[str]]] = []
        self._halves: dict[str, str] = {}

    def hear(self, source: Source, text: str) -> None:
        """Take a piece."""
        if source is not TextDelta and self._pieces and self._pieces[-1][0] == source:
            self._pieces[-1][1].append(text)
        else:
            self._pieces.append((source, [text]))

    def add(self, part: ModelPart) -> None:
        """Take a part that is whole."""
        self._pieces.append((lambda _: part, []))

    def drain(self) -> list[ModelPart]:
        """The parts since the last time."""
        if not self._pieces:
            return []
        pieces, self._pieces = self._pieces, []
        return [source("".join(texts)) for source, texts in pieces]

    def joined(self, channel: str, text: str) -> str:
        """The text with a character mended that was cut in two UTF-16 halves."""
        if text.isascii() and not self._halves:
            return text
        text = self._halves.pop(channel, "") + text
        if text and HIGH_HALVES[0] <= text[-1] <= HIGH_HALVES[1]:
            self._halves[channel] = text[-1]
            text = text[:-1]
        return mend(text)
