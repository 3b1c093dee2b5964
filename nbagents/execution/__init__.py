"""Notebook files, run in kernels of their own: to be tested, or to be kept as they come out."""

from nbagents.execution.check import CELL_LIMIT_S, Rules, check_notebook
from nbagents.execution.checks import Desk, check_all, cores, stopping
from nbagents.execution.document import (
    Document,
    NotebookFileError,
    digest_of,
    is_trusted,
    read,
    sign,
    write,
)
from nbagents.execution.execution import Setting, Stop, Watch, execute, first_line, labels_of
from nbagents.execution.junit import junit_report, write_junit
from nbagents.execution.kernel_choice import KernelChoice, choose_kernel
from nbagents.execution.marks import MARKS, marks_of
from nbagents.execution.parameters import ParameterError, read_assignment, with_parameters
from nbagents.execution.selection import SelectionError, notebooks_in
from nbagents.execution.sequence import SavedRun, lines_of, saved_runs
from nbagents.execution.verdict import Failure, Verdict

__all__ = [
    "CELL_LIMIT_S",
    "MARKS",
    "Desk",
    "Document",
    "Failure",
    "KernelChoice",
    "NotebookFileError",
    "ParameterError",
    "Rules",
    "SavedRun",
    "SelectionError",
    "Setting",
    "Stop",
    "Verdict",
    "Watch",
    "check_all",
    "check_notebook",
    "choose_kernel",
    "cores",
    "digest_of",
    "execute",
    "first_line",
    "is_trusted",
    "junit_report",
    "labels_of",
    "lines_of",
    "marks_of",
    "notebooks_in",
    "read",
    "read_assignment",
    "saved_runs",
    "sign",
    "stopping",
    "with_parameters",
    "write",
    "write_junit",
]
