"""Where a tool runs, and how it is stopped there: the loop, the waiting main thread, a worker."""

from nbagents.runs.lanes.batch_order import ended, together
from nbagents.runs.lanes.causes import (
    BY_CODE,
    BY_EXIT,
    BY_PERSON,
    BY_STEP,
    BY_TOOL,
    CALL_OVER,
    CALL_STOPPED,
    LOOP_ENDED,
    STOPS,
    TASK_CANCELLED,
)
from nbagents.runs.lanes.exits import contained, persons_code, run_on
from nbagents.runs.lanes.inline_lane import InlineLanes
from nbagents.runs.lanes.lane import Lane
from nbagents.runs.lanes.signals import restore_sigint, shield, until_done
from nbagents.runs.lanes.turns import main_turns
from nbagents.runs.lanes.waiting_lane import InTurn
from nbagents.runs.lanes.workers import tell

__all__ = [
    "BY_CODE",
    "BY_EXIT",
    "BY_PERSON",
    "BY_STEP",
    "BY_TOOL",
    "CALL_OVER",
    "CALL_STOPPED",
    "LOOP_ENDED",
    "STOPS",
    "TASK_CANCELLED",
    "InTurn",
    "InlineLanes",
    "Lane",
    "contained",
    "ended",
    "main_turns",
    "persons_code",
    "restore_sigint",
    "run_on",
    "shield",
    "tell",
    "together",
    "until_done",
]
