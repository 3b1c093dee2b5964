"""A call that ends without being made: it has its result like any other, and the log says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nbagents.events import ToolEnd

if TYPE_CHECKING:
    from nbagents.messages import CallRequest
    from nbagents.results import CallResult
    from nbagents.runs.record import Run

__all__ = ["unmade"]


def unmade(run: Run, call: CallRequest, result: CallResult) -> CallResult:
    """End a call without making it.

    Args:
        run: The run.
        call: The call.
        result: What the model is told instead.
    """
    run.emit(
        lambda stamp: ToolEnd(
            **stamp,
            tool_call_id=call.id,
            tool_name=call.name,
            call_run_id=run.id,
            status=result.status,
            content=result.content,
            preview=result.preview,
            failure=result.failure,
            duration_ms=0.0,
        )
    )
    return result
