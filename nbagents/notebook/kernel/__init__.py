"""What we use of IPython and its kernel: the shell, the loop, cells, displays, clicks."""

from nbagents.notebook.kernel.cell_errors import PlainSyntax, head_as_comment, shown_plainly
from nbagents.notebook.kernel.cell_watch import CellWatch, cell_id_of, input_number
from nbagents.notebook.kernel.click_pump import Pump, amid_a_cell, through_awaits
from nbagents.notebook.kernel.display_capture import displays_captured
from nbagents.notebook.kernel.figures import capture_figures
from nbagents.notebook.kernel.kernel_loop import (
    asks_page,
    between_cells,
    is_watched,
    main_loop_of,
    say_busy,
)
from nbagents.notebook.kernel.line_transform import may_stand_before, take_magic_lines
from nbagents.notebook.kernel.main_thread import run_pending, soon
from nbagents.notebook.kernel.shell import Shell, kernel_of, parent_of, request_metadata, say

__all__ = [
    "CellWatch",
    "PlainSyntax",
    "Pump",
    "Shell",
    "amid_a_cell",
    "asks_page",
    "between_cells",
    "capture_figures",
    "cell_id_of",
    "displays_captured",
    "head_as_comment",
    "input_number",
    "is_watched",
    "kernel_of",
    "main_loop_of",
    "may_stand_before",
    "parent_of",
    "request_metadata",
    "run_pending",
    "say",
    "say_busy",
    "shown_plainly",
    "soon",
    "take_magic_lines",
    "through_awaits",
]
