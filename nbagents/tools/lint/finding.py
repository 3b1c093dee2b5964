"""What was found in a tool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from nbagents.redaction import clean

Rule: TypeAlias = Literal[
    "no-docstring",
    "no-type",
    "no-description",
    "no-shape",
    "vague-name",
    "unknown-parameter",
    "wrong-default",
    "wrong-type",
    "no-unit",
    "alike",
    "large",
    "default-not-json",
]
NOTHING: Final = "Nothing to mend."


@dataclass(frozen=True, slots=True, kw_only=True)
class LintFinding:
    """One thing in a tool that may mislead a model."""

    tool: str
    rule: Rule
    what: str
    """What it is, in a sentence."""
    remedy: str
    """What to do about it, in a sentence."""
    parameter: str | None = None

    def __str__(self) -> str:
        return clean(f"{self.tool}: {self.what}\n    {self.remedy} [{self.rule}]")


class Findings(tuple[LintFinding, ...]):
    """What was found in tools, in order. It shows itself as text; it is false without any."""

    __slots__ = ()

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or NOTHING

    __repr__ = __str__
