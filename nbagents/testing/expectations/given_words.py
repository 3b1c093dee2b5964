"""Texts and numbers that people expect: what would hold of every run is refused."""

from __future__ import annotations

import math
import re
from typing import Any, Final

from nbagents.testing.expectations.values import is_pattern
from nbagents.tools.context import is_several, require, shown, wrong

UNSAID: Final[Any] = ...
"""What is left out; `None` is what somebody had in a variable, and it is said so."""
TEXT: Final = "give a text that stands in it; a pattern is matches=."
EVERY: Final = "everything holds that: give a text."
PATTERN: Final = "give a regular expression, as text or compiled."
BOUND: Final = "give a number from 0 on."


def contained(given: object, *, several: bool = False) -> tuple[str, ...]:
    """The texts that are to stand somewhere; none where nothing was said.

    Raises:
        ValueError: They are none, or stand everywhere.
    """
    if given is UNSAID:
        return ()
    texts = tuple(given) if several and is_several(given) else (given,)
    if not all(isinstance(one, str) for one in texts):
        raise wrong("contains", given, TEXT)
    if not texts or not all(texts):
        raise wrong("contains", given, EVERY)
    return tuple(map(str, texts))


def pattern_of(given: object) -> re.Pattern[str] | None:
    """A regular expression; `None` where nothing was said.

    Raises:
        ValueError: It is none.
    """
    if given is UNSAID:
        return None
    if is_pattern(given):
        return given
    require("matches", given, str, PATTERN)
    try:
        return re.compile(str(given))
    except re.error as error:
        raise ValueError(f"matches is {shown(given)}, which is no pattern: {error}.") from error


def check_bound(name: str, given: object) -> None:
    """See that something can be bounded by it.

    Raises:
        ValueError: It cannot.
    """
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        raise wrong(name, given, BOUND)
    if not math.isfinite(given) or given < 0:
        raise wrong(name, given, BOUND)
