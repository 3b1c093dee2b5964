"""A run as an object: read while it goes on and after, steered, compared, kept and had back."""

from nbagents.runs.state.run.comparison import Comparison, compare
from nbagents.runs.state.run.run import Run
from nbagents.runs.state.run.safekeeping import found_run, is_path

__all__ = ["Comparison", "Run", "compare", "found_run", "is_path"]
