"""What a test expects of a run, told by its tree of runs and calls."""

from nbagents.testing.expectations.breaks import ExpectationError, coloured, is_looked_at
from nbagents.testing.expectations.expectation import Expectation, expect
from nbagents.testing.expectations.outline import Colour, Finding
from nbagents.testing.expectations.subject import tree_of

__all__ = [
    "Colour",
    "Expectation",
    "ExpectationError",
    "Finding",
    "coloured",
    "expect",
    "is_looked_at",
    "tree_of",
]
