"""How much a run may still do: calls, tokens and time, against what it was given."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from nbagents.results import CallResult, Failure
from nbagents.tools.invoke import run_end_s

if TYPE_CHECKING:
    from nbagents.results import Limits, Usage

__all__ = ["Spending", "check_limits", "not_made"]

LAST_WORD_S = 30.0
"""How long a run whose time is over may take to say what it has found, at most."""


class Spending:
    """What a run has spent.

    Args:
        limits: What it may spend.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._calls = 0
        self._tokens = 0
        self._end_s: float | None = None

    def begin(self) -> None:
        """The run's time begins; in the context in which its calls will be made."""
        limit_s = self._limits.timeout_s
        self._end_s = None if limit_s is None else time.monotonic() + limit_s
        run_end_s.set(self._end_s)

    def take_calls(self, wanted: int) -> int:
        """Spend calls; how many of those that are wanted may be made."""
        most = self._limits.max_calls
        granted = wanted if most is None else min(wanted, most - self._calls)
        self._calls += granted
        return granted

    def take_tokens(self, usage: Usage) -> None:
        """Count what a step has used."""
        self._tokens += usage.total_tokens

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left of one of the limits."""
        calls, tokens = self._limits.max_calls, self._limits.max_tokens
        return (
            (calls is not None and self._calls >= calls)
            or (tokens is not None and self._tokens >= tokens)
            or (self._end_s is not None and time.monotonic() >= self._end_s)
        )

    def left_s(self, *, is_final: bool) -> float | None:
        """How long the model may take to answer; the last word has time of its own."""
        if self._end_s is None or self._limits.timeout_s is None:
            return None
        last_s = min(self._limits.timeout_s, LAST_WORD_S) if is_final else 0.0
        return max(self._end_s - time.monotonic(), 0.0) + last_s


def not_made(max_calls: int | None) -> CallResult:
    """The result of a call for which there was no room."""
    said = f"Not called: this run may make {max_calls} calls, and has made them. Answer now."
    failure = Failure(kind="unavailable", recovery="finish", message=said)
    return CallResult(content=said, failure=failure, status="skipped")


def check_limits(limits: Limits) -> None:
    """See that limits can be kept.

    Raises:
        ValueError: One is less than what a run needs to begin.
    """
    counts = {
        "max_steps": limits.max_steps,
        "max_calls": limits.max_calls,
        "max_tokens": limits.max_tokens,
    }
    for name, count in counts.items():
        least = 0 if name == "max_calls" else 1
        if count is not None and count < least:
            raise ValueError(f"{name} is {count}: it must be at least {least}.")
    if limits.timeout_s is not None and not 0 < limits.timeout_s < float("inf"):
        raise ValueError(f"timeout_s is {limits.timeout_s}: it must be more than 0 seconds.")
