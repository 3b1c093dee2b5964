"""Which APIs a reason names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nbagents.anytool.finding.pool import Candidate

INSIDE: Final = r"[A-Za-z0-9_-]"
"""What a name is made of: beside it there is nothing of that."""
QUOTES: Final = ("`{}`", "'{}'", '"{}"', "“{}”", "‘{}’")


def named_in(reason: str, candidates: Iterable[Candidate]) -> tuple[str, ...]:
    """The candidates that a reason names: by the name of their function, or quoted by their own.

    Example:
        >>> from nbagents.anytool.finding.pool import Candidate
        >>> one = Candidate(
        ...     name="get_x_for_Y", category="C", tool="Y", api="Get X", by="search", round=0
        ... )
        >>> named_in("get_x_for_Y answers 404.", [one]), named_in("No get_x_for_Y_2 here.", [one])
        (('get_x_for_Y',), ())
        >>> named_in("'Get X' does not work.", [one])
        ('get_x_for_Y',)
    """
    return tuple(one.name for one in candidates if _is_named(reason, one))


def _is_named(reason: str, one: Candidate) -> bool:
    if re.search(f"(?<!{INSIDE}){re.escape(one.name)}(?!{INSIDE})", reason):
        return True
    return bool(one.api) and any(quote.format(one.api) in reason for quote in QUOTES)
