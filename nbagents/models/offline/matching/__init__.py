"""Which tool a clause is for, and which mention goes to which parameter."""

from nbagents.models.offline.matching.arguments import (
    Filling,
    fill,
    fill_apart,
    is_tool_word,
    missing_of,
    pointing,
)
from nbagents.models.offline.matching.choices import meant_choice, truth
from nbagents.models.offline.matching.deeds import agrees, is_run_by, permits
from nbagents.models.offline.matching.handles import handle_of
from nbagents.models.offline.matching.parameters import UNSET, Parameter, Unset, shape_of
from nbagents.models.offline.matching.partition import parted
from nbagents.models.offline.matching.ranking import Entry, Index, Score
from nbagents.models.offline.matching.values import MaybeValue, fits, same, value_of

__all__ = [
    "UNSET",
    "Entry",
    "Filling",
    "Index",
    "MaybeValue",
    "Parameter",
    "Score",
    "Unset",
    "agrees",
    "fill",
    "fill_apart",
    "fits",
    "handle_of",
    "is_run_by",
    "is_tool_word",
    "meant_choice",
    "missing_of",
    "parted",
    "permits",
    "pointing",
    "same",
    "shape_of",
    "truth",
    "value_of",
]
