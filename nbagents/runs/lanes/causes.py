"""Why a run or a call was stopped, in words: a person is named only where one did it."""

from __future__ import annotations

from typing import Final

BY_PERSON: Final = "the person stopped the run"
BY_CODE: Final = "run.stop() stopped the run"
BY_TOOL: Final = "a tool stopped the run, by run.stop()"
BY_STEP: Final = "the function given as step= stopped the run"
BY_EXIT: Final = "the process, or nbagents in it, ended and stopped the run"
BY_RAISING: Final = "a tool raised KeyboardInterrupt, which stops the run"
TASK_CANCELLED: Final = "its asyncio task was cancelled, by a tool or by what awaited it"
CALL_OVER: Final = "the call that had started this run was over first"
LOOP_ENDED: Final = "a tool ended the loop that the run was on, e.g. by sys.exit in a task"
STOPS: Final = (BY_PERSON, BY_CODE, BY_STEP)
"""The causes that were somebody's wish: nothing went wrong."""
CALL_STOPPED: Final = {
    BY_PERSON: "The person stopped this call.",
    BY_CODE: "run.stop_call() stopped this call.",
    BY_TOOL: "A tool stopped this call, by run.stop_call().",
}
"""What is said of a call that was stopped by itself."""
