"""Patterns of a document: which of them Python knows, and none that may take for ever."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Final

LONGEST: Final = 500
PIECES: Final = re.compile(r"\\.|\[(?:\\.|[^\]\\])+\]|\(|\)|\||[*+?]|\{\d*,?\d*\}|.", re.DOTALL)
"""A pattern in pieces: escapes and classes are one each."""


def is_usable(pattern: object) -> bool:
    """Whether values can be held against a pattern: what cannot is left out of the schema.

    Patterns of documents are those of ECMAScript, and come from anywhere.
    """
    if not isinstance(pattern, str) or len(pattern) > LONGEST or _may_take_for_ever(pattern):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python may read otherwise one day
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError):  # of another language, or of none
        return False
    return True


def _may_take_for_ever(pattern: str) -> bool:
    """Whether a group is repeated that has repetitions or choices in itself, or two stand together.

    Such a pattern may try out all the ways of dividing a text; many do not, and are lost, too.
    """
    groups = [False]
    pieces = list(PIECES.findall(pattern))
    for at, piece in enumerate(pieces):
        following = pieces[at + 1] if at + 1 < len(pieces) else ""
        if piece == "(":
            groups.append(False)
        elif piece == ")" and len(groups) > 1:
            has_more = groups.pop()
            if has_more and _repeats(following):
                return True
            groups[-1] = groups[-1] or has_more or _repeats(following)
        elif piece == "|" or _repeats(piece):
            groups[-1] = True
    return len(list(_open_ended(pieces))) > MOST_OPEN


MOST_OPEN: Final = 3
"""So many repetitions without an end a pattern may have: with each the time goes up by a power."""


def _repeats(piece: str) -> bool:
    return piece in ("*", "+") or (len(piece) > 1 and piece.startswith("{"))


def _open_ended(pieces: list[str]) -> Iterator[str]:
    return (one for one in pieces if one in ("*", "+") or one.endswith(",}"))
