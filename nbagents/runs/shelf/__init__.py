"""The tools of catalogues that a run's model is not shown, until they are found or called."""

from nbagents.runs.shelf.finders import Finders
from nbagents.runs.shelf.manifest import BUDGET, PER_TOKEN, manifest_of
from nbagents.runs.shelf.near_names import written_like
from nbagents.runs.shelf.shelf import Shelf

__all__ = [
    "BUDGET",
    "PER_TOKEN",
    "Finders",
    "Shelf",
    "manifest_of",
    "written_like",
]
