"""How often a failing tool may be tried again: by the runtime where that is safe, or the model.

Each tool has its own budget in a run, `retries`. A call that succeeds restores it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from nbagents.results import Failure

if TYPE_CHECKING:
    from nbagents.errors import FailureKind
    from nbagents.results import CallResult
    from nbagents.tools.tool import Tool

PASSING: Final[frozenset[FailureKind]] = frozenset({"unavailable", "rate_limited", "timeout"})
"""Failures that may be gone a moment later."""
FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 8.0


class Budget:
    """Counts the failures of each tool since it last succeeded."""

    def __init__(self) -> None:
        self._failures: dict[str, int] = {}

    def refusal(self, tool: Tool | None) -> Failure | None:
        """Why a tool is not called any more; `None` while it may be."""
        if tool is None or tool.options.retries is None:
            return None
        failures = self._failures.get(tool.name, 0)
        if failures <= tool.options.retries:
            return None
        return Failure(
            kind="unavailable",
            recovery="replan",
            message=f"{tool.name!r} failed {failures} times in this run and is not called again: "
            "go on without it.",
        )

    def wait_s(self, tool: Tool | None, result: CallResult) -> float | None:
        """Count a result; how long to wait before trying again, `None`: not at all.

        Only what changes nothing the second time is tried again unasked.
        """
        if tool is None:
            return None
        if result.failure is None:
            self._failures.pop(tool.name, None)
            return None
        failures = self._failures[tool.name] = self._failures.get(tool.name, 0) + 1
        options = tool.options
        if options.retries is None or failures > options.retries:
            return None
        if result.failure.kind not in PASSING or not (options.idempotent or options.read_only):
            return None
        if result.failure.kind == "timeout" and tool.thread:  # it may still be running
            return None
        return min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** (failures - 1))

    def told(self, tool: Tool | None, result: CallResult) -> CallResult:
        """The result, with a word on it where the budget is spent now."""
        if tool is None or result.failure is None or self.refusal(tool) is None:
            return result
        said = f"{result.content}\nIt may not be called again in this run: go on without it."
        finishes = result.failure.recovery == "finish"  # the tool's own word counts for more
        changed = {"message": said, "recovery": "finish" if finishes else "replan"}
        failure = result.failure.model_copy(update=changed)
        return replace(result, content=said, failure=failure)
