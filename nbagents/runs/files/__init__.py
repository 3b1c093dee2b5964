"""Runs as files: what `run.save` writes, and what `Run.load` reads of that and of notebooks."""

from nbagents.runs.files.notebook_file import NotebookRun, is_notebook, runs_of_notebook
from nbagents.runs.files.run_file import read_run_file, write_run_file
from nbagents.runs.files.saved_tree import RUN_MIME, whole_tree
from nbagents.runs.files.whole_file import write_whole

__all__ = [
    "RUN_MIME",
    "NotebookRun",
    "is_notebook",
    "read_run_file",
    "runs_of_notebook",
    "whole_tree",
    "write_run_file",
    "write_whole",
]
