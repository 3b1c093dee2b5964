"""Which recording holds for the runs of a notebook, and what is said of it."""

from nbagents.notebook.recorded.choice import Choice
from nbagents.notebook.recorded.recordings import NotebookRecordings

__all__ = ["Choice", "NotebookRecordings"]
