"""What came of asking whether a call may be made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import JsonValue


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
