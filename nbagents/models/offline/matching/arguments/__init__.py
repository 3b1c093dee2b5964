"""Arguments of a call from a text: which mention fits which parameter, and how many calls."""

from nbagents.models.offline.matching.arguments.arguments import fill, missing_of
from nbagents.models.offline.matching.arguments.assignment import Filling
from nbagents.models.offline.matching.arguments.fit import is_tool_word, pointing
from nbagents.models.offline.matching.arguments.separation import fill_apart

__all__ = ["Filling", "fill", "fill_apart", "is_tool_word", "missing_of", "pointing"]
