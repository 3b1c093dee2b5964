"""Calls what the person wrote on the kernel's main thread, when no cell is running there.

A page's message may come in any thread, and in the middle of a cell: code of a person's never runs
then. In its own time it runs as if it were in the cell that gave it, and prints there.
"""

from __future__ import annotations

import contextvars
import traceback
from collections.abc import Callable
from typing import Any

from nbagents_widgets.frontend import kernel_here

__all__ = ["Handler"]


class Handler:
    """A function of the person's, and the cell that gave it.

    Args:
        function: What to call; its result is not used.
    """

    def __init__(self, function: Callable[[Any], object]) -> None:  # Any: whatever happened
        self.function = function
        self._cell = contextvars.copy_context()

    def soon(self, happened: object) -> None:
        """Call it on the main thread as soon as that is free; from any thread."""
        loop = getattr(kernel_here(), "io_loop", None)
        if loop is None:  # no kernel, so no page either: somebody tries it out
            self.function(happened)
        else:
            loop.add_callback(self._call, happened)

    def _call(self, happened: object) -> None:
        try:
            self._cell.copy().run(self.function, happened)
        except Exception:  # noqa: BLE001  it is the person's own code: they are shown what it was
            self._cell.copy().run(traceback.print_exc)
