"""Runs of one tool that misbehaves, and what must hold after them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import nbagents as nba
from tests.faults.leaving import Ended, assert_sound, call_of, logged, run_to_the_end
from tests.unit.runs.desk import agent, request, turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from nbagents.runs.state.run.run import Run
    from nbagents.runs.state.session import Session

__all__ = ["assert_next_run_works", "ended_with", "in_each_place", "log_size", "printed", "tool_of"]


def tool_of(function: Callable[..., object], **options: Any) -> nba.Tool:
    """A function as a tool that is called `it`."""
    return nba.Tool(function, nba.ToolOptions(name="it", **options))


def in_each_place(function: Callable[[], object]) -> dict[str, nba.Tool]:
    """The same function on the main thread, on a worker, and on the loop."""

    async def on_the_loop() -> object:
        return function()

    return {
        "main": tool_of(function),
        "thread": tool_of(function, thread=True),
        "async": tool_of(on_the_loop),
    }


def ended_with(session: Session, tool: nba.Tool) -> Ended:
    """How a run ends that calls a tool; the next one must work."""
    steps = [turn(request("call-1", tool.name)), "So be it."]
    ended = run_to_the_end(agent(steps, [tool]), session)
    assert_next_run_works(session)
    return ended


def assert_next_run_works(session: Session) -> None:
    def fine() -> str:
        """All is well."""
        print("still here")
        return "fine"

    run = agent([turn(request("call-1", "fine")), "Yes."], [fine]).run("And?", log=session)
    assert_sound(run)
    assert (run.status, call_of(run).content, printed(run)) == ("completed", "fine", "still here\n")


def printed(run: Run) -> str:
    return "".join(event.text for event in logged(run) if event.type == "tool_output_delta")


def log_size(session: Session) -> int:
    """Characters of the log."""
    return sum(len(event.model_dump_json()) for event in session.log.read(session.session_id))
