"""The calls of a step: each with its output, its runs inside, and one result."""

from nbagents.runs.drive.calls.batch import FAILED, UNSAID, Batch
from nbagents.runs.drive.calls.surroundings import Surroundings
from nbagents.runs.drive.calls.unmade_calls import in_turn, unmade

__all__ = ["FAILED", "UNSAID", "Batch", "Surroundings", "in_turn", "unmade"]
