"""What of a run the person's functions find in their `Context`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbagents.tools.context import Context

if TYPE_CHECKING:
    from nbagents.messages import CallRequest
    from nbagents.runs.state import Run


def context_of(
    run: Run,
    call: CallRequest | None = None,
    *,
    agent_name: str,
    **own: Any,  # Any: what of a `Context` is of one call
) -> Context:
    """The context of a call, or of a function that belongs to none.

    Args:
        run: The run.
        call: The call.
        agent_name: Who goes on with the run now.
        own: What is of this call alone; see `Context`.
    """
    given: dict[str, Any] = {"handles": run.handles, **own}
    return Context(
        call,
        run_id=run.id,
        agent_name=agent_name,
        labels=run.labels,
        session_id=run.session.session_id,
        turn_id=run.turn_id,
        parent_run_id=run.parent and run.parent.id,
        tool_input=run.tool_input,
        context=run.context,
        caps=run.caps,
        **given,
    )
