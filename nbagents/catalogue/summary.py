"""What an API does, in one line."""

from __future__ import annotations

import re
from typing import Final

LONGEST: Final = 90
SENTENCE: Final = re.compile(r"(?<=[.!?。！？])\s")


def summary_of(description: str) -> str:
    """The first sentence of a description, shortened at a word where it is long."""
    whole = " ".join(description.split())
    first = SENTENCE.split(whole, maxsplit=1)[0].rstrip(".")
    if len(first) <= LONGEST:
        return first
    cut = first[: LONGEST - 1]
    at_word = cut.rpartition(" ")[0]
    return f"{at_word if len(at_word) > LONGEST // 2 else cut}…"
