"""A call that ends without being made: it has its result like any other, and the log says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nbagents.events import ToolEnd
from nbagents.results import CallResult

if TYPE_CHECKING:
    from nbagents.messages import CallRequest
    from nbagents.runs.state import Run

LATER: Final = (
    "Not called: one call at a time is made here, and that was {name!r}. Read its result, and ask "
    "for this one again if it is still to be made."
)


def in_turn(name: str) -> CallResult:
    """The result of a call that stood behind another one where the model is asked between calls."""
    return CallResult(content=LATER.format(name=name), status="skipped")


def unmade(run: Run, call: CallRequest, result: CallResult) -> CallResult:
    """End a call without making it.

    Args:
        run: The run.
        call: The call.
        result: What the model is told instead.
    """
    run.results[call.id] = result
    run.emit(
        lambda stamp: ToolEnd(
            **stamp,
            tool_call_id=call.id,
            tool_name=call.name,
            call_run_id=run.id,
            **result.told,
            duration_ms=0.0,
        )
    )
    return result
