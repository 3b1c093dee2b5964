"""What came of asking whether a call may be made, and by what the same call is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from nbagents.tools.call import Target

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import JsonValue

CallKey: TypeAlias = tuple[Target, str]
"""The same for the same call: what is called, and its arguments."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of asking whether a call may be made."""

    approved: bool
    by: str
    summary: str
    content: str = ""
    """What the model is told of a denial."""
    note: str | None = None
    arguments: Mapping[str, JsonValue] | None = None
    """Those that a person has put in place of the model's."""
    remembered: bool = False
    under_grant: bool = False
    """Whether nobody was asked: leave was given earlier for all calls of the tool."""
