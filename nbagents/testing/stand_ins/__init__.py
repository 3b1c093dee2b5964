"""Models that stand in for a real one in tests: junk that fits, and a run said again."""

from nbagents.testing.stand_ins.choices import Choices, simpler
from nbagents.testing.stand_ins.fuzzing import Fuzzed, FuzzError, fuzz
from nbagents.testing.stand_ins.junk_model import JunkModel, junk_arguments
from nbagents.testing.stand_ins.replay_model import ReplayModel
from nbagents.testing.stand_ins.schema_value import NoValueError, value_for

__all__ = [
    "Choices",
    "FuzzError",
    "Fuzzed",
    "JunkModel",
    "NoValueError",
    "ReplayModel",
    "fuzz",
    "junk_arguments",
    "simpler",
    "value_for",
]
