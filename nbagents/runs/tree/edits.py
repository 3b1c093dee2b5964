"""What was edited in step mode, folded into the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from nbagents.runs.tree.awaits import keep_proposed, who

if TYPE_CHECKING:
    from nbagents.events import StepEdited
    from nbagents.runs.tree.nodes import RunNode


def apply_edit(event: StepEdited, run: RunNode) -> None:
    """Something is other than it was; a call's arguments are the new ones from now on."""
    call = run["calls"].get(event.tool_call_id or "")
    if call is not None and event.what == "arguments":
        keep_proposed(call)
        call["arguments"], call["changed_by"] = event.after, who(event.by)
    is_message = event.what == "message"  # what else was and is stands in calls and answers
    before, after = (cast("str | None", one) for one in (event.before, event.after))
    written = event.after if event.written is None else event.written
    run.setdefault("edits", []).append(
        {
            "step": event.step,
            "at": event.at,
            "what": event.what,
            "by": who(event.by),
            "place": event.place,
            "role": event.role,
            "call_id": event.tool_call_id,
            "before": before if is_message else None,
            "after": after if is_message else None,
            "written": written if event.what == "arguments" else None,
        }
    )
