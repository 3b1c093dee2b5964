"""Long texts, cut so that many of them fit into one room; each says at its end how much is gone."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Final

from nbagents.runs.wording import size

if TYPE_CHECKING:
    from collections.abc import Sequence

SHORTEST_BYTES: Final = 100
NOTE_BYTES: Final = 330
"""About what a cut's note and its entry in the list take: what gains less than that stays."""


def cut_text(text: str, level: int) -> str:
    """The beginning of a text that takes about `level` bytes, and how much was left out."""
    head = head_of(text, level)
    return f"{head}… [{left_out(written_bytes(text), written_bytes(head))}]"


def left_out(size_bytes: int, kept_bytes: int) -> str:
    """A cut in words: `9.8 MB of 10.0 MB left out`."""
    return f"{size(size_bytes - kept_bytes)} of {size(size_bytes)} left out"


def level_of(sizes: Sequence[int], room_bytes: int) -> int:
    """The length to which to cut so that all parts fit into a room too small for them."""
    rising = sorted(sizes)
    shorter_bytes = itertools.accumulate(rising, initial=0)
    levels = (
        (room_bytes - taken) // (len(rising) - place) - NOTE_BYTES
        for place, taken in zip(range(len(rising)), shorter_bytes, strict=False)
    )
    fits = next(level for level, one in zip(levels, rising, strict=True) if one > level)
    return max(fits, SHORTEST_BYTES)


def head_of(text: str, level: int) -> str:
    """The beginning of a text that takes about `level` bytes once it is written as JSON."""
    head = text[:level]
    while (taken := json_bytes(head)) > level:
        head = head[: min(len(head) * level // taken, len(head) - 1)]
    return head


def written_bytes(text: str) -> int:
    """The size of a text in a file."""
    return len(text.encode(errors="replace"))


def json_bytes(value: object) -> int:
    """The size of a value as JSON in a file."""
    return len(json.dumps(value, ensure_ascii=False).encode(errors="replace"))
